import JuiceStand

/// The settings that a configuration text describes.
func settings(_ json: String) throws -> StandSettings {
    try StandConfiguration(Array(json.utf8), source: "test.json").settings
}

/// A stand of this configuration that has been open for some time.
func openStand(_ configuration: String, at now: SimulationTime) throws -> Stand {
    let out = FactPublisher(WiringChoice.closure.makeWiring())
    var stand = Stand(try settings(configuration))
    stand.open(out)
    stand.advance(to: now, out)
    return stand
}

/// M/M/1 with four customers in five seconds.
let queue = """
    {"fruits": {"a": {"initial": "unlimited"}},
     "menu": {"j": {"recipe": {"a": 1}, "preparation": {"exponential": {"mean": 1}}}},
     "customers": {"arrivals": {"poisson": {"perSecond": 0.8}}}}
    """

/// A busy stand with random laws, in which much can happen.
let lively = """
    {"fruits": {
       "a": {"initial": 20, "lowStock": 8, "shelfLife": 400, "costs": {"unit": 1, "order": 4, "holding": 90, "shortage": 500},
         "restock": {"fixedQuantity": {"reorderPoint": 10, "quantity": 20, "leadTime": {"exponential": {"mean": 60}}}}},
       "b": {"initial": 12, "restock": {"orderUpTo": {"reorderPoint": 6, "level": 16, "leadTime": 40, "review": 90}}}},
     "menu": {
       "x": {"recipe": {"a": 2}, "price": 3, "preparation": {"gamma": {"shape": 2, "mean": 20}}},
       "y": {"recipe": {"a": 1, "b": 1}, "price": 4, "preparation": {"exponential": {"mean": 25}}}},
     "makers": 2, "queue": {"limit": 5},
     "customers": {"arrivals": {"poisson": {"perSecond": 0.1}}, "cups": {"geometric": {"mean": 1.3}},
       "patience": {"exponential": {"mean": 60}}, "whenSoldOut": "substitute"}}
    """
