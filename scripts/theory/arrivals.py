"""Arrivals that are no Poisson process of one rate: profiles, bursts, renewals, and what they bring about."""

import math

from .numerics import mean, stationary
from .stands import Case, exponential, share, stand


def profile(rates, every, repeats=True):
    return {"profile": {"every": every, "perSecond": rates, "repeat": repeats}}


def infinite_makers():
    """M_t/M/∞: m' = λ(t) − m, solved piece by piece; the number present is Poisson with that mean.

    The rate 20(1 + 0.6 sin(2πt/24)) as 2,400 steps, each with its average, so that steps and sine have the same
    integral; the answers are those of the steps.
    """
    every, period = 0.01, 24.0
    pieces = round(period / every)

    def total(t):
        return 20 * t + 20 * 0.6 * period / (2 * math.pi) * (1 - math.cos(2 * math.pi * t / period))

    rates = [(total((i + 1) * every) - total(i * every)) / every for i in range(pieces)]

    def present(start, to):
        m, decay = start, math.exp(-every)
        for i in range(round(to / every)):
            m = rates[i % pieces] + (m - rates[i % pieces]) * decay
        return m

    arrivals = profile(rates, every)
    # One day and some hours after an empty opening.
    for hour in (6, 12, 18, 24):
        yield Case(
            f"nhpp: M_t/M/inf m({hour})", stand(arrivals, exponential(1), makers="unlimited"),
            [(f"m({hour})", "customers.present", present(0, period + hour))], seconds=period + hour, transient=True)
    yield Case(
        "nhpp: arrivals in half a day", stand(arrivals, exponential(1), makers="unlimited"),
        [("count_0_12h", "customers.arrived", total(12))], seconds=12, transient=True)
    yield Case(
        "profile without repeat", stand(profile([2, 0, 5.5], 3, False), 0, makers="unlimited"),
        [("arrived", "customers.arrived", 3 * 7.5)], seconds=60, transient=True)


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
    # The opening is calm: the busy share grows as a/(a + b) · (1 − exp(−(a + b)t)).
    a, b, t = 1 / 4.0, 1 / 2.0, 3.0
    busy = a / (a + b) * (t - (1 - math.exp(-(a + b) * t)) / (a + b))
    yield Case(
        "bursts from the opening", stand(arrivals(1, 6, exponential, (4.0, 2.0)), 0, makers="unlimited"),
        [("arrived", "customers.arrived", t + 5 * busy)], seconds=t, transient=True)


def renewal():
    # Two stages of rate 2 each: the renewal function is t − 1/4 + exp(−4t)/4.
    t = 2.5
    yield Case(
        "renewals of E2 from the opening",
        stand({"renewal": {"erlang": {"stages": 2, "mean": 1}}}, 0, makers="unlimited"),
        [("arrived", "customers.arrived", t - 0.25 + math.exp(-4 * t) / 4)], seconds=t, transient=True)


def shifts():
    """M_t/M_t/c from the opening: the equations of the number present and the cups being made.

    A maker whose shift ends finishes the cup at hand, so more cups may be made than the shift has makers.
    """
    every, rates, makers, service, most = 600.0, [0.02, 0.07, 0.05, 0.01], [1, 4, 2, 0], 50.0, 110
    steps = 600
    # By cups being made, then by customers present. At most as many cups as the largest shift.
    busiest = max(makers)
    p = [[0.0] * (most + 1) for _ in range(busiest + 1)]
    p[0][0] = 1.0

    def slope(p, rate, makers):
        out = [[0.0] * (most + 1) for _ in p]
        for b, row in enumerate(p):
            for n in range(b, most + 1):
                here = row[n]
                if here == 0.0:
                    continue
                if n < most:
                    flow = here * rate
                    out[b][n] -= flow
                    out[b + 1 if b < makers else b][n + 1] += flow
                if b:
                    flow = here * b / service
                    out[b][n] -= flow
                    # The next waiting customer is taken only by a maker of the shift.
                    out[b if n > b and b - 1 < makers else b - 1][n - 1] += flow
        return out

    def moved(p, slope, h):
        return [[x + h * y for x, y in zip(*rows)] for rows in zip(p, slope)]

    queue = present = duty = 0.0
    for rate, on in zip(rates, makers):
        # Those who come on duty start cups at once.
        for b in range(min(on, busiest)):
            for n in range(b + 1, most + 1):
                p[min(n, on)][n] += p[b][n]
                p[b][n] = 0.0
        h = every / steps
        for _ in range(steps):
            # The midpoint method.
            after = moved(p, slope(moved(p, slope(p, rate, on), h / 2), rate, on), h)
            for b, (row, end) in enumerate(zip(p, after)):
                for n in range(b, most + 1):
                    weight = (row[n] + end[n]) / 2 * h
                    queue += weight * (n - b)
                    present += weight * n
                    duty += weight * max(on, b)
            p = after
    assert sum(row[most] for row in p) < 1e-9
    yield Case(
        "shifts, M_t/M_t/c from the opening",
        stand(profile(rates, every), exponential(service), makers={"shifts": {"every": every, "makers": makers}}), [
            ("queue.hours", "queue.hours", queue / 3600), ("present.hours", "present.hours", present / 3600),
            ("makers.onDuty.hours", "makers.onDuty.hours", duty / 3600),
            ("present", "customers.present", sum(n * x for row in p for n, x in enumerate(row)))],
        seconds=every * len(rates), transient=True)


def cases():
    for group in (infinite_makers, loss_with_profile, bursts, renewal, shifts):
        yield from group()
