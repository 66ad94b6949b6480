"""Queues: exact answers by closed form or by Markov chain, and the stands that are these queues."""

import math

from .numerics import integral, mean, root, stationary
from .stands import Case, exponential, poisson, share, stand


def birth_death(rate, c, mu, limit=None, theta=0.0):
    """M/M/c with `limit` waiting places (none: without limit) and exponential patience of mean 1/θ.

    Our waits are of *served* customers. Who finds n ≥ c others waits for V, the sum of independent exponential times of
    the rates cμ + jθ, j = 0 … n − c, and is served if patience is longer: with probability E[exp(−θV)] =
    cμ / (cμ + (n − c + 1)θ); E[V exp(−θV)] is that times the sum of 1 / (cμ + (j + 1)θ).
    """
    p, weights = 1.0, [1.0]
    n = 0
    while (limit is None or n < c + limit) and not (limit is None and n > c and p < 1e-18 * sum(weights)):
        n += 1
        p *= rate / (min(n, c) * mu + max(0, n - c) * theta)
        weights.append(p)
    total = sum(weights)
    law = [w / total for w in weights]
    served = wait = waited = 0.0
    for n, p in enumerate(law[:-1] if limit is not None else law):
        k = n - c
        chance = 1.0 if k < 0 else c * mu / (c * mu + (k + 1) * theta)
        served += p * chance
        if k >= 0:
            waited += p * chance
            wait += p * chance * sum(1 / (c * mu + (j + 1) * theta) for j in range(k + 1))
    queue = sum(max(0, n - c) * p for n, p in enumerate(law))
    return {
        "law": law,
        "balked": law[-1] if limit is not None else 0.0,
        "reneged": theta * queue / rate,
        "wait": wait / served,
        "waited": waited / served,
        "wait of all": queue / rate,
        "queue": queue,
        "present": sum(n * p for n, p in enumerate(law)),
        "utilization": sum(min(n, c) * p for n, p in enumerate(law)) / c,
        "throughput": rate * served,
    }


def exponential_tail(chance, rate, share):
    """The percentile of a wait with P(W > t) = chance · exp(−rate · t)."""
    return math.log(chance / (1 - share)) / rate


def markovian():
    one = birth_death(0.8, 1, 1)
    yield Case("mm1: M/M/1", stand(poisson(0.8), exponential(1)), [
        ("wait.mean", "wait.mean", one["wait"]),
        ("waitProbability", "waitProbability", one["waited"]),
        *((f"wait.p{p}", f"wait.p{p}", exponential_tail(0.8, 0.2, p / 100)) for p in (50, 90, 95, 99)),
        ("present.mean", "present.mean", one["present"]),
        ("queue.mean", "queue.mean", one["queue"]),
        ("stay.mean", "stay.mean", one["wait"] + 1),
        # The stay is exponential of rate μ − λ.
        *((f"stay.p{p}", f"stay.p{p}", exponential_tail(1, 0.2, p / 100)) for p in (50, 90, 95, 99)),
        ("utilization", "makers.utilization", one["utilization"]),
        ("throughput", "throughput", 0.8),
    ])
    three = birth_death(2.7, 3, 1)
    yield Case("mm3: M/M/3", stand(poisson(2.7), exponential(1), makers=3), [
        ("waitProbability", "waitProbability", three["waited"]),
        ("wait.mean", "wait.mean", three["wait"]),
        ("wait.p90", "wait.p90", exponential_tail(three["waited"], 0.3, 0.9)),
        ("queue.mean", "queue.mean", three["queue"]),
    ])
    yield Case("erlangB: M/M/3/3", stand(poisson(2), exponential(1), makers=3, limit=0), [
        ("balked", share("balked"), birth_death(2, 3, 1, 0)["balked"]),
        ("present.mean", "present.mean", birth_death(2, 3, 1, 0)["present"]),
    ])
    # Erlang's formula holds for every law of service with the same mean.
    for name, law in (
        ("erlangB_insens: M/D/3/3", 1), ("M/lognormal/3/3", {"lognormal": {"mean": 1, "deviation": 2}}),
        ("M/Weibull/3/3", {"weibull": {"shape": 0.5, "scale": 0.5}}),
    ):
        yield Case(name, stand(poisson(2), law, makers=3, limit=0), [
            ("balked", share("balked"), birth_death(2, 3, 1, 0)["balked"])])
    for name, rate, c, mu, limit in (("mm23: M/M/2/3", 3, 2, 4, 1), ("M/M/4/10", 5, 4, 1, 6), ("M/M/1/3", 2, 1, 1, 2)):
        exact = birth_death(rate, c, mu, limit)
        yield Case(name, stand(poisson(rate), exponential(1 / mu), makers=c, limit=limit), [
            ("balked", share("balked"), exact["balked"]),
            ("present.mean", "present.mean", exact["present"]),
            ("wait.mean", "wait.mean", exact["wait"]),
            ("waitProbability", "waitProbability", exact["waited"]),
        ])
    for name, rate, c, limit, theta in (
        ("erlangA_stand: M/M/3+M", 4, 3, None, 0.5), ("M/M/10+M", 9, 10, None, 2), ("M/M/2/6+M", 3, 2, 4, 0.25),
    ):
        exact = birth_death(rate, c, 1, limit, theta)
        yield Case(
            name,
            stand(
                poisson(rate), exponential(1), makers=c, limit="unlimited" if limit is None else limit,
                patience=exponential(1 / theta)),
            [
                ("reneged", share("reneged"), exact["reneged"]),
                # Of all, by Little: customers in line = arrivals a second times their time in line.
                ("wait of all", lambda m: m["queue.mean"] * m["time"] / m["customers.arrived"], exact["wait of all"]),
                ("wait.mean", "wait.mean", exact["wait"]),
                ("waitProbability", "waitProbability", exact["waited"]),
                ("utilization", "makers.utilization", exact["utilization"]),
            ])


