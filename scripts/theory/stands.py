"""Configurations of stands that are a model of theory, and what a case is."""

DAY = 86_400.0


class Case:
    """A stand whose answers are known.

    `answers` are triples: a label, how the figure is found from a replication's metrics (a metric's name, or a function
    of all of them, where `time` is the measured seconds), and the exact value. `seconds` is a first guess of how long to
    measure after `warm_up`, corrected by a pilot.
    """

    def __init__(self, name, stand, answers, seconds=20_000.0, warm_up=1000.0):
        self.name, self.stand, self.answers = name, stand, answers
        self.seconds, self.warm_up = seconds, warm_up


def stand(arrivals, service=0, makers=1, limit="unlimited", fruits=None, menu=None, **customers):
    """A configuration; without `menu` one juice of one piece of fruit `a`, which never ends unless `fruits` says."""
    return {
        "fruits": fruits or {"a": {"initial": "unlimited"}},
        "menu": menu or {"j": {"recipe": {"a": 1}, "preparation": service}},
        "makers": makers,
        "queue": {"limit": limit},
        "customers": {"arrivals": arrivals, **customers},
    }


def poisson(rate):
    return {"poisson": {"perSecond": rate}}


def exponential(mean):
    return {"exponential": {"mean": mean}}


def share(name):
    """Of all who arrived."""
    return lambda m: m[f"customers.{name}"] / m["customers.arrived"]


def per_second(name):
    return lambda m: m[name] / m["time"]


def up_to(level, lead_time, reorder_point=None, initial=None, **more):
    """A fruit under (s, S); without `reorder_point` (S − 1, S), base stock."""
    review = more.pop("review", "continuous")
    point = level - 1 if reorder_point is None else reorder_point
    return {
        "initial": level if initial is None else initial,
        "restock": {
            "orderUpTo": {"reorderPoint": point, "level": level, "leadTime": lead_time, "review": review}},
        **more,
    }


def quantity(reorder_point, pieces, lead_time, initial=None, **more):
    """A fruit under (s, Q)."""
    return {
        "initial": reorder_point + pieces if initial is None else initial,
        "restock": {
            "fixedQuantity": {"reorderPoint": reorder_point, "quantity": pieces, "leadTime": lead_time}},
        **more,
    }
