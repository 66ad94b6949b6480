#!/usr/bin/env python3
"""Reference model of the juice stand, from contract.md alone. Slow, literal, complete.

oracle.py CONFIG.json [--for D] [--warm-up D] [--metrics] [--choice NAME=VALUE]...

Ledger (JSON Lines) on standard output; with --metrics one JSON object instead.
--choice picks another reading of an ambiguous passage (see AMBIGUITIES.md); --choices lists them.
"""
import argparse
import bisect
import csv
import hashlib
import heapq
import json
import os
import sys
from decimal import Decimal
from fractions import Fraction

import conf
from conf import BadConfig, ns

SECOND = 10**9
DAY = 86400 * SECOND

CHOICES = {   # name: (values, the first is the default)
    "nextArrival": ("first", "last", "opening"),          # when the next arrival is put on the calendar
    "opening": ("stock,restock,arrivals", "stock,arrivals,restock", "arrivals,stock,restock",
                "arrivals,restock,stock", "restock,stock,arrivals", "restock,arrivals,stock"),
    "restock": ("end", "immediate"),                       # decision at the end of the event / right after each change
    "pieces": ("accepted", "all"),                         # restockDelivered.pieces when some are refused
    "capacity": ("shelf", "backorders"),                   # refused first / waiting cups take first
    "backordered": ("recipe", "short"),                    # pieces of a waiting cup: whole recipe / only the fruit it waits for
    "openingLow": ("crossing", "firstFall", "atOpening"),  # lowStock when the stand opens at or below the threshold
    "zeroSimilarity": ("allowed", "lost"),                 # a substitute that shares nothing
    "placedNames": ("substitute", "wish"),                 # orderPlaced.juice of a substituted order
    "substitutedLine": ("before", "after"),                # orderSubstituted before/after orderPlaced
    "shortest": ("deficit", "ratio", "first", "level"),    # "the shortest ingredient"
    "backorderFruit": ("cup", "rest", "order"),            # ... measured for one cup / for the rest / for the whole order
    "spoil": ("lot", "due"),                               # one spoilage event takes its lot / all that is due
    "spoilSchedule": ("delivery", "oldest"),               # spoilage put on the calendar at delivery / when oldest
    "unblock": ("always", "fruit"),                        # waiting cups looked at after any reneging / only when fruit came in
    "blocking": ("dynamic", "queues"),                     # what a waiting cup is short of: now / the fruits it was queued for
    "fillBlocking": ("now", "pass"),                       # within one filling: short of fruit now / when its turn was
    "traceEnd": ("event", "instant"),                      # a trace's end: right after the last leaving / after its instant
    "patienceAt": ("placed", "last"),                      # patience put on the calendar: when placed / after the restocking decisions
}


class Order:
    def __init__(self, number, wish, cups, at):
        self.number, self.wish, self.juice, self.cups, self.at = number, wish, wish, cups, at
        self.waiting = 0          # cups short of fruit
        self.unstarted = 0        # cups in the makers' line
        self.done = 0
        self.started = None
        self.left = None
        self.fate = None          # served, queueFull, soldOut, ranOutOfPatience
        self.taken = []           # [fruit, lot birth key, pieces]
        self.immediate = 0        # cups whose fruit was there when asked for
        self.short_of = set()     # choice blocking=queues


class Lot:
    """Pieces of one fruit that arrived together; identity is kept so that returns keep their age."""
    def __init__(self, key, birth, pieces):
        self.key, self.birth, self.pieces = key, birth, pieces


