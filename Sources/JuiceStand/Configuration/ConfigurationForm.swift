import TextFormats

// Every key of a configuration, with its form.

/// The keys of a configuration.
enum StandKey: String, CaseIterable {
    case stand, opens, seed, wiring, currency, wage, fruits, menu, makers, queue, customers

    fileprivate var key: ObjectForm.Key {
        func key(_ form: ValueForm, _ about: String) -> ObjectForm.Key { .init(rawValue, form, about) }
        return switch self {
        case .stand: key(.text, "A label in logs and metrics.")
        case .opens: key(.text, "The date and time at which the stand opens, such as 2026-05-04T08:00:00.")
        case .seed: key(.integer(0...Int.max), "The seed of all random streams.")
        case .wiring: key(.choice(of: WiringChoice.self), "How events reach observers.")
        case .currency: key(.text, "The currency of prices and costs.")
        case .wage: key(.number(ValueForm.money), "What an hour of one maker on duty costs. The default is 0.")
        case .fruits:
            key(
                .named(.object(FruitKey.allCases.map(\.key)), least: 0),
                "The fruits in stock. The default is ten of each fruit of the standard menu.")
        case .menu:
            key(
                .named(.object(JuiceKey.allCases.map(\.key)), least: 1),
                "The juices. The default is the standard menu of seven.")
        case .makers:
            key(
                .either([.limit(1...ValueForm.mostMakers), .shifts]),
                "The makers: a number, \"unlimited\", or shifts. The default is 1.")
        case .queue:
            key(
                .object([
                    .init(
                        "limit", .limit(0...1_000_000_000),
                        "Places for waiting customers. The default is \"unlimited\".")
                ]), "The waiting line.")
        case .customers:
            key(
                .object(CustomersKey.allCases.map(\.key)),
                "When customers come, what they order, and how long they wait.")
        }
    }
}

/// The keys of `customers`.
enum CustomersKey: String, CaseIterable {
    case arrivals, party, cups, patience, whenSoldOut

    fileprivate var key: ObjectForm.Key {
        func key(_ form: ValueForm, _ about: String) -> ObjectForm.Key { .init(rawValue, form, about) }
        return switch self {
        case .arrivals:
            key(
                .oneOf(ArrivalName.allCases.map(\.key)),
                "When customers come. The default is a Poisson process of 0.05 per second.")
        case .party: key(.distribution(.count), "The orders that come at one instant. The default is 1.")
        case .cups: key(.distribution(.count), "The cups of an order. The default is 1.")
        case .patience: key(.distribution(.seconds), "How long a customer waits for the first cup to be started.")
        case .whenSoldOut:
            key(
                .choice(of: WhenSoldOut.self),
                "What a customer does if the juice is sold out. The default is \"leave\".")
        }
    }
}

/// The keys of a fruit.
enum FruitKey: String, CaseIterable {
    case names, colour, picture, initial, capacity, lowStock, restock, shelfLife, costs

    fileprivate var key: ObjectForm.Key {
        func key(_ form: ValueForm, _ about: String) -> ObjectForm.Key { .init(rawValue, form, about) }
        let pieces = 0...ValueForm.mostPieces
        return switch self {
        case .names: key(.named(.text, least: 0), "Names by language, such as \"ko\".")
        case .colour: key(.colour, "The colour on displays. Usual fruits have one; the default is grey.")
        case .picture:
            key(
                .picture,
                "One emoji, or at most 16 bytes of text, for displays. Usual fruits have one; the default is a letter.")
        case .initial: key(.limit(pieces), "Pieces in stock at the opening. The default is 10.")
        case .capacity: key(.integer(1...ValueForm.mostPieces), "The most pieces that the shelf holds.")
        case .lowStock: key(.integer(pieces), "The level at which stock is low.")
        case .restock: key(.either([.word("manual"), .restock]), "The restocking rule. The default is \"manual\".")
        case .shelfLife: key(.period, "The age at which a piece spoils.")
        case .costs: key(.costs, "The costs of this fruit.")
        }
    }
}

/// The keys of a juice.
enum JuiceKey: String, CaseIterable {
    case names, category, method, recipe, price, popularity, preparation

