"""Inventories with backorders or lost sales, and the stands that are these inventories.

Makers are unlimited and preparation takes no time unless said, so that an order waits for fruit alone.
"""

import math

from .numerics import compound_poisson, integral, mean, stationary
from .numerics import poisson as poisson_law
from .stands import DAY, Case, exponential, per_second, poisson, quantity, share, stand, up_to


def inventory(arrivals, fruit, **more):
    return stand(arrivals, makers="unlimited", fruits={"a": fruit}, **more)


def levels(position, demand):
    """{net inventory: probability} where it is `position` ({level: probability}) less `demand` (a list)."""
    law = {}
    for y, p in position.items():
        for d, q in enumerate(demand):
            law[y - d] = law.get(y - d, 0.0) + p * q
    return law


def on_hand(law):
    return mean(law, lambda x: max(0, x))


def backordered(law):
    return mean(law, lambda x: max(0, -x))


def base_stock():
    """(S − 1, S): pieces on order are the busy servers of a queue in which each demand is served for a lead time."""
    S, rate, lead = 5, 2.0, 1.5
    load = rate * lead
    weights = [load**k / math.factorial(k) for k in range(S + 1)]
    lost = weights[-1] / sum(weights)
    for name, law in (
        ("bs_lost_const: lost sales", lead), ("base stock, lost sales, lead E", exponential(lead)),
        ("base stock, lost sales, lead lognormal", {"lognormal": {"mean": lead, "deviation": 2}}),
    ):
        yield Case(name, inventory(poisson(rate), up_to(S, law)), [
            ("p_stockout", share("soldOut"), lost), ("soldOutFraction", "stock.a.soldOutFraction", lost),
            ("EI", "stock.a.mean", S - load * (1 - lost)), ("fillRate", "fillRate", 1 - lost)])
    net = levels({S: 1.0}, poisson_law(load))
    out = mean(net, lambda x: x <= 0)
    for name, law in (
        ("bs_backorder: backorders", lead), ("base stock, backorders, lead gamma", {"gamma": {"shape": 0.5, "mean": lead}})
    ):
        yield Case(name, inventory(poisson(rate), up_to(S, law), whenSoldOut="wait"), [
            ("p_stockout", "stock.a.soldOutFraction", out), ("1 - fillRate", lambda m: 1 - m["fillRate"], out),
            ("EB", "stock.a.backordered.mean", backordered(net)), ("EI", "stock.a.mean", on_hand(net)),
            # Little: orders in line are those that wait for fruit.
            ("wait.mean", "wait.mean", backordered(net) / rate), ("queue.mean", "queue.mean", backordered(net)),
            ("restock orders", per_second("restock.a.orders"), rate)])


def fixed_quantity():
    """(s, Q): the position is uniform on s + 1 … s + Q, the net inventory is that less the demand of a lead time."""
    s, Q, rate, lead = 3, 5, 1.5, 2.0
    net = levels({y: 1 / Q for y in range(s + 1, s + Q + 1)}, poisson_law(rate * lead))
    # At or below 2: each demand that finds three pieces leaves two. And where a delivery of five finds three cups or more
    # waiting the level is above 2 for an instant and falls again as they are filled; before a delivery the net inventory
    # is s less the demand of a lead time.
    alerts = rate * net[3] + rate / Q * sum(poisson_law(rate * lead)[s + 3:])
    costs = {"order": 100, "holding": 20 * DAY, "shortage": 150 * DAY, "unit": 7}
    ordering, holding, shortage = rate / Q * 100, 20 * on_hand(net), 150 * backordered(net)
    yield Case(
        "rq_3_5: (r, Q)", inventory(poisson(rate), quantity(s, Q, lead, costs=costs, lowStock=2), whenSoldOut="wait"), [
            ("cost", lambda m: (m["cost.total"] / m["time"] - 7 * m["restock.a.orders"] * 5 / m["time"]),
             ordering + holding + shortage),
            ("cost.total", per_second("cost.total"), ordering + 7 * rate + holding + shortage),
            ("cost.ordering", per_second("cost.ordering"), ordering + 7 * rate),
            ("cost.holding", per_second("cost.holding"), holding),
            ("cost.shortage", per_second("cost.shortage"), shortage),
            ("pieces delivered", per_second("restock.a.pieces"), rate),
            ("alerts", per_second("alerts.lowStock"), alerts),
        ])


