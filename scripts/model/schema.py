#!/usr/bin/env python3
"""Checks documents against a JSON Schema, and the schema against broken copies of them. Usage: scripts/model/schema.py SCHEMA FILE…

A schema that accepts everything checks nothing. So each document is also broken in many ways, one at a time, and every copy must be refused.
"""
import copy
import json
import sys

if sys.argv[1:2] == ["--help"]:
    sys.exit(print(__doc__.strip()))

import jsonschema

# Objects whose keys are names that users choose.
NAMED = ["set", "fruits", "menu", "names", "recipe", "map", "constraints", "misses"]
# Objects whose members are alike: breaking one of them is enough.
ALIKE = NAMED + ["metrics", "differences"]


def objects(value, path=()):
    """Paths and objects whose keys the schema knows; of members that are alike only the first."""
    if isinstance(value, dict):
        # In a difference, each run has the varied keys of both results.
        is_set = path[-1:] == ("set",) or len(path) > 1 and path[-1] in ("a", "b")
        if not path or path[-1] not in NAMED and not is_set:
            yield path, value
        if not is_set:
            members = list(value.items())
            for key, member in members[:1] if path and path[-1] in ALIKE else members:
                yield from objects(member, path + (key,))
    elif isinstance(value, list) and value:
        yield from objects(value[-1], path + (len(value) - 1,))


def at(document, path):
    for key in path:
        document = document[key]
    return document


def broken(document, optional):
    """Copies of a document with one fault each, and what the fault is."""

    def change(what, path, damage):
        copied = copy.deepcopy(document)
        damage(at(copied, path))
        return "/".join(map(str, path)) + " " + what, copied

    for path, found in objects(document):
        yield change("with an unknown key", path, lambda o: o.update({"unknown": 1}))
        for key, member in list(found.items())[:1] if path and path[-1] in ALIKE else found.items():
            if key not in optional and (not path or path[-1] not in ALIKE):
                yield change(f"without {key}", path, lambda o: o.pop(key))
            yield change(f"with {key} of another type", path, lambda o: o.update({key: [[]]}))
            if key not in ("reorderPoint", "mean", "level", "a", "b", "difference", "relative") and type(member) in (int, float):
                yield change(f"with {key} below 0", path, lambda o: o.update({key: -1}))
    yield change("of the next version", (), lambda o: o.update(schema=o["schema"][:-1] + "2"))
    if document["schema"] != "juicestand.simulation/1":
        return
    estimate = ("runs", 0, "metrics", "customers.arrived")
    if at(document, estimate)["n"] == 1:
        yield change("with an interval of one replication", estimate, lambda o: o.update(halfWidth=1))
    yield change("with a mean of nothing", estimate, lambda o: o.update(n=0, halfWidth=None))
    yield change("without wait.mean", ("runs", 0, "metrics"), lambda o: o.pop("wait.mean"))
    yield change("with differences from itself", ("runs", 0), lambda o: o.update(differences=o["metrics"]))
    yield change("without runs", ("runs",), lambda o: o.clear())
    if "shard" in document:
        yield change("with a run without outcomes", ("runs", 0), lambda o: o.pop("outcomes"))
        yield change("that does not say that it is a shard", (), lambda o: o.pop("shard"))
    elif document["replications"] == 1:
        yield change("with the outcome of one replication", ("runs", 0), lambda o: o.update(outcomes=[]))
    else:
        yield change("with a run without outcomes", ("runs", 0), lambda o: o.pop("outcomes"))
        yield change(
            "with charts in a whole result", ("runs", 0, "outcomes", 1),
            lambda o: o.update(charts={"waits": [], "lineByHour": [None] * 24}))


def optional_keys(schema):
    """Keys that some object may leave out."""
    found = set()
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            found |= set(schema["properties"]) - set(schema.get("required", []))
        for key, member in schema.items():
            # These only distinguish cases.
            if key not in ("allOf", "if", "then", "else"):
                found |= optional_keys(member)
    elif isinstance(schema, list):
        for member in schema:
            found |= optional_keys(member)
    return found


def main(schema_path, *paths):
    schema = json.load(open(schema_path, encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    optional = optional_keys(schema)
    copies = 0
    for path in paths:
        document = json.load(open(path, encoding="utf-8"))
        error = jsonschema.exceptions.best_match(validator.iter_errors(document))
        if error is not None:
            sys.exit(f"{path}: {error.json_path}: {error.message[:300]}")
        for what, copied in broken(document, optional):
            copies += 1
            if validator.is_valid(copied):
                sys.exit(f"{path}: the schema accepts a document {what}")
    print(f"{len(paths)} documents fit {schema_path}; {copies} broken copies are refused")


if len(sys.argv) < 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
