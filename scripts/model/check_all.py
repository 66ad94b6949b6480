#!/usr/bin/env python3
"""check_all.py DIR [--program PATH] [--choice NAME=VALUE]... [--explain] [--no-metrics] [--verbose]

Runs oracle and program (`PATH simulate --config … --for … --ledger … --format json --no-timing`) over every scenario of DIR,
compares ledgers and metrics, audits the program's ledger.
--explain: where a ledger differs, tries every single other choice of the oracle, then every pair, and says which makes it equal.
Without --program the oracle is run under --choice against itself: which scenarios are sensitive to that reading.
"""
import argparse
import itertools
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections import Counter

import compare
import conf
import oracle

HERE = os.path.dirname(os.path.abspath(__file__))


def oracle_ledger(config, horizon, choices, path):
    with open(path, "w", encoding="utf-8") as f:
        return oracle.simulate(config, horizon, choices, lambda line: f.write(line + "\n"))


def close(a, b):
    if a is None or b is None:
        return a is b
    return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b)) or False


def main():
    p = argparse.ArgumentParser()
    p.add_argument("dir")
    p.add_argument("--program")
    p.add_argument("--choice", action="append", default=[])
    p.add_argument("--explain", action="store_true")
    p.add_argument("--no-metrics", action="store_true")
    p.add_argument("--verbose", action="store_true")
    o = p.parse_args()
    choices = dict(c.split("=", 1) for c in o.choice)
    verdicts, metric_faults, explained = Counter(), Counter(), Counter()
    with tempfile.TemporaryDirectory() as t:
        mine, theirs = os.path.join(t, "oracle"), os.path.join(t, "program")
        for name in sorted(n for n in os.listdir(o.dir) if n.endswith(".json")):
            config = os.path.join(o.dir, name)
            args = shlex.split(open(config[:-5] + ".args").read())
            horizon = conf.ns(args[args.index("--for") + 1])
            warm = conf.ns(args[args.index("--warm-up") + 1]) if "--warm-up" in args else 0
            try:
                s = oracle_ledger(config, horizon, choices if o.program else {}, mine)
                if o.program:
                    if os.path.exists(theirs):
                        os.remove(theirs)
                    r = subprocess.run([o.program, "simulate", "--config", config, "--ledger", theirs, "--format", "json", "--no-timing"] + args,
                                       capture_output=True, text=True)
                    if r.returncode != 0:
                        verdicts["failed"] += 1
                        print("%s: exit %d: %s" % (name, r.returncode, r.stderr.strip()[:300]))
                        continue
                else:
                    oracle_ledger(config, horizon, choices, theirs)
            except conf.BadConfig as e:
                verdicts["refused by the oracle"] += 1
                print("%s: %s" % (name, e))
                continue
            verdict, why = compare.compare(mine, theirs)
            verdicts[verdict] += 1
            if verdict != "same":
                print("%s: %s" % (name, verdict))
                if o.verbose or (verdict == "different" and o.program):
                    print(why)
                if o.explain:
                    for i, (changed, how) in enumerate(search(config, horizon, choices, theirs, t, verdict)):
                        print("  %s with %s" % (how, " ".join(changed)))
                        explained[" ".join(changed)] += 1
                        if i == 0 and o.program:
                            s = oracle_ledger(config, horizon, {**choices, **dict(c.split("=", 1) for c in changed)}, mine)
                            verdict = how
            if o.program:
                a = subprocess.run([sys.executable, os.path.join(HERE, "audit.py"), theirs, "--config", config, "--max", "3"], capture_output=True, text=True)
                if a.returncode:
                    verdicts["audit errors"] += 1
                    print("%s: audit: %s" % (name, (a.stdout + a.stderr).strip()[-900:]))
                if not o.no_metrics and verdict != "different":   # metrics of another course of events say nothing
                    runs = json.loads(r.stdout)["runs"][0]["metrics"]
                    m, alt = oracle.metrics(s, warm)
                    for k in list(m) + [k for k in runs if k not in m]:
                        if k not in runs or k not in m:
                            metric_faults[k + (" missing in the program" if k in m else " missing in the oracle")] += 1
                            continue
                        got = runs[k]["mean"]
                        tolerance_ok = close(m[k], got)
                        if not tolerance_ok and ".p" in k and m[k] is not None and got is not None:
                            tolerance_ok = abs(m[k] - got) <= 0.001 * abs(m[k]) + 1e-9
                        if not tolerance_ok:
                            other = [n for n, v in alt.get(k, {}).items() if close(v, got)]
                            metric_faults[k + (" (reading: %s)" % other[0] if other else "")] += 1
                            if o.verbose or not other:
                                print("%s: %s is %s, oracle %s%s" % (name, k, got, m[k], ", alternatives %s" % alt[k] if k in alt else ""))
    print("\nledgers: %s" % dict(verdicts))
    if explained:
        print("explained by: %s" % dict(explained.most_common()))
    if metric_faults:
        print("metrics that differ (scenarios): %s" % dict(metric_faults.most_common()))
    # "reordered" is the same lines in another order or grouping within one instant, which the contract leaves open.
    return 0 if set(verdicts) <= {"same", "reordered"} and not metric_faults else 1


def search(config, horizon, base, theirs, folder, verdict):
    """The smallest sets of other choices that make the ledger more alike than `verdict`."""
    path = os.path.join(folder, "try")
    every = [(k, v) for k, vs in oracle.CHOICES.items() for v in vs if v != base.get(k, oracle.CHOICES[k][0])]
    found = []
    for r in (1, 2):
        for combo in itertools.combinations(every, r):
            if len({k for k, _ in combo}) < r:
                continue
            try:
                oracle_ledger(config, horizon, {**base, **dict(combo)}, path)
            except (conf.BadConfig, AssertionError):
                continue
            how = compare.compare(path, theirs)[0]
            if how == "same" or how != verdict and how != "different":
                found.append((["%s=%s" % c for c in combo], how))
        if found:
            best = "same" if any(h == "same" for _, h in found) else "reordered"
            return [f for f in found if f[1] == best]
    return []


if __name__ == "__main__":
    sys.exit(main())