def several_cups():
    """Demand in several cups, filled cup by cup; a renewal argument gives the position."""
    sizes = [0, 0.5, 0.3, 0.2]
    cups = {"empirical": {"values": [1, 2, 3], "weights": [5, 3, 2]}}
    rate, lead, size = 0.8, 2.5, 0.5 + 0.6 + 0.6
    demand = compound_poisson(rate * lead, sizes, 60)

    def filled(net):
        """Cups filled at once ÷ cups asked for; an arrival finds the net inventory of any time."""
        return mean(net, lambda x: sum(q * min(max(0, x), n) for n, q in enumerate(sizes))) / size

    s, Q = 4, 6
    net = levels({y: 1 / Q for y in range(s + 1, s + Q + 1)}, demand)
    yield Case(
        "(s, Q), several cups", inventory(poisson(rate), quantity(s, Q, lead), cups=cups, whenSoldOut="wait"), [
            ("EI", "stock.a.mean", on_hand(net)), ("EB", "stock.a.backordered.mean", backordered(net)),
            ("fillRate", "fillRate", filled(net)), ("restock orders", per_second("restock.a.orders"), rate * size / Q),
            ("soldOutFraction", "stock.a.soldOutFraction", mean(net, lambda x: x <= 0))])
    # (s, S): before each order demands take the position down from S; it visits S − j as often as the renewal mass m(j).
    s, S = 3, 11
    visits = [1.0]
    for j in range(1, S - s):
        visits.append(sum(sizes[n] * visits[j - n] for n in range(1, min(3, j) + 1)))
    position = {S - j: v / sum(visits) for j, v in enumerate(visits)}
    net = levels(position, demand)
    orders = rate / sum(visits)
    yield Case(
        "(s, S), several cups", inventory(poisson(rate), up_to(S, lead, s), cups=cups, whenSoldOut="wait"), [
            ("EI", "stock.a.mean", on_hand(net)), ("EB", "stock.a.backordered.mean", backordered(net)),
            ("fillRate", "fillRate", filled(net)), ("restock orders", per_second("restock.a.orders"), orders),
            ("pieces delivered", per_second("restock.a.pieces"), rate * size)])
    # All or nothing, without a lead time: a chain in the level after each customer.
    s, S, sizes = 1, 7, [0, 0.3, 0.3, 0.2, 0.2]

    def moves(level):
        for n in range(1, min(level, 4) + 1):
            after = level - n
            yield (S if after <= s else after), sizes[n]

    law = stationary(S, moves)
    lost = mean(law, lambda level: sum(sizes[level + 1:]))
    yield Case(
        "(s, S), all or nothing",
        inventory(poisson(1), up_to(S, 0, s), cups={"empirical": {"values": [1, 2, 3, 4], "weights": [3, 3, 2, 2]}}), [
            ("soldOut", share("soldOut"), lost), ("EI", "stock.a.mean", mean(law, lambda level: level)),
            ("cups lost", lambda m: m["cups.lost"] / m["cups.demanded"],
             mean(law, lambda level: sum(n * q for n, q in enumerate(sizes) if n > level)) / 2.3)])


def lost_sales():
    """(s, S) with lost sales and exponential lead times, several orders at a time: a chain in level and orders."""
    s, S, rate, lead = 4, 7, 2.0, 2.0
    batch = S - s

    def moves(state):
        level, orders = state
        if level:
            position = level - 1 + batch * orders
            yield (level - 1, orders + (position <= s)), rate
        if orders:
            yield (level + batch, orders - 1), orders / lead

    law = stationary((S, 0), moves)
    lost = mean(law, lambda state: state[0] == 0)
    costs = {"order": 3, "unit": 0.5, "holding": DAY}
    level = mean(law, lambda state: state[0])
    for name, fruit in (
        ("(s, S), lost sales, lead E", up_to(S, exponential(lead), s, costs=costs)),
        ("(s, Q), lost sales, lead E", quantity(s, batch, exponential(lead), costs=costs)),
    ):
        yield Case(name, inventory(poisson(rate), fruit), [
            ("soldOut", share("soldOut"), lost), ("EI", "stock.a.mean", level),
            ("restock orders", per_second("restock.a.orders"), rate * (1 - lost) / batch),
            ("cost.total", per_second("cost.total"), rate * (1 - lost) / batch * (3 + 0.5 * batch) + level)])


def periodic():
    """Looked at every D seconds only."""
    # Up to S at every review, lead time L < D: from L to D + L after a review the net inventory is S less the demand
    # since that review.
    S, rate, D, lead = 9, 1.2, 4.0, 1.5

    def over(value):
        return integral(
            lambda t: mean(levels({S: 1.0}, poisson_law(rate * t)), value), lead, D + lead, 40) / D

    yield Case(
        "periodic up to S, backorders",
        inventory(poisson(rate), up_to(S, lead, review=D), whenSoldOut="wait"), [
            ("EI", "stock.a.mean", over(lambda x: max(0, x))),
            ("EB", "stock.a.backordered.mean", over(lambda x: max(0, -x))),
            ("soldOutFraction", "stock.a.soldOutFraction", over(lambda x: x <= 0)),
            ("restock orders", per_second("restock.a.orders"), (1 - math.exp(-rate * D)) / D)])
    # (s, S) with lost sales, without a lead time: a chain in the level after each review.
    s, S = 2, 6
    period = poisson_law(rate * D)

    def moves(level):
        for d, q in enumerate(period):
            after = max(0, level - d)
            yield (S if after <= s else after), q

    law = stationary(S, moves)

    def lost(level):
        return sum(q * max(0, d - level) for d, q in enumerate(period))

    def held(level):
        return integral(
            lambda t: sum(q * max(0, level - d) for d, q in enumerate(poisson_law(rate * t))), 0, D, 40) / D

    yield Case("periodic (s, S), lost sales", inventory(poisson(rate), up_to(S, 0, s, review=D)), [
        ("soldOut", share("soldOut"), mean(law, lost) / (rate * D)), ("EI", "stock.a.mean", mean(law, held)),
        ("restock orders", per_second("restock.a.orders"),
         mean(law, lambda level: sum(q for d, q in enumerate(period) if level - d <= s)) / D)])


def cases():
    for group in (base_stock, fixed_quantity, several_cups, lost_sales, periodic):
        yield from group()