def general_arrivals():
    """GI/M/1: who arrives waits with probability σ, the root of σ = A*(μ(1 − σ)), and then exponentially."""

    def weibull(s, shape=1.5, scale=1.4):
        """Over u = (x / scale)^shape, which is exponential."""
        return integral(lambda u: math.exp(-s * scale * u ** (1 / shape) - u), 0, 40, 4000)

    laws = [
        ("dm1: D/M/1", 1.25, 1.25, lambda s: math.exp(-1.25 * s)),
        ("E3/M/1", {"erlang": {"stages": 3, "mean": 1.25}}, 1.25, lambda s: (1 + s * 1.25 / 3) ** -3),
        ("U/M/1", {"uniform": {"from": 0.5, "to": 2}}, 1.25, lambda s: (math.exp(-s / 2) - math.exp(-2 * s)) / (1.5 * s)),
        ("gamma/M/1", {"gamma": {"shape": 0.5, "mean": 1.25}}, 1.25, lambda s: (1 + s * 2.5) ** -0.5),
        ("Weibull/M/1", {"weibull": {"shape": 1.5, "scale": 1.4}}, 1.4 * math.gamma(1 + 1 / 1.5), weibull),
    ]
    for name, law, gap, transform in laws:
        sigma = root(lambda x: x - transform(1 - x), 1e-9, 0.99)
        yield Case(name, stand({"renewal": law}, exponential(1)), [
            ("wait.mean", "wait.mean", sigma / (1 - sigma)),
            ("waitProbability", "waitProbability", sigma),
            ("wait.p90", "wait.p90", exponential_tail(sigma, 1 - sigma, 0.9)),
            ("present.mean", "present.mean", 1 / gap / (1 - sigma)),
        ])
    # GI/M/c/c: Takács, "Introduction to the Theory of Queues" (1962), chapter 4.
    for name, law, transform in (
        ("D/M/3/3", 0.5, lambda s: math.exp(-s / 2)),
        ("gamma/M/3/3", {"gamma": {"shape": 0.5, "mean": 0.5}}, lambda s: (1 + s) ** -0.5),
    ):
        total, product = 0.0, 1.0
        for k in range(4):
            if k:
                product *= (1 - transform(k)) / transform(k)
            total += math.comb(3, k) * product
        yield Case(name, stand({"renewal": law}, exponential(1), makers=3, limit=0), [
            ("balked", share("balked"), 1 / total)])


def several_cups():
    """Orders of several cups, each a job of its own."""
    # One maker: an order is an M/G/1 customer whose service is that of four cups, E4 of mean 4: Wq = λE[S²] / 2(1 − ρ) =
    # 0.2 · 20 / 0.4 = 10. Cups in the stand: an arrival finds as many on average as there are at any time, and waits one
    # second on average for each, so that L of the M^[4]/M/1 queue, counted in cups, is the mean wait of orders.
    four = 0.2 * 20 / (2 * 0.2)
    yield Case("batch: M^[4]/M/1", stand(poisson(0.2), exponential(1), cups=4), [
        ("L in cups", "wait.mean", four),
        ("stay.mean", "stay.mean", four + 4),
        ("present.mean", "present.mean", 0.2 * (four + 4)),
        ("waitProbability", "waitProbability", 0.8),
    ])
    # Two makers: a chain in the number of cups. A customer who finds n ≥ 2 waits until n − 1 are done, two at a time.
    law = stationary(0, lambda n: ([(n + 2, 0.7)] if n < 400 else []) + ([(n - 1, min(n, 2))] if n else []))
    yield Case("M^[2]/M/2", stand(poisson(0.7), exponential(1), makers=2, cups=2), [
        ("wait.mean", "wait.mean", mean(law, lambda n: max(0, n - 1) / 2)),
        ("waitProbability", "waitProbability", mean(law, lambda n: n >= 2)),
        ("utilization", "makers.utilization", 0.7),
    ])
    # Geometric cups of mean 2 and exponential ones: the service of an order is exponential again, of mean 2.
    yield Case("M^[geometric]/M/1", stand(poisson(0.4), exponential(1), cups={"geometric": {"mean": 2}}), [
        ("wait.mean", "wait.mean", 0.8 * 2 / 0.2),
        ("cups a second", lambda m: m["cups.served"] / m["time"], 0.8),
        ("wait.p90", "wait.p90", exponential_tail(0.8, 0.1, 0.9)),
    ])


def cases():
    for group in (markovian, general_arrivals, several_cups):
        yield from group()
