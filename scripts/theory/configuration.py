"""Reads a configuration for the model."""
import json
import os
from decimal import Decimal, ROUND_HALF_EVEN, ROUND_HALF_UP

UNLIMITED = "unlimited"
SECOND = 10**9


class Unfit(Exception):
    """The configuration draws at random what the model must know."""


def constant(name, law):
    if law is None:
        raise Unfit(f"{name}: must be a constant")
    return law


def nanoseconds(seconds):
    """None for a random law."""
    return None if isinstance(seconds, dict) else int((Decimal(str(seconds)) * SECOND).to_integral_value(ROUND_HALF_EVEN))


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
        self.when_sold_out = customers["whenSoldOut"]
