import TextFormats

// Settings as a configuration with every default filled in.

extension StandSettings {
    /// The configuration of these settings. Reading it gives the same settings.
    ///
    /// Durations are numbers of seconds.
    package func resolved() -> JSONValue { json(fileOfTrace: \.file) }

    /// The configuration with only the file name of a trace, so that it does not depend on the trace's folder.
    package func resolvedAnywhere() -> JSONValue {
        json { source in String(source.file.split(separator: "/").last ?? "") }
    }

    /// The hash of the resolved configuration without its seed and wiring. It identifies a trace by its content.
    func makeFingerprint() -> String {
        guard case .object(let members) = json(fileOfTrace: \.fingerprint) else { return "" }
        return Fingerprint(JSONValue.object(members.filter { $0.key != "seed" && $0.key != "wiring" }).compact()).text
    }

    private func json(fileOfTrace: (Trace.Source) -> String) -> JSONValue {
        [
            "stand": .string(stand), "opens": .string(opens), "seed": .integer(Int64(seed)), "wiring": .string(wiring),
            "currency": .string(currency),
            "fruits": .object(
                zip(menu.fruits, shelves).map { .init(key: $0.name, value: $1.json(names: $0.names)) }),
            "menu": .object(menu.allJuices.map { .init(key: menu.name(of: $0), value: json($0)) }),
            "makers": shifts?.json ?? limit(makers), "queue": ["limit": limit(queueLimit)],
            "customers": customers.json(fileOfTrace: fileOfTrace),
        ]
    }

    private func limit(_ number: Int) -> JSONValue {
        number == .max ? "unlimited" : .integer(Int64(number))
    }

    private func json(_ juice: Juice) -> JSONValue {
        let entry = menu.juices[juice.index]
        let offer = offers[juice.index]
        var members: [JSONValue.Member] = []
        if !entry.names.isEmpty { members.append(.init(key: "names", value: entry.names.json)) }
        if let category = entry.category { members.append(.init(key: "category", value: .string(category))) }
        if let method = entry.method { members.append(.init(key: "method", value: .string(method))) }
        let recipe = entry.recipe.map {
            JSONValue.Member(key: menu.name(of: $0.fruit), value: .integer(Int64($0.pieces)))
        }
        members += [
            .init(key: "recipe", value: .object(recipe)), .init(key: "price", value: .number(offer.price)),
            .init(key: "popularity", value: .number(offer.popularity)),
            .init(key: "preparation", value: offer.preparation.json),
        ]
        return .object(members)
    }
}

extension [LocalizedName] {
    fileprivate var json: JSONValue { .object(map { .init(key: $0.language, value: .string($0.name)) }) }
}

extension StandSettings.Shelf {
    fileprivate func json(names: [LocalizedName]) -> JSONValue {
        var members: [JSONValue.Member] = []
        if !names.isEmpty { members.append(.init(key: "names", value: names.json)) }
        members.append(.init(key: "initial", value: initial.map { .integer(Int64($0)) } ?? "unlimited"))
        if let capacity { members.append(.init(key: "capacity", value: .integer(Int64(capacity)))) }
        if let lowStock { members.append(.init(key: "lowStock", value: .integer(Int64(lowStock)))) }
        members.append(.init(key: "restock", value: restock.json))
        if let shelfLife { members.append(.init(key: "shelfLife", value: .number(shelfLife.seconds))) }
        members.append(
            .init(
                key: "costs",
                value: [
                    "unit": .number(costs.unit), "order": .number(costs.order), "holding": .number(costs.holding),
                    "shortage": .number(costs.shortage),
                ]))
        return .object(members)
    }
}

extension StandSettings.Shifts {
    fileprivate var json: JSONValue {
        [
            "shifts": [
                "every": .number(every.seconds), "makers": .array(makers.map { .integer(Int64($0)) }),
                "repeat": .bool(repeats),
            ]
        ]
    }
}

extension RestockPolicy {
    fileprivate var json: JSONValue {
        switch self {
        case .manual:
            "manual"
        case .orderUpTo(let reorderPoint, let level, let leadTime, let review):
            [
                "orderUpTo": [
                    "reorderPoint": .integer(Int64(reorderPoint)), "level": .integer(Int64(level)),
                    "leadTime": leadTime.json, "review": review.map { .number($0.seconds) } ?? "continuous",
                ]
            ]
        case .fixedQuantity(let reorderPoint, let quantity, let leadTime):
            [
                "fixedQuantity": [
                    "reorderPoint": .integer(Int64(reorderPoint)), "quantity": .integer(Int64(quantity)),
                    "leadTime": leadTime.json,
                ]
            ]
        }
    }
}