    fileprivate var key: ObjectForm.Key {
        func key(_ form: ValueForm, required: String? = nil, _ about: String) -> ObjectForm.Key {
            .init(rawValue, form, required: required, about)
        }
        return switch self {
        case .names: key(.named(.text, least: 0), "Names by language, such as \"ko\".")
        case .category: key(.text, "A category, to filter the menu by.")
        case .method: key(.text, "How the juice is made, for the menu.")
        case .recipe:
            key(
                .named(.integer(1...1_000_000), least: 1), required: "an object of fruits and pieces per cup",
                "Pieces of each fruit in one cup.")
        case .price: key(.number(ValueForm.money), "The price of a cup. The default is 0.")
        case .popularity: key(.number(0...1e12), "The weight of this juice in customers' choices. The default is 1.")
        case .preparation: key(.distribution(.seconds), "How long a maker is busy with one cup. The default is 30s.")
        }
    }
}

/// The laws by the keys that name them in a configuration.
package enum LawName: String, CaseIterable {
    case exponential, uniform, triangular, normal, lognormal, gamma, erlang, weibull, poisson, geometric, empirical

    fileprivate func key(_ unit: DistributionUnit) -> ObjectForm.Key {
        func parameter(_ name: String, _ form: ValueForm, _ about: String) -> ObjectForm.Key {
            .init(name, form, required: "a number", about)
        }
        let amount = ValueForm.amount(unit, least: 0)
        let scale = ValueForm.amount(unit, least: 1e-9)
        let shape = parameter("shape", .number(1e-3...1e9), "The shape.")
        let mean = parameter("mean", scale, "The mean.")
        let deviation = parameter("deviation", amount, "The standard deviation.")
        let (from, to) = (
            parameter("from", amount, "The smallest value."), parameter("to", amount, "The largest value.")
        )
        let (parameters, about): ([ObjectForm.Key], String) =
            switch self {
            case .exponential: ([mean], "Exponential.")
            case .uniform: ([from, to], "Uniform.")
            case .triangular: ([from, parameter("mode", amount, "The most likely value."), to], "Triangular.")
            case .normal:
                ([parameter("mean", amount, "The mean."), deviation], "Normal; negative values are drawn again.")
            case .lognormal: ([mean, deviation], "Lognormal, by the mean and deviation of the variable itself.")
            case .gamma: ([shape, mean], "Gamma.")
            case .erlang: ([parameter("stages", .integer(1...1_000_000), "The number of stages."), mean], "Erlang.")
            case .weibull: ([shape, parameter("scale", scale, "The scale.")], "Weibull.")
            case .poisson: ([parameter("mean", .number(0...1e9), "The mean.")], "Poisson, on 0, 1, 2, …")
            case .geometric: ([parameter("mean", .number(1...1e9), "The mean.")], "Geometric, on 1, 2, 3, …")
            case .empirical:
                (
                    [
                        .init("values", .list(amount), required: "a list of numbers", "The possible values."),
                        .init("weights", .list(.number(0...1e300)), "Their weights. By default all are equal."),
                    ], "One of some values."
                )
            }
        return .init(rawValue, .object(parameters), about)
    }
}

/// The keys of an arrival law.
enum ArrivalName: String, CaseIterable {
    case poisson, renewal, profile, bursts, week, trace

    fileprivate var key: ObjectForm.Key {
        func key(_ form: ValueForm, _ about: String) -> ObjectForm.Key { .init(rawValue, form, about) }
        let rates = ValueForm.list(.rate)
        let every = ObjectForm.Key("every", .duration, required: "a duration", "How long each rate holds.")
        switch self {
        case .poisson:
            return key(.object([.perSecond]), "Customers at a constant rate, independent of each other.")
        case .renewal: return key(.distribution(.seconds), "The time between two customers.")
        case .profile:
            let perSecond = ObjectForm.Key("perSecond", rates, required: "a list of rates", "The rates in turn.")
            return key(
                .object([every, perSecond, .init("repeat", .flag, "Whether it starts again after the last rate.")]),
                "A rate that changes with time.")
        case .bursts:
            let phase = ValueForm.object([
                .perSecond,
                .init("lasting", .distribution(.seconds), required: "a distribution", "How long the phase lasts."),
            ])
            let required = #"{"perSecond": …, "lasting": …}"#
            return key(
                .object([
                    .init("calm", phase, required: required, "The phase at the opening."),
                    .init("busy", phase, required: required, "The other phase."),
                ]), "A rate that alternates between two phases.")
        case .week:
            let days = Weekday.short.map { ObjectForm.Key($0, rates, "The rates of this day, from midnight on.") }
            let followers: [ObjectForm.Key] = [
                .init(
                    "share", .number(0...0.9999), required: "a share from 0 to below 1",
                    "The probability that a party is followed by another, and that one again."),
                .init(
                    "after", .distribution(.seconds), required: "a distribution", "The time between the two."),
            ]
            return key(
                .object([
                    every,
                    .init(
                        "perSecond", .either([rates, .object(days)]), required: "a list of rates",
                        "The rates of every day, or of each day of the week."),
                    .init("level", .distribution(.count), "A factor on the rates, drawn once a day."),
                    .init("spacing", .duration, "The least time between two parties. The default is 0."),
                    .init("followers", .object(followers), "Parties that follow others soon."),
                ]), "A rate by time of day and day of the week.")
        case .trace: return key(.object(TraceLoader.keys), "The orders of a file.")
        }
    }
}

