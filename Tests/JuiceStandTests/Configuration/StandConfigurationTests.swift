import JuiceStand
import TestSupport
import Testing

// MARK: - What is right

@Test func `an empty configuration is the standard stand`() throws {
    let stand = try settings("{}")
    #expect(stand.opens == "2026-01-01T00:00:00")
    #expect(stand.seed == 42)
    #expect(stand.wiring == "notification")
    #expect(stand.currency == "EUR")
    #expect(stand.menu == .standard)
    #expect(stand.makers == 1)
    #expect(stand.queueLimit == .max)
    #expect(stand.shelves == Array(repeating: StandSettings.Shelf(initial: 10), count: 5))
    #expect(stand.offers == Array(repeating: StandSettings.Offer(), count: 7))
    #expect(stand.customers == StandSettings.Customers())
    #expect(!stand.endsWithItsOrders)

    let shelf = stand.shelves[0]
    #expect(shelf.capacity == nil && shelf.lowStock == nil && shelf.shelfLife == nil && shelf.restock == .manual)
    #expect([shelf.costs.unit, shelf.costs.order, shelf.costs.holding, shelf.costs.shortage] == [0, 0, 0, 0])
    let offer = stand.offers[0]
    #expect(offer.price == 0 && offer.popularity == 1 && offer.preparation == .constant(30))
    #expect(stand.customers.arrivals == .poisson(perSecond: 0.05))
    #expect(stand.customers.cups == .constant(1) && stand.customers.patience == nil)
    #expect(stand.customers.whenSoldOut == .leave)
}

@Test func `every key of a configuration is read`() throws {
    let stand = try settings(
        """
        // A comment, and commas at the ends.
        {
          "stand": "corner", "opens": "2026-05-04T08:00:00.5+02:00", "seed": 7, "wiring": "delegate", "currency": "KRW",
          "fruits": {
            "fig": {
              "names": { "ko": "무화과", "de": "Feige" }, "initial": 20, "capacity": 500, "lowStock": 5,
              "restock": { "orderUpTo": { "reorderPoint": 8, "level": 30, "leadTime": "1h", "review": "2h" } },
              "shelfLife": "3d", "costs": { "unit": 0.2, "order": 5, "holding": 0.001, "shortage": 0.1 },
            },
            "ice": { "initial": "unlimited" },
            "plum": { "restock": { "fixedQuantity": { "reorderPoint": -3, "quantity": 12, "leadTime": 60 } } },
          },
          "menu": {
            "fig juice": {
              "names": { "ko": "무화과쥬스" }, "category": "single fruit", "method": "blend with ice",
              "recipe": { "ice": 2, "fig": 3 }, "price": 4.5, "popularity": 3, "preparation": "90s",
            },
            "plum juice": { "recipe": { "plum": 1 } },
          },
          "makers": "unlimited", "queue": { "limit": 40 },
          "customers": {
            "arrivals": { "renewal": { "erlang": { "stages": 2, "mean": "1m" } } }, "cups": { "geometric": { "mean": 1.5 } },
            "patience": "5m", "whenSoldOut": "substitute",
          },
        }
        """)
    #expect(stand.stand == "corner" && stand.opens == "2026-05-04T08:00:00.5" && stand.seed == 7)
    #expect(stand.wiring == "delegate" && stand.currency == "KRW")
    #expect(stand.makers == .max && stand.queueLimit == 40)
    let fig = Fruit(index: 0)
    let ice = Fruit(index: 1)
    let plum = Fruit(index: 2)
    #expect(
        stand.menu
            == Menu(
                fruits: [
                    .init(
                        name: "fig", names: [.init(language: "ko", name: "무화과"), .init(language: "de", name: "Feige")]),
                    .init(name: "ice"), .init(name: "plum"),
                ],
                juices: [
                    .init(
                        name: "fig juice", names: [.init(language: "ko", name: "무화과쥬스")], category: "single fruit",
                        method: "blend with ice", recipe: [Ingredient(ice, 2), Ingredient(fig, 3)]),
                    .init(name: "plum juice", recipe: [Ingredient(plum, 1)]),
                ]))

    var shelf = StandSettings.Shelf(initial: 20)
    shelf.capacity = 500
    shelf.lowStock = 5
    shelf.restock = .orderUpTo(
        reorderPoint: 8, level: 30, leadTime: .constant(3600), review: SimulationTime(seconds: 7200))
    shelf.shelfLife = SimulationTime(seconds: 259_200)
    shelf.costs.unit = 0.2
    shelf.costs.order = 5
    shelf.costs.holding = 0.001
    shelf.costs.shortage = 0.1
    var plums = StandSettings.Shelf(initial: 10)
    plums.restock = .fixedQuantity(reorderPoint: -3, quantity: 12, leadTime: .constant(60))
    #expect(stand.shelves == [shelf, StandSettings.Shelf(initial: nil), plums])

    var offer = StandSettings.Offer()
    offer.price = 4.5
    offer.popularity = 3
    offer.preparation = .constant(90)
    #expect(stand.offers == [offer, StandSettings.Offer()])

    var customers = StandSettings.Customers()
    customers.arrivals = .renewal(.erlang(stages: 2, mean: 60))
    customers.cups = .geometric(mean: 1.5)
    customers.patience = .constant(300)
    customers.whenSoldOut = .substitute
    #expect(stand.customers == customers)
}

