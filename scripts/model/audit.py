#!/usr/bin/env python3
"""Audits a ledger against the rules and its configuration, independently of `juicestand verify`.

Usage: scripts/model/audit.py LEDGER… --config RESOLVED     (what `juicestand check-config` prints)

`verify` knows the ledger alone. This audit also knows recipes, restocking rules, makers, places and lead times, and follows the ledger with
them; it draws nothing, so the laws may be random. Several files are one ledger in parts. Prints findings; exit status 1 if there is one.
"""
import bisect
import json
import re
import sys
from collections import Counter
from decimal import Decimal
from fractions import Fraction

from configuration import SECOND, Configuration, seconds

# Keys of each event in order; ? marks those that may be missing.
KEYS = {
    "opened": "stand opens seed configuration stock", "orderPlaced": "order juice cups by", "orderStarted": "order",
    "orderServed": "order wait stay", "orderSubstituted": "order wished juice", "orderLost": "order juice cups reason fruit?",
    "orderBackordered": "order fruit cups", "stockChanged": "fruit from to cause order?", "lowStock": "fruit level threshold",
    "stockRecovered": "fruit level threshold", "restockOrdered": "fruit pieces", "restockDelivered": "fruit pieces refused?",
    "configurationChanged": "key from to", "rateChanged": "factor", "paused": "", "resumed": "", "closed": "open stock",
}
HEAD = re.compile(r'\{"seq":[1-9][0-9]*,"at":(?:0|[1-9][0-9]*)\.[0-9]{9},"event":"[A-Za-z]+"[,}]')
STRING = re.compile(r'"(?:\\.|[^"\\])*"')


class Order:
    def __init__(self, number, juice, cups, at, recipe):
        self.number, self.juice, self.cups, self.at, self.recipe = number, juice, cups, at, recipe
        self.taken, self.lots = Counter(), []
        self.started, self.is_backordered = None, False
        self.filled = 0 if recipe else cups  # cups with all their fruit


