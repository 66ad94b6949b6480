#!/usr/bin/env python3
"""Audits any ledger of the stand (random laws too) against contract.md.

audit.py LEDGER... --config CONFIG.json [--max N]

Several files are one ledger in parts. Prints findings (FILE:LINE: CODE: text), a count per code, totals per fruit;
exit status 1 if there is an error, 0 if there are only notes. Knows no arrivals and draws nothing: it follows the ledger.
"""
import argparse
import bisect
import json
import re
import sys
from collections import Counter, deque
from decimal import Decimal
from fractions import Fraction

import conf

SECOND = 10**9
KEYS = {
    "opened": "stand opens seed configuration stock", "orderPlaced": "order juice cups by", "orderStarted": "order",
    "orderServed": "order wait stay", "orderSubstituted": "order wished juice", "orderLost": "order juice cups reason fruit?",
    "orderBackordered": "order fruit cups", "stockChanged": "fruit from to cause order?", "lowStock": "fruit level threshold",
    "stockRecovered": "fruit level threshold", "restockOrdered": "fruit pieces", "restockDelivered": "fruit pieces refused?",
    "configurationChanged": "key from to", "rateChanged": "factor", "paused": "", "resumed": "", "closed": "open stock",
}
KEYS = {k: v.split() for k, v in KEYS.items()}
HEAD = re.compile(r'\{"seq":([1-9][0-9]*),"at":((?:0|[1-9][0-9]*)\.[0-9]{9}),"event":"([A-Za-z]+)"[,}]')
STRING = re.compile(r'"(?:\\.|[^"\\])*"')


class Order:
    __slots__ = ("number", "juice", "cups", "at", "taken", "lots", "started", "backordered", "filled", "recipe")