@Test(arguments: [
    ("2.5", Distribution.constant(2.5)), (#""250ms""#, .constant(0.25)),
    (#"{"exponential": {"mean": "1m"}}"#, .exponential(mean: 60)),
    (#"{"uniform": {"from": 1, "to": "2s"}}"#, .uniform(from: 1, to: 2)),
    (#"{"triangular": {"from": 1, "mode": 1, "to": 4}}"#, .triangular(from: 1, mode: 1, to: 4)),
    (#"{"normal": {"mean": 0, "deviation": 0}}"#, .normal(mean: 0, deviation: 0)),
    (#"{"lognormal": {"mean": "2s", "deviation": "1s"}}"#, .lognormal(mean: 2, deviation: 1)),
    (#"{"gamma": {"shape": 0.5, "mean": "8s"}}"#, .gamma(shape: 0.5, mean: 8)),
    (#"{"erlang": {"stages": 3, "mean": 45}}"#, .erlang(stages: 3, mean: 45)),
    (#"{"weibull": {"shape": 1.5, "scale": "1m"}}"#, .weibull(shape: 1.5, scale: 60)),
    (#"{"poisson": {"mean": 3.5}}"#, .poisson(mean: 3.5)), (#"{"geometric": {"mean": 1}}"#, .geometric(mean: 1)),
    (
        #"{"empirical": {"values": [1, "2s"], "weights": [70, 30]}}"#,
        .empirical(.init(values: [1, 2], weights: [70, 30]))
    ),
    (#"{"empirical": {"values": [1, 2, 3]}}"#, .empirical(.init(values: [1, 2, 3], weights: [1, 1, 1]))),
])
func `a distribution is read, with durations in any unit`(law: String, expected: Distribution) throws {
    #expect(try settings(#"{"customers": {"patience": \#(law)}}"#).customers.patience == expected)
    #expect(
        try settings(#"{"menu": {"j": {"recipe": {"kiwi": 1}, "preparation": \#(law)}}}"#).offers[0].preparation
            == expected)
}

@Test(arguments: [
    (#"{"poisson": {"perSecond": 0}}"#, Arrivals.poisson(perSecond: 0)),
    (#"{"renewal": "5s"}"#, .renewal(.constant(5))),
    (
        #"{"profile": {"every": "1h", "perSecond": [0.1, 0, 2]}}"#,
        .profile(every: SimulationTime(seconds: 3600), perSecond: [0.1, 0, 2], repeats: false)
    ),
    (
        #"{"profile": {"every": 60, "perSecond": [1], "repeat": true}}"#,
        .profile(every: SimulationTime(seconds: 60), perSecond: [1], repeats: true)
    ),
    (
        #"{"bursts": {"calm": {"perSecond": 0.1, "lasting": "1h"}, "busy": {"perSecond": 2, "lasting": {"exponential": {"mean": 60}}}}}"#,
        .bursts(
            calm: .init(perSecond: 0.1, lasting: .constant(3600)),
            busy: .init(perSecond: 2, lasting: .exponential(mean: 60)))
    ),
])
func `an arrival law is read`(arrivals: String, expected: Arrivals) throws {
    #expect(try settings(#"{"customers": {"arrivals": \#(arrivals)}}"#).customers.arrivals == expected)
}

@Test(arguments: [
    (#"{"poisson": {"perMinute": 30}}"#, #"{"poisson": {"perSecond": 0.5}}"#),
    (#"{"poisson": {"perHour": 900}}"#, #"{"poisson": {"perSecond": 0.25}}"#),
    (
        #"{"profile": {"every": "1h", "perHour": [0, 1800]}}"#,
        #"{"profile": {"every": "1h", "perSecond": [0, 0.5]}}"#
    ),
    (
        #"{"bursts": {"calm": {"perMinute": 15, "lasting": 9}, "busy": {"perHour": 7200, "lasting": 1}}}"#,
        #"{"bursts": {"calm": {"perSecond": 0.25, "lasting": 9}, "busy": {"perSecond": 2, "lasting": 1}}}"#
    ),
    (#"{"week": {"every": "1h", "perHour": [900]}}"#, #"{"week": {"every": "1h", "perSecond": [0.25]}}"#),
    (
        #"{"week": {"every": "1h", "perMinute": {"sat": [30]}}}"#,
        #"{"week": {"every": "1h", "perSecond": {"sat": [0.5]}}}"#
    ),
])
func `a rate may be given per minute or per hour`(given: String, perSecond: String) throws {
    let settings = try settings(#"{"customers": {"arrivals": \#(given)}}"#)
    let same = try JuiceStandTests.settings(#"{"customers": {"arrivals": \#(perSecond)}}"#)
    #expect(settings == same)
    #expect(settings.resolved() == same.resolved() && settings.fingerprint == same.fingerprint)
}

@Test func `a number of seconds equals the same duration with a unit`() throws {
    func shelfLife(_ value: String) throws -> SimulationTime? {
        let text = #"{"menu": {"j": {"recipe": {"f": 1}}}, "fruits": {"f": {"shelfLife": \#(value)}}}"#
        return try settings(text).shelves[0].shelfLife
    }
    for seconds in ["0.1", "86400", "0.001000001", "2251799.813685247"] {
        #expect(try shelfLife(seconds) == shelfLife("\"\(seconds)s\""), "\(seconds)")
    }
}

@Test func `own fruits keep the standard menu if they include its fruits`() throws {
    let stand = try settings(
        #"{"fruits": {"mango": {}, "kiwi": {}, "fig": {}, "banana": {}, "pineapple": {}, "strawberry": {"initial": 3}}}"#
    )
    #expect(stand.menu.fruits.map(\.name) == ["mango", "kiwi", "fig", "banana", "pineapple", "strawberry"])
    let mangoKiwi = try #require(stand.menu.juice(named: "mango kiwi juice"))
    #expect(
        Array(stand.menu.recipe(of: mangoKiwi)) == [Ingredient(Fruit(index: 0), 2), Ingredient(Fruit(index: 1), 1)])
    #expect(stand.shelves.map(\.initial) == [10, 10, 10, 10, 10, 3])
}

@Test func `warns of customers who can never be served`() throws {
    func warnings(_ whenSoldOut: String) throws -> [String] {
        let text = """
            {"fruits": {"fig": {"initial": 2, "capacity": 2}}, "menu": {"fig juice": {"recipe": {"fig": 3}}},
             "customers": {"whenSoldOut": "\(whenSoldOut)"}}
            """
        return try StandConfiguration(Array(text.utf8), source: "stand.json").warnings.map { "\($0)" }
    }
    #expect(
        try warnings("wait") == [
            "stand.json: menu.fig juice.recipe.fig: needs 3 and the shelf holds 2, so customers who wait for it are never served"
        ])
    #expect(try warnings("leave") == [])
}

// MARK: - What is wrong

private let laws = DistributionTable.rows.map(\.name).joined(separator: ", ")
private let rootKeys = "stand, opens, seed, wiring, currency, wage, fruits, menu, makers, queue, customers, $schema"

/// The configurations of a table, each with its messages, which are the indented lines below it.
private func mistakes(_ table: String) -> [(String, [String])] {
    var mistakes: [(text: String, messages: [String])] = []
    for line in table.split(separator: "\n").map(String.init) {
        if line.hasPrefix("    ") {
            mistakes[mistakes.count - 1].messages.append(String(line.dropFirst(4)))
        } else if let last = mistakes.last, last.messages.isEmpty {
            mistakes[mistakes.count - 1].text += "\n" + line
        } else {
            mistakes.append((line, []))
        }
    }
    return mistakes.map { ($0.text, $0.messages) }
}

@Test func `a message names file, line, column, key path, expected and found`() {
    let text = "{\n\n  \"menu\": { \"banana juice\": { \"recipe\": { \"banana\": 0 } } } }"
    #expect(
        problems(text, source: "config/stand.json") == [
            "config/stand.json:3:53: menu.banana juice.recipe.banana: must be at least 1, found 0"
        ])
}

@Test(arguments: [
    (#"▸[1]"#, "must be an object, found an array"),
    (#"{▸"seeds": 1}"#, #"seeds: unknown key; did you mean "seed"?"#),
    (#"{▸"xyzzy": 1}"#, "xyzzy: unknown key; known keys are \(rootKeys)"),
    (#"{"stand": ▸""}"#, #"stand: must be a name, found """#),
    (#"{"opens": ▸1}"#, "opens: must be a string without control characters, found 1"),
    (#"{"opens": ▸"noon"}"#, #"opens: must be a date such as "2026-05-04T08:00:00", found "noon""#),
    (#"{"seed": ▸"one"}"#, #"seed: must be a whole number from 0 to 9223372036854775807, found "one""#),
    (#"{"seed": ▸1.5}"#, "seed: must be a whole number from 0 to 9223372036854775807, found 1.5"),
    (#"{"seed": ▸-1}"#, "seed: must be at least 0, found -1"),
    (
        #"{"seed": ▸9223372036854775808}"#,
        "seed: must be a whole number from 0 to 9223372036854775807, found 9223372036854775808"
    ),
    (#"{"makers": ▸1000001}"#, #"makers: must be at most 1000000, "unlimited" or {"shifts": …}, found 1000001"#),
    (
        #"{"makers": ▸true}"#,
        #"makers: must be a whole number from 1 to 1000000, "unlimited" or {"shifts": …}, found true"#
    ),
    (#"{"queue": {"limit": ▸-1}}"#, #"queue.limit: must be at least 0 or "unlimited", found -1"#),
])
func `reports a mistake at the top level`(text: String, message: String) {
    expectProblems(text, [message])
}

@Test func `an unknown wiring is answered with the known ones`() {
    let names = WiringChoice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    expectProblems(#"{"wiring": ▸"pigeon"}"#, [#"wiring: must be one of \#(names), found "pigeon""#])
    expectProblems(
        #"{"wiring": ▸"notificaton"}"#,
        [#"wiring: must be one of \#(names), found "notificaton"; did you mean "notification"?"#])
    for choice in WiringChoice.allCases {
        #expect(problems(#"{"wiring": "\#(choice.rawValue)"}"#) == [])
    }
}

@Test(arguments: [
    (#"{"initial": ▸11, "capacity": 10}"#, "initial: must be at most the capacity of 10, found 11"),
    (#"▸{"capacity": 5}"#, "initial: must be at most the capacity of 5, found 10"),
    (#"{"shelfLife": ▸0}"#, "shelfLife: must be longer than 0, found 0"),
    (#"{"names": {"ko": ▸5}}"#, "names.ko: must be a string without control characters, found 5"),
    (#"{"costs": {"holding": ▸-1}}"#, "costs.holding: must be at least 0, found -1"),
    (
        #"{"restock": ▸"weekly"}"#,
        #"restock: must be "manual", {"orderUpTo": …} or {"fixedQuantity": …}, found "weekly""#
    ),
    (#"{"restock": ▸{}}"#, "restock: must have one key: orderUpTo or fixedQuantity"),
    (
        #"{"restock": {"orderUpTo": {"reorderPoint": 1, "level": 2, "review": ▸"never"}}}"#,
        #"restock.orderUpTo.review: must be seconds or a duration such as "30s" or "8h" or "continuous", found "never""#
    ),
    (
        #"{"restock": {"fixedQuantity": {"reorderPoint": 3, "quantity": 1, ▸"review": 5}}}"#,
        "restock.fixedQuantity.review: unknown key; known keys are reorderPoint, quantity, leadTime"
    ),
])
func `reports a mistake of a fruit`(fruit: String, message: String) {
    expectProblems(
        #"{"menu": {"j": {"recipe": {"fig": 3}}}, "fruits": {"fig": \#(fruit)}}"#, ["fruits.fig.\(message)"])
}

@Test(arguments: [
    (#"▸{}"#, "menu: must have at least one juice"), (#"{"j": ▸5}"#, "menu.j: must be an object, found 5"),
    (
        #"{"j": ▸{}}"#, "menu.j.recipe: is missing; must be an object of fruits and pieces per cup"
    ),
    (#"{"j": {"recipe": ▸{}}}"#, "menu.j.recipe: must have at least one fruit"),
    (
        #"{"j": {"recipe": {▸"fig": 1}}}"#,
        "menu.j.recipe.fig: unknown fruit; the fruits are strawberry, banana, kiwi, pineapple, mango"
    ),
    (#"{"j": {"recipe": {"kiwi": 1}, "price": ▸-1}}"#, "menu.j.price: must be at least 0, found -1"),
    (#"{"j": {"recipe": {"kiwi": 1}, "popularity": ▸"x"}}"#, #"menu.j.popularity: must be a number, found "x""#),
    (
        #"{"j": {"recipe": {"kiwi": 1}, "preparation": ▸null}}"#,
        #"menu.j.preparation: must be seconds or a duration such as "30s" or "8h", found null"#
    ),
])
func `reports a mistake of the menu`(menu: String, message: String) {
    expectProblems(#"{"menu": \#(menu)}"#, [message])
}

@Test func `recipes may use a fruit with a wrong description`() {
    expectProblems(
        #"{"menu": {"j": {"recipe": {"fig": 1, "plum": 2}}}, "fruits": {"fig": ▸5, "plum": ▸x1}}"#,
        ["fruits.fig: must be an object, found 5", "expected a value, found 'x1'; a string needs quotes"])
}

@Test func `reports all fruits missing for the standard menu`() {
    expectProblems(
        #"{"fruits": ▸{"kiwi": {}}}"#,
        ["fruits: must include strawberry, banana, pineapple, mango for the standard menu, unless a menu is given"])
}

@Test func `refuses too many fruits or juices`() {
    let fruits = (1...65).map { #""f\#($0)": {}"# }.joined(separator: ", ")
    expectProblems(
        #"{"menu": {"j": {"recipe": {"f1": 1}}}, "fruits": ▸{\#(fruits)}}"#, ["fruits: must be at most 64, found 65"])
    let juices = (1...257).map { #""j\#($0)": {"recipe": {"kiwi": 1}}"# }.joined(separator: ", ")
    expectProblems(#"{"menu": ▸{\#(juices)}}"#, ["menu: must be at most 256, found 257"])
}

@Test func `refuses a fixed quantity far too small for the orders`() throws {
    func text(_ quantity: Int) -> String {
        #"{"menu": {"j": {"recipe": {"fig": 10}}}, "customers": {"cups": 1000}, "fruits": ▸"#
            + #"{"fig": {"restock": {"fixedQuantity": {"reorderPoint": 3, "quantity": \#(quantity)}}}}}"#
    }
    expectProblems(
        text(1),
        [
            "fruits.fig.restock.fixedQuantity.quantity: must replace the fruit of an order of 1000 cups with at most 1000 orders, found 10000"
        ])
    #expect(problems(text(10).filter { $0 != "▸" }) == [])
    expectProblems(
        #"{"menu": {"j": {"recipe": {"fig": 10}}}, "customers": {"party": 101, "cups": 100}, "fruits": ▸"#
            + #"{"fig": {"restock": {"fixedQuantity": {"reorderPoint": 3, "quantity": 1}}}}}"#,
        [
            "fruits.fig.restock.fixedQuantity.quantity: must replace the fruit of 101 orders of 100 cups with at most 100000 orders, found 101000"
        ])
}

@Test func `refuses a fixed quantity far too small for an empty shelf`() {
    func text(_ point: Int) -> String {
        #"{"menu": {"j": {"recipe": {"fig": 1}}}, "fruits": {"fig": {"initial": 1000000000, "shelfLife": "1s", "restock": ▸"#
            + #"{"fixedQuantity": {"reorderPoint": \#(point), "quantity": 2}}}}}"#
    }
    expectProblems(
        text(200_002),
        [
            "fruits.fig.restock.fixedQuantity.quantity: must refill an empty shelf to the reorder point with at most 100000 orders, found 100001"
        ])
    #expect(problems(text(200_001).filter { $0 != "▸" }) == [])
}

@Test(
    arguments: mistakes(
        #"""
        {"cups": ▸10001}
            cups: must be at most 10000, found 10001
        {"cups": ▸"2s"}
            cups: must be a number, found "2s"
        {"whenSoldOut": ▸"go"}
            whenSoldOut: must be one of "leave", "substitute", "wait", found "go"
        {"arrivals": {"poisson": ▸{}}}
            arrivals.poisson.perSecond: is missing; must be customers per second
        {"arrivals": {"poisson": {"perMinute": ▸60, "perHour": ▸7, "perSecond": ▸-1}}}
            arrivals.poisson.perMinute: must not stand beside perSecond: a rate has one unit
            arrivals.poisson.perHour: must not stand beside perSecond: a rate has one unit
            arrivals.poisson.perSecond: must be at least 0, found -1
        {"arrivals": {"poisson": {"perMinute": ▸600000001}}}
            arrivals.poisson.perMinute: must be at most 600000000, found 600000001
        {"arrivals": {"renewal": ▸{"exponential": {"mean": 9e-8}}}}
            arrivals.renewal: must be 100 nanoseconds or longer, found 90 nanoseconds
        {"arrivals": {"renewal": ▸{"empirical": {"values": [0, 5], "weights": [99999, 1]}}}}
            arrivals.renewal: must be 0 in at most 99.99% of the draws, found 99.999%
        {"party": ▸1001, "cups": {"uniform": {"from": 1, "to": 100}}}
            party: must bring orders of at most 100000 cups together, found 100100
        {"arrivals": {"profile": {"every": ▸0, "perSecond": [1, ▸-1, ▸"x"], "repeat": ▸1}}}
            arrivals.profile.every: must be longer than 0, found 0
            arrivals.profile.perSecond[1]: must be at least 0, found -1
            arrivals.profile.perSecond[2]: must be a number, found "x"
            arrivals.profile.repeat: must be true or false, found 1
        {"arrivals": {"bursts": ▸▸{}}}
            arrivals.bursts.calm: is missing; must be {"perSecond": …, "lasting": …}
            arrivals.bursts.busy: is missing; must be {"perSecond": …, "lasting": …}
        {"arrivals": {"bursts": {"calm": ▸{"perSecond": ▸-1}, "busy": {"perSecond": 1, "lasting": ▸0}}}}
            arrivals.bursts.calm.lasting: is missing; must be a distribution
            arrivals.bursts.calm.perSecond: must be at least 0, found -1
            arrivals.bursts.busy.lasting: must be a millisecond or longer, found 0 milliseconds
        {"arrivals": {"trace": ▸▸▸{}}}
            arrivals.trace.file: is missing; must be the path of a CSV or JSON Lines file
            arrivals.trace.time: is missing; must be the column of the time
            arrivals.trace.juice: is missing; must be the column of the item
        """#))
func `reports a mistake of the customers`(customers: String, messages: [String]) {
    expectProblems(#"{"customers": \#(customers)}"#, messages.map { "customers.\($0)" })
}

@Test(
    arguments: mistakes(
        #"""
        ▸"fast"
            : must be seconds or a duration such as "30s" or "8h", found "fast"
        ▸[1]
            : must be seconds or a duration such as "30s" or "8h", found an array
        {▸"exponentail": {"mean": 3}}
            .exponentail: unknown key; did you mean "exponential"?
        {"uniform": {"from": 5, "to": ▸3}}
            .uniform.to: must be at least "from", found 3
        {"normal": ▸{"mean": ▸-1}}
            .normal.deviation: is missing; must be a number
            .normal.mean: must be seconds or a duration such as "30s" or "8h", found -1
        {"gamma": {"shape": ▸0, "mean": ▸0}}
            .gamma.shape: must be more than 0, found 0
            .gamma.mean: must be more than 0, found 0
        {"gamma": {"shape": ▸"2s", "mean": 1}}
            .gamma.shape: must be a number, found "2s"
        {"erlang": {"stages": ▸1.5, "mean": ▸0}}
            .erlang.stages: must be a whole number from 1 to 1000000, found 1.5
            .erlang.mean: must be more than 0, found 0
        {"gamma": {"shape": ▸1e-9, "mean": ▸1e-10}}
            .gamma.shape: must be at least 0.001, found 1e-9
            .gamma.mean: must be at least 1e-9, found 1e-10
        {"empirical": {"values": ▸[]}}
            .empirical.values: must be a list of numbers, found an array
        {"empirical": {"values": [1, 2], "weights": ▸[1]}}
            .empirical.weights: must be 2 numbers, one for each value and not all 0
        {"empirical": {"values": [1], "weights": ▸[0]}}
            .empirical.weights: must be 1 numbers, one for each value and not all 0
        """#))
func `reports a mistake of a distribution`(law: String, messages: [String]) {
    expectProblems(#"{"customers": {"patience": \#(law)}}"#, messages.map { "customers.patience\($0)" })
}

// MARK: - All at once

@Test func `all problems are reported in the order of the file`() {
    expectProblems(
        """
        {
          "stand": ▸7,
          ▸"sede": 1,
          "makers": ▸0,
          "fruits": {
            "kiwi": { "initial": ▸-1, "restock": { "fixedQuantity": ▸{ "reorderPoint": 2 } } },
            ▸"kiwi": {},
          },
          "menu": {
            "kiwi juice": { "recipe": { "kiwi": ▸0, ▸"mango": 1 }, "price": ▸"free" },
          },
          "customers": { "cups": ▸-1, "patience": { "exponential": ▸{} }, "arrivals": { "poisson": { "perSecond": ▸"x" } } },
          ▸"makers": 2,
        }
        """,
        [
            "stand: must be a string without control characters, found 7",
            #"sede: unknown key; did you mean "seed"?"#,
            #"makers: must be at least 1, "unlimited" or {"shifts": …}, found 0"#,
            #"fruits.kiwi.initial: must be at least 0 or "unlimited", found -1"#,
            "fruits.kiwi.restock.fixedQuantity.quantity: is missing; must be a whole number",
            "fruits.kiwi: duplicate key; the first is at stand.json:6:5",
            "menu.kiwi juice.recipe.kiwi: must be at least 1, found 0",
            "menu.kiwi juice.recipe.mango: unknown fruit; the fruits are kiwi",
            #"menu.kiwi juice.price: must be a number, found "free""#,
            "customers.cups: must be at least 0, found -1",
            "customers.patience.exponential.mean: is missing; must be a number",
            #"customers.arrivals.poisson.perSecond: must be a number, found "x""#,
            "makers: duplicate key; the first is at stand.json:4:3",
        ])
}

@Test(
    arguments: mistakes(
        #"""
        {"fruits": {"fig": {"restock": {"orderUpTo": {"reorderPoint": ▸1.5, "level": ▸"x", "leadTime": ▸"soon",
        "review": ▸0}}}}, "menu": {"j": {"recipe": {"fig": 1}}}}
            fruits.fig.restock.orderUpTo.reorderPoint: must be a whole number from -1000000000 to 999999999, found 1.5
            fruits.fig.restock.orderUpTo.level: must be a whole number from -999999999 to 1000000000, found "x"
            fruits.fig.restock.orderUpTo.leadTime: must be seconds or a duration such as "30s" or "8h", found "soon"
            fruits.fig.restock.orderUpTo.review: must be longer than 0, found 0
        {"fruits": {"fig": {"restock": {"fixedQuantity": ▸{"quantity": ▸0, "leadTime": ▸-1}}}},
        "menu": {"j": {"recipe": {"fig": 1}}}}
            fruits.fig.restock.fixedQuantity.reorderPoint: is missing; must be a whole number
            fruits.fig.restock.fixedQuantity.quantity: must be at least 1, found 0
            fruits.fig.restock.fixedQuantity.leadTime: must be seconds or a duration such as "30s" or "8h", found -1
        {"customers": {"arrivals": {"trace": ▸{"file": ▸5, "time": ▸6, "cups": ▸7, "unmapped": ▸"skp",
        "timeFormat": ▸"%Q"}}}}
            customers.arrivals.trace.juice: is missing; must be the column of the item
            customers.arrivals.trace.file: must be a string without control characters, found 5
            customers.arrivals.trace.time: must be a string without control characters, found 6
            customers.arrivals.trace.cups: must be a string without control characters, found 7
            customers.arrivals.trace.unmapped: must be one of "skip", "error", "cycle", found "skp"; did you mean "skip"?
            customers.arrivals.trace.timeFormat: must be a format of strptime such as "%d.%m.%Y %H:%M", found "%Q"
        {"customers": {"patience": {"empirical": {"values": [1, ▸"x"], "weights": [1, ▸-1]}}}}
            customers.patience.empirical.values[1]: must be seconds or a duration such as "30s" or "8h", found "x"
            customers.patience.empirical.weights[1]: must be at least 0, found -1
        {"menu": {"j": {"recipe": {▸"bananna": ▸0}}}}
            menu.j.recipe.bananna: unknown fruit; did you mean "banana"?
            menu.j.recipe.bananna: must be at least 1, found 0
        {"menu": {▸"": {"recipe": {"kiwi": ▸0}}}}
            menu: must have non-empty names without control characters, found ""
            menu..recipe.kiwi: must be at least 1, found 0
        {"customers": {"patience": {"triangular": {"from": 3, "mode": ▸2, "to": ▸1}}}}
            customers.patience.triangular.mode: must be at least "from", found 2
            customers.patience.triangular.to: must be at least "mode", found 1
        {"customers": {"patience": ▸{"exponential": {"mean": ▸0}, "poisson": {"mean": ▸-1}}}}
            customers.patience: must have one key, the name of a law: \#(laws)
            customers.patience.exponential.mean: must be more than 0, found 0
            customers.patience.poisson.mean: must be at least 0, found -1
        {"fruits": {"fig": {"restock": ▸{"orderUpTo": {"reorderPoint": 1, "level": ▸1},
        "fixedQuantity": {"reorderPoint": 1, "quantity": ▸0}}}}, "menu": {"j": {"recipe": {"fig": 1}}}}
            fruits.fig.restock: must have one key: orderUpTo or fixedQuantity
            fruits.fig.restock.orderUpTo.level: must be at least 2, found 1
            fruits.fig.restock.fixedQuantity.quantity: must be at least 1, found 0
        {"customers": {"arrivals": ▸{"renewal": ▸0, "poisson": {"perSecond": ▸-1}}}}
            customers.arrivals: must have one key, the name of an arrival law: poisson, renewal, profile, bursts, week, \#
        trace
            customers.arrivals.renewal: must be 100 nanoseconds or longer, found 0 nanoseconds
            customers.arrivals.poisson.perSecond: must be at least 0, found -1
        {"makers": ▸0, "menu": ▸{"j": {"recipe": {"kiwi": 1}, "popularity": 0}}}
            makers: must be at least 1, "unlimited" or {"shifts": …}, found 0
            menu: must have a juice with a popularity above 0
        {"makers": ▸0, "customers": {"arrivals": {"trace": {"file": "f", "time": "t", "juice": "j",
        "map": {"Kiwi": ▸"kiwi juise"}}}}}
            makers: must be at least 1, "unlimited" or {"shifts": …}, found 0
            customers.arrivals.trace.map.Kiwi: must be a juice of the menu or null, found "kiwi juise"; did you mean \#
        "kiwi juice"?
        """#))
func `one mistake does not hide another of the same rule`(text: String, messages: [String]) {
    expectProblems(text, messages)
}

@Test func `a syntax error is reported once, with the mistakes around it`() {
    expectProblems(
        """
        {
          "seed": ▸30s,
          "makers": ▸0,
          "queue": { "limit": ▸4O },
          ▸"quue": 1,
          "fruits": ▸kiwi,
          "customers": { "patience": ▸5m, "cups": ▸-1, "arrivals": { "profile": { "every": 60, "perSecond": ▸x1 } } },
        }
        """,
        [
            "expected a number, found '30s'; a string needs quotes",
            #"makers: must be at least 1, "unlimited" or {"shifts": …}, found 0"#,
            "expected a number, found '4O'; a string needs quotes", #"quue: unknown key; did you mean "queue"?"#,
            "expected a value, found 'kiwi'; a string needs quotes",
            "expected a number, found '5m'; a string needs quotes",
            "customers.cups: must be at least 0, found -1", "expected a value, found 'x1'; a string needs quotes",
        ])
}

@Test(arguments: [
    #"{"stand": "a\nb"}"#, #"{"makers": "a\nb"}"#, #"{"fruits": {"a\nb": {}}}"#,
    #"{"menu": {"a\rb": {"recipe": {"kiwi": 1}}}}"#,
    #"{"a\nb": 1}"#, #"{"customers": {"whenSoldOut": "\u001b[2J"}}"#, #"{"menu": {"j": {"recipe": {"a\nb": 1}}}}"#,
])
func `a message is always one line of visible text`(text: String) throws {
    let lines = problems(text)
    #expect(!lines.isEmpty)
    for line in lines {
        let isVisible = line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        #expect(isVisible, "\(line.debugDescription)")
    }
}

@Test func `a text that is not JSON gives one message`() {
    #expect(problems("") == ["stand.json:1:1: expected a value, found the end of the text"])
}

@Test func `an unreadable file is reported with the reason`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/nothing.json"
    #expect(throws: ConfigurationError.unreadable(path: path, reason: "No such file or directory")) {
        try StandConfiguration(file: path)
    }
    #expect(throws: ConfigurationError.unreadable(path: folder.path, reason: "must be a regular file, found a folder"))
    {
        try StandConfiguration(file: folder.path)
    }
    let file = try folder.write(#"{"makers": 3}"#, to: "stand.json")
    #expect(try StandConfiguration(file: file).settings.makers == 3)
}

// MARK: - Values given on the command line

private let stocked = #"{"makers": 2, "menu": {"banana juice": {"recipe": {"banana": 2}}}}"#

@Test func `an override is read as JSON or else as a string`() throws {
    let stand = try settings(
        stocked,
        [
            ("makers", "3"), ("stand", "corner shop"), ("currency", #""USD""#), ("queue", #"{"limit": 4}"#),
            ("menu.banana juice.price", "2.5"), ("customers.patience", "5m"),
            ("customers.arrivals", #"{"renewal": {"uniform": {"from": "5s", "to": 10}}}"#), ("opens", "2026-05-04"),
            ("seed", "1"), ("seed", "2"),
        ])
    #expect(stand.makers == 3 && stand.stand == "corner shop" && stand.currency == "USD" && stand.queueLimit == 4)
    #expect(stand.offers.map(\.price) == [2.5])
    #expect(stand.customers.patience == .constant(300))
    #expect(stand.customers.arrivals == .renewal(.uniform(from: 5, to: 10)))
    #expect(stand.opens == "2026-05-04T00:00:00")
    #expect(stand.seed == 2)
}

@Test func `an override can correct the file and create objects`() throws {
    #expect(try settings(#"{"makers": 0}"#, [("makers", "1")]).makers == 1)
    #expect(try settings("{}", [("queue.limit", "7")]).queueLimit == 7)
    #expect(try settings(#"{"queue": {}}"#, [("queue.limit", "unlimited")]).queueLimit == .max)
    let arrivals = try settings("{}", [("customers.arrivals.poisson.perSecond", "0.5")]).customers.arrivals
    #expect(arrivals == .poisson(perSecond: 0.5))
}

@Test(arguments: [
    ("makers", "0", #"makers: must be at least 1, "unlimited" or {"shifts": …}, found 0"#),
    ("seed", "1,2", #"seed: must be a whole number from 0 to 9223372036854775807, found "1,2""#),
    ("customers", #"{"cups": "x"}"#, #"customers.cups: must be a number, found "x""#),
    ("customers.cups.exponential", "3", "customers.cups.exponential: must be an object, found 3"),
    ("a..b", "1", #"must be a key path such as customers.patience, found "a..b""#),
    ("", "1", #"must be a key path such as customers.patience, found """#),
    ("makers.most", "1", #"makers: must be an object or a list to have "most" in it"#),
    (
        "menu.banana juice.recipe.banana.x", "1",
        #"menu.banana juice.recipe.banana: must be an object or a list to have "x" in it"#
    ),
])
func `a wrong override is reported with its option`(keyPath: String, value: String, message: String) {
    #expect(problems(stocked, [(keyPath, value)]) == ["--set \(keyPath)=\(value): \(message)"])
}

@Test func `problems of overrides are reported with those of the file`() {
    #expect(
        problems(#"{"seed": -1, "queue": {"limit": -2}}"#, [("queue.limit", "3"), ("makers", "none")]) == [
            #"--set makers=none: makers: must be a whole number from 1 to 1000000, "unlimited" or {"shifts": …}, found "none""#,
            "stand.json:1:10: seed: must be at least 0, found -1",
        ])
}

@Test func `of many problems the first hundred are listed and the rest counted`() throws {
    let keys = (0..<2000).map { "\"k\($0)\": 1" }.joined(separator: ",\n")
    let error = #expect(throws: ConfigurationError.self) {
        try StandConfiguration(Array("{\n\(keys)\n}".utf8), source: "stand.json")
    }
    guard case .invalid(let problems)? = error else { return }
    #expect(problems.count == 101 && problems.prefix(100).map(\.place.line) == Array(2...101))
    #expect(problems.last?.description == "stand.json: 1900 more problems")
}

/// A stand with a billion reviews a second never gets anywhere.
@Test(arguments: [
    (
        #"{"fruits": {"fig": {"restock": {"orderUpTo": {"reorderPoint": 1, "level": 2, "review": $}}}}, "menu": {"j": {"recipe": {"fig": 1}}}}"#,
        "fruits.fig.restock.orderUpTo.review"
    ),
    (#"{"makers": {"shifts": {"every": $, "makers": [1, 2], "repeat": true}}}"#, "makers.shifts.every"),
])
func `a period is a millisecond or longer`(configuration: String, path: String) {
    for period in ["1e-9", "\"0.999ms\""] {
        let found = problems(configuration.replacing("$", with: period))
        #expect(found.count == 1 && found[0].hasSuffix("\(path): must be 1ms or longer, found \(period)"), "\(found)")
    }
    for period in ["\"1ms\"", "0.001"] { #expect(problems(configuration.replacing("$", with: period)) == []) }
}
