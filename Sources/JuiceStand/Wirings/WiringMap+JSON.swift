import TextFormats

extension WiringMap {
    package static let schema = "juicestand.wiring/1"

    /// The clock that counts the seconds of a measurement.
    package enum Clock: String {
        case wall
        case stand
    }

    /// The map as JSON, with times in seconds.
    ///
    /// - Parameters:
    ///   - stand: The name of the stand.
    ///   - choice: The wiring of the stand.
    ///   - seconds: The time of the measurement.
    ///   - clock: The clock of these seconds.
    ///   - price: How much more a call cost while calls were timed.
    package func json(
        of stand: String, _ choice: WiringChoice, over seconds: Double, of clock: Clock, price: Duration
    ) -> JSONValue {
        let isTimed = entries.contains { $0.listeners.contains { $0.calls != nil } }
        let unheard = entries.filter(\.listeners.isEmpty)
        return [
            "schema": .string(Self.schema), "stand": .string(stand), "wiring": .string(choice.rawValue),
            "mechanism": .string(choice.mechanism), "clock": .string(clock.rawValue), "seconds": .number(seconds),
            "pricePerCall": isTimed ? price.json : .null,
            "facts": .array(entries.map { $0.json(over: seconds) }),
            "unheard": [
                "facts": .array(unheard.map { .string($0.kind.name) }), "count": .whole(self.unheard),
            ],
            "slowest": slowest.map {
                ["observer": .string($0.name), "fact": .string($0.kind.name), "seconds": $0.time.json]
            },
        ]
    }
}

extension WiringMap.Entry {
    fileprivate func json(over seconds: Double) -> JSONValue {
        // Facts without an observer are not posted.
        let isKnown = !listeners.isEmpty
        return [
            "fact": .string(kind.name), "postedBy": .string(kind.poster),
            "count": isKnown ? .whole(posts) : .null,
            "perSecond": isKnown && seconds > 0 ? .number(Double(posts) / seconds) : .null,
            "delivery": posts > 0 ? delivery.map { ($0 / posts).json } ?? .null : .null,
            "observers": .array(listeners.map(\.json)),
        ]
    }
}

extension WiringMap.Listener {
    fileprivate var json: JSONValue {
        let isCalled = (calls?.count ?? 0) > 0
        return [
            "observer": .string(name), "calls": .orNull(calls?.count),
            "mean": calls.flatMap { isCalled ? ($0.total / $0.count).json : nil } ?? .null,
            "slowest": calls.flatMap { isCalled ? $0.slowest.json : nil } ?? .null,
        ]
    }
}

extension Duration {
    fileprivate var json: JSONValue { .number(self / .seconds(1)) }
}
