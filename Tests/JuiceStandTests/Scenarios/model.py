#!/usr/bin/env python3
"""An independent model of the stand, which replays a stand whose laws are constants literally and slowly, by the rules alone.

Usage: model.py [STANDS [SEED]]                compares the program with the model (default: 40 random stands)
       model.py explain CONFIG SECONDS LEDGER  says where a ledger first differs from the model's

The first runs the scenarios of the tests and random stands in both, and compares ledgers and figures. All laws are constants and times are
coarse, so that many events tie. `same` ledgers are equal to the byte, but for the fingerprint of the configuration; in `reordered` ones lines
of one instant stand in another order or are grouped in another way, which the rules leave open. The exit status is 1 if anything differs.

The model was written without looking at the Swift code. It computes figures from the complete history afterwards; the engine tallies them.
Where the rules leave open what happens first at one instant, the model follows the program: at the opening shelves are set up one after the
other; whenever an order leaves or fruit reaches its shelf life, everything of that fruit that is due spoils.

JUICESTAND names the program (default .build/release/juicestand).
"""
import collections
import csv
import heapq
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from decimal import Decimal, ROUND_HALF_EVEN, ROUND_HALF_UP
from fractions import Fraction

SCENARIOS = pathlib.Path(__file__).resolve().parent
PROGRAM = os.environ.get("JUICESTAND", SCENARIOS.parent.parent.parent / ".build/release/juicestand")
UNLIMITED = "unlimited"
SECOND = 10**9
DAY = 86_400 * SECOND
UNITS = {"ms": SECOND // 1000, "": SECOND, "s": SECOND, "m": 60 * SECOND, "h": 3600 * SECOND, "d": DAY}


# ---- the configuration


class Unfit(Exception):
    """The configuration draws at random what the model must know."""


def constant(name, law):
    if law is None:
        raise Unfit(f"{name}: must be a constant")
    return law


def nanoseconds(duration):
    """Of a number of seconds or a text such as "5m"; None for a random law."""
    if isinstance(duration, dict):
        return None
    number = str(duration).rstrip("smhd")
    unit = str(duration)[len(number):]
    return int((Decimal(number) * UNITS[unit]).to_integral_value(ROUND_HALF_EVEN))


def seconds(nanoseconds):
    return f"{nanoseconds // SECOND}.{nanoseconds % SECOND:09}"


def whole_cups(value):
    """At least 1; None for a random law."""
    return None if isinstance(value, dict) else max(1, int(Decimal(str(value)).to_integral_value(ROUND_HALF_UP)))


class Fruit:
    def __init__(self, name, keys):
        self.name = name
        self.initial = keys["initial"]
        self.is_unlimited = self.initial == UNLIMITED
        self.capacity = keys.get("capacity")
        self.low = keys.get("lowStock")
        self.life = nanoseconds(keys["shelfLife"]) if "shelfLife" in keys else None
        costs = keys.get("costs", {})
        self.unit, self.order, self.holding, self.shortage = (
            Decimal(str(costs.get(key, 0))) for key in ("unit", "order", "holding", "shortage"))
        self.policy = self.reorder = self.level = self.quantity = self.lead = self.review = None
        restock = keys.get("restock", "manual")
        if restock != "manual" and not self.is_unlimited:
            (self.policy, values), = restock.items()
            self.reorder, self.lead = values["reorderPoint"], nanoseconds(values["leadTime"])
            self.level, self.quantity = values.get("level"), values.get("quantity")
            review = values.get("review", "continuous")
            self.review = None if review == "continuous" else nanoseconds(review)


class Juice:
    def __init__(self, name, keys):
        self.name, self.recipe, self.price = name, keys["recipe"], Decimal(str(keys.get("price", 0)))
        self.preparation = nanoseconds(keys["preparation"])


class Configuration:
    def __init__(self, path):
        self.folder = os.path.dirname(os.path.abspath(path))
        with open(path, encoding="utf-8") as file:
            keys = json.load(file, parse_float=Decimal)
        self.stand, self.opens, self.seed = keys["stand"], keys["opens"], keys["seed"]
        self.fruits = {name: Fruit(name, fruit) for name, fruit in keys["fruits"].items()}
        self.menu = {name: Juice(name, juice) for name, juice in keys["menu"].items()}
        self.wage = Decimal(str(keys.get("wage", 0)))
        # None: unlimited
        self.makers = None if keys["makers"] == UNLIMITED else keys["makers"]
        self.shifts = None
        if isinstance(self.makers, dict):
            shifts = self.makers["shifts"]
            self.shift_length, self.shifts = nanoseconds(shifts["every"]), shifts["makers"]
            self.shifts_repeat = shifts.get("repeat", False)
            self.makers = self.shifts[0]
        places = keys.get("queue", {}).get("limit", UNLIMITED)
        self.places = None if places == UNLIMITED else places
        customers = keys["customers"]
        self.arrivals = customers["arrivals"]
        self.cups = whole_cups(customers.get("cups", 1))
        self.party = whole_cups(customers.get("party", 1))
        self.has_patience = "patience" in customers
        self.patience = nanoseconds(customers["patience"]) if self.has_patience else None
        self.when_sold_out = customers.get("whenSoldOut", "leave")


# ---- the stand

class Order:
    def __init__(self, number, wish, cups, at):
        self.number, self.wish, self.juice, self.cups, self.at = number, wish, wish, cups, at
        self.waiting = 0  # cups short of fruit
        self.unstarted = 0  # cups in the makers' line
        self.done = 0
        self.started = self.left = None
        self.fate = None  # present, served, or why it was lost
        self.taken = []  # fruit, lot, birth of the lot, pieces
        self.immediate = 0  # cups whose fruit was there when asked for


class Lot:
    """Pieces of one fruit that arrived together. Returned pieces find their lot again, so they keep their age."""

    def __init__(self, key, birth, pieces):
        self.key, self.birth, self.pieces = key, birth, pieces


class Stand:
    def __init__(self, configuration, horizon):
        self.c, self.horizon = configuration, horizon
        self.now = 0
        self.lines = []
        self.facts = []  # (time, event, keys) of every line
        self.calendar = []
        self.scheduled = 0
        self.busy = 0
        self.makers = self.c.makers
        self.line = []  # orders, one entry a cup
        self.present = {}
        self.short = []  # orders with waiting cups
        self.orders = []
        self.level = {name: None if fruit.is_unlimited else 0 for name, fruit in self.c.fruits.items()}
        self.on_order = dict.fromkeys(self.c.fruits, 0)
        self.lots = {name: [] for name in self.c.fruits}
        self.lot_count = 0
        self.history = {}  # name: [(time, value)], every step
        self.services = []  # (start, end) of every cup
        self.trace = None
        self.dealt = {}  # the juices of unmapped items
        self.rows_left = 0
        self.closed_at = None
        self.run()

    # -- ledger, calendar, history

    def emit(self, event, hidden=None, **keys):
        self.facts.append((self.now, event, {**keys, **(hidden or {})}))
        text = json.dumps({"event": event, **keys}, ensure_ascii=False, separators=(",", ":"))
        self.lines.append(f'{{"seq":{len(self.facts)},"at":{seconds(self.now)},{text[1:]}')

    def schedule(self, at, what, *arguments):
        self.scheduled += 1
        heapq.heappush(self.calendar, (at, self.scheduled, what, arguments))

    def note(self, name, value):
        steps = self.history.setdefault(name, [])
        if not steps or steps[-1][1] != value:
            steps.append((self.now, value))

    def note_state(self):
        self.note("queue", sum(order.started is None for order in self.present.values()))
        self.note("present", len(self.present))
        if self.makers is not None:
            self.note("on duty", max(self.makers, self.busy))
        for name, fruit in self.c.fruits.items():
            if not fruit.is_unlimited:
                self.note("backordered." + name, self.backordered(name))

    # -- opening and running

    def run(self):
        if self.c.has_patience:
            constant("customers.patience", self.c.patience)
        self.emit("opened", stand=self.c.stand, opens=self.c.opens, seed=self.c.seed, configuration="", stock={
            name: fruit.initial for name, fruit in self.c.fruits.items()})
        if self.c.shifts:
            self.expect_shift(1)
        for name, fruit in self.c.fruits.items():
            if not fruit.is_unlimited:
                self.level[name] = fruit.initial
                self.note("stock." + name, fruit.initial)
        for name, fruit in self.c.fruits.items():
            if not fruit.is_unlimited:
                self.new_lot(name, fruit.initial)
            if fruit.policy:
                constant(f"fruits.{name}.restock: leadTime", fruit.lead)
                self.order_fruit(name) if fruit.review is None else self.on_review(name)
        self.open_arrivals()
        self.note_state()
        while not (self.trace is not None and self.rows_left == 0 and not self.present):
            if not self.calendar or self.calendar[0][0] >= self.horizon:
                self.now = self.horizon
                break
            self.now, _, what, arguments = heapq.heappop(self.calendar)
            getattr(self, "on_" + what)(*arguments)
            for name, fruit in self.c.fruits.items():
                if fruit.policy and fruit.review is None:
                    self.order_fruit(name)
            self.note_state()
        self.closed_at = self.now
        self.emit("closed", open=len(self.present), stock={
            name: fruit.initial if fruit.is_unlimited else self.level[name] for name, fruit in self.c.fruits.items()})

    def open_arrivals(self):
        (kind, law), = self.c.arrivals.items()
        if kind == "trace":
            with open(os.path.join(self.c.folder, law["file"]), encoding="utf-8", newline="") as file:
                rows = [(nanoseconds(Decimal(row["time"])), self.juice(row["juice"], law), whole_cups(row.get("cups", 1)))
                        for row in csv.DictReader(file)]
            rows = [row for row in rows if row[1]]
            self.trace = iter(sorted(rows, key=lambda row: row[0]))
            self.rows_left = len(rows)
        else:
            self.interval = constant("customers.arrivals.renewal", nanoseconds(law) if kind == "renewal" else None)
            if len(self.c.menu) != 1:
                raise Unfit("menu: must have one juice where there is no trace")
        self.schedule_arrival()

    def juice(self, item, law):
        """The juice that an item of a trace stands for. None: the item is skipped."""
        name = law.get("map", {}).get(item, item)
        if name in self.c.menu or law.get("unmapped") == "skip":
            return name if name in self.c.menu else None
        return self.dealt.setdefault(item, list(self.c.menu)[len(self.dealt) % len(self.c.menu)])

    def schedule_arrival(self):
        if self.trace is None:
            juice, = self.c.menu
            cups, party = constant("customers.cups", self.c.cups), constant("customers.party", self.c.party)
            self.schedule(self.now + self.interval, "arrival", juice, cups)
            for _ in range(party - 1):
                self.schedule(self.now + self.interval, "companion", juice, cups)
        elif row := next(self.trace, None):
            self.schedule(row[0], "arrival", *row[1:])

    # -- stock

    def change(self, name, amount, cause, order=None):
        """The line of a change, and the news it makes. The caller keeps the lots."""
        before = self.level[name]
        after = self.level[name] = before + amount
        assert after >= 0
        self.emit("stockChanged", fruit=name, **{"from": before, "to": after}, cause=cause, **({"order": order.number} if order else {}))
        self.note("stock." + name, after)
        low = self.c.fruits[name].low
        if low is not None and (before > low) != (after > low):
            self.emit("stockRecovered" if after > low else "lowStock", fruit=name, level=after, threshold=low)

    def new_lot(self, name, pieces):
        self.lot_count += 1
        self.lots[name].append(Lot(self.lot_count, self.now, pieces))
        if (life := self.c.fruits[name].life) is not None:
            self.schedule(self.now + life, "spoil", name)

    def take(self, name, pieces, order):
        """Oldest first."""
        left = pieces
        while left:
            lot = self.lots[name][0]
            count = min(left, lot.pieces)
            lot.pieces -= count
            left -= count
            order.taken.append((name, lot.key, lot.birth, count))
            if not lot.pieces:
                self.lots[name].pop(0)
        self.change(name, -pieces, "order", order)

    def take_cups(self, order, cups):
        for name, pieces in self.c.menu[order.juice].recipe.items():
            if self.level[name] is not None and pieces * cups:
                self.take(name, pieces * cups, order)

    def give_back(self, order):
        for name in self.c.menu[order.juice].recipe:
            lots = self.lots[name]
            returned = [piece for piece in order.taken if piece[0] == name]
            for _, key, birth, count in returned:
                lot = next((lot for lot in lots if lot.key == key), None)
                if lot is None:
                    lot = Lot(key, birth, 0)
                    lots.append(lot)
                lot.pieces += count
            if returned:
                lots.sort(key=lambda lot: (lot.birth, lot.key))
                self.change(name, sum(count for *_, count in returned), "return", order)
            self.on_spoil(name)

    def on_spoil(self, name):
        """Everything that has reached its shelf life."""
        life = self.c.fruits[name].life
        if life is None:
            return
        gone = sum(lot.pieces for lot in self.lots[name] if lot.birth + life <= self.now)
        self.lots[name] = [lot for lot in self.lots[name] if lot.birth + life > self.now]
        if gone:
            self.change(name, -gone, "spoilage")

    # -- restocking

    def backordered(self, name):
        return sum(self.c.menu[order.juice].recipe.get(name, 0) * order.waiting for order in self.short)

    def position(self, name):
        return self.level[name] + self.on_order[name] - self.backordered(name)

    def order_fruit(self, name):
        fruit = self.c.fruits[name]
        while (position := self.position(name)) <= fruit.reorder:
            pieces = fruit.quantity or fruit.level - position
            if pieces <= 0:
                return
            self.on_order[name] += pieces
            self.emit("restockOrdered", fruit=name, pieces=pieces)
            self.schedule(self.now + fruit.lead, "delivery", name, pieces)

    def on_review(self, name):
        self.order_fruit(name)
        self.schedule(self.now + self.c.fruits[name].review, "review", name)

    def on_delivery(self, name, pieces):
        self.on_order[name] -= pieces
        capacity = self.c.fruits[name].capacity
        accepted = pieces if capacity is None else min(pieces, max(0, capacity - self.level[name]))
        refused = {"refused": pieces - accepted} if accepted < pieces else {}
        self.emit("restockDelivered", fruit=name, pieces=accepted, **refused)
        if accepted:
            self.new_lot(name, accepted)
            self.change(name, accepted, "delivery")
            self.fill()

    # -- backorders

    def lacking(self, order, blocked):
        """Fruits that keep the next waiting cup: too few on hand, or an earlier waiting cup is short of them."""
        return {name for name, pieces in self.c.menu[order.juice].recipe.items()
                if self.level[name] is not None and (name in blocked or self.level[name] < pieces)}

    def blocked_fruits(self, before=None):
        blocked = set()
        for order in self.short:
            if order is before:
                break
            if order.waiting:
                blocked |= self.lacking(order, blocked)
        return blocked

    def fill(self):
        """First come first served: no waiting cup takes a fruit that an earlier one is short of."""
        for order in list(self.short):
            while order.waiting and not self.lacking(order, self.blocked_fruits(before=order)):
                order.waiting -= 1
                self.take_cups(order, 1)
                self.join_line(order, 1)
                self.put_makers_to_work()
        self.short = [order for order in self.short if order.waiting]

    # -- customers

    def on_arrival(self, juice, cups):
        self.schedule_arrival()
        self.rows_left -= 1
        self.on_companion(juice, cups)

    def on_companion(self, juice, cups):
        order = Order(len(self.orders) + 1, juice, cups, self.now)
        self.orders.append(order)
        in_line = sum(other.started is None and other.unstarted > 0 for other in self.present.values())
        if self.makers is not None and self.busy >= self.makers and self.c.places is not None and in_line >= self.c.places:
            return self.lose(order, "queueFull")
        can_be_made = self.is_makeable(juice, cups)
        if not can_be_made and self.c.when_sold_out != "wait":
            other = self.substitute(juice, cups) if self.c.when_sold_out == "substitute" else None
            if other is None:
                return self.lose(order, "soldOut", fruit=self.shortest(juice, cups))
            order.juice = other
        order.fate = "present"
        self.emit("orderPlaced", order=order.number, juice=order.juice, cups=cups, by="customer")
        if order.juice != juice:
            self.emit("orderSubstituted", order=order.number, wished=juice, juice=order.juice)
        self.present[order.number] = order
        if self.c.patience is not None:
            self.schedule(self.now + self.c.patience, "patience", order)
        if can_be_made or order.juice != juice:
            order.immediate = cups if can_be_made else 0
            self.take_cups(order, cups)
            self.join_line(order, cups)
        else:
            self.backorder(order)
        self.put_makers_to_work()

    def is_makeable(self, juice, cups):
        """Whether all cups can be taken one after another: the rule of waiting cups is applied before each."""
        recipe = {name: pieces for name, pieces in self.c.menu[juice].recipe.items() if self.level[name] is not None}
        before = dict(self.level)
        try:
            for _ in range(cups):
                blocked = self.blocked_fruits()
                if any(self.level[name] < pieces or name in blocked for name, pieces in recipe.items()):
                    return False
                for name, pieces in recipe.items():
                    self.level[name] -= pieces
            return True
        finally:
            self.level = before

    def shortest(self, juice, cups, among=None):
        """The fruit of which most pieces are missing."""
        recipe = self.c.menu[juice].recipe
        among = among or {name for name, pieces in recipe.items() if self.level[name] is not None and self.level[name] < pieces * cups}
        return min((name for name in recipe if name in among), key=lambda name: min(0, self.level[name] - recipe[name] * cups), default=None)

    def substitute(self, wish, cups):
        """The most similar juice that can be made; ties in menu order."""
        def likeness(juice):
            one, other = self.c.menu[wish].recipe, self.c.menu[juice].recipe
            pairs = [(one.get(name, 0), other.get(name, 0)) for name in {**one, **other}]
            return Fraction(sum(map(min, pairs)), sum(map(max, pairs)))
        return max((juice for juice in self.c.menu if juice != wish and self.is_makeable(juice, cups)), key=likeness, default=None)

    def backorder(self, order):
        left = order.cups
        while not (missing := self.lacking(order, self.blocked_fruits())):
            self.take_cups(order, 1)
            left -= 1
        order.immediate = order.cups - left
        order.waiting = left
        self.short.append(order)
        self.emit("orderBackordered", order=order.number, fruit=self.shortest(order.juice, 1, missing), cups=left)
        self.join_line(order, order.cups - left)

    def lose(self, order, reason, **fruit):
        order.fate, order.left = reason, self.now
        self.emit("orderLost", order=order.number, juice=order.juice, cups=order.cups, reason=reason, **fruit)

    def on_patience(self, order):
        if order.fate != "present" or order.started is not None:
            return
        del self.present[order.number]
        self.line = [other for other in self.line if other is not order]
        self.short = [other for other in self.short if other is not order]
        order.unstarted = order.waiting = 0
        self.lose(order, "ranOutOfPatience")
        self.give_back(order)
        self.fill()

    # -- makers

    def join_line(self, order, cups):
        order.unstarted += cups
        self.line.extend([order] * cups)

    def put_makers_to_work(self):
        while self.line and (self.makers is None or self.busy < self.makers):
            order = self.line.pop(0)
            order.unstarted -= 1
            self.busy += 1
            if order.started is None:
                order.started = self.now
                self.emit("orderStarted", order=order.number)
            end = self.now + constant(f"menu.{order.juice}.preparation", self.c.menu[order.juice].preparation)
            self.services.append((self.now, end))
            self.schedule(end, "done", order)

    def expect_shift(self, number):
        if self.c.shifts_repeat or number < len(self.c.shifts):
            self.schedule(number * self.c.shift_length, "shift", number)

    def on_shift(self, number):
        self.makers = self.c.shifts[number % len(self.c.shifts)]
        self.expect_shift(number + 1)
        self.put_makers_to_work()

    def on_done(self, order):
        self.busy -= 1
        order.done += 1
        if order.done == order.cups:
            order.fate, order.left = "served", self.now
            del self.present[order.number]
            self.emit("orderServed", order=order.number, wait=float(seconds(order.started - order.at)), stay=float(seconds(self.now - order.at)))
        self.put_makers_to_work()


# ---- figures, from the complete history


def spans(steps, end):
    """Each step with the time at which it ends."""
    return [(time, value, until) for (time, value), (until, _) in zip(steps, [*steps[1:], (end, None)])]


def area(steps, begin, end):
    """The integral of a step function."""
    return sum(value * max(0, min(until, end) - max(time, begin)) for time, value, until in spans(steps, end))


def percentile(values, percent):
    """The smallest value with at least `percent` percent of all values at or below it."""
    return sorted(values)[-(-percent * len(values) // 100) - 1] if values else None


def figures(stand, warm_up):
    c, begin, end = stand.c, warm_up, stand.closed_at
    span = end - begin
    found = {}

    def share(part, whole):
        return Fraction(part, whole) if whole else None

    def mean(name):
        return share(area(stand.history[name], begin, end), span) if span > 0 else None

    counted = [(event, keys) for time, event, keys in stand.facts if time >= begin]
    came = [order for order in stand.orders if order.at >= begin]
    left = {fate: [order for order in stand.orders if order.fate == fate and order.left >= begin]
            for fate in ("served", "queueFull", "soldOut", "ranOutOfPatience")}
    asked = [order for order in came if order.fate != "queueFull"]
    demanded = sum(order.cups for order in asked)
    found["customers.arrived"] = len(came)
    for name, fate in (("served", "served"), ("balked", "queueFull"), ("reneged", "ranOutOfPatience"), ("soldOut", "soldOut")):
        found["customers." + name] = len(left[fate])
    found["customers.substituted"] = sum(event == "orderSubstituted" for event, _ in counted)
    found["customers.present"] = len(stand.present)
    found["cups.demanded"] = demanded
    found["cups.served"] = sum(order.cups for order in left["served"])
    found["cups.lost"] = sum(order.cups for order in left["soldOut"] + left["ranOutOfPatience"])
    found["fillRate"] = share(sum(order.immediate for order in asked), demanded)
    served = [order for order in came if order.fate == "served"]
    for name, times in (("wait", [order.started - order.at for order in served]), ("stay", [order.left - order.at for order in served])):
        found[name + ".mean"] = share(sum(times), len(times) * SECOND)
        for percent in (50, 90, 95, 99):
            value = percentile(times, percent)
            found[f"{name}.p{percent}"] = None if value is None else Fraction(value, SECOND)
        found[name + ".max"] = Fraction(max(times), SECOND) if times else None
    found["waitProbability"] = share(sum(order.started > order.at for order in served), len(served))
    found["queue.mean"] = mean("queue")
    found["queue.max"] = max((value for time, value, until in spans(stand.history["queue"], end) if min(until, end) > max(time, begin)), default=None)
    found["present.mean"] = mean("present")
    for name in ("queue", "present"):
        found[name + ".hours"] = Fraction(area(stand.history[name], begin, end), 3600 * SECOND)
    if c.makers is not None:
        work = sum(max(0, min(b, end) - max(a, begin)) for a, b in stand.services)
        on_duty = area(stand.history["on duty"], begin, end)
        found["makers.utilization"] = share(work, on_duty)
        found["makers.onDuty.hours"] = Fraction(on_duty, 3600 * SECOND)
    found["throughput"] = share(len(left["served"]) * SECOND, span) if span > 0 else None
    found["revenue"] = sum((Fraction(c.menu[order.juice].price) * order.cups for order in left["served"]), Fraction(0))
    ordering = holding = shortage = Fraction(0)
    for name, fruit in c.fruits.items():
        if fruit.is_unlimited:
            continue
        mine = [(event, keys) for event, keys in counted if keys.get("fruit") == name]
        stock = stand.history["stock." + name]
        ordered = [keys["pieces"] for event, keys in mine if event == "restockOrdered"]
        found[f"stock.{name}.mean"] = mean("stock." + name)
        found[f"stock.{name}.min"] = min([value for time, value in stock if time < begin][-1:] + [value for time, value in stock if time >= begin])
        need = max((juice.recipe.get(name, 0) for juice in c.menu.values()), default=0)
        found[f"stock.{name}.shortFraction"] = share(area([(time, value < need) for time, value in stock], begin, end), span) if span > 0 else None
        found[f"stock.{name}.soldOutFraction"] = share(area([(time, value == 0) for time, value in stock], begin, end), span) if span > 0 else None
        found[f"stock.{name}.backordered.mean"] = mean("backordered." + name)
        found[f"restock.{name}.orders"] = len(ordered)
        found[f"restock.{name}.pieces"] = sum(keys["pieces"] for event, keys in mine if event == "restockDelivered")
        found["spoiled." + name] = sum(keys["from"] - keys["to"] for _, keys in mine if keys.get("cause") == "spoilage")
        ordering += Fraction(fruit.order) * len(ordered) + Fraction(fruit.unit) * sum(ordered)
        holding += Fraction(fruit.holding) * area(stock, begin, end) / DAY
        shortage += Fraction(fruit.shortage) * area(stand.history["backordered." + name], begin, end) / DAY
    total = ordering + holding + shortage
    if c.makers is not None:
        found["cost.makers"] = Fraction(c.wage) * found["makers.onDuty.hours"]
        total += found["cost.makers"]
    found["profit"] = found["revenue"] - total
    found.update({"cost.total": total, "cost.ordering": ordering, "cost.holding": holding, "cost.shortage": shortage})
    found["alerts.lowStock"] = sum(event == "lowStock" for event, _ in counted)
    found["notifications.posted"] = len(counted)
    return {name: float(value) if isinstance(value, Fraction) else value for name, value in found.items()}


# ---- comparing

def random_stand(draw, name, folder):
    """Writes a configuration, with a trace perhaps; returns its path, the horizon and the warm-up in seconds."""
    grid = draw.choice([1, 5, 5, 10, 10, 10])  # the coarser, the more ties
    is_odd = draw.random() < 0.25  # hardly anything ties

    def duration(low, high):
        whole = draw.randint(low, high) * grid
        return whole + draw.randint(1, 999) / 1000 if is_odd and whole else whole

    fruits = {}
    for fruit in ["a", "b", "c", "d"][:draw.choice([1, 2, 2, 3, 4])]:
        if draw.random() < 0.05:
            fruits[fruit] = {"initial": "unlimited"}
            continue
        keys = fruits[fruit] = {"initial": draw.choice([0, 1, 3, 5, 10, 20])}
        policy = draw.choice(["manual", "continuous", "continuous", "quantity", "periodic"])
        lead = 0 if draw.random() < 0.15 else duration(1, 8)
        point = draw.randint(0, 6)
        if policy == "quantity":
            keys["restock"] = {"fixedQuantity": {"reorderPoint": point, "quantity": draw.randint(1, 6), "leadTime": lead}}
        elif policy != "manual":
            review = {"review": duration(1, 8)} if policy == "periodic" else {}
            keys["restock"] = {"orderUpTo": {"reorderPoint": point, "level": point + draw.randint(1, 8), "leadTime": lead, **review}}
        # Without a lead time, a full shelf would order for ever.
        if draw.random() < 0.4 and (lead or policy in ("manual", "periodic")):
            keys["capacity"] = max(keys["initial"], draw.randint(2, 12))
        if draw.random() < 0.6:
            keys["lowStock"] = draw.randint(0, 6)
        if draw.random() < 0.4:
            keys["shelfLife"] = duration(1, 12)
        if draw.random() < 0.4:
            keys["costs"] = {"unit": draw.choice([0, 0.25, 1]), "order": draw.choice([0, 2.5, 5]), "holding": draw.choice([0, 86.4]),
                             "shortage": draw.choice([0, 864])}
    menu = {}
    for number in range(1, draw.choice([1, 2, 3, 4, 5]) + 1):
        chosen = draw.sample(list(fruits), draw.randint(1, len(fruits)))
        menu[f"juice {number}"] = {"recipe": {fruit: draw.choice([1, 1, 2, 3]) for fruit in chosen}, "price": draw.choice([1, 2.5, 4]),
                                   "preparation": 0 if draw.random() < 0.05 else duration(1, 4)}
    customers = {"whenSoldOut": draw.choice(["leave", "substitute", "wait", "wait", "wait"])}
    if draw.random() < 0.5:
        customers["patience"] = 0 if draw.random() < 0.05 else duration(1, 8)
    length = draw.choice([15, 40, 120])
    if draw.random() < 0.12:
        menu = {"juice 1": menu["juice 1"]}
        customers.update(arrivals={"renewal": duration(1, 3)}, cups=draw.choice([1, 1, 2, 3]), party=draw.choice([1, 1, 2, 4]))
    else:
        customers["arrivals"] = {"trace": {"file": name + ".csv", "time": "time", "juice": "juice", "cups": "cups"}}
        times = sorted(draw.randint(0, length) * grid + (draw.randint(0, 999) / 1000 if is_odd else 0)
                       for _ in range(draw.choice([3, 10, 30, 80])))
        many = draw.random() < 0.5
        rows = [f"{round(time, 3)},{draw.choice(list(menu))},{draw.choice([1, 1, 2, 3, 5]) if many else 1}" for time in times]
        (folder / f"{name}.csv").write_text("\n".join(["time,juice,cups", *rows, ""]))
    config = {"stand": name, "opens": "2026-05-04T08:00:00", "seed": draw.randint(1, 999), "fruits": fruits, "menu": menu,
              "makers": draw.choice([1, 1, 2, 3, "unlimited"]), "customers": customers}
    if draw.random() < 0.25:
        config["makers"] = {"shifts": {"every": duration(1, 9), "makers": [draw.randint(0, 3) for _ in range(draw.randint(1, 4))],
                                       "repeat": draw.random() < 0.5}}
    if config["makers"] != "unlimited":
        config["wage"] = draw.choice([0, 3600])
    if draw.random() < 0.5:
        config["queue"] = {"limit": draw.choice([0, 1, 2, 5])}
    path = folder / f"{name}.json"
    path.write_text(json.dumps(config, indent=1))
    horizon = draw.choice([length * grid // 2 + 1, length * grid, length * grid * 2])
    return path, horizon, draw.randint(0, horizon // grid // 3) * grid if draw.random() < 0.3 else 0


def lines(texts):
    """Lines as dictionaries; the fingerprint is left out, since the model makes none."""
    return [{key: value for key, value in json.loads(text, parse_float=lambda number: Decimal(number).normalize()).items() if key != "configuration"} for text in texts]


def instants(found):
    """The lines of each instant in one order, without numbers; changes of one fruit, cause and order put together."""
    times = collections.defaultdict(lambda: ([], collections.Counter()))
    for line in found:
        others, changes = times[line["at"]]
        if line["event"] == "stockChanged":
            changes[line["fruit"], line["cause"], line.get("order")] += line["to"] - line["from"]
        elif line["event"] in ("lowStock", "stockRecovered"):
            others.append((line["event"], line["fruit"]))
        else:
            others.append(tuple((key, str(value)) for key, value in line.items() if key not in ("seq", "at")))
    return {time: (sorted(others, key=str), changes) for time, (others, changes) in times.items()}


def compare(ours, theirs):
    one, other = lines(ours), lines(theirs)
    if one == other:
        return "same", ""
    by_time, others_by_time = instants(one), instants(other)
    if by_time == others_by_time:
        return "reordered", ""
    at = min(time for time in {**by_time, **others_by_time} if by_time.get(time) != others_by_time.get(time))
    return "different", "\n".join(f"  {name} {text}" for name, texts in (("model  ", ours), ("program", theirs)) for text in texts if f'"at":{at:.9f},' in text)


def is_close(name, one, other):
    if one in (None, "missing") or other in (None, "missing"):
        return one == other
    # Percentiles are exact to 0.1%.
    return abs(one - other) <= (1e-3 if re.search(r"\.p\d\d$", name) else 1e-9) * max(1, abs(one), abs(other))


def runs(count, seed, folder):
    """Name, configuration, horizon and warm-up of each stand that is compared."""
    for expected in sorted(SCENARIOS.rglob("*.expected.json")):
        values = json.loads(expected.read_text())
        yield expected.name[:-14], expected.with_name(expected.name[:-14] + ".json"), Decimal(values["for"]), Decimal(values.get("warmUp", 0))
    for number in range(count):
        yield f"stand {number} of seed {seed}", *random_stand(random.Random(f"{seed}/{number}"), f"random-{number}", folder)


def check(count=40, seed=20261121):
    """The exit status."""
    verdicts, faults = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        ledger = folder / "ledger.jsonl"
        for name, path, horizon, warm_up in runs(count, seed, folder):
            ledger.unlink(missing_ok=True)
            command = [PROGRAM, "simulate", "--config", path, "--for", str(horizon), "--warm-up", str(warm_up), "--ledger", ledger, "--format", "json",
                       "--no-timing"]
            result = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
            stand = Stand(Configuration(path), int(horizon * SECOND))
            begin = int(warm_up * SECOND)
            verdict, why = compare(stand.lines, ledger.read_text().splitlines())
            verdicts[verdict] += 1
            wrong = [why] if verdict == "different" else []
            ours, theirs = figures(stand, begin), result["runs"][0]["metrics"]
            # After another course of events, or an end before the warm-up's, figures say nothing.
            for metric in sorted({**ours, **theirs}) if verdict != "different" and stand.closed_at > begin else []:
                found = theirs.get(metric, {}).get("mean", "missing")
                # The smallest level within an instant depends on the order of its lines.
                if not (verdict == "reordered" and metric.endswith(".min")) and not is_close(metric, ours.get(metric, "missing"), found):
                    wrong.append(f"  {metric} is {found}, in the model {ours.get(metric, 'missing')}")
            if wrong:
                faults += 1
                print(f"{name}:", *wrong, sep="\n")
    print(f"{verdicts.total()} stands, {count} of them random: {', '.join(f'{number} {verdict}' for verdict, number in verdicts.most_common())}; "
          f"{faults} with faults")
    return 1 if faults or verdicts.total() == count else 0


def explain(configuration, horizon, ledger):
    """Says where a ledger first differs from the model's."""
    stand = Stand(Configuration(configuration), int(Decimal(horizon) * SECOND))
    verdict, why = compare(stand.lines, pathlib.Path(ledger).read_text().splitlines())
    print({"same": "The ledger is the model's.", "reordered": "The ledger is the model's, but for the order of lines within an instant.",
           "different": f"The ledger first differs from the model's here:\n{why}"}[verdict])


if sys.argv[1:2] == ["explain"] and len(sys.argv) == 5:
    explain(*sys.argv[2:])
elif all(word.isdigit() for word in sys.argv[1:]):
    sys.exit(check(*map(int, sys.argv[1:3])))
else:
    sys.exit(__doc__.split("\n\n")[1])
