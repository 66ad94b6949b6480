#!/usr/bin/env python3
"""random_scenarios.py N SEED OUTDIR: N random deterministic scenarios (NAME.json, NAME.csv, NAME.args), with many ties."""
import json
import os
import random
import sys


def scenario(r, name, out):
    grid = r.choice([1, 5, 5, 10, 10, 10])                      # times are multiples of this: the coarser, the more ties
    odd = r.random() < 0.25                                     # sometimes nothing ties
    def dur(low, high):
        n = r.randint(low, high) * grid
        return n + r.randint(1, 999) / 1000 if odd and n else n
    length = r.choice([15, 40, 120])
    rows_wanted = r.choice([3, 10, 30, 80])
    sold_out = r.choice(["leave", "substitute", "wait", "wait", "wait"])
    fruits = {}
    names = ["a", "b", "c", "d"][:r.choice([1, 2, 2, 3, 4])]
    for f in names:
        if r.random() < 0.05:
            fruits[f] = {"initial": "unlimited"}
            continue
        x = {"initial": r.choice([0, 1, 3, 5, 10, 20])}
        policy = r.choice(["manual", "sS", "sS", "sQ", "periodic"])
        zero = r.random() < 0.15
        lead = 0 if zero else dur(1, 8)
        s = r.randint(0, 6)
        S = s + r.randint(1, 8)
        if policy == "sS":
            x["restock"] = {"orderUpTo": {"reorderPoint": s, "level": S, "leadTime": lead}}
        elif policy == "sQ":
            x["restock"] = {"fixedQuantity": {"reorderPoint": s, "quantity": r.randint(1, 6), "leadTime": lead}}
        elif policy == "periodic":
            x["restock"] = {"orderUpTo": {"reorderPoint": s, "level": S, "leadTime": lead, "review": dur(1, 8)}}
        if r.random() < 0.4 and not (zero and policy in ("sS", "sQ")):   # no lead time and a full shelf: would never end
            x["capacity"] = max(x["initial"], r.randint(2, 12))
        if r.random() < 0.6:
            x["lowStock"] = r.randint(0, 6)
        if r.random() < 0.4:
            x["shelfLife"] = dur(1, 12)
        if r.random() < 0.4:
            x["costs"] = {"unit": r.choice([0, 0.25, 1]), "order": r.choice([0, 2.5, 5]), "holding": r.choice([0, 86.4]), "shortage": r.choice([0, 864])}
        fruits[f] = x
    menu = {}
    for i in range(r.choice([1, 2, 3, 4, 5])):
        chosen = r.sample(names, r.randint(1, len(names)))
        menu["juice %d" % (i + 1)] = {"recipe": {f: r.choice([1, 1, 2, 3]) for f in chosen}, "price": r.choice([1, 2.5, 4]),
                                      "preparation": 0 if r.random() < 0.05 else dur(1, 4)}
    customers = {"whenSoldOut": sold_out}
    if r.random() < 0.5:
        customers["patience"] = 0 if r.random() < 0.05 else dur(1, 8)
    config = {"stand": name, "opens": "2026-05-04T08:00:00", "seed": r.randint(1, 999), "fruits": fruits, "menu": menu,
              "makers": r.choice([1, 1, 2, 3, "unlimited"]), "customers": customers}
    if r.random() < 0.5:
        config["queue"] = {"limit": r.choice([0, 1, 2, 5])}
    if r.random() < 0.12:
        keep = r.choice(list(menu))
        config["menu"] = {keep: menu[keep]}
        customers["arrivals"] = {"renewal": dur(1, 3)}
        customers["cups"] = r.choice([1, 1, 2, 3])
    else:
        times = sorted(r.randint(0, length) * grid + (r.randint(0, 999) / 1000 if odd else 0) for _ in range(rows_wanted))
        many = r.random() < 0.5
        customers["arrivals"] = {"trace": {"file": name + ".csv", "time": "time", "juice": "juice", "cups": "cups"}}
        with open(os.path.join(out, name + ".csv"), "w") as f:
            f.write("time,juice,cups\n")
            for t in times:
                f.write("%s,%s,%d\n" % (round(t, 3), r.choice(list(config["menu"])), r.choice([1, 1, 2, 3, 5]) if many else 1))
    with open(os.path.join(out, name + ".json"), "w") as f:
        json.dump(config, f, indent=1)
    horizon = r.choice([length * grid // 2 + 1, length * grid, length * grid * 2, length * grid * 2]) or 1
    args = "--for %d" % horizon
    if r.random() < 0.3:
        args += " --warm-up %d" % (r.randint(0, max(0, horizon // grid // 3)) * grid)
    with open(os.path.join(out, name + ".args"), "w") as f:
        f.write(args + "\n")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    n, seed, out = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    os.makedirs(out, exist_ok=True)
    for i in range(n):
        scenario(random.Random("%d/%d" % (seed, i)), "random-%d-%04d" % (seed, i), out)


main()
