import JuiceStand
import TextFormats

extension Comparison {
    /// The comparison as JSON; times of delivery are in seconds.
    package func json() -> JSONValue {
        [
            "schema": .string(Self.schema), "machine": machine.json, "partial": isPartial ? true : nil,
            "cutOff": cutOff.isEmpty ? nil : .strings(cutOff),
            "stand": stand?.json, "wirings": .array(wirings.map(\.json)), "rows": .array(rows.map(\.json)),
            "bursts": .object(
                wirings.compactMap { wiring in
                    wiring.burst.map { .init(key: wiring.choice.rawValue, value: $0.json) }
                }),
            "advice": .array(Advice.all.compactMap { json($0) }),
            "absent": .array(Self.absent.map { ["name": .string($0.name), "why": .string($0.why)] }),
        ]
    }

    /// A line of advice; nil if the comparison has no finding for it.
    private func json(_ advice: Advice) -> JSONValue? {
        advice.line(self).map {
            [
                "wiring": .string(advice.choice.rawValue), "text": .string($0),
                "rows": .array(advice.rows.map { .string($0.property.rawValue) }),
            ]
        }
    }

    /// The properties that were asked for.
    package var rows: [Property] {
        Property.allCases.filter { row in wirings.contains { $0.findings[row] != nil } }
    }

    /// Mechanisms that people know and that are not compared.
    static var absent: [(name: String, why: String)] {
        #if canImport(ObjectiveC)
            ["key-value-observing", "combine"].map { ($0, "not compared: the program is tested on Linux") }
        #else
            [
                ("key-value-observing", "needs the Objective-C runtime; this system has none"),
                ("combine", "is not on this system; subject does the same without demand"),
            ]
        #endif
    }
}

extension Property {
    fileprivate var json: JSONValue {
        ["name": .string(rawValue), "group": .string(group.rawValue), "title": .string(title)]
    }
}

extension Machine {
    fileprivate var json: JSONValue {
        [
            "description": .string(message), "system": .string(system), "processor": .string(processor),
            "processors": .whole(processors), "load": .orNull(load), "optimized": .bool(isOptimized),
        ]
    }
}

extension Spread {
    fileprivate var json: JSONValue { ["median": .number(median), "min": .number(min), "max": .number(max)] }
}

extension Comparison.StandFigures {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "seed": .whole(seed), "horizon": .number(horizon.seconds),
            "orders": .whole(orders), "notifications": .whole(facts), "observers": .whole(observers),
        ]
    }
}

extension Comparison.Wiring {
    fileprivate var json: JSONValue {
        let variants = variants.map { name, speed in
            JSONValue.object([.init(key: "name", value: .string(name))] + speed.members)
        }
        let rows = Property.allCases.compactMap { row in findings[row].map { ($0, row) } }
        return [
            "name": .string(choice.rawValue), "mechanism": .string(choice.mechanism),
            "configuration": .string(choice.details.configuration), "speed": .array(speed.map { .object($0.members) }),
            "variants": variants.isEmpty ? nil : .array(variants), "observing": observing?.json,
            "stand": stand?.json(burst?.latencies) ?? ["why": "not measured"], "twoThreads": twoThreads?.json,
            "properties": .object(rows.map { .init(key: $1.rawValue, value: $0.json($1)) }),
        ]
    }
}

extension Comparison.Speed {
    fileprivate var members: [JSONValue.Member] {
        [
            .init(key: "observers", value: .whole(observers)),
            .init(key: "nanosecondsPerNotification", value: nanoseconds.json),
            .init(key: "ratioToClosure", value: .number(ratioToClosure)),
            .init(key: "allocationsPerNotification", value: .orNull(allocations)),
        ]
    }
}

extension Comparison.Observing {
    fileprivate var json: JSONValue {
        [
            "nanosecondsToObserveAndCancel": nanoseconds.json, "besideThousandOthers": besideThousand.json,
            "whileAnotherThreadPosts": whileAnotherPosts?.json ?? .null, "bytesPerObserver": .orNull(bytes),
            "allocationsPerObserver": .orNull(allocations), "bytesPerEvent": .orNull(eventBytes),
        ]
    }
}

extension Comparison.Stand {
    fileprivate func json(_ latencies: JSONValue?) -> JSONValue {
        switch self {
        case .refused(let why): ["why": .string(why)]
        case .measured(let speed):
            [
                "ordersPerSecond": speed.ordersPerSecond.json, "ratioToClosure": .number(speed.ratioToClosure),
                "interval": speed.interval.map { [.number($0.lowerBound), .number($0.upperBound)] } ?? .null,
                "deliveryShare": .number(speed.deliveryShare), "deliveryLatency": latencies ?? .null,
            ]
        }
    }
}

extension Comparison.Burst {
    fileprivate var latencies: JSONValue {
        func percentile(_ perMille: UInt64) -> JSONValue { .orNull(latency.percentile(perMille: perMille)?.seconds) }
        return ["p50": percentile(500), "p99": percentile(990), "max": .orNull(latency.maximum?.seconds)]
    }

    fileprivate var json: JSONValue {
        func members(_ posted: Int, _ heard: [Int]?) -> [JSONValue.Member] {
            let why: JSONValue = .string(Self.notDrained)
            return [
                .init(key: "posted", value: .whole(posted)),
                .init(key: "heard", value: heard.map { .array($0.map { .whole($0) }) } ?? .null),
            ] + (heard == nil ? [.init(key: "why", value: why)] : [])
        }
        return .object(
            members(Self.postedAtOnce, heard) + [.init(key: "paced", value: .object(members(Self.postedPaced, paced)))])
    }
}

extension Comparison.TwoThreads {
    fileprivate var json: JSONValue {
        switch self {
        case .measured(let slowdown): ["slowdown": slowdown.json]
        case .refused(let why): ["why": .string(why)]
        }
    }
}

extension Finding {
    fileprivate func json(_ property: Property) -> JSONValue {
        [
            "group": .string(property.group.rawValue), "holds": holds.map { .bool($0) } ?? .null,
            "applies": .bool(applies), "evidence": .string(evidence), "price": price.map { .number($0) },
            "recorded": recorded.map { .string($0) },
        ]
    }
}