class Audit:
    def __init__(self, config, limit):
        self.c = config
        self.limit = limit
        self.counts, self.notes = Counter(), Counter()
        self.where = "?"
        self.now, self.seq, self.lines = 0, 0, 0
        self.opened = self.closed = False
        self.last_order = 0
        self.live = {}
        self.line = {}                 # orders with a cup made up and none started, in the order they joined
        self.surely_busy = 0           # started, not served, never backordered: each has a cup in the making
        self.cups_in_service = 0       # cups of those: at least as many as are being made
        self.mixed = {}                # started, not served, once backordered
        self.short = {}                # backordered orders not filled yet, in order of placing
        self.touched = set()
        self.news = {}                 # fruit -> what must be said before its level changes again
        self.pending = {}              # fruit -> pieces a delivery must bring
        self.returns = {}              # orders that reneged -> what they must give back
        self.wished = {}
        self.limited = [f for f, x in config.fruits.items() if not x.unlimited]
        self.level = {f: config.fruits[f].initial for f in self.limited}
        self.back = Counter()
        self.on_order = Counter()
        self.outstanding = {f: [] for f in config.fruits}
        self.lots = {f: [] for f in self.limited}
        self.sums = {f: Counter() for f in self.limited}
        self.convention = set()
        self.totals = Counter()
        self.seen = {}                 # fruit -> positions seen in this instant (periodic review)
        self.reviewed = set()
        self.low_opening = {f for f in self.limited if config.fruits[f].low is not None and config.fruits[f].initial <= config.fruits[f].low}

    def error(self, code, text):
        self.counts[code] += 1
        if sum(self.counts.values()) <= self.limit:
            print("%s: %s: %s" % (self.where, code, text))

    def note(self, code, text):
        self.notes[code] += 1
        if self.notes[code] == 1:
            print("%s: note %s: %s (said once)" % (self.where, code, text))

    # -- form ---------------------------------------------------------------------------------------------------
    def read(self, raw):
        self.lines += 1
        if self.closed:
            self.error("afterClosed", "a line after closed")
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            return self.error("utf8", "not UTF-8")
        if not text.endswith("\n"):
            self.error("newline", "no newline at the end")
        text = text.rstrip("\n")
        m = HEAD.match(text)
        if not m:
            self.error("head", "does not begin with seq, at (nine decimals), event: " + text[:80])
        if re.search(r"\s", STRING.sub("", text)):
            self.error("spaces", "white space outside strings")
        try:
            pairs = json.loads(text, object_pairs_hook=lambda p: p, parse_float=Decimal)
        except ValueError as e:
            return self.error("json", str(e))
        keys = [k for k, _ in pairs]
        d = {k: (dict(v) if isinstance(v, list) and v and isinstance(v[0], tuple) else v) for k, v in pairs}
        event = d.get("event")
        if event not in KEYS:
            return self.error("event", "unknown event %r" % event)
        want = KEYS[event]
        own = [k for k in want if not k.endswith("?") or k[:-1] in keys]
        if keys != ["seq", "at", "event"] + [k.rstrip("?") for k in own]:
            return self.error("keys", "%s has keys %s" % (event, ",".join(keys)))
        self.seq += 1
        if d["seq"] != self.seq:
            self.error("seq", "seq is %s, expected %d" % (d["seq"], self.seq))
            self.seq = d["seq"]
        at = int((Decimal(d["at"]) * SECOND).to_integral_value())
        if at < self.now:
            self.error("time", "at goes back from %s" % sec(self.now))
        if at > self.now:
            self.advance(at)
        if not self.opened and event != "opened":
            self.opened = True
            self.error("opened", "does not begin with opened")
        self.totals[event] += 1
        if "fruit" in d and d["fruit"] not in self.c.fruits:
            return self.error("fruit", "no such fruit: %r" % d["fruit"])
        getattr(self, "on_" + event)(d)

    # -- between instants -----------------------------------------------------------------------------------------
    def settled(self):
        """What must hold whenever an event is over."""
        for f, (what, level) in list(self.news.items()):
            self.error("news", "%s is %d, but no %s was said" % (f, level, what))
        self.news.clear()
        for f, n in self.pending.items():
            if n:
                self.error("delivery", "%d pieces of %s delivered, but the stock did not change" % (n, f))
        self.pending.clear()
        for r, (amounts, _) in self.returns.items():
            if amounts:
                self.error("return", "order %d reneged and did not return %s" % (r, amounts))
        self.returns.clear()
        for n in self.touched:
            o = self.live.get(n)
            if o:
                whole = all(o.taken[f] == q * o.filled for f, q in o.recipe)
                if not whole or (not o.backordered and o.filled != o.cups):
                    self.error("recipe", "order %d (%d x %s) has taken %s" % (n, o.cups, o.juice, dict(o.taken)))
        self.touched.clear()
        for f in self.limited:
            x = self.c.fruits[f]
            if x.policy and x.review is None and self.position(f) <= x.s and (x.S is None or x.S > self.position(f)):
                self.error("restock", "%s: position %d is at or below %d, and nothing is ordered" % (f, self.position(f), x.s))
        if self.short:
            most = Counter()
            for o in self.short.values():
                for f, q in o.recipe:
                    most[f] = max(most[f], q)
                if all(self.level[f] >= most[f] for f, _ in o.recipe):
                    self.error("unfilled", "order %d waits for fruit, though nothing keeps its next cup" % o.number)
        makers = self.c.makers
        if makers is not None and self.surely_busy > makers:
            self.error("makers", "%d orders in the making, %d makers" % (self.surely_busy, makers))
        if self.line and (makers is None or self.at_most_busy() < makers):
            self.error("idle", "order %d waits, though a maker must be free" % next(iter(self.line)))

    def at_most_busy(self):
        return self.cups_in_service + sum(o.filled for o in self.mixed.values())

    def advance(self, to, closing=False):
        self.settled()
        for f in self.limited:
            x = self.c.fruits[f]
            if self.outstanding[f] and x.lead is not None and x.policy:
                due = self.outstanding[f][0][0] + x.lead
                if due < to:
                    self.error("lead", "%s: a delivery was due at %s" % (f, sec(due)))
                    self.outstanding[f].pop(0)
            if x.life is not None:
                while self.lots[f] and self.lots[f][0][0] + x.life < to:
                    lot = self.lots[f].pop(0)
                    self.error("spoilage", "%s: %d pieces should have spoiled at %s" % (f, lot[1], sec(lot[0] + x.life)))
            if x.review is not None:
                p = self.position(f)
                wants = lambda p: p <= x.s and x.S > p
                if self.now % x.review == 0 and f not in self.reviewed and all(wants(q) for q in self.seen.get(f, [p]) + [p]):
                    self.error("review", "%s: position %d at the review at %s, nothing ordered" % (f, p, sec(self.now)))
                following = (self.now // x.review + 1) * x.review
                if following < to and wants(p):
                    self.error("review", "%s: position %d at the review at %s, nothing ordered" % (f, p, sec(following)))
                self.seen[f] = [p]
        self.reviewed.clear()
        if self.c.patience is not None:
            # placed in order, so the oldest unstarted one is enough
            for n, o in self.live.items():
                if o.started is None:
                    if o.at + self.c.patience < to:
                        self.error("patience", "order %d should have reneged at %s" % (n, sec(o.at + self.c.patience)))
                    break
        self.now = to

    def position(self, f):
        return self.level[f] + self.on_order[f] - self.back[f]

    # -- events -------------------------------------------------------------------------------------------------
    def on_opened(self, d):
        if self.opened or self.seq != 1 or self.now != 0:
            self.error("opened", "opened is not the first line, at 0")
        self.opened = True
        want = {f: ("unlimited" if x.unlimited else x.initial) for f, x in self.c.fruits.items()}
        if d["stock"] != want:
            self.error("openedStock", "stock %s, expected %s" % (d["stock"], want))
            for f in self.limited:
                if isinstance(d["stock"].get(f), int):
                    self.level[f] = d["stock"][f]
        elif list(d["stock"]) != list(want):
            self.note("stockOrder", "fruits in stock are not in the order of the configuration")
        for f in self.limited:
            self.sums[f]["initial"] = self.level[f]
            if self.level[f]:
                self.lots[f].append([0, self.level[f]])
            self.seen[f] = [self.position(f)]

    def first_mention(self, d, balked=False, judge=True):
        n = d["order"]
        if n in self.wished:
            return
        if n != self.last_order + 1:
            self.error("number", "order %s after order %d" % (n, self.last_order))
        self.last_order = max(n, self.last_order) if isinstance(n, int) else self.last_order
        full = self.c.places is not None and self.c.makers is not None and len(self.line) >= self.c.places
        if balked:
            if self.c.places is None or self.c.makers is None:
                self.error("balked", "order %d balked, but places or makers are unlimited" % n)
            elif not full:
                self.error("balked", "order %d balked with %d of %d places taken" % (n, len(self.line), self.c.places))
            elif self.at_most_busy() < self.c.makers:
                self.error("balked", "order %d balked though a maker must be free" % n)
        elif judge and full and (self.line or self.surely_busy >= self.c.makers):
            self.error("notBalked", "order %d should have balked: %d places taken of %d" % (n, len(self.line), self.c.places))

    def makeable(self, juice, cups):
        r = self.c.menu[juice].recipe
        return all(f not in self.level or self.level[f] >= q * cups for f, q in r.items())

    def on_orderSubstituted(self, d):
        n, wish, other = d["order"], d["wished"], d["juice"]
        if self.c.sold_out != "substitute":
            self.error("substitute", "a substitution, but customers %s" % self.c.sold_out)
        if n in self.live:                     # after orderPlaced
            self.note("substitutedAfter", "orderSubstituted comes after orderPlaced")
            if self.live[n].juice != other:
                self.error("substitute", "placed %s, substituted %s" % (self.live[n].juice, other))
            return
        if n in self.wished:
            return self.error("substitute", "order %d substituted twice" % n)
        self.first_mention(d)
        self.wished[n] = (wish, other)

    def check_substitute(self, n, wish, other, cups):
        if self.makeable(wish, cups):
            self.error("substitute", "order %d: %s could have been made" % (n, wish))
        best = self.best(wish, cups)
        if best != other:
            self.error("substitute", "order %d: substituted %s, expected %s" % (n, other, best))

    def best(self, wish, cups):
        a = self.c.menu[wish].recipe
        ranked = []
        for i, (name, j) in enumerate(self.c.menu.items()):
            if name != wish and self.makeable(name, cups):
                fruits = set(a) | set(j.recipe)
                ranked.append((-Fraction(sum(min(a.get(f, 0), j.recipe.get(f, 0)) for f in fruits),
                                         sum(max(a.get(f, 0), j.recipe.get(f, 0)) for f in fruits)), i, name))
        return min(ranked)[2] if ranked else None

    def on_orderPlaced(self, d):
        n = d["order"]
        if n in self.live:
            return self.error("placedTwice", "order %d" % n)
        if d["juice"] not in self.c.menu or not isinstance(d["cups"], int) or d["cups"] < 1 or d["by"] not in ("customer", "command"):
            return self.error("placed", "%s" % d)
        juice = d["juice"]
        self.first_mention(d)
        if n in self.wished:
            wish, other = self.wished.pop(n)
            if juice == wish:
                self.note("placedNamesWish", "orderPlaced of a substituted order names the wish")
            elif juice != other:
                self.error("substitute", "order %d placed as %s, substituted %s" % (n, juice, other))
            juice = other
            self.check_substitute(n, wish, other, d["cups"])
        o = Order()
        o.number, o.juice, o.cups, o.at = n, juice, d["cups"], self.now
        o.taken, o.lots, o.started, o.backordered = Counter(), [], None, False
        o.recipe = [(f, q) for f, q in self.c.menu[juice].recipe.items() if f in self.level and q]
        o.filled = 0 if o.recipe else o.cups
        self.live[n] = o
        self.touched.add(n)
        if not o.recipe:
            self.line[n] = o
        if self.c.sold_out != "wait" and not self.makeable(juice, o.cups):
            self.error("soldOut", "order %d placed though %s cannot be made %d times" % (n, juice, o.cups))

    def get(self, d):
        o = self.live.get(d["order"])
        if o is None:
            self.error("order", "order %s is not in the stand" % d["order"])
        return o

    def on_orderStarted(self, d):
        o = self.get(d)
        if o is None:
            return
        if o.started is not None:
            return self.error("startedTwice", "order %d" % o.number)
        o.started = self.now
        if o.filled < 1:
            self.error("started", "order %d started without fruit" % o.number)
        elif next(iter(self.line)) != o.number:
            self.error("fifo", "order %d started before order %d" % (o.number, next(iter(self.line))))
        if self.c.patience is not None and self.now - o.at > self.c.patience:
            self.error("patience", "order %d started after its patience" % o.number)
        self.line.pop(o.number, None)
        if o.backordered:
            self.mixed[o.number] = o
        else:
            self.surely_busy += 1
            self.cups_in_service += o.cups

    def on_orderServed(self, d):
        o = self.get(d)
        if o is None:
            return
        if o.started is None:
            self.error("served", "order %d served, never started" % o.number)
            o.started = self.now
            self.line.pop(o.number, None)
        else:
            if o.backordered:
                self.mixed.pop(o.number, None)
            else:
                self.surely_busy -= 1
                self.cups_in_service -= o.cups
        if o.filled != o.cups or any(o.taken[f] != q * o.cups for f, q in o.recipe):
            self.error("recipe", "order %d (%d x %s) served with %s" % (o.number, o.cups, o.juice, dict(o.taken)))
        for key, value in (("wait", o.started - o.at), ("stay", self.now - o.at)):
            if abs(Decimal(d[key]) * SECOND - value) >= 1:
                self.error(key, "order %d: %s is %s, expected %s" % (o.number, key, d[key], sec(value)))
        making = self.now - o.started
        p = self.c.menu[o.juice].preparation
        if p is not None and (making < p or (o.cups == 1 and making != p)):
            self.error("preparation", "order %d took %s, preparation is %s" % (o.number, sec(making), sec(p)))
        if o.filled != o.cups:
            self.short.pop(o.number, None)
        del self.live[o.number]

    def on_orderLost(self, d):
        n, why = d["order"], d["reason"]
        if ("fruit" in d) != (why == "soldOut"):
            self.error("lostFruit", "fruit is named for sold out only")
        if why == "ranOutOfPatience":
            o = self.get(d)
            if o is None:
                return
            if o.started is not None:
                self.error("reneged", "order %d reneged after it was started" % n)
            if (d["juice"], d["cups"]) != (o.juice, o.cups):
                self.note("lostNames", "orderLost names %s x %s, in the stand is %s x %s" % (d["cups"], d["juice"], o.cups, o.juice))
            if not self.c.has_patience:
                self.error("reneged", "nobody has a patience")
            elif self.c.patience is not None and self.now - o.at != self.c.patience:
                self.error("reneged", "order %d reneged after %s" % (n, sec(self.now - o.at)))
            for f, q in o.recipe:
                if o.backordered:
                    self.back[f] -= q * o.cups - o.taken[f]
                self.watch(f)
            self.line.pop(n, None)
            self.short.pop(n, None)
            del self.live[n]
            back = {f: o.taken[f] for f, _ in o.recipe if o.taken[f]}
            if back:
                self.returns[n] = (back, o.lots)
            return
        if n in self.live or (n <= self.last_order and n not in self.wished):
            self.error("lost", "order %s lost (%s) after it was placed or mentioned" % (n, why))
        self.first_mention(d, balked=why == "queueFull", judge=why != "notOnMenu")
        self.wished.pop(n, None)
        if why == "notOnMenu":
            if d["juice"] in self.c.menu:
                self.error("notOnMenu", "%s is on the menu" % d["juice"])
            return
        if d["juice"] not in self.c.menu:
            return self.error("menu", "%s is not on the menu" % d["juice"])
        if why == "soldOut":
            recipe = self.c.menu[d["juice"]].recipe
            if self.c.sold_out == "wait":
                self.error("soldOut", "lost, but customers wait")
            lack = {f: q * d["cups"] - self.level[f] for f, q in recipe.items() if f in self.level and self.level[f] < q * d["cups"]}
            if not lack:
                self.error("soldOut", "order %d: %s could have been made" % (n, d["juice"]))
            elif d["fruit"] not in lack:
                self.error("lostFruit", "order %d: there is enough of %s" % (n, d["fruit"]))
            elif d["fruit"] != max(lack, key=lambda f: lack[f]):
                self.note("shortest", "names %s, but most pieces are missing of another: %s" % (d["fruit"], lack))
            if self.c.sold_out == "substitute":
                other = self.best(d["juice"], d["cups"])
                if other:
                    self.error("substitute", "order %d lost, though %s could have been made" % (n, other))
        elif why != "queueFull":
            self.error("reason", "unknown reason %s" % why)

    def on_orderBackordered(self, d):
        o = self.get(d)
        if o is None:
            return
        if self.c.sold_out != "wait" or o.backordered or o.started is not None:
            return self.error("backordered", "order %d: policy %s, or twice, or already started" % (o.number, self.c.sold_out))
        if d["cups"] != o.cups - o.filled or d["cups"] < 1:
            self.error("backordered", "order %d: %s cups backordered, %d of %d have their fruit" % (o.number, d["cups"], o.filled, o.cups))
        most = Counter()
        for p in list(self.short.values()) + [o]:
            for f, q in p.recipe:
                most[f] = max(most[f], q)
        hold = [f for f, _ in o.recipe if self.level[f] < most[f]]
        if not hold:
            self.error("backordered", "order %d: the next cup could have been made" % o.number)
        elif d["fruit"] not in hold:
            self.error("backordered", "order %d: it is not %s that it waits for, but %s" % (o.number, d["fruit"], hold))
        o.backordered = True
        self.short[o.number] = o
        for f, q in o.recipe:
            self.back[f] += q * o.cups - o.taken[f]
            self.watch(f)

    def on_stockChanged(self, d):
        f, a, b, cause = d["fruit"], d["from"], d["to"], d["cause"]
        if f not in self.level:
            return self.error("unlimited", "%s is unlimited" % f)
        x = self.c.fruits[f]
        if a != self.level[f]:
            self.error("from", "%s from %s, the running level is %d" % (f, a, self.level[f]))
        if b < 0:
            self.error("negative", "%s falls to %d" % (f, b))
        if a == b:
            self.error("unchanged", "%s stays at %d" % (f, a))
        if f in self.news:
            self.error("news", "%s was %d, but no %s was said before it changed again" % (f, self.news[f][1], self.news[f][0]))
            del self.news[f]
        n = abs(b - a)
        if (cause in ("order", "spoilage") and b > a) or (cause in ("return", "delivery") and b < a):
            self.error("cause", "%s: from %d to %d" % (cause, a, b))
        if ("order" in d) != (cause in ("order", "return")):
            self.error("causeOrder", "%s %s an order" % (cause, "with" if "order" in d else "without"))
        self.sums[f][cause] += b - a
        if cause == "order":
            self.take_for(d, f, n)
        elif cause == "return":
            amounts, lots = self.returns.get(d.get("order"), ({}, []))
            if amounts.pop(f, None) != n:
                self.error("return", "order %s returns %d of %s" % (d.get("order"), n, f))
            if x.life is not None:
                for g, birth, k in lots:
                    if g == f:
                        self.put(f, birth, k)
        elif cause == "delivery":
            if self.pending.pop(f, None) != n:
                self.error("delivery", "%s: %d pieces, not what restockDelivered said" % (f, n))
            if x.life is not None:
                self.put(f, self.now, n)
        elif cause == "spoilage":
            if x.life is None:
                self.error("spoilage", "%s does not spoil" % f)
            else:
                got = sum(k for t, k in self.lots[f] if t + x.life <= self.now)
                if got < n:
                    self.error("spoilage", "%s: %d spoiled, only %d are old enough" % (f, n, got))
                self.pick(f, n)
        elif cause == "edit":
            if x.life is not None:
                if b > a:
                    self.put(f, self.now, n)
                else:
                    self.pick(f, n)
        else:
            self.error("cause", "unknown cause %s" % cause)
        self.level[f] = b
        if x.low is not None:
            if a > x.low >= b:
                self.news[f] = ("lowStock", b)
            if a <= x.low < b:
                self.news[f] = ("stockRecovered", b)
        self.watch(f)

    def watch(self, f):
        if self.c.fruits[f].review is not None:
            self.seen.setdefault(f, []).append(self.position(f))

    def put(self, f, birth, n):
        lots = self.lots[f]
        i = bisect.bisect_left(lots, [birth, 0])
        if i < len(lots) and lots[i][0] == birth:
            lots[i][1] += n
        else:
            lots.insert(i, [birth, n])

    def pick(self, f, n):
        """Oldest first."""
        got = []
        lots = self.lots[f]
        while n and lots:
            k = min(n, lots[0][1])
            got.append((f, lots[0][0], k))
            lots[0][1] -= k
            n -= k
            if not lots[0][1]:
                lots.pop(0)
        return got

    def take_for(self, d, f, n):
        o = self.live.get(d.get("order"))
        if o is None:
            return self.error("order", "fruit for order %s, which is not in the stand" % d.get("order"))
        q = dict(o.recipe).get(f)
        if q is None:
            return self.error("recipe", "order %d: no %s in %s" % (o.number, f, o.juice))
        if o.taken[f] + n > q * o.cups:
            self.error("recipe", "order %d takes %d of %s in all, needs %d" % (o.number, o.taken[f] + n, f, q * o.cups))
        if self.short:
            for p in self.short.values():
                if p.number >= o.number:
                    break
                need = dict(p.recipe).get(f, 0)
                if need > self.level[f]:
                    self.error("overtaken", "order %d takes %s, which order %d waits for" % (o.number, f, p.number))
                    break
        if self.c.fruits[f].life is not None:
            o.lots.extend(self.pick(f, n))
        o.taken[f] += n
        if o.backordered:
            self.back[f] -= n
        self.touched.add(o.number)
        filled = min(o.taken[g] // k for g, k in o.recipe)
        if filled and not o.filled and o.started is None:
            self.line[o.number] = o
        o.filled = filled
        if o.backordered and filled == o.cups:
            self.short.pop(o.number, None)

    def on_lowStock(self, d, what="lowStock"):
        f, x = d["fruit"], self.c.fruits[d["fruit"]]
        if d["threshold"] != x.low or d["level"] != self.level.get(f):
            self.error("news", "%s: level %s, threshold %s, expected %s and %s" % (f, d["level"], d["threshold"], self.level.get(f), x.low))
        if self.news.get(f, (None,))[0] == what:
            del self.news[f]
        elif what == "lowStock" and f in self.low_opening and self.level[f] <= x.low:
            self.note("lowAtOpening", "%s: lowStock of a fruit that opened at or below its threshold" % f)
        else:
            self.error("news", "%s: %s without a crossing" % (f, what))
        self.low_opening.discard(f)

    def on_stockRecovered(self, d):
        self.on_lowStock(d, "stockRecovered")

    def on_restockOrdered(self, d):
        f, x, n = d["fruit"], self.c.fruits[d["fruit"]], d["pieces"]
        if x.policy is None or x.unlimited:
            return self.error("restock", "%s is restocked by hand" % f)
        p = self.position(f)
        if x.review is not None:
            if self.now % x.review:
                self.error("restock", "%s: ordered between reviews" % f)
            self.reviewed.add(f)
        if p > x.s:
            self.error("restock", "%s: ordered at position %d, reorder point %d" % (f, p, x.s))
        want = x.S - p if x.policy == "orderUpTo" else x.Q
        if n != want:
            self.error("restock", "%s: ordered %d at position %d, expected %d" % (f, n, p, want))
        self.on_order[f] += n
        self.outstanding[f].append((self.now, n))

    def on_restockDelivered(self, d):
        f, x, n, refused = d["fruit"], self.c.fruits[d["fruit"]], d["pieces"], d.get("refused", 0)
        if "refused" in d and (refused < 1 or x.capacity is None):
            self.error("refused", "%s: refused %s" % (f, refused))
        due = [k for t, k in self.outstanding[f] if x.lead is None or t + x.lead == self.now]
        total = None
        for name, t in (("accepted", n + refused), ("all", n)):
            if t in due:
                if refused:
                    room = max(0, x.capacity - self.level[f]) if x.capacity is not None else t
                    if min(t, room) != t - refused:
                        continue
                    self.convention.add(name)
                total = t
                break
        if total is None:
            self.error("delivered", "%s: %d pieces (%d refused) match no order due now (%s), or not the room on the shelf" % (f, n, refused, due))
            total = n + refused
        for i, (t, k) in enumerate(self.outstanding[f]):
            if k == total and (x.lead is None or t + x.lead == self.now):
                del self.outstanding[f][i]
                break
        self.on_order[f] -= total
        accepted = total - refused
        if x.capacity is not None and not refused and self.level[f] + accepted > x.capacity:
            self.error("capacity", "%s: %d on hand and %d delivered, the shelf takes %d" % (f, self.level[f], accepted, x.capacity))
        if accepted:
            self.pending[f] = accepted
        self.watch(f)

    def on_configurationChanged(self, d):
        self.note("configurationChanged", "this audit goes on with the configuration it was given")

    def on_rateChanged(self, d):
        pass

    on_paused = on_resumed = on_rateChanged

    def on_closed(self, d):
        self.settled()
        if d["open"] != len(self.live):
            self.error("closed", "open is %s, in the stand are %d" % (d["open"], len(self.live)))
        want = {f: ("unlimited" if x.unlimited else self.level[f]) for f, x in self.c.fruits.items()}
        if d["stock"] != want:
            self.error("closed", "stock is %s, expected %s" % (d["stock"], want))
        self.closed = True

    def finish(self):
        if not self.closed:
            self.note("notClosed", "the ledger does not end with closed")
            self.settled()
        if len(self.convention) > 1:
            self.error("pieces", "restockDelivered.pieces sometimes includes what was refused, sometimes not")
        elif self.convention:
            print("restockDelivered.pieces: %s" % ("without the refused ones" if "accepted" in self.convention else "with the refused ones"))
        for f in self.limited:
            s = self.sums[f]
            total = sum(s.values())
            print("%s: opened %d, %s, now %d" % (f, s["initial"], ", ".join("%s %+d" % (k, v) for k, v in s.items() if k != "initial") or "unchanged", self.level[f]))
            if total != self.level[f]:
                self.error("conservation", "%s: %d by the sums, %d by the ledger" % (f, total, self.level[f]))
        t = self.totals
        if self.wished:
            self.error("accounted", "substituted and never placed: %s" % list(self.wished)[:5])
        print("%d lines; %s" % (self.lines, ", ".join("%s %d" % kv for kv in sorted(t.items()))))
        if self.counts:
            print("ERRORS: " + ", ".join("%s %d" % kv for kv in self.counts.most_common()))
        else:
            print("no errors" + (", notes: " + ", ".join(self.notes) if self.notes else ""))
        return 1 if self.counts else 0


def sec(t):
    return "%d.%09d" % (t // SECOND, t % SECOND)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("ledger", nargs="+")
    p.add_argument("--config", required=True)
    p.add_argument("--max", type=int, default=40, help="errors printed")
    o = p.parse_args()
    audit = Audit(conf.Config(o.config), o.max)
    for name in o.ledger:
        with open(name, "rb") as f:
            for i, raw in enumerate(f, 1):
                audit.where = "%s:%d" % (name, i)
                audit.read(raw)
    return audit.finish()


if __name__ == "__main__":
    sys.exit(main())
