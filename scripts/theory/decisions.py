"""Decisions whose right answer is known: numbers of makers, and inventory policies."""

import json
import math

from .numerics import poisson as poisson_law
from .queues import birth_death
from .stands import exponential, poisson, stand


class Decision:
    """A question for `juicestand plan`.

    `options` are those of the command beside `--config`. `judge` gets the set of the best setting and returns nothing if
    it is right, else what is wrong.
    """

    def __init__(self, name, stand, options, judge):
        self.name, self.stand, self.options, self.judge = name, stand, options, judge


def staffing():
    """One customer in two seconds, 40 s of work for each: 20 erlangs."""
    rate, service = 0.5, 40.0
    load = rate * service

    def cost(makers):
        return 15 * makers + 30 * birth_death(rate, makers, 1 / service)["queue"]

    def late(makers):
        return birth_death(rate, makers, 1 / service)["waited"] * math.exp(-(makers - load) * 60 / service)

    def lost(makers):
        return birth_death(rate, makers, 1 / service, limit=0)["balked"]

    def only(right):
        return lambda found: None if found == {"makers": right} else f"{found} instead of {right}"

    times = ["--for", "9h", "--warm-up", "1h"]
    base = stand(poisson(rate), exponential(service))
    cheapest = min(range(21, 40), key=cost)
    yield Decision(
        f"the cheapest makers: {cheapest}, {cost(cheapest):.2f} an hour", base,
        ["--minimize", "15*makers.onDuty.hours + 30*queue.hours", "--over", "makers=21..34", *times], only(cheapest))
    fewest = next(c for c in range(21, 40) if late(c) < 0.01)
    yield Decision(
        f"the fewest with 99% within a minute: {fewest}, {100 * late(fewest):.2f}% later", base,
        ["--minimize", "makers.onDuty.hours", "--where", "wait.p99<60", "--over", "makers=21..34", *times], only(fewest))
    fewest = next(c for c in range(1, 60) if lost(c) < 0.01)
    yield Decision(
        f"the fewest who lose less than 1%: {fewest}, {100 * lost(fewest):.3f}%",
        stand(poisson(rate), exponential(service), limit=0),
        ["--minimize", "makers.onDuty.hours", "--where", "customers.balked - 0.01*customers.arrived < 0", "--over",
         "makers=24..36", *times], only(fewest))


class Inventory:
    """Periods of Poisson demand, backorders, and an order that comes before the next demand.

    Zheng and Federgruen, "Finding optimal (s, S) policies is about as simple as evaluating a single policy", Operations
    Research 39 (1991). By renewal: a cycle begins at S and ends when the position is at s or below.
    """

    def __init__(self, mean, order=64.0, holding=1.0, shortage=9.0, most=400):
        law = poisson_law(mean)
        # The expected cost of a period that begins with y on hand, less what is backordered.
        self.period = {
            y: sum(p * (holding * max(0, y - d) + shortage * max(0, d - y)) for d, p in enumerate(law))
            for y in range(-20, most)}
        # How often the position is j below S in a cycle.
        self.visits = []
        for j in range(most):
            found = 1.0 if j == 0 else 0.0
            found += sum(law[d] * self.visits[j - d] for d in range(1, min(j, len(law) - 1) + 1))
            self.visits.append(found / (1 - law[0]))
        self.order = order
        self.costs = {}

    def cost(self, s, S):
        if (s, S) not in self.costs:
            below = range(S - s)
            spent = self.order + sum(self.visits[j] * self.period[S - j] for j in below)
            self.costs[s, S] = spent / sum(self.visits[j] for j in below)
        return self.costs[s, S]

    def best(self, points, levels):
        return min(((self.cost(s, S), s, S) for s in points for S in levels if s < S))


def policies(means=(10, 15, 21, 25, 30, 40, 50, 63, 75)):
    for mean in means:
        exact = Inventory(mean)
        points, levels = (max(0, mean - 25), mean + 10), (mean, mean + 70)
        cost, s, S = exact.best(range(points[0], points[1] + 1), range(levels[0], levels[1] + 1))
        day = 86_400.0
        fruits = {"a": {
            "initial": S, "costs": {"order": 64, "holding": 1, "shortage": 9},
            "restock": {"orderUpTo": {"reorderPoint": s, "level": S, "leadTime": day}}}}
        base = stand(
            {"renewal": day}, 0, makers="unlimited", fruits=fruits, cups={"poisson": {"mean": mean}}, whenSoldOut="wait")

        def judge(found, exact=exact, cost=cost):
            rule = "fruits.a.restock.orderUpTo."
            mine = exact.cost(found[rule + "reorderPoint"], found[rule + "level"])
            return None if mine <= 1.005 * cost else f"{list(found.values())} costs {100 * (mine / cost - 1):.2f}% more"

        yield Decision(
            f"(s, S) for a mean demand of {mean}: ({s}, {S}), {cost:.3f}", base,
            ["--minimize", "cost.total", "--over", f"fruits.a.restock.orderUpTo.reorderPoint={points[0]}..{points[1]}",
             "--over", f"fruits.a.restock.orderUpTo.level={levels[0]}..{levels[1]}", "--for", "330d", "--warm-up", "30d"],
            judge)


def nine_policies():
    """Law and Kelton, Simulation Modeling and Analysis, chapter 10: a month is a day here.

    The best is (20, 60), which orders below 20, at 118.97 a month; the next, (20, 80), costs 121.39.
    """
    restock = [
        json.dumps({"orderUpTo": {
            "reorderPoint": s - 1, "level": S, "leadTime": {"uniform": {"from": "12h", "to": "24h"}}, "review": "1d"}})
        for s, S in ((20, 40), (20, 60), (20, 80), (20, 100), (40, 60), (40, 80), (40, 100), (60, 80), (60, 100))]
    fruits = {"a": {"initial": 60, "costs": {"order": 32, "unit": 3, "holding": 1, "shortage": 5}}}
    base = stand(
        {"renewal": exponential(8640)}, 0, makers="unlimited", fruits=fruits,
        cups={"empirical": {"values": [1, 2, 3, 4], "weights": [1, 2, 2, 1]}}, whenSoldOut="wait")

    def judge(found):
        rule = found["fruits.a.restock"]["orderUpTo"]
        pair = (rule["reorderPoint"] + 1, rule["level"])
        return None if pair == (20, 60) else f"{pair}"

    return Decision(
        "Law and Kelton's nine policies: (20, 60)", base,
        ["--minimize", f"{1 / 120}*cost.total", "--over", "fruits.a.restock=" + ",".join(restock), "--for", "120d",
         "--within", "1"], judge)