class Stand:
    def __init__(self, config, horizon, choices, emit):
        self.c = config
        self.horizon = horizon
        self.choice = choices
        self.emit_line = emit
        self.now = 0
        self.seq = 0
        self.calendar = []
        self.scheduled = 0
        self.busy = 0
        self.line = []            # cups waiting for a maker: orders, one entry a cup
        self.present = {}         # number -> Order
        self.short = []           # orders with waiting cups, by number
        self.orders = []
        self.level = {f: (None if x.unlimited else 0) for f, x in config.fruits.items()}
        self.on_order = {f: 0 for f in config.fruits}
        self.lots = {f: [] for f in config.fruits}
        self.lot_count = 0
        self.low_news = {}        # choice openingLow=firstFall
        self.history = {}         # name -> [(t, value)] : step functions, every step kept
        self.facts = []           # (t, event, fields): every ledger line
        self.services = []        # (start, end) of every cup
        self.arrivals_left = 0
        self.trace = None
        self.closed_at = None

    # -- the ledger ---------------------------------------------------------------------------------------------
    def emit(self, event, **fields):
        self.seq += 1
        self.facts.append((self.now, event, fields))
        body = {"event": event, **fields}
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=Raw.encode)
        text = Raw.fix(text)
        self.emit_line('{"seq":%d,"at":%s,%s' % (self.seq, seconds(self.now), text[1:]))

    # -- the calendar -------------------------------------------------------------------------------------------
    def schedule(self, at, what, *args):
        self.scheduled += 1
        heapq.heappush(self.calendar, (at, self.scheduled, what, args))

    def note(self, name, value):
        h = self.history.setdefault(name, [])
        if not h or h[-1][1] != value:
            h.append((self.now, value))

    def note_state(self):
        """After every event: what the time-weighted metrics integrate."""
        self.note("queue", sum(1 for o in self.present.values() if o.started is None))
        self.note("queue.line", sum(1 for o in self.present.values() if o.started is None and o.unstarted))
        self.note("present", len(self.present))
        for f, x in self.c.fruits.items():
            if not x.unlimited:
                self.note("backordered." + f, self.backordered(f))
                self.note("backordered.short." + f, self.backordered(f, "short"))

    # -- opening and running ------------------------------------------------------------------------------------
    def run(self):
        c = self.c
        if c.has_patience and c.patience is None:
            raise BadConfig("customers.patience: only a constant here")
        for f, x in c.fruits.items():
            if x.policy and x.lead is None:
                raise BadConfig("fruits.%s.restock leadTime: only a constant here" % f)
            if not x.unlimited:
                self.level[f] = x.initial
                self.note("stock." + f, x.initial)
        self.emit("opened", stand=c.stand, opens=c.opens, seed=c.seed,
                  configuration=hashlib.sha256(json.dumps(c.raw, default=str, sort_keys=True).encode()).hexdigest(),
                  stock=self.levels())
        if self.choice["openingLow"] == "atOpening":
            for f, x in c.fruits.items():
                if x.low is not None and not x.unlimited and x.initial <= x.low:
                    self.emit("lowStock", fruit=f, level=x.initial, threshold=x.low)
        for step in self.choice["opening"].split(","):
            getattr(self, "open_" + step)()
        self.note_state()
        same, last = 0, -1
        while True:
            if self.trace_over():
                if self.choice["traceEnd"] == "event" or not self.calendar or self.calendar[0][0] > self.now:
                    break
            if not self.calendar or self.calendar[0][0] >= self.horizon:
                self.now = self.horizon
                break
            at, _, what, args = heapq.heappop(self.calendar)
            same = same + 1 if at == last else 0
            last = at
            if same > 100000:
                raise BadConfig("the stand never gets past %s s: an endless loop of events of one instant" % seconds(at))
            self.now = at
            getattr(self, "on_" + what)(*args)
            self.decide_all()
            self.note_state()
        self.closed_at = self.now
        self.emit("closed", open=len(self.present), stock=self.levels())

    def trace_over(self):
        return self.trace is not None and self.arrivals_left == 0 and not self.present

    def levels(self):
        return {f: ("unlimited" if x.unlimited else self.level[f]) for f, x in self.c.fruits.items()}

    def open_stock(self):
        for f, x in self.c.fruits.items():
            if not x.unlimited:
                self.new_lot(f, x.initial)

    def open_restock(self):
        for f, x in self.c.fruits.items():
            if x.policy and not x.unlimited:
                if x.review is not None:
                    self.on_review(f)
                else:
                    self.decide(f)

    def open_arrivals(self):
        a = self.c.arrivals
        (kind, p), = a.items()
        if kind == "trace":
            self.trace = read_trace(self.c, p)
            self.arrivals_left = len(self.trace)
            self.next_row = 0
            if self.choice["nextArrival"] == "opening":
                for t, juice, cups in self.trace:
                    self.schedule(t, "arrival", juice, cups)
            else:
                self.schedule_arrival()
        elif kind == "renewal":
            self.interval = ns(p)
            if self.interval is None:
                raise BadConfig("customers.arrivals.renewal: only a constant here")
            if self.interval <= 0:
                raise BadConfig("customers.arrivals.renewal: must be above 0 here")
            wanted = [j.name for j in self.c.menu.values() if j.popularity > 0]
            if len(wanted) != 1:
                raise BadConfig("menu: without a trace exactly one juice can be wanted here")
            self.only = wanted[0]
            self.schedule_arrival()
        else:
            raise BadConfig("customers.arrivals: only renewal and trace here")

    def schedule_arrival(self):
        if self.trace is None:      # never the whole of it at opening: it has no end
            self.schedule(self.now + self.interval, "arrival", self.only, None)
        elif self.choice["nextArrival"] != "opening" and self.next_row < len(self.trace):
            t, juice, cups = self.trace[self.next_row]
            self.next_row += 1
            self.schedule(t, "arrival", juice, cups)

    # -- stock --------------------------------------------------------------------------------------------------
    def change(self, fruit, amount, cause, order=None):
        """One stockChanged line and what it is news of. The lots are the caller's business."""
        x = self.c.fruits[fruit]
        old = self.level[fruit]
        new = self.level[fruit] = old + amount
        assert new >= 0
        fields = {"fruit": fruit, "from": old, "to": new, "cause": cause}
        if order is not None:
            fields["order"] = order.number
        self.emit("stockChanged", **fields)
        self.note("stock." + fruit, new)
        if x.low is not None:
            fresh = self.choice["openingLow"] == "firstFall" and fruit not in self.low_news
            if new <= x.low and (old > x.low or (fresh and new < old)):
                self.emit("lowStock", fruit=fruit, level=new, threshold=x.low)
                self.low_news[fruit] = True
            if new > x.low and old <= x.low:
                self.emit("stockRecovered", fruit=fruit, level=new, threshold=x.low)
        if self.choice["restock"] == "immediate":
            self.decide(fruit)

    def new_lot(self, fruit, pieces):
        if pieces <= 0:
            return
        self.lot_count += 1
        lot = Lot(self.lot_count, self.now, pieces)
        self.lots[fruit].append(lot)
        life = self.c.fruits[fruit].life
        if life is not None:
            if self.choice["spoilSchedule"] == "delivery":
                self.schedule(self.now + life, "spoil", fruit, lot.key)
            else:
                self.arm_spoil(fruit)

    def arm_spoil(self, fruit):
        """choice spoilSchedule=oldest: one entry for the oldest lot, made whenever the oldest lot is another one."""
        lots = self.lots[fruit]
        if lots and getattr(lots[0], "armed", None) is None:
            lots[0].armed = True
            self.schedule(lots[0].birth + self.c.fruits[fruit].life, "spoil", fruit, lots[0].key)

    def take(self, fruit, pieces, order):
        """Oldest first."""
        lots = self.lots[fruit]
        left = pieces
        while left:
            lot = lots[0]
            n = min(left, lot.pieces)
            lot.pieces -= n
            left -= n
            order.taken.append([fruit, lot.key, lot.birth, n])
            if lot.pieces == 0:
                lots.pop(0)
        if self.choice["spoilSchedule"] == "oldest" and self.c.fruits[fruit].life is not None:
            self.arm_spoil(fruit)
        self.change(fruit, -pieces, "order", order)

    def take_cups(self, order, n):
        for fruit, q in self.c.menu[order.juice].recipe.items():
            if self.level[fruit] is not None and q * n:
                self.take(fruit, q * n, order)

    def give_back(self, order):
        for fruit in self.c.menu[order.juice].recipe:
            back = [t for t in order.taken if t[0] == fruit]
            pieces = sum(t[3] for t in back)
            if not pieces:
                continue
            lots = self.lots[fruit]
            for _, key, birth, n in back:
                for lot in lots:
                    if lot.key == key:
                        lot.pieces += n
                        break
                else:
                    lots.append(Lot(key, birth, n))
            lots.sort(key=lambda lot: (lot.birth, lot.key))
            self.change(fruit, pieces, "return", order)
            life = self.c.fruits[fruit].life
            if life is not None:
                old = [lot for lot in lots if lot.birth + life <= self.now]
                n = sum(lot.pieces for lot in old)
                if n:
                    self.lots[fruit] = [lot for lot in lots if lot.birth + life > self.now]
                    self.change(fruit, -n, "spoilage")
                if self.choice["spoilSchedule"] == "oldest":
                    self.arm_spoil(fruit)
        order.taken = []

    def on_spoil(self, fruit, key):
        lots = self.lots[fruit]
        life = self.c.fruits[fruit].life
        if self.choice["spoil"] == "due":
            gone = [lot for lot in lots if lot.birth + life <= self.now]
        else:
            gone = [lot for lot in lots if lot.key == key]
        n = sum(lot.pieces for lot in gone)
        self.lots[fruit] = [lot for lot in lots if lot not in gone]
        if n:
            self.change(fruit, -n, "spoilage")
        if self.choice["spoilSchedule"] == "oldest":
            self.arm_spoil(fruit)

    # -- restocking ---------------------------------------------------------------------------------------------
    def backordered(self, fruit, how=None):
        how = how or self.choice["backordered"]
        total = 0
        blocked = set()
        for o in self.short:
            recipe = self.c.menu[o.juice].recipe
            blocked |= self.lacking(o, blocked)
            q = recipe.get(fruit, 0)
            if q and (how == "recipe" or fruit in blocked):
                total += q * o.waiting
        return total

    def position(self, fruit):
        return self.level[fruit] + self.on_order[fruit] - self.backordered(fruit)

    def decide_all(self):
        for f, x in self.c.fruits.items():
            if x.policy and x.review is None and not x.unlimited:
                self.decide(f)

    def decide(self, fruit):
        x = self.c.fruits[fruit]
        if x.policy is None or x.unlimited or x.review is not None:
            return
        self.order_fruit(fruit)

    def order_fruit(self, fruit):
        x = self.c.fruits[fruit]
        if x.policy == "orderUpTo":
            p = self.position(fruit)
            if p <= x.s and x.S > p:
                self.place_restock(fruit, x.S - p)
        else:
            while self.position(fruit) <= x.s:
                self.place_restock(fruit, x.Q)

    def place_restock(self, fruit, pieces):
        self.on_order[fruit] += pieces
        self.emit("restockOrdered", fruit=fruit, pieces=pieces)
        self.schedule(self.now + self.c.fruits[fruit].lead, "delivery", fruit, pieces)

    def on_review(self, fruit):
        self.order_fruit(fruit)
        self.schedule(self.now + self.c.fruits[fruit].review, "review", fruit)

    def on_delivery(self, fruit, pieces):
        x = self.c.fruits[fruit]
        self.on_order[fruit] -= pieces
        accepted = pieces
        if x.capacity is not None:
            room = max(0, x.capacity - self.level[fruit])
            if self.choice["capacity"] == "backorders":
                room += self.backordered(fruit)
            accepted = min(pieces, room)
        refused = pieces - accepted
        fields = {"fruit": fruit, "pieces": accepted if self.choice["pieces"] == "accepted" else pieces}
        if refused:
            fields["refused"] = refused
        self.emit("restockDelivered", **fields)
        self.facts[-1][2]["_accepted"], self.facts[-1][2]["_all"] = accepted, pieces
        if accepted:
            self.new_lot(fruit, accepted)
            self.change(fruit, accepted, "delivery")
            self.fill()

    # -- backorders ---------------------------------------------------------------------------------------------
    def lacking(self, order, blocked):
        """Fruits that hold the next waiting cup of this order: not enough on hand, or an earlier waiting cup is short of it."""
        if self.choice["blocking"] == "queues" and order.short_of:
            return {f for f in self.c.menu[order.juice].recipe if f in blocked or f in order.short_of}
        return {f for f, q in self.c.menu[order.juice].recipe.items()
                if self.level[f] is not None and (f in blocked or self.level[f] < q)}

    def fill(self):
        """First come first served: each waiting cup in turn, none may take a fruit that an earlier one is short of."""
        blocked = set()
        for o in list(self.short):
            o.short_of = set()
            while o.waiting:
                if self.choice["fillBlocking"] == "now":
                    blocked = self.blocked_fruits(before=o)
                hold = self.lacking(o, blocked)
                if hold:
                    blocked |= hold
                    o.short_of = hold
                    break
                o.waiting -= 1
                self.take_cups(o, 1)
                self.join_line(o, 1)
                self.put_makers_to_work()
        self.short = [o for o in self.short if o.waiting]

    # -- customers ----------------------------------------------------------------------------------------------
    def on_arrival(self, juice, cups):
        if self.choice["nextArrival"] == "first" or (self.trace is None and self.choice["nextArrival"] == "opening"):
            self.schedule_arrival()
        self.arrivals_left -= 1
        self.arrive(juice, cups if cups is not None else self.c.cups)
        if self.choice["nextArrival"] == "last":
            self.schedule_arrival()

    def arrive(self, juice, cups):
        if cups is None:
            raise BadConfig("customers.cups: only a constant here")
        o = Order(len(self.orders) + 1, juice, cups, self.now)
        self.orders.append(o)
        makers_taken = self.c.makers is not None and self.busy >= self.c.makers
        in_line = sum(1 for p in self.present.values() if p.started is None and p.unstarted)
        if makers_taken and self.c.places is not None and in_line >= self.c.places:
            return self.lose(o, "queueFull")
        enough = self.makeable(juice, cups)
        if not enough and self.c.sold_out == "leave":
            return self.lose(o, "soldOut", self.shortest(juice, cups))
        if not enough and self.c.sold_out == "substitute":
            other = self.substitute(juice, cups)
            if other is None:
                return self.lose(o, "soldOut", self.shortest(juice, cups))
            o.juice = other
        o.fate = "present"
        substituted = o.juice != o.wish
        if substituted and self.choice["substitutedLine"] == "before":
            self.emit("orderSubstituted", order=o.number, wished=o.wish, juice=o.juice)
        self.emit("orderPlaced", order=o.number,
                  juice=o.juice if self.choice["placedNames"] == "substitute" else o.wish,
                  cups=cups, by="customer")
        if substituted and self.choice["substitutedLine"] == "after":
            self.emit("orderSubstituted", order=o.number, wished=o.wish, juice=o.juice)
        self.present[o.number] = o
        if self.c.patience is not None and self.choice["patienceAt"] == "placed":
            self.schedule(self.now + self.c.patience, "patience", o)
        if enough or substituted:
            o.immediate = 0 if substituted else cups
            self.take_cups(o, cups)
            self.join_line(o, cups)
        else:
            self.backorder(o)
        self.put_makers_to_work()
        if self.c.patience is not None and self.choice["patienceAt"] == "last":
            self.decide_all()
            self.schedule(self.now + self.c.patience, "patience", o)

    def blocked_fruits(self, before=None):
        blocked = set()
        for o in self.short:
            if o is before:
                break
            if not o.waiting:
                continue
            blocked |= self.lacking(o, blocked)
        return blocked

    def makeable(self, juice, cups):
        blocked = self.blocked_fruits()
        return all(self.level[f] is None or (self.level[f] >= q * cups and f not in blocked)
                   for f, q in self.c.menu[juice].recipe.items())

    def shortest(self, juice, cups, among=None):
        best, worst = None, None
        for f, q in self.c.menu[juice].recipe.items():
            level = self.level[f]
            if level is None or (among is not None and f not in among) or (among is None and level >= q * cups):
                continue
            how = self.choice["shortest"]
            key = {"deficit": level - q * cups, "ratio": Fraction(level, q * cups) if q else 0,
                   "first": 0, "level": level}[how]
            if best is None or key < worst:
                best, worst = f, key
        return best

    def substitute(self, wish, cups):
        a = self.c.menu[wish].recipe
        best, top = None, None
        for j in self.c.menu.values():
            if j.name == wish or not self.makeable(j.name, cups):
                continue
            b = j.recipe
            both = set(a) | set(b)
            larger = sum(max(a.get(f, 0), b.get(f, 0)) for f in both)
            smaller = sum(min(a.get(f, 0), b.get(f, 0)) for f in both)
            alike = Fraction(smaller, larger) if larger else Fraction(1)
            if alike == 0 and self.choice["zeroSimilarity"] == "lost":
                continue
            if best is None or alike > top:
                best, top = j.name, alike
        return best

    def backorder(self, o):
        blocked = self.blocked_fruits()
        left = o.cups
        while left:
            if self.choice["fillBlocking"] == "now":
                blocked = self.blocked_fruits()
            hold = self.lacking(o, blocked)
            if hold:
                break
            self.take_cups(o, 1)
            left -= 1
        assert left
        o.immediate = o.cups - left
        o.waiting = left
        o.short_of = hold
        self.short.append(o)
        n = {"cup": 1, "rest": left, "order": o.cups}[self.choice["backorderFruit"]]
        self.emit("orderBackordered", order=o.number, fruit=self.shortest(o.juice, n, hold), cups=left)
        self.join_line(o, o.cups - left)

    def lose(self, o, reason, fruit=None):
        o.fate, o.left = reason, self.now
        fields = {"order": o.number, "juice": o.juice, "cups": o.cups, "reason": reason}
        if fruit:
            fields["fruit"] = fruit
        self.emit("orderLost", **fields)

    def on_patience(self, o):
        if o.fate != "present" or o.started is not None:
            return
        del self.present[o.number]
        self.line = [x for x in self.line if x is not o]
        self.short = [x for x in self.short if x is not o]
        o.unstarted = o.waiting = 0
        self.lose(o, "ranOutOfPatience")
        came = bool(o.taken)
        self.give_back(o)
        if came or self.choice["unblock"] == "always":
            self.fill()

    # -- makers -------------------------------------------------------------------------------------------------
    def join_line(self, o, n):
        o.unstarted += n
        self.line.extend([o] * n)

    def put_makers_to_work(self):
        while self.line and (self.c.makers is None or self.busy < self.c.makers):
            o = self.line.pop(0)
            o.unstarted -= 1
            self.busy += 1
            if o.started is None:
                o.started = self.now
                self.emit("orderStarted", order=o.number)
            preparation = self.c.menu[o.juice].preparation
            if preparation is None:
                raise BadConfig("menu.%s.preparation: only a constant here" % o.juice)
            self.services.append((self.now, self.now + preparation))
            self.schedule(self.now + preparation, "done", o)

    def on_done(self, o):
        self.busy -= 1
        o.done += 1
        if o.done == o.cups:
            o.fate, o.left = "served", self.now
            del self.present[o.number]
            self.emit("orderServed", order=o.number, wait=Raw(seconds(o.started - o.at)), stay=Raw(seconds(self.now - o.at)))
        self.put_makers_to_work()


