"""Arrivals that are no Poisson process of one rate: profiles and bursts."""

from .numerics import mean, stationary
from .stands import Case, exponential, share, stand


def profile(rates, every, repeats=True):
    return {"profile": {"every": every, "perSecond": rates, "repeat": repeats}}


def loss_with_profile():
    """M_t/M/1/4 with three steps: the forward equations of the chain, by Runge and Kutta, until the days are alike."""
    rates, every, places = [0.3, 2.5, 1.0], 4.0, 4
    p = [1.0] + [0.0] * places
    steps = 2000

    def slope(p, rate):
        return [
            (rate * p[n - 1] if n else 0) + (p[n + 1] if n < places else 0)
            - p[n] * ((rate if n < places else 0) + (1 if n else 0)) for n in range(places + 1)]

    def step(p, rate, h):
        def at(k, share):
            return [x + h * share * y for x, y in zip(p, k)]

        k1 = slope(p, rate)
        k2 = slope(at(k1, 0.5), rate)
        k3 = slope(at(k2, 0.5), rate)
        k4 = slope(at(k3, 1), rate)
        return [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(p, k1, k2, k3, k4)]

    for day in range(20):
        lost = present = 0.0
        for rate in rates:
            for _ in range(steps):
                after = step(p, rate, every / steps)
                lost += rate * (p[-1] + after[-1]) / 2 * every / steps
                present += sum(n * (x + y) / 2 for n, (x, y) in enumerate(zip(p, after))) * every / steps
                p = after
    yield Case(
        "M_t/M/1/4", stand(profile(rates, every), exponential(1), limit=places - 1), [
            ("balked", share("balked"), lost / (every * sum(rates))),
            ("present.mean", "present.mean", present / (every * len(rates)))], warm_up=1200)


def bursts():
    """A modulated Poisson process before one maker: a chain in the number present and the phase, phases of stages."""

    def law(calm, busy, stages, lengths, most, places=None):
        """Phase i < stages is calm; each stage has the rate stages/length."""

        def moves(state):
            n, i = state
            kind = i // stages
            if n < most and (places is None or n < places):
                yield (n + 1, i), (calm, busy)[kind]
            yield (n, (i + 1) % (2 * stages)), stages / lengths[kind]
            if n:
                yield (n - 1, i), 1.0

        return stationary((0, 0), moves)

    def arrivals(calm, busy, phase, lengths):
        return {"bursts": {
            "calm": {"perSecond": calm, "lasting": phase(lengths[0])},
            "busy": {"perSecond": busy, "lasting": phase(lengths[1])}}}

    def erlang(length):
        return {"erlang": {"stages": 2, "mean": length}}

    lengths = (20.0, 8.0)
    for name, stages, phase in (("MMPP/M/1", 1, exponential), ("MMPP/M/1, phases E2", 2, erlang)):
        calm, busy = 0.3, 1.4
        chain = law(calm, busy, stages, lengths, 500)
        rate = (calm * lengths[0] + busy * lengths[1]) / sum(lengths)
        # What an arrival finds is weighted by the rate of the phase.
        waited = mean(chain, lambda s: (calm, busy)[s[1] // stages] * (s[0] > 0)) / rate
        queue = mean(chain, lambda s: max(0, s[0] - 1))
        yield Case(name, stand(arrivals(calm, busy, phase, lengths), exponential(1)), [
            ("present.mean", "present.mean", mean(chain, lambda s: s[0])),
            ("wait.mean", "wait.mean", queue / rate),
            ("waitProbability", "waitProbability", waited),
            ("throughput", "throughput", rate),
        ])
    # Interrupted: nobody comes while it is calm.
    lengths = (5.0, 4.0)
    chain = law(0, 1.8, 1, lengths, 3, 3)
    yield Case("IPP/M/1/3", stand(arrivals(0, 1.8, exponential, lengths), exponential(1), limit=2), [
        ("balked", share("balked"), mean(chain, lambda s: s == (3, 1)) / mean(chain, lambda s: s[1])),
        ("present.mean", "present.mean", mean(chain, lambda s: s[0])),
    ])


def cases():
    for group in (loss_with_profile, bursts):
        yield from group()
