"""Reading a stand's configuration: shared by oracle.py and audit.py, and the only thing they share."""
import json
import os
import re
from decimal import Decimal, ROUND_HALF_EVEN, ROUND_HALF_UP

UNLIMITED = "unlimited"
UNITS = {"ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9, "d": 86400 * 10**9}


class BadConfig(Exception):
    pass


TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<word>[A-Za-z_$][A-Za-z0-9_$]*(?=\s*:))
  | (?P<other>.)""", re.S | re.X)


def plain_json(text):
    """Comments and trailing commas out, bare keys and single quotes in double quotes."""
    out = []
    for m in TOKEN.finditer(text):
        kind = m.lastgroup
        s = m.group()
        if kind == "comment":
            out.append(" ")
        elif kind == "string" and s[0] == "'":
            out.append(json.dumps(s[1:-1].replace("\\'", "'")))
        elif kind == "word":
            out.append('"' + s + '"')
        else:
            out.append(s)
    # trailing commas: a comma token followed only by white space and a closing bracket
    result, pending = [], None
    for s in out:
        if s == ",":
            if pending is not None:
                result.append(pending)
            pending = ","
        elif pending is not None and s.isspace():
            pending += s
        else:
            if pending is not None:
                result.append(pending[1:] if s in "]}" else pending)
                pending = None
            result.append(s)
    if pending:
        result.append(pending)
    return "".join(result)


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.loads(plain_json(f.read()), parse_float=Decimal)


def ns(value):
    """A duration (number of seconds, or "30s") in whole nanoseconds; None if it is a random law."""
    if isinstance(value, dict):
        return None
    if isinstance(value, str):
        m = re.fullmatch(r"\s*([0-9.]+(?:[eE][+-]?[0-9]+)?)\s*(ms|s|m|h|d)?\s*", value)
        if not m:
            raise BadConfig("not a duration: %r" % value)
        d = Decimal(m.group(1)) * UNITS[m.group(2) or "s"]
    else:
        d = Decimal(str(value)) * 10**9
    return int(d.to_integral_value(ROUND_HALF_EVEN))


def cups(value):
    """A constant number of cups, rounded, at least 1; None if it is a random law."""
    if isinstance(value, dict):
        return None
    return max(1, int(Decimal(str(value)).to_integral_value(ROUND_HALF_UP)))


STANDARD_FRUITS = ["strawberry", "banana", "kiwi", "pineapple", "mango"]
STANDARD_MENU = {
    "strawberry juice": {"strawberry": 16}, "banana juice": {"banana": 2}, "kiwi juice": {"kiwi": 3},
    "pineapple juice": {"pineapple": 2}, "strawberry banana juice": {"strawberry": 10, "banana": 1},
    "mango juice": {"mango": 3}, "mango kiwi juice": {"mango": 2, "kiwi": 1},
}


class Fruit:
    def __init__(self, name, d):
        self.name = name
        self.initial = d.get("initial", 10)
        self.unlimited = self.initial == UNLIMITED
        self.capacity = d.get("capacity")
        self.low = d.get("lowStock")
        self.life = ns(d["shelfLife"]) if "shelfLife" in d else None
        costs = d.get("costs", {})
        self.unit, self.order, self.holding, self.shortage = (
            Decimal(str(costs.get(k, 0))) for k in ("unit", "order", "holding", "shortage"))
        self.policy, self.s, self.S, self.Q, self.lead, self.review = None, None, None, None, None, None
        r = d.get("restock", "manual")
        if isinstance(r, dict):
            (kind, p), = r.items()
            self.policy = kind
            self.s = p["reorderPoint"]
            self.lead = ns(p.get("leadTime", 0))
            if kind == "orderUpTo":
                self.S = p["level"]
                rv = p.get("review", "continuous")
                self.review = None if rv == "continuous" else ns(rv)
            elif kind == "fixedQuantity":
                self.Q = p["quantity"]
            else:
                raise BadConfig("unknown restock " + kind)
        elif r != "manual":
            raise BadConfig("unknown restock %r" % r)


class Juice:
    def __init__(self, name, d):
        self.name = name
        self.recipe = dict(d["recipe"])
        self.price = Decimal(str(d.get("price", 0)))
        self.popularity = Decimal(str(d.get("popularity", 1)))
        self.preparation = ns(d.get("preparation", 30))


class Config:
    def __init__(self, path):
        self.folder = os.path.dirname(os.path.abspath(path))
        c = self.raw = load(path)
        self.stand = c.get("stand", "")
        self.opens = c.get("opens", "2026-01-01T00:00:00")
        self.seed = c.get("seed", 0)
        fruits = c.get("fruits") or {f: {"initial": 10} for f in STANDARD_FRUITS}
        menu = c.get("menu") or {j: {"recipe": r} for j, r in STANDARD_MENU.items()}
        self.fruits = {k: Fruit(k, v) for k, v in fruits.items()}
        self.menu = {k: Juice(k, v) for k, v in menu.items()}
        for j in self.menu.values():
            for f in j.recipe:
                if f not in self.fruits:
                    raise BadConfig("menu.%s: no such fruit: %s" % (j.name, f))
        m = c.get("makers", 1)
        self.makers = None if m == UNLIMITED else m          # None: unlimited
        q = c.get("queue", {}).get("limit", UNLIMITED)
        self.places = None if q == UNLIMITED else q          # None: unlimited
        cu = c.get("customers", {})
        self.arrivals = cu.get("arrivals", {"poisson": {"perSecond": Decimal("0.05")}})
        self.cups = cups(cu.get("cups", 1))
        self.has_patience = "patience" in cu
        self.patience = ns(cu["patience"]) if "patience" in cu else None
        self.sold_out = cu.get("whenSoldOut", "leave")
