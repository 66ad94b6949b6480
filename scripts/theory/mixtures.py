"""Where rules meet: spoilage, substitution, shared fruit, impatience with fruit at stake."""

from .numerics import integral, mean, stationary
from .numerics import poisson as poisson_law
from .stands import Case, exponential, per_second, poisson, quantity, share, stand, up_to


def spoilage():
    """(0, Q): a new lot is ordered when the shelf is empty, by sales or by spoilage; a renewal process.

    A lot lasts for T, the smaller of its shelf life m and the time to Q demands.
    """
    rate, lead, life = 1.5, 0.7, 3.0
    for Q in (1, 5):

        def left(t):
            return sum(q * max(0, Q - d) for d, q in enumerate(poisson_law(rate * t)))

        def lasts(t):
            return sum(q for d, q in enumerate(poisson_law(rate * t)) if d < Q)

        cycle = lead + integral(lasts, 0, life)
        yield Case(
            f"spoilage, lots of {Q}",
            stand(
                poisson(rate), makers="unlimited", fruits={"a": quantity(0, Q, lead, initial=0, shelfLife=life)}), [
                ("spoiled", per_second("spoiled.a"), left(life) / cycle),
                ("EI", "stock.a.mean", integral(left, 0, life) / cycle),
                ("soldOut", share("soldOut"), lead / cycle),
                ("restock orders", per_second("restock.a.orders"), 1 / cycle)])


def substitution():
    """Two juices, each of a fruit of its own under (S − 1, S) with exponential lead times: a chain in both levels."""
    rates, levels, leads = (1.0, 0.6), (2, 3), (2.0, 1.2)

    def moves(state):
        i, j = state
        if i:
            yield (i - 1, j), rates[0]
        elif j:
            yield (0, j - 1), rates[0]
        if j:
            yield (i, j - 1), rates[1]
        elif i:
            yield (i - 1, 0), rates[1]
        yield (i + 1, j), (levels[0] - i) / leads[0]
        yield (i, j + 1), (levels[1] - j) / leads[1]

    law = stationary(levels, moves)
    total = sum(rates)
    substituted = mean(law, lambda s: rates[0] * (s[0] == 0 < s[1]) + rates[1] * (s[1] == 0 < s[0])) / total
    lost = mean(law, lambda s: s == (0, 0))
    yield Case(
        "substitution",
        stand(
            poisson(total), makers="unlimited",
            fruits={"a": up_to(levels[0], exponential(leads[0])), "b": up_to(levels[1], exponential(leads[1]))},
            menu={
                "x": {"recipe": {"a": 1}, "preparation": 0, "popularity": rates[0], "price": 2},
                "y": {"recipe": {"b": 1}, "preparation": 0, "popularity": rates[1], "price": 3}},
            whenSoldOut="substitute"), [
            ("substituted", share("substituted"), substituted), ("soldOut", share("soldOut"), lost),
            ("fillRate", "fillRate", 1 - lost - substituted), ("E(a)", "stock.a.mean", mean(law, lambda s: s[0])),
            ("E(b)", "stock.b.mean", mean(law, lambda s: s[1])),
            ("revenue a second", per_second("revenue"), mean(
                law, lambda s: (2 if s[0] else 3 if s[1] else 0) * rates[0] + (3 if s[1] else 2 if s[0] else 0) * rates[1]))])


def shared_fruit():
    """Two juices want fruit a, one of them two pieces and a piece of b: all or nothing, every missing piece on order."""
    rates, levels, lead = (0.8, 0.5), (4, 2), 1.5

    def moves(state):
        i, j = state
        if i >= 1:
            yield (i - 1, j), rates[0]
        if i >= 2 and j >= 1:
            yield (i - 2, j - 1), rates[1]
        yield (i + 1, j), (levels[0] - i) / lead
        yield (i, j + 1), (levels[1] - j) / lead

    law = stationary(levels, moves)
    lost = mean(law, lambda s: rates[0] * (s[0] < 1) + rates[1] * (s[0] < 2 or s[1] < 1)) / sum(rates)
    yield Case(
        "shared fruit",
        stand(
            poisson(sum(rates)), makers="unlimited",
            fruits={
                "a": quantity(levels[0] - 1, 1, exponential(lead)), "b": quantity(levels[1] - 1, 1, exponential(lead))},
            menu={
                "x": {"recipe": {"a": 1}, "preparation": 0, "popularity": rates[0]},
                "y": {"recipe": {"a": 2, "b": 1}, "preparation": 0, "popularity": rates[1]}}), [
            ("soldOut", share("soldOut"), lost), ("E(a)", "stock.a.mean", mean(law, lambda s: s[0])),
            ("E(b)", "stock.b.mean", mean(law, lambda s: s[1])),
            ("a sold out", "stock.a.soldOutFraction", mean(law, lambda s: s[0] == 0))])


def impatience_with_fruit():
    """One maker, two waiting places, exponential patience; the fruit is taken at once and comes back on reneging, so
    that level and orders can add up to more than S: a chain in customers, level and pieces on order."""
    rate, theta, S, lead, places = 1.5, 0.5, 2, 1.0, 2

    def moves(state):
        n, level, orders = state
        if n <= places and level:
            below = level - 1 + orders <= S - 1
            yield (n + 1, level - 1, orders + below), rate
        if n:
            yield (n - 1, level, orders), 1.0
        if n > 1:
            yield (n - 1, level + 1, orders), (n - 1) * theta
        if orders:
            yield (n, level + 1, orders - 1), orders / lead

    law = stationary((0, S, 0), moves)
    queue = mean(law, lambda s: max(0, s[0] - 1))
    yield Case(
        "impatience with fruit",
        stand(
            poisson(rate), exponential(1), limit=places, fruits={"a": up_to(S, exponential(lead))},
            patience=exponential(1 / theta)), [
            ("balked", share("balked"), mean(law, lambda s: s[0] > places)),
            ("soldOut", share("soldOut"), mean(law, lambda s: s[0] <= places and s[1] == 0)),
            ("reneged", share("reneged"), theta * queue / rate), ("EI", "stock.a.mean", mean(law, lambda s: s[1])),
            ("utilization", "makers.utilization", mean(law, lambda s: s[0] > 0)),
            ("restock orders", per_second("restock.a.orders"), mean(law, lambda s: s[2]) / lead)])


def impatient_backorders():
    """(S − 1, S) with backorders of customers who renege. The position is the level plus the orders minus the backorders."""
    rate, theta, S, lead = 1.0, 0.4, 2, 2.5

    def moves(state):
        net, orders = state
        if net > -60:
            yield (net - 1, orders + (net - 1 + orders <= S - 1)), rate
        if net < 0:
            yield (net + 1, orders), -net * theta
        if orders:
            yield (net + 1, orders - 1), orders / lead

    law = stationary((S, 0), moves)
    waiting = mean(law, lambda s: max(0, -s[0]))
    yield Case(
        "impatient backorders",
        stand(
            poisson(rate), makers="unlimited", fruits={"a": up_to(S, exponential(lead))}, whenSoldOut="wait",
            patience=exponential(1 / theta)), [
            ("EB", "stock.a.backordered.mean", waiting), ("EI", "stock.a.mean", mean(law, lambda s: max(0, s[0]))),
            ("reneged", share("reneged"), theta * waiting / rate),
            ("restock orders", per_second("restock.a.orders"), mean(law, lambda s: s[1]) / lead)])


def cases():
    for group in (spoilage, substitution, shared_fruit, impatience_with_fruit, impatient_backorders):
        yield from group()
