"""Runs random small stands in the model and in the program, and compares ledgers and figures."""
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from decimal import Decimal

from common import PROGRAM

from . import oracle
from .configuration import SECOND, Configuration


def scenario(draw, name, folder):
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


def check(count=40, seed=20261121):
    """The exit status."""
    verdicts, faults = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for number in range(count):
            path, horizon, warm_up = scenario(random.Random(f"{seed}/{number}"), f"random-{number}", folder)
            ledger = folder / f"{number}.jsonl"
            done = subprocess.run([PROGRAM, "simulate", "--config", path, "--for", str(horizon), "--warm-up", str(warm_up), "--ledger", ledger,
                                   "--format", "json", "--no-timing"], capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{path.read_text()}\n{done.stderr}")
            stand = oracle.Stand(Configuration(path), horizon * SECOND)
            verdict, why = compare(stand.lines, ledger.read_text().splitlines())
            verdicts[verdict] += 1
            wrong = [why] if verdict == "different" else []
            ours, theirs = oracle.figures(stand, warm_up * SECOND), json.loads(done.stdout)["runs"][0]["metrics"]
            # After another course of events, or an end before the warm-up's, figures say nothing.
            for name in sorted({**ours, **theirs}) if verdict != "different" and stand.closed_at > warm_up * SECOND else []:
                found = theirs.get(name, {}).get("mean", "missing")
                # The smallest level within an instant depends on the order of its lines.
                if not (verdict == "reordered" and name.endswith(".min")) and not is_close(name, ours.get(name, "missing"), found):
                    wrong.append(f"  {name} is {found}, in the model {ours.get(name, 'missing')}")
            if wrong:
                faults += 1
                print(f"stand {number} of seed {seed}:", *wrong, sep="\n")
    print(f"{count} random stands: {', '.join(f'{number} {verdict}' for verdict, number in verdicts.most_common())}; {faults} with faults")
    return 1 if faults or not count else 0

