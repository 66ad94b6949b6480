import JuiceStand
import Testing

/// A stand with every kind of setting, to be varied.
private let rich = """
    {
      "stand": "corner", "opens": "2026-05-04T08:00:00", "currency": "KRW",
      "fruits": {
        "fig": {
          "names": { "ko": "무화과", "de": "Feige" }, "initial": 20, "capacity": 500, "lowStock": 5, "shelfLife": "3d",
          "restock": { "orderUpTo": { "reorderPoint": 8, "level": 30, "leadTime": { "uniform": { "from": "20m", "to": "1h" } } } },
          "costs": { "unit": 0.2, "order": 5, "holding": 0.001, "shortage": 0.1 },
        },
        "ice": { "initial": "unlimited" },
        "plum": { "restock": { "fixedQuantity": { "reorderPoint": -3, "quantity": 12 } } },
      },
      "menu": {
        "fig juice": {
          "names": { "ko": "무화과쥬스" }, "category": "single fruit", "method": "blend with ice",
          "recipe": { "ice": 2, "fig": 3 }, "price": 4.5, "popularity": 3, "preparation": "90s",
        },
        "plum \\"juice\\"": { "recipe": { "plum": 1 } },
      },
      "makers": 2, "queue": { "limit": 40 },
      "customers": { "cups": { "geometric": { "mean": 1.5 } }, "patience": "5m", "whenSoldOut": "substitute" },
    }
    """

/// One law of every family, and others with units, with small numbers and without weights.
private let laws =
    [
        "2.5", "0", "1e-7", #"{"exponential": {"mean": "1m"}}"#, #"{"lognormal": {"mean": "2s", "deviation": "1s"}}"#,
        #"{"uniform": {"from": 0.1, "to": 0.3}}"#, #"{"gamma": {"shape": 0.1, "mean": 8}}"#,
        #"{"empirical": {"values": [1, 0.1], "weights": [70, 0.3]}}"#, #"{"empirical": {"values": [1, 2, 3]}}"#,
    ] + Distribution.families.map(law)

private func law(of family: Distribution.Family) -> String {
    let parameters = family.parameters.enumerated().map { index, parameter in
        if case .whole = parameter.values { return "\"\(parameter.name)\": \(3 + index)" }
        return "\"\(parameter.name)\": \(3.25 + Double(index))"
    }
    return "{\"\(family.name)\": {\(parameters.joined(separator: ", "))}}"
}

private let arrivals = [
    #"{"poisson": {"perSecond": 0.3}}"#, #"{"profile": {"every": "1h", "perSecond": [0.1, 0, 2]}}"#,
    #"{"profile": {"every": 0.5, "perSecond": [1], "repeat": true}}"#,
    #"{"bursts": {"calm": {"perSecond": 0.1, "lasting": "1h"}, "busy": {"perSecond": 2, "lasting": {"exponential": {"mean": 60}}}}}"#,
]

private let restocking = [
    #""manual""#, #"{"orderUpTo": {"reorderPoint": -5, "level": 30}}"#,
    #"{"orderUpTo": {"reorderPoint": 8, "level": 30, "leadTime": "1h", "review": "continuous"}}"#,
    #"{"orderUpTo": {"reorderPoint": 8, "level": 30, "leadTime": {"gamma": {"shape": 2, "mean": 9}}, "review": "1.5h"}}"#,
    #"{"fixedQuantity": {"reorderPoint": 3, "quantity": 1, "leadTime": {"poisson": {"mean": 4}}}}"#,
]

private let inputs: [[(String, String)]] =
    [
        [],
        [
            ("makers", "unlimited"), ("queue.limit", "unlimited"), ("seed", "9223372036854775807"),
            ("wiring", "closure"),
        ],
    ]
    + laws.map { [("customers.patience", $0), ("customers.cups", "2"), ("menu.fig juice.preparation", $0)] }
    + arrivals.map { [("customers.arrivals", $0)] }
    + laws.filter { $0 != "0" }.map { [("customers.arrivals.renewal", $0)] }
    + restocking.map { [("fruits.fig.restock", $0)] }
    + ["leave", "substitute", "wait"].map { [("customers.whenSoldOut", $0)] }