extension StandSettings.Customers {
    fileprivate func json(fileOfTrace: (Trace.Source) -> String) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "arrivals", value: arrivals.json(fileOfTrace: fileOfTrace)),
            .init(key: "cups", value: cups.json),
        ]
        // A stand without parties keeps the fingerprint it had before there were any.
        if party != .constant(1) { members.append(.init(key: "party", value: party.json)) }
        if let patience { members.append(.init(key: "patience", value: patience.json)) }
        members.append(.init(key: "whenSoldOut", value: .string(whenSoldOut.rawValue)))
        return .object(members)
    }
}

extension Arrivals {
    fileprivate func json(fileOfTrace: (Trace.Source) -> String) -> JSONValue {
        switch self {
        case .poisson(let perSecond): ["poisson": ["perSecond": .number(perSecond)]]
        case .renewal(let law): ["renewal": law.json]
        case .profile(let every, let perSecond, let repeats):
            [
                "profile": [
                    "every": .number(every.seconds), "perSecond": .array(perSecond.map { .number($0) }),
                    "repeat": .bool(repeats),
                ]
            ]
        case .bursts(let calm, let busy): ["bursts": ["calm": calm.json, "busy": busy.json]]
        case .week(let week): ["week": week.json]
        case .trace(let trace): ["trace": trace.source.json(file: fileOfTrace(trace.source))]
        }
    }
}

extension Arrivals.Week {
    fileprivate var json: JSONValue {
        let lists = perSecond.map { rates in JSONValue.array(rates.map { .number($0) }) }
        let days = zip(SettingsReader.days, lists).filter { $1 != .array([]) }
        var members: [JSONValue.Member] = [
            .init(key: "every", value: .number(every.seconds)),
            .init(
                key: "perSecond",
                value: isSameEveryDay ? lists[0] : .object(days.map { .init(key: $0, value: $1) })),
        ]
        if let level { members.append(.init(key: "level", value: level.json)) }
        if let spacing { members.append(.init(key: "spacing", value: .number(spacing.seconds))) }
        if let followers {
            members.append(
                .init(
                    key: "followers",
                    value: ["perSecond": .number(followers.perSecond), "lasting": .number(followers.lasting.seconds)]))
        }
        return .object(members)
    }
}

extension Arrivals.Phase {
    fileprivate var json: JSONValue { ["perSecond": .number(perSecond), "lasting": lasting.json] }
}

extension Trace.Source {
    fileprivate func json(file: String) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "file", value: .string(file)), .init(key: "time", value: .string(time)),
            .init(key: "juice", value: .string(juice)),
        ]
        if let cups { members.append(.init(key: "cups", value: .string(cups))) }
        if let order { members.append(.init(key: "order", value: .string(order))) }
        members += [
            .init(
                key: "map",
                value: .object(map.map { .init(key: $0.item, value: $0.juice.map { .string($0) } ?? .null) })),
            .init(key: "unmapped", value: .string(unmapped.rawValue)),
        ]
        if let timeFormat { members.append(.init(key: "timeFormat", value: .string(timeFormat))) }
        return .object(members)
    }
}

extension Distribution {
    fileprivate var json: JSONValue {
        func law(_ name: LawName, _ parameters: JSONValue) -> JSONValue {
            .object([.init(key: name.rawValue, value: parameters)])
        }
        return switch self {
        case .constant(let value): .number(value)
        case .exponential(let mean): law(.exponential, ["mean": .number(mean)])
        case .uniform(let from, let to): law(.uniform, ["from": .number(from), "to": .number(to)])
        case .triangular(let from, let mode, let to):
            law(.triangular, ["from": .number(from), "mode": .number(mode), "to": .number(to)])
        case .normal(let mean, let deviation): law(.normal, ["mean": .number(mean), "deviation": .number(deviation)])
        case .lognormal(let mean, let deviation):
            law(.lognormal, ["mean": .number(mean), "deviation": .number(deviation)])
        case .gamma(let shape, let mean): law(.gamma, ["shape": .number(shape), "mean": .number(mean)])
        case .erlang(let stages, let mean): law(.erlang, ["stages": .integer(Int64(stages)), "mean": .number(mean)])
        case .weibull(let shape, let scale): law(.weibull, ["shape": .number(shape), "scale": .number(scale)])
        case .poisson(let mean): law(.poisson, ["mean": .number(mean)])
        case .geometric(let mean): law(.geometric, ["mean": .number(mean)])
        case .empirical(let empirical):
            law(
                .empirical,
                [
                    "values": .array(empirical.values.map { .number($0) }),
                    "weights": .array(empirical.weights.map { .number($0) }),
                ])
        }
    }
}