class Raw:
    """A number written with exactly nine decimals."""
    def __init__(self, text):
        self.text = text

    @staticmethod
    def encode(x):
        return "\0" + x.text + "\0"

    @staticmethod
    def fix(text):
        return text.replace('"\\u0000', "").replace('\\u0000"', "")


def seconds(t):
    return "%d.%09d" % (t // SECOND, t % SECOND)


def read_trace(c, p):
    path = os.path.join(c.folder, p["file"])
    mapping, unmapped = p.get("map", {}), p.get("unmapped", "error")
    menu = list(c.menu)
    dealt = {}
    rows = []
    with open(path, encoding="utf-8", newline="") as f:
        for line, row in enumerate(csv.DictReader(f), 2):
            t = ns(Decimal(row[p["time"]].strip()))
            item = row[p["juice"]].strip()
            n = conf.cups(Decimal(row[p["cups"]].strip())) if p.get("cups") else None
            if item in mapping:
                juice = mapping[item]
            elif item in c.menu:
                juice = item
            elif unmapped == "skip":
                continue
            elif unmapped == "cycle":
                juice = dealt.setdefault(item, menu[len(dealt) % len(menu)])
            else:
                raise BadConfig("%s:%d: not on the menu and not mapped: %s" % (path, line, item))
            if juice not in c.menu:
                raise BadConfig("map: not on the menu: %s" % juice)
            rows.append((t, juice, n))
    rows.sort(key=lambda r: r[0])          # stable: rows of one instant keep the order of the file
    return rows


# -- metrics: from the complete history, after the fact ---------------------------------------------------------------

def steps(history, begin, end):
    """[(value, duration)] of a step function on [begin, end]; zero durations are kept out."""
    out = []
    for i, (t, v) in enumerate(history):
        until = history[i + 1][0] if i + 1 < len(history) else end
        d = min(until, end) - max(t, begin)
        if d > 0:
            out.append((v, d))
    return out


def area(history, begin, end):
    return sum(v * d for v, d in steps(history, begin, end))


def percentile(values, p):
    """The smallest value with at least p (percent) of all values at or below it: by definition."""
    values = sorted(values)
    for v in values:
        if bisect.bisect_right(values, v) * 100 >= p * len(values):
            return v


def number(x):
    if x is None:
        return None
    if isinstance(x, Fraction):
        return int(x) if x.denominator == 1 else x.numerator / x.denominator
    return x


def metrics(s, warm_up):
    c, end, begin = s.c, s.closed_at, warm_up
    span = end - begin
    m, alt = {}, {}

    def put(name, value, **others):
        m[name] = number(value)
        if others:
            alt[name] = {k: number(v) for k, v in others.items()}

    counted = [(e, f) for t, e, f in s.facts if t >= begin]
    came = [o for o in s.orders if o.at >= begin]
    left = {why: [o for o in s.orders if o.fate == why and o.left >= begin]
            for why in ("served", "queueFull", "soldOut", "ranOutOfPatience")}
    put("customers.arrived", len(came))
    put("customers.served", len(left["served"]))
    put("customers.balked", len(left["queueFull"]))
    put("customers.reneged", len(left["ranOutOfPatience"]))
    put("customers.soldOut", len(left["soldOut"]))
    put("customers.substituted", sum(1 for e, _ in counted if e == "orderSubstituted"))
    put("customers.present", len(s.present))
    asked = [o for o in came if o.fate != "queueFull"]
    demanded = sum(o.cups for o in asked)
    put("cups.demanded", demanded, includingBalked=sum(o.cups for o in came))
    put("cups.served", sum(o.cups for o in left["served"]),
        cupsDone=sum(1 for a, b in s.services if begin <= b and (b < end or b == end < s.horizon)))
    lost = sum(o.cups for o in left["soldOut"] + left["ranOutOfPatience"])
    put("cups.lost", lost, includingBalked=lost + sum(o.cups for o in left["queueFull"]),
        soldOutOnly=sum(o.cups for o in left["soldOut"]))
    there = sum(o.immediate for o in asked)
    with_substitutes = there + sum(o.cups for o in asked if o.juice != o.wish)
    put("fillRate", Fraction(there, demanded) if demanded else None,
        substitutesCount=Fraction(with_substitutes, demanded) if demanded else None)

    served = [o for o in came if o.fate == "served"]
    for name, values in (("wait", [o.started - o.at for o in served]), ("stay", [o.left - o.at for o in served])):
        put(name + ".mean", Fraction(sum(values), len(values) * SECOND) if values else None)
        for p in (50, 90, 95, 99):
            v = percentile(values, p)
            put("%s.p%d" % (name, p), None if v is None else Fraction(v, SECOND))
        put(name + ".max", Fraction(max(values), SECOND) if values else None)
    put("waitProbability", Fraction(sum(1 for o in served if o.started > o.at), len(served)) if served else None)

    def mean(history, scale=1):
        return Fraction(area(history, begin, end), span * scale) if span > 0 else None

    def most(history, pick):
        values = [v for v, _ in steps(history, begin, end)]
        return pick(values) if values else None

    def touched(history, pick):
        """Momentary values count too: everything it was at or after the beginning."""
        before = [v for t, v in history if t <= begin][-1:]
        return pick(before + [v for t, v in history if t > begin])

    h = s.history
    put("queue.mean", mean(h["queue"]), inLineOnly=mean(h["queue.line"]))
    put("queue.max", most(h["queue"], max), inLineOnly=most(h["queue.line"], max),
        momentary=touched(h["queue"], max), momentaryInLine=touched(h["queue.line"], max))
    put("present.mean", mean(h["present"]))
    if c.makers is not None:
        work = sum(max(0, min(b, end) - max(a, begin)) for a, b in s.services)
        put("makers.utilization", Fraction(work, span * c.makers) if span > 0 else None)
    put("throughput", Fraction(len(left["served"]) * SECOND, span) if span > 0 else None)
    money = lambda orders: sum((Fraction(c.menu[o.juice].price) * o.cups for o in orders), Fraction(0))
    placed = [o for o in came if o.fate not in ("queueFull", "soldOut")]
    put("revenue", money(left["served"]), whenPlaced=money(placed),
        whenPlacedLessReneged=money(placed) - money(left["ranOutOfPatience"]))

    ordering = holding = shortage = Fraction(0)
    for f, x in c.fruits.items():
        mine = [(e, d) for e, d in counted if d.get("fruit") == f]
        if x.unlimited:
            continue
        stock, back = h["stock." + f], h["backordered." + f]
        put("stock.%s.mean" % f, mean(stock))
        put("stock.%s.min" % f, touched(stock, min), lasting=most(stock, min))
        put("stock.%s.soldOutFraction" % f, mean([(t, 1 if v == 0 else 0) for t, v in stock]))
        put("stock.%s.backordered.mean" % f, mean(back), shortFruitOnly=mean(h["backordered.short." + f]))
        ordered = [d["pieces"] for e, d in mine if e == "restockOrdered"]
        put("restock.%s.orders" % f, len(ordered))
        put("restock.%s.pieces" % f, sum(d["_accepted"] for e, d in mine if e == "restockDelivered"),
            includingRefused=sum(d["_all"] for e, d in mine if e == "restockDelivered"))
        put("spoiled." + f, sum(d["from"] - d["to"] for e, d in mine if e == "stockChanged" and d["cause"] == "spoilage"))
        ordering += Fraction(x.order) * len(ordered) + Fraction(x.unit) * sum(ordered)
        holding += Fraction(x.holding) * area(stock, begin, end) / DAY
        shortage += Fraction(x.shortage) * area(back, begin, end) / DAY
    put("cost.total", ordering + holding + shortage)
    put("cost.ordering", ordering)
    put("cost.holding", holding)
    put("cost.shortage", shortage)
    put("alerts.lowStock", sum(1 for e, _ in counted if e == "lowStock"))
    put("notifications.posted", len(counted), withoutClosed=len(counted) - 1,
        withoutOpenedAndClosed=sum(1 for e, _ in counted if e not in ("opened", "closed")))
    return m, alt


def simulate(config_path, horizon=8 * 3600 * SECOND, choices=None, emit=None):
    chosen = {k: v[0] for k, v in CHOICES.items()}
    chosen.update(choices or {})
    s = Stand(conf.Config(config_path), horizon, chosen, emit or (lambda line: None))
    s.run()
    return s


def main():
    a = argparse.ArgumentParser()
    a.add_argument("config", nargs="?")
    a.add_argument("--for", dest="horizon", default="8h")
    a.add_argument("--warm-up", default="0")
    a.add_argument("--metrics", action="store_true")
    a.add_argument("--choice", action="append", default=[], metavar="NAME=VALUE")
    a.add_argument("--choices", action="store_true", help="list the choices and leave")
    o = a.parse_args()
    if o.choices:
        for k, v in CHOICES.items():
            print("%s: %s (default), %s" % (k, v[0], ", ".join(v[1:])))
        return 0
    choices = {}
    for x in o.choice:
        k, _, v = x.partition("=")
        if k not in CHOICES or v not in CHOICES[k]:
            a.error("--choice %s: see --choices" % x)
        choices[k] = v
    try:
        lines = []
        s = simulate(o.config, ns(o.horizon), choices, lines.append)
        if o.metrics:
            m, alt = metrics(s, ns(o.warm_up))
            print(json.dumps({"metrics": m, "alternatives": alt}, indent=1))
        else:
            sys.stdout.write("".join(line + "\n" for line in lines))
    except BadConfig as e:
        print(e, file=sys.stderr)
        return 78
    return 0


if __name__ == "__main__":
    sys.exit(main())
