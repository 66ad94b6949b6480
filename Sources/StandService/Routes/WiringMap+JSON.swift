import JuiceStand
import TextFormats

extension WiringMap {
    package static let schema = "juicestand.wiring/1"

    /// What the seconds of a measurement are seconds of.
    package enum Clock: String {
        case wall
        case stand
    }

    /// The map as JSON, with times in seconds.
    ///
    /// - Parameters:
    ///   - seconds: The time of the measurement.
    ///   - price: How much more a call cost while calls were timed.
    package func json(
        of stand: String, _ choice: WiringChoice, over seconds: Double, of clock: Clock, price: Duration
    ) -> JSONValue {
        let isTimed = entries.contains { $0.listeners.contains { $0.calls != nil } }
        let unheard = entries.filter(\.listeners.isEmpty)
        var members: [JSONValue.Member] = [
            .init(key: "schema", value: .string(Self.schema)), .init(key: "stand", value: .string(stand)),
            .init(key: "wiring", value: .string(choice.rawValue)),
            .init(key: "mechanism", value: .string(choice.mechanism)),
            .init(key: "clock", value: .string(clock.rawValue)), .init(key: "seconds", value: .number(seconds)),
            .init(key: "pricePerCall", value: isTimed ? price.json : .null),
            .init(key: "facts", value: .array(entries.map { $0.json(over: seconds) })),
            .init(
                key: "unheard",
                value: [
                    "facts": .array(unheard.map { .string($0.kind.name) }), "count": .integer(Int64(self.unheard)),
                ]),
        ]
        if let slowest {
            members.append(
                .init(
                    key: "slowest",
                    value: [
                        "observer": .string(slowest.name), "fact": .string(slowest.kind.name),
                        "seconds": slowest.time.json,
                    ]))
        }
        return .object(members)
    }
}

extension WiringMap.Entry {
    fileprivate func json(over seconds: Double) -> JSONValue {
        // Nothing is posted if nobody would hear it.
        let isKnown = !listeners.isEmpty
        return [
            "fact": .string(kind.name), "postedBy": .string(kind.poster),
            "count": isKnown ? .integer(Int64(posts)) : .null,
            "perSecond": isKnown && seconds > 0 ? .number(Double(posts) / seconds) : .null,
            "delivery": posts > 0 ? (delivery / posts).json : .null,
            "observers": .array(listeners.map(\.json)),
        ]
    }
}

extension WiringMap.Listener {
    fileprivate var json: JSONValue {
        let isCalled = (calls?.count ?? 0) > 0
        return [
            "observer": .string(name), "priority": priority.map { .integer(Int64($0)) } ?? .null,
            "calls": calls.map { .integer(Int64($0.count)) } ?? .null,
            "mean": calls.flatMap { isCalled ? ($0.total / $0.count).json : nil } ?? .null,
            "slowest": calls.flatMap { isCalled ? $0.slowest.json : nil } ?? .null,
        ]
    }
}

extension Duration {
    fileprivate var json: JSONValue { .number(self / .seconds(1)) }
}
