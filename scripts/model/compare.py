#!/usr/bin/env python3
"""compare.py A.jsonl B.jsonl [--quiet]: two ledgers, three degrees of likeness.

same       byte for byte, but for `configuration` in opened and for how numbers in wait and stay are written
reordered  the same lines at every instant, in another order (seq aside; stockChanged lines of one order, fruit and instant put together)
different  anything else; the first instant that differs is shown
Exit status 0 same, 2 reordered, 1 different.
"""
import json
import sys
from decimal import Decimal

SKIP = ("configuration",)


def read(path):
    out = []
    with open(path, encoding="utf-8") as f:
        for text in f:
            pairs = json.loads(text, object_pairs_hook=lambda p: p, parse_float=Decimal)
            out.append([(k, value(k, v)) for k, v in pairs if k not in SKIP])
    return out


def value(k, v):
    if k in ("at", "wait", "stay") and v is not None:
        return int((Decimal(v) * 10**9).to_integral_value())
    if isinstance(v, list):
        return tuple(sorted((k, v) for k, v in v))
    return v


def instants(lines):
    """at -> lines of that instant, without seq, stock changes of one cause, order and fruit summed up, sorted."""
    out = {}
    for line in lines:
        d = dict(line)
        d.pop("seq")
        at = d.pop("at")
        group = out.setdefault(at, ([], {}))
        if d.get("event") == "stockChanged":
            key = (d["fruit"], d["cause"], d.get("order"))
            group[1][key] = group[1].get(key, 0) + d["to"] - d["from"]
        elif d.get("event") in ("lowStock", "stockRecovered"):
            group[0].append(repr((d["event"], d["fruit"])))
        else:
            group[0].append(repr(sorted(d.items(), key=lambda kv: kv[0])))
    return {at: (sorted(a), sorted(map(repr, b.items()))) for at, (a, b) in out.items()}


def compare(a, b):
    """(verdict, explanation)"""
    x, y = read(a), read(b)
    if x == y:
        return "same", ""
    first = next((i for i, (p, q) in enumerate(zip(x, y)) if p != q), min(len(x), len(y)))
    with open(a, encoding="utf-8") as f:
        A = f.read().splitlines()
    with open(b, encoding="utf-8") as f:
        B = f.read().splitlines()
    show = "  A %s\n  B %s" % (A[first] if first < len(A) else "(ends)", B[first] if first < len(B) else "(ends)")
    p, q = instants(x), instants(y)
    if p == q:
        return "reordered", show
    at = min(t for t in set(p) | set(q) if p.get(t) != q.get(t))
    stamp = '"at":%d.%09d,' % (at // 10**9, at % 10**9)
    show = "\n".join("  A " + t for t in A if stamp in t) + "\n" + "\n".join("  B " + t for t in B if stamp in t)
    return "different", show


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    verdict, why = compare(sys.argv[1], sys.argv[2])
    print(verdict)
    if "--quiet" not in sys.argv:
        print(why)
    sys.exit({"same": 0, "reordered": 2, "different": 1}[verdict])
