"""General service: Pollaczek and Khinchine, and stands with as many makers as wanted."""

import math

from .numerics import root
from .stands import Case, exponential, poisson, stand


def moments():
    """Laws of service with their first two moments."""
    yield "md1: M/D/1", 1, 1, 1
    yield "me2_1: M/E2/1", {"erlang": {"stages": 2, "mean": 1}}, 1, 1.5
    yield "M/U/1", {"uniform": {"from": 0.2, "to": 1.8}}, 1, 1 + 1.6**2 / 12
    a, c, b = 0.1, 0.4, 2.5
    yield (
        "M/triangular/1", {"triangular": {"from": a, "mode": c, "to": b}}, (a + b + c) / 3,
        (a * a + b * b + c * c + a * b + a * c + b * c) / 6)
    # Truncated at 0; with φ, Φ at α = −m/d: mean m + dλ, λ = φ/(1 − Φ), variance d²(1 + αλ − λ²).
    m, d = 0.6, 0.9
    alpha = -m / d
    hazard = math.exp(-alpha * alpha / 2) / math.sqrt(2 * math.pi) / (math.erfc(alpha / math.sqrt(2)) / 2)
    first = m + d * hazard
    yield (
        "M/normal/1", {"normal": {"mean": m, "deviation": d}}, first,
        first**2 + d * d * (1 + alpha * hazard - hazard**2))
    yield "M/gamma/1", {"gamma": {"shape": 0.5, "mean": 1}}, 1, 3
    yield "M/lognormal/1", {"lognormal": {"mean": 1, "deviation": 1.2}}, 1, 1 + 1.44
    g = math.gamma
    yield "M/Weibull/1", {"weibull": {"shape": 0.8, "scale": 0.9}}, 0.9 * g(2.25), 0.81 * g(3.5)
    yield "M/Poisson/1", {"poisson": {"mean": 1}}, 1, 2
    # On 1, 2, …: variance mean² − mean.
    yield "M/geometric/1", {"geometric": {"mean": 1.25}}, 1.25, 1.25**2 * 2 - 1.25
    yield (
        "M/empirical/1", {"empirical": {"values": [0.5, 1, 4], "weights": [5, 3, 1]}}, (2.5 + 3 + 4) / 9,
        (5 * 0.25 + 3 + 16) / 9)


def md1_percentile(rate, share):
    """Of the wait in M/D/1 with service 1: Erlang (1909); P(W ≤ t) = (1 − ρ) Σ_k (λ(k − t))^k / k! · exp(−λ(k − t))."""

    def below(t):
        return (1 - rate) * sum(
            (rate * (k - t)) ** k / math.factorial(k) * math.exp(-rate * (k - t)) for k in range(int(t) + 1))

    return root(lambda t: below(t) - share, 0.01, 20)


def cases():
    for name, law, first, second in moments():
        rate = 0.7 / first if name == "M/lognormal/1" else 0.7
        wait = rate * second / (2 * (1 - rate * first))
        answers = [
            ("wait.mean", "wait.mean", wait),
            ("waitProbability", "waitProbability", rate * first),
            ("stay.mean", "stay.mean", wait + first),
        ]
        if name.startswith("md1"):
            answers += [(f"wait.p{p}", f"wait.p{p}", md1_percentile(rate, p / 100)) for p in (50, 90, 99)]
        yield Case(name, stand(poisson(rate), law), answers)
    # Hyperexponential service as two juices, nine customers in ten wanting the quick one: a check of popularity, too.
    first, second = 0.9 * 0.5 + 0.1 * 4, 2 * (0.9 * 0.25 + 0.1 * 16)
    yield Case(
        "M/H2/1 by two juices",
        stand(
            poisson(0.8), fruits={"a": {"initial": "unlimited"}}, menu={
                "quick": {"recipe": {"a": 1}, "preparation": exponential(0.5), "popularity": 9, "price": 1},
                "slow": {"recipe": {"a": 1}, "preparation": exponential(4), "popularity": 1, "price": 20}}),
        [
            ("wait.mean", "wait.mean", 0.8 * second / (2 * (1 - 0.8 * first))),
            ("revenue a second", lambda m: m["revenue"] / m["time"], 0.8 * (0.9 + 2)),
        ])
    # M/G/∞: as many present as arrive in a mean stay, Poisson whatever the law.
    yield Case(
        "M/lognormal/inf", stand(poisson(3), {"lognormal": {"mean": 2, "deviation": 4}}, makers="unlimited"),
        [("present.mean", "present.mean", 6), ("stay.mean", "stay.mean", 2), ("throughput", "throughput", 3)])
