import TextFormats

// Settings as a configuration with every default filled in.

extension StandSettings {
    /// The configuration of these settings. Reading it gives the same settings.
    ///
    /// Durations are numbers of seconds.
    package func resolved() -> JSONValue { json(hasFaces: true, fileOfTrace: \.file) }

    /// The configuration with only the file name of a trace, so that it does not depend on the trace's folder, and
    /// without the faces of fruits, which change no result.
    package func resolvedAnywhere() -> JSONValue {
        json { source in String(source.file.split(separator: "/").last ?? "") }
    }

    /// The hash of the resolved configuration without the keys that change no event. It identifies a trace by its
    /// content.
    func makeFingerprint() -> String {
        guard case .object(let members) = json(fileOfTrace: \.fingerprint) else { return "" }
        let left: Set = ["seed", "wiring", "wage"]
        return Fingerprint(JSONValue.object(members.filter { !left.contains($0.key) }).compact()).text
    }

    private func json(hasFaces: Bool = false, fileOfTrace: (Trace.Source) -> String) -> JSONValue {
        [
            "stand": .string(stand), "opens": .string(opens), "seed": .integer(Int64(seed)), "wiring": .string(wiring),
            "currency": .string(currency), "wage": .number(wage),
            "fruits": .object(
                zip(menu.fruits, shelves).map { fruit, shelf in
                    .init(key: fruit.name, value: shelf.json(names: fruit.names, hasFaces ? fruit.face : nil))
                }),
            "menu": .object(menu.allJuices.map { .init(key: menu.name(of: $0), value: json($0)) }),
            "makers": shifts?.json ?? limit(makers), "queue": ["limit": limit(queueLimit)],
            "customers": customers.json(fileOfTrace: fileOfTrace),
        ]
    }

    private func limit(_ number: Int) -> JSONValue { number == .max ? "unlimited" : .integer(Int64(number)) }

    private func json(_ juice: Juice) -> JSONValue {
        let entry = menu.juices[juice.index]
        let offer = offers[juice.index]
        let recipe = entry.recipe.map {
            JSONValue.Member(key: menu.name(of: $0.fruit), value: .integer(Int64($0.pieces)))
        }
        return [
            "names": entry.names.json, "category": entry.category.map { .string($0) },
            "method": entry.method.map { .string($0) }, "recipe": .object(recipe), "price": .number(offer.price),
            "popularity": .number(offer.popularity), "preparation": offer.preparation.json,
        ]
    }
}

extension [LocalizedName] {
    /// Nil if there are none.
    fileprivate var json: JSONValue? {
        isEmpty ? nil : .object(map { .init(key: $0.language, value: .string($0.name)) })
    }
}

extension StandSettings.Shelf {
    fileprivate func json(names: [LocalizedName], _ face: FruitFace?) -> JSONValue {
        [
            "names": names.json, "colour": face.map { .string($0.colour) }, "picture": face.map { .string($0.picture) },
            "initial": initial.map { .integer(Int64($0)) } ?? "unlimited",
            "capacity": capacity.map { .integer(Int64($0)) }, "lowStock": lowStock.map { .integer(Int64($0)) },
            "restock": restock.json, "shelfLife": shelfLife.map { .number($0.seconds) },
            "costs": [
                "unit": .number(costs.unit), "order": .number(costs.order), "holding": .number(costs.holding),
                "shortage": .number(costs.shortage),
            ],
        ]
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
        [
            "arrivals": arrivals.json(fileOfTrace: fileOfTrace), "cups": cups.json,
            // A stand without parties keeps the fingerprint it had before there were any.
            "party": party == .constant(1) ? nil : party.json, "patience": patience?.json,
            "whenSoldOut": .string(whenSoldOut.rawValue),
        ]
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
        let days = zip(Weekday.short, lists).filter { $1 != .array([]) }
        return [
            "every": .number(every.seconds),
            "perSecond": isSameEveryDay ? lists[0] : .object(days.map { .init(key: $0, value: $1) }),
            "level": level?.json, "spacing": spacing.map { .number($0.seconds) },
            "followers": followers.map { ["share": .number($0.share), "after": $0.after.json] },
        ]
    }
}

extension Arrivals.Phase {
    fileprivate var json: JSONValue { ["perSecond": .number(perSecond), "lasting": lasting.json] }
}

extension Trace.Source {
    fileprivate func json(file: String) -> JSONValue {
        [
            "file": .string(file), "time": .string(time), "juice": .string(juice), "cups": cups.map { .string($0) },
            "order": order.map { .string($0) },
            "map": .object(map.map { .init(key: $0.item, value: $0.juice.map { .string($0) } ?? .null) }),
            "unmapped": .string(unmapped.rawValue), "timeFormat": timeFormat.map { .string($0) },
            "timeZone": timeZone.map { .string($0) }, "where": conditions.isEmpty ? nil : .strings(conditions),
        ]
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