extension ObjectForm.Key {
    fileprivate static let perSecond = ObjectForm.Key(
        "perSecond", .rate, required: "customers per second", "Customers per second.")
}

extension ValueForm {
    /// The whole configuration.
    static let stand = ValueForm.object(
        StandKey.allCases.map(\.key) + [
            .init("$schema", .text, "The JSON Schema of this file, for editors. It changes nothing about the stand.")
        ])

    /// The object with the one key that names a law.
    static func law(_ unit: DistributionUnit) -> ValueForm {
        switch unit {
        case .seconds: lawOfSeconds
        case .count: lawOfCounts
        }
    }

    private static let lawOfSeconds = oneOf(LawName.allCases.map { $0.key(.seconds) })
    private static let lawOfCounts = oneOf(LawName.allCases.map { $0.key(.count) })

    fileprivate static let mostPieces = 1_000_000_000
    fileprivate static let mostMakers = 1_000_000
    fileprivate static let money = 0...1e12

    /// Customers per second. Gaps are rounded to whole nanoseconds, which makes the rate too high by about 1/(24·*g*²)
    /// for a mean gap of *g* nanoseconds: 0.0004% at the highest rate here, but 4% at 10⁹ per second.
    fileprivate static let rate = ValueForm.number(0...1e7)

    fileprivate static let shifts = ValueForm.object([
        .init(
            "shifts",
            .object([
                .init("every", .period, required: "a duration", "How long each shift lasts."),
                .init(
                    "makers", .list(.integer(0...mostMakers)), required: "a list of numbers of makers",
                    "The makers of each shift in turn."),
                .init("repeat", .flag, "Whether the first shift follows the last. By default the last one stays."),
            ]), required: #"{"every": …, "makers": […]}"#, "Makers by time since the opening.")
    ])

    fileprivate static let costs = ValueForm.object([
        .init("unit", .number(money), "Per piece ordered. The default is 0."),
        .init("order", .number(money), "Per order of fruit. The default is 0."),
        .init("holding", .number(money), "Per piece and day in stock. The default is 0."),
        .init("shortage", .number(money), "Per missing piece and day. The default is 0."),
    ])

    fileprivate static let restock: ValueForm = {
        func whole(_ name: String, _ range: ClosedRange<Int>, _ about: String) -> ObjectForm.Key {
            .init(name, .integer(range), required: "a whole number", about)
        }
        // A negative reorder point is reached when that many pieces are backordered.
        let point = whole(
            "reorderPoint", -mostPieces...mostPieces - 1,
            "Orders when pieces on hand and on order, less those backordered, fall to this or below.")
        let leadTime = ObjectForm.Key("leadTime", .distribution(.seconds), "The time to delivery. The default is 0.")
        let review = ObjectForm.Key(
            "review", .either([.period, .word("continuous")]),
            "How often the rule is applied. The default is \"continuous\".")
        return .oneOf([
            .init(
                "orderUpTo",
                .object([point, whole("level", -mostPieces + 1...mostPieces, "Orders up to this."), leadTime, review]),
                "The (s, S) rule."),
            .init(
                "fixedQuantity",
                .object([point, whole("quantity", 1...mostPieces, "The pieces of one order."), leadTime]),
                "The (s, Q) rule."),
        ])
    }()
}