@Test(arguments: inputs.indices)
func `reading a resolved configuration gives the same settings`(input: Int) throws {
    let first = try settings(rich, inputs[input])
    let text = first.resolved().pretty()
    let second = try settings(text)
    #expect(second == first, "\(text)")
    #expect(second.resolved().pretty() == text)
    #expect(try settings(first.resolved().compact()) == first)
}

@Test func `a resolved configuration has every default`() throws {
    let resolved = try settings("{}").resolved()
    #expect(try settings(resolved.compact()) == settings("{}"))
    guard case .object(let members) = resolved else {
        Issue.record("resolved is no object")
        return
    }
    #expect(
        members.map(\.key) == [
            "stand", "opens", "seed", "wiring", "currency", "wage", "fruits", "menu", "makers", "queue", "customers",
        ])
    #expect(
        members.last?.value == [
            "arrivals": ["poisson": ["perSecond": .number(0.05)]], "cups": .number(1), "whenSoldOut": "leave",
        ])
}

// MARK: - Fingerprint

@Test func `a fingerprint does not depend on seed, wiring or the form of the text`() throws {
    let fingerprint = try settings(rich).fingerprint
    #expect(fingerprint.count == 16 && fingerprint.allSatisfy(\.isHexDigit))
    #expect(try settings(rich, [("seed", "7"), ("wiring", "delegate")]).fingerprint == fingerprint)
    #expect(try settings(rich, source: "elsewhere/other.json").fingerprint == fingerprint)
    #expect(try settings("// A comment.\n" + rich).fingerprint == fingerprint)
    // A default written out, and a duration in another unit.
    let sameAgain = [
        ("fruits.ice.restock", "manual"), ("menu.plum \"juice\".price", "0"), ("menu.fig juice.preparation", "1.5m"),
    ]
    #expect(try settings(rich, sameAgain).fingerprint == fingerprint)
}

@Test func `a fingerprint depends on every other setting`() throws {
    var changes: [(String, String)] = [
        ("stand", "other"), ("opens", "2026-05-04T08:00:01"), ("currency", "EUR"), ("makers", "3"),
        ("makers", "unlimited"),
        ("queue.limit", "41"), ("queue.limit", "unlimited"), ("fruits.fig.names.ko", "무화"),
        ("fruits.fig.initial", "21"),
        ("fruits.fig.initial", "unlimited"), ("fruits.fig.capacity", "501"), ("fruits.fig.lowStock", "6"),
        ("fruits.fig.shelfLife", "4d"), ("fruits.ice.shelfLife", "4d"), ("fruits.ice.lowStock", "0"),
        ("fruits.fig.costs.unit", "0.3"), ("fruits.fig.costs.order", "6"), ("fruits.fig.costs.holding", "0"),
        ("fruits.fig.costs.shortage", "1"), ("fruits.pear", "{}"), ("menu.fig juice.names.ko", "무화"),
        ("menu.fig juice.category", "mixed"), ("menu.fig juice.method", "press"), ("menu.fig juice.recipe.fig", "4"),
        ("menu.fig juice.recipe.plum", "1"), ("menu.fig juice.price", "4.6"), ("menu.fig juice.popularity", "2"),
        ("menu.fig juice.preparation", "91s"), ("menu.more", #"{"recipe": {"ice": 1}}"#), ("customers.cups", "1"),
        ("customers.patience", "6m"), ("customers.whenSoldOut", "wait"), ("customers.whenSoldOut", "leave"),
    ]
    changes += laws.dropFirst(3).map { ("customers.patience", $0) } + arrivals.map { ("customers.arrivals", $0) }
    changes += restocking.filter { !$0.contains("continuous") }.map { ("fruits.fig.restock", $0) }
    var holders = [try settings(rich).fingerprint: "nothing"]
    for change in changes {
        let fingerprint = try settings(rich, [change]).fingerprint
        let holder = holders.updateValue("\(change)", forKey: fingerprint)
        #expect(holder == nil, "\(change) gives the fingerprint of \(holder ?? "")")
    }
}