class Audit:
    def __init__(self, configuration):
        self.c = configuration
        self.findings = []
        self.place = ""
        self.now = self.number = self.last_order = 0
        self.is_closed = False
        self.live = {}
        self.line = {}  # orders with a cup made up and none started, in the order they joined
        self.surely_busy = 0  # orders started, not served and never backordered: each has a cup in the making
        self.cups_at_work = 0  # cups of those: at least as many as are being made
        self.mixed = {}  # orders started, not served, once backordered
        self.short = {}  # backordered orders that still wait for fruit, in the order they were placed
        self.touched = set()
        self.wished = {}
        self.limited = {name: fruit for name, fruit in self.c.fruits.items() if not fruit.is_unlimited}
        self.level = {name: fruit.initial for name, fruit in self.limited.items()}
        self.lots = {name: [[0, fruit.initial]] if fruit.initial else [] for name, fruit in self.limited.items()}
        self.backordered, self.on_order = Counter(), Counter()
        self.outstanding = {name: [] for name in self.limited}
        self.news = {}  # fruit: the event that its crossing demands
        self.arriving = {}  # fruit: pieces that a delivery must bring
        self.returning = {}  # order: what it must give back, and its lots
        self.positions = {name: [level] for name, level in self.level.items()}  # of this instant, for periodic reviews
        self.reviewed = set()

    def finding(self, text):
        self.findings.append(f"{self.place}: {text}")

    def expect(self, is_right, text):
        if not is_right:
            self.finding(text)

    # -- form of a line

    def read(self, raw):
        text = raw.decode("utf-8", errors="replace")
        self.expect(not self.is_closed, "a line after closed")
        self.expect(text.endswith("\n") and HEAD.match(text) and not re.search(r"\s", STRING.sub("", text[:-1])), "not in the form of a ledger")
        keys = json.loads(text, object_pairs_hook=dict, parse_float=Decimal)
        event = keys.get("event")
        if event not in KEYS:
            return self.finding(f"unknown event {event}")
        own = [key.rstrip("?") for key in KEYS[event].split() if not key.endswith("?") or key[:-1] in keys]
        if list(keys) != ["seq", "at", "event", *own]:
            return self.finding(f"{event} has the keys {', '.join(keys)}")
        self.number += 1
        self.expect(keys["seq"] == self.number, f"seq must be {self.number}, found {keys['seq']}")
        at = int(Decimal(keys["at"]) * SECOND)
        self.expect(at >= self.now, "time goes back")
        if at > self.now:
            self.advance(at)
        self.expect((event == "opened") == (self.number == 1), "a ledger begins with opened")
        if keys.get("fruit", next(iter(self.c.fruits))) not in self.c.fruits:
            return self.finding(f"unknown fruit {keys['fruit']}")
        getattr(self, "on_" + event, lambda keys: None)(keys)

    # -- between events and instants

    def settle(self):
        """What must hold when the events of an instant are over."""
        for name, event in self.news.items():
            self.finding(f"{name} is {self.level[name]}, but there was no {event}")
        for name, pieces in self.arriving.items():
            self.finding(f"{pieces} {name} were delivered, but the stock did not change")
        for number, (amounts, _) in self.returning.items():
            self.expect(not amounts, f"order {number} did not return {dict(amounts)}")
        self.news, self.arriving, self.returning = {}, {}, {}
        for order in (self.live[number] for number in self.touched if number in self.live):
            whole = all(order.taken[name] == pieces * order.filled for name, pieces in order.recipe)
            self.expect(whole and (order.is_backordered or order.filled == order.cups),
                        f"order {order.number} ({order.cups} {order.juice}) has taken {dict(order.taken)}")
        self.touched.clear()
        for name, fruit in self.limited.items():
            if fruit.policy and fruit.review is None:
                self.expect(not self.wants(name, self.position(name)), f"{name}: position {self.position(name)}, and nothing is ordered")
        most = Counter()
        for order in self.short.values():
            most |= Counter(dict(order.recipe))
            self.expect(any(self.level[name] < most[name] for name, _ in order.recipe), f"order {order.number} waits for fruit that is there")
        if self.c.makers is not None:
            self.expect(self.surely_busy <= self.c.makers, f"{self.surely_busy} orders are being made by {self.c.makers} makers")
        if self.line and (self.c.makers is None or self.at_most_busy() < self.c.makers):
            self.finding(f"order {next(iter(self.line))} waits, though a maker is free")

    def at_most_busy(self):
        return self.cups_at_work + sum(order.filled for order in self.mixed.values())

    def wants(self, name, position):
        fruit = self.limited[name]
        return position <= fruit.reorder and (fruit.level is None or fruit.level > position)

    def position(self, name):
        return self.level[name] + self.on_order[name] - self.backordered[name]

    def watch(self, name):
        """Remembers a position: a review may have looked at any of an instant."""
        self.positions.setdefault(name, []).append(self.position(name))

    def advance(self, to):
        self.settle()
        for name, fruit in self.limited.items():
            if self.outstanding[name] and fruit.lead is not None and self.outstanding[name][0][0] + fruit.lead < to:
                self.finding(f"{name}: a delivery was due at {seconds(self.outstanding[name].pop(0)[0] + fruit.lead)}")
            if fruit.life is not None and self.lots[name] and self.lots[name][0][0] + fruit.life < to:
                self.finding(f"{name}: {self.lots[name].pop(0)[1]} pieces should have spoiled")
            if fruit.review is not None:
                seen = [*self.positions.get(name, []), self.position(name)]
                if self.now % fruit.review == 0 and name not in self.reviewed and all(self.wants(name, position) for position in seen):
                    self.finding(f"{name}: position {seen[-1]} at the review at {seconds(self.now)}, nothing ordered")
                following = (self.now // fruit.review + 1) * fruit.review
                if following < to and self.wants(name, seen[-1]):
                    self.finding(f"{name}: position {seen[-1]} at the review at {seconds(following)}, nothing ordered")
                self.positions[name] = seen[-1:]
        self.reviewed.clear()
        # Orders are in the order they were placed: the first that has not been started is enough.
        first = next((order for order in self.live.values() if order.started is None), None)
        if first and self.c.patience is not None and first.at + self.c.patience < to:
            self.finding(f"order {first.number} should have left at {seconds(first.at + self.c.patience)}")
        self.now = to

    # -- orders

    def on_opened(self, keys):
        self.expect(self.now == 0, "opened must be at 0")
        self.expect(keys["stock"] == {name: fruit.initial for name, fruit in self.c.fruits.items()}, f"the stand opens with {keys['stock']}")

    def arrive(self, number, is_balking=False, can_balk=True):
        """The first line that names an order."""
        if number in self.wished:
            return
        self.expect(number == self.last_order + 1, f"order {number} after order {self.last_order}")
        self.last_order = number
        is_full = self.c.places is not None and self.c.makers is not None and len(self.line) >= self.c.places
        if is_balking:
            self.expect(is_full and self.at_most_busy() >= self.c.makers, f"order {number} balked, with {len(self.line)} in line and a place or maker free")
        elif can_balk and is_full and (self.line or self.surely_busy >= self.c.makers):
            self.finding(f"order {number} should have balked: {len(self.line)} are in line")

    def is_makeable(self, juice, cups):
        return all(name not in self.level or self.level[name] >= pieces * cups for name, pieces in self.c.menu[juice].recipe.items())

    def best_substitute(self, wish, cups):
        def likeness(juice):
            one, other = self.c.menu[wish].recipe, self.c.menu[juice].recipe
            pairs = [(one.get(name, 0), other.get(name, 0)) for name in {**one, **other}]
            return Fraction(sum(map(min, pairs)), sum(map(max, pairs)))
        return max((juice for juice in self.c.menu if juice != wish and self.is_makeable(juice, cups)), key=likeness, default=None)

    def on_orderPlaced(self, keys):
        number, juice, cups = keys["order"], keys["juice"], keys["cups"]
        if number in self.live or juice not in self.c.menu or cups < 1 or keys["by"] not in ("customer", "command"):
            return self.finding(f"order {number} is placed twice, or is not on the menu")
        self.arrive(number)
        recipe = [(name, pieces) for name, pieces in self.c.menu[juice].recipe.items() if name in self.level and pieces]
        order = self.live[number] = Order(number, juice, cups, self.now, recipe)
        self.touched.add(number)
        if not recipe:
            self.line[number] = order
        self.expect(self.c.when_sold_out == "wait" or self.is_makeable(juice, cups), f"order {number} is placed, but {juice} can't be made {cups} times")

    def on_orderSubstituted(self, keys):
        order = self.get(keys)
        if order:
            self.expect(self.c.when_sold_out == "substitute", "customers here take no substitute")
            self.expect(order.juice == keys["juice"] and not order.taken, f"order {order.number} was placed for {order.juice}")
            self.expect(not self.is_makeable(keys["wished"], order.cups), f"order {order.number}: {keys['wished']} could have been made")
            best = self.best_substitute(keys["wished"], order.cups)
            self.expect(best == keys["juice"], f"order {order.number}: the most similar juice is {best}")

    def get(self, keys):
        order = self.live.get(keys["order"])
        self.expect(order, f"order {keys['order']} is not in the stand")
        return order

    def on_orderStarted(self, keys):
        order = self.get(keys)
        if order is None:
            return
        self.expect(order.started is None and order.filled, f"order {order.number} is started twice, or without fruit")
        self.expect(next(iter(self.line), None) == order.number, f"order {order.number} is started before order {next(iter(self.line), None)}")
        self.expect(self.c.patience is None or self.now - order.at <= self.c.patience, f"order {order.number} is started after its patience")
        order.started = self.now
        self.line.pop(order.number, None)
        if order.is_backordered:
            self.mixed[order.number] = order
        else:
            self.surely_busy += 1
            self.cups_at_work += order.cups

    def on_orderServed(self, keys):
        order = self.get(keys)
        if order is None:
            return
        if order.started is None:
            return self.finding(f"order {order.number} is served and was not started")
        if order.is_backordered:
            self.mixed.pop(order.number, None)
        else:
            self.surely_busy -= 1
            self.cups_at_work -= order.cups
        self.expect(all(order.taken[name] == pieces * order.cups for name, pieces in order.recipe), f"order {order.number} is served with {dict(order.taken)}")
        for key, value in (("wait", order.started - order.at), ("stay", self.now - order.at)):
            self.expect(abs(Decimal(keys[key]) * SECOND - value) < 1, f"order {order.number}: {key} must be {seconds(value)}, found {keys[key]}")
        making, one = self.now - order.started, self.c.menu[order.juice].preparation
        self.expect(one is None or making == one or making > one and order.cups > 1, f"order {order.number} took {seconds(making)}, a cup takes {seconds(one or 0)}")
        self.short.pop(order.number, None)
        del self.live[order.number]

    def on_orderLost(self, keys):
        number, reason, juice, cups = (keys[key] for key in ("order", "reason", "juice", "cups"))
        self.expect(("fruit" in keys) == (reason == "soldOut"), "a fruit is named for sold out orders alone")
        if reason == "ranOutOfPatience":
            return self.renege(keys)
        self.expect(number not in self.live and number > self.last_order, f"order {number} is lost after it was placed")
        self.arrive(number, is_balking=reason == "queueFull", can_balk=reason != "notOnMenu")
        self.expect((juice in self.c.menu) == (reason != "notOnMenu"), f"order {number}: is {juice} on the menu?")
        if reason == "soldOut" and juice in self.c.menu:
            missing = {name: pieces * cups - self.level[name] for name, pieces in self.c.menu[juice].recipe.items()
                       if name in self.level and self.level[name] < pieces * cups}
            self.expect(self.c.when_sold_out != "wait" and missing, f"order {number} is lost, though customers wait or {juice} could be made")
            self.expect(missing.get(keys["fruit"]) == max(missing.values(), default=0), f"order {number} names {keys['fruit']}, missing are {missing}")
            if self.c.when_sold_out == "substitute":
                self.expect(not self.best_substitute(juice, cups), f"order {number} is lost, though there is a substitute")

    def renege(self, keys):
        order = self.get(keys)
        if order is None:
            return
        self.expect(order.started is None, f"order {order.number} left after it was started")
        self.expect((keys["juice"], keys["cups"]) == (order.juice, order.cups), f"order {order.number} was placed for {order.cups} {order.juice}")
        self.expect(self.c.has_patience and self.c.patience in (None, self.now - order.at), f"order {order.number} left after {seconds(self.now - order.at)}")
        for name, pieces in order.recipe:
            if order.is_backordered:
                self.backordered[name] -= pieces * order.cups - order.taken[name]
            self.watch(name)
        self.line.pop(order.number, None)
        self.short.pop(order.number, None)
        del self.live[order.number]
        self.returning[order.number] = (+order.taken, order.lots)

    def on_orderBackordered(self, keys):
        order = self.get(keys)
        if order is None:
            return
        self.expect(self.c.when_sold_out == "wait" and not order.is_backordered and order.started is None, f"order {order.number} can't be backordered")
        self.expect(keys["cups"] == order.cups - order.filled > 0, f"order {order.number}: {order.filled} of {order.cups} cups have their fruit")
        most = Counter()
        for other in [*self.short.values(), order]:
            most |= Counter(dict(other.recipe))
        missing = [name for name, _ in order.recipe if self.level[name] < most[name]]
        self.expect(keys["fruit"] in missing, f"order {order.number} waits for {missing}, not {keys['fruit']}")
        order.is_backordered = True
        self.short[order.number] = order
        for name, pieces in order.recipe:
            self.backordered[name] += pieces * order.cups - order.taken[name]
            self.watch(name)

    # -- stock

    def on_stockChanged(self, keys):
        name, before, after, cause = (keys[key] for key in ("fruit", "from", "to", "cause"))
        if name not in self.limited:
            return self.finding(f"{name} is unlimited")
        fruit, pieces = self.limited[name], abs(after - before)
        self.expect(before == self.level[name], f"{name} goes on from {before}, there were {self.level[name]}")
        self.expect(after >= 0 and pieces, f"{name} goes from {before} to {after}")
        self.expect(cause == "edit" or (after < before) == (cause in ("order", "spoilage")), f"{cause}: from {before} to {after}")
        self.expect(("order" in keys) == (cause in ("order", "return")), f"{cause}: an order is named, or missing")
        self.expect(name not in self.news, f"{name}: there was no {self.news.get(name)}")
        self.news.pop(name, None)
        if cause == "order":
            self.take(keys, name, pieces)
        elif cause == "return":
            amounts, lots = self.returning.get(keys.get("order"), (Counter(), []))
            self.expect(amounts.pop(name, 0) == pieces, f"order {keys.get('order')} returns {pieces} {name}")
            for other, birth, count in lots:
                if other == name:
                    self.put(name, birth, count)
        elif cause == "delivery":
            self.expect(self.arriving.pop(name, 0) == pieces, f"{pieces} {name} are not what was delivered")
            self.put(name, self.now, pieces)
        elif cause == "spoilage":
            old = sum(count for birth, count in self.lots[name] if fruit.life is not None and birth + fruit.life <= self.now)
            self.expect(old >= pieces, f"{pieces} {name} spoil, {old} are old enough")
            self.pick(name, pieces)
        elif cause == "edit":
            self.put(name, self.now, pieces) if after > before else self.pick(name, pieces)
        else:
            self.finding(f"unknown cause {cause}")
        self.level[name] = after
        if fruit.low is not None and (before > fruit.low) != (after > fruit.low):
            self.news[name] = "stockRecovered" if after > fruit.low else "lowStock"
        self.watch(name)

    def put(self, name, birth, pieces):
        lots = self.lots[name]
        index = bisect.bisect_left(lots, [birth, 0])
        if index < len(lots) and lots[index][0] == birth:
            lots[index][1] += pieces
        else:
            lots.insert(index, [birth, pieces])

    def pick(self, name, pieces):
        """Oldest first."""
        picked, lots = [], self.lots[name]
        while pieces and lots:
            count = min(pieces, lots[0][1])
            picked.append((name, lots[0][0], count))
            lots[0][1] -= count
            pieces -= count
            if not lots[0][1]:
                lots.pop(0)
        return picked

    def take(self, keys, name, pieces):
        order = self.get(keys)
        if order is None:
            return
        needed = dict(order.recipe).get(name, 0)
        self.expect(order.taken[name] + pieces <= needed * order.cups, f"order {order.number} takes {order.taken[name] + pieces} {name}, needs {needed * order.cups}")
        for other in self.short.values():
            if other.number < order.number and dict(other.recipe).get(name, 0) > self.level[name]:
                self.finding(f"order {order.number} takes {name}, for which order {other.number} waits")
        order.lots += self.pick(name, pieces)
        order.taken[name] += pieces
        if order.is_backordered:
            self.backordered[name] -= pieces
        self.touched.add(order.number)
        filled = min((order.taken[other] // count for other, count in order.recipe), default=order.cups)
        if filled and not order.filled and order.started is None:
            self.line[order.number] = order
        order.filled = filled
        if filled == order.cups:
            self.short.pop(order.number, None)

    def on_lowStock(self, keys):
        name = keys["fruit"]
        self.expect(self.news.pop(name, None) == keys["event"], f"{name}: {keys['event']} without a crossing")
        self.expect((keys["level"], keys["threshold"]) == (self.level.get(name), self.c.fruits[name].low), f"{name}: the level is {self.level.get(name)}")

    on_stockRecovered = on_lowStock

    # -- restocking

    def on_restockOrdered(self, keys):
        name, pieces = keys["fruit"], keys["pieces"]
        fruit = self.c.fruits[name]
        if not fruit.policy:
            return self.finding(f"{name} is restocked by hand")
        self.expect(fruit.review is None or self.now % fruit.review == 0, f"{name}: ordered between reviews")
        self.reviewed.add(name)
        position = self.position(name)
        wanted = fruit.quantity or fruit.level - position
        self.expect(position <= fruit.reorder and pieces == wanted, f"{name}: {pieces} ordered at position {position}, expected {wanted} at {fruit.reorder}")
        self.on_order[name] += pieces
        self.outstanding[name].append((self.now, pieces))

    def on_restockDelivered(self, keys):
        name, pieces, refused = keys["fruit"], keys["pieces"], keys.get("refused", 0)
        fruit = self.c.fruits[name]
        due = next((order for order in self.outstanding.get(name, []) if order[1] == pieces + refused
                    and (fruit.lead is None or order[0] + fruit.lead == self.now)), None)
        if due is None:
            return self.finding(f"{name}: {pieces + refused} pieces are delivered, due are {self.outstanding.get(name)}")
        room = pieces + refused if fruit.capacity is None else max(0, fruit.capacity - self.level[name])
        self.expect(pieces == min(pieces + refused, room), f"{name}: {pieces} put on the shelf, there is room for {room}")
        self.outstanding[name].remove(due)
        self.on_order[name] -= pieces + refused
        if pieces:
            self.arriving[name] = pieces
        self.watch(name)

    def on_closed(self, keys):
        self.settle()
        self.expect(keys["open"] == len(self.live), f"{len(self.live)} orders are in the stand")
        self.expect(keys["stock"] == {name: self.level.get(name, "unlimited") for name in self.c.fruits}, f"the stand closes with {keys['stock']}")
        self.is_closed = True


def audit(configuration, files):
    """What is wrong with a ledger."""
    found = Audit(configuration)
    for path in files:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                found.place = f"{path}:{number}"
                found.read(line)
    found.expect(found.is_closed, "the ledger does not end with closed")
    return found.findings


def main():
    files, options = sys.argv[1:-2], sys.argv[-2:]
    if not files or options[0] != "--config":
        sys.exit(__doc__)
    findings = audit(Configuration(options[1]), files)
    print(*findings[:20], sep="\n", end="\n" if findings else "")
    print(f"{len(findings)} findings in {sum(1 for path in files for _ in open(path, 'rb')):,} lines")
    return 1 if findings else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--help"]:
        sys.exit(print(__doc__.strip()))
    sys.exit(main())
