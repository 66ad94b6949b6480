import JuiceStand
import TextFormats

extension Comparison {
    /// The comparison as JSON; times of delivery are in seconds.
    package func json() -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "schema", value: .string(Self.schema)), .init(key: "machine", value: machine.json),
        ]
        if isPartial { members.append(.init(key: "partial", value: true)) }
        if let stand { members.append(.init(key: "stand", value: stand.json)) }
        members.append(.init(key: "wirings", value: .array(wirings.map(\.json))))
        members.append(.init(key: "rows", value: .array(rows.map(\.json))))
        members.append(
            .init(
                key: "advice",
                value: .array(
                    Advice.all.compactMap { advice in
                        advice.line(self).map {
                            [
                                "wiring": .string(advice.choice.rawValue), "text": .string($0),
                                "rows": .array(advice.rows.map { .string($0.rawValue) }),
                            ]
                        }
                    })))
        members.append(
            .init(
                key: "absent",
                value: .array(Self.absent.map { ["name": .string($0.name), "why": .string($0.why)] })))
        return .object(members)
    }

    /// The properties that were asked for.
    var rows: [Property] {
        Property.allCases.filter { row in wirings.contains { $0.findings[row] != nil } }
    }

    /// Mechanisms that people know and that are not compared.
    static var absent: [(name: String, why: String)] {
        #if canImport(ObjectiveC)
            [("key-value-observing", "not compared: the program is tested on Linux, which does not have it")]
        #else
            [("key-value-observing", "needs the Objective-C runtime, which this platform does not have")]
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
            "description": .string(description), "system": .string(system), "processor": .string(processor),
            "processors": .integer(Int64(processors)), "load": load.json, "optimized": .bool(isOptimized),
        ]
    }
}

extension Spread {
    fileprivate var json: JSONValue { ["median": .number(median), "min": .number(min), "max": .number(max)] }
}

extension Double? {
    fileprivate var json: JSONValue { map { .number($0) } ?? .null }
}

extension Comparison.StandFigures {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "seed": .integer(Int64(seed)), "horizon": .number(horizon.seconds),
            "orders": .integer(Int64(orders)), "notifications": .integer(Int64(facts)),
            "observers": .integer(Int64(observers)),
        ]
    }
}

extension Comparison.Wiring {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "name", value: .string(choice.rawValue)),
            .init(key: "mechanism", value: .string(choice.mechanism)),
            .init(key: "configuration", value: .string(choice.subject.configuration)),
            .init(key: "speed", value: .array(speed.map { .object($0.members) })),
        ]
        if !variants.isEmpty {
            let values = variants.map { name, speed in
                JSONValue.object([.init(key: "name", value: .string(name))] + speed.members)
            }
            members.append(.init(key: "variants", value: .array(values)))
        }
        if let observing { members.append(.init(key: "observing", value: observing.json)) }
        members.append(.init(key: "stand", value: stand?.json ?? ["why": "not measured"]))
        if let twoThreads { members.append(.init(key: "twoThreads", value: twoThreads.json)) }
        let rows = Property.allCases.compactMap { row in findings[row].map { ($0, row) } }
        members.append(
            .init(
                key: "properties",
                value: .object(rows.map { .init(key: $1.rawValue, value: $0.json($1)) })))
        return .object(members)
    }
}

extension Comparison.Speed {
    fileprivate var members: [JSONValue.Member] {
        [
            .init(key: "observers", value: .integer(Int64(observers))),
            .init(key: "nanosecondsPerNotification", value: nanoseconds.json),
            .init(key: "ratioToClosure", value: .number(ratioToClosure)),
            .init(key: "allocationsPerNotification", value: allocations.json),
        ]
    }
}

extension Comparison.Observing {
    fileprivate var json: JSONValue {
        [
            "nanosecondsToObserveAndCancel": nanoseconds.json, "besideThousandOthers": besideThousand.json,
            "whileAnotherThreadPosts": whileAnotherPosts?.json ?? .null, "bytesPerObserver": bytes.json,
            "allocationsPerObserver": allocations.json, "bytesPerEvent": eventBytes.json,
        ]
    }
}

extension Comparison.Stand {
    fileprivate var json: JSONValue {
        switch self {
        case .refused(let why): ["why": .string(why)]
        case .measured(let ordersPerSecond, let loads):
            [
                "ordersPerSecond": ordersPerSecond.json, "deliveryLatency": loads.first?.latencies ?? .null,
                "loads": .array(loads.map(\.json)),
            ]
        }
    }
}

extension Comparison.Load {
    fileprivate var latencies: JSONValue {
        func seconds(_ span: SimulationTime?) -> JSONValue { span.map { .number($0.seconds) } ?? .null }
        return [
            "p50": seconds(latency.percentile(perMille: 500)), "p99": seconds(latency.percentile(perMille: 990)),
            "p999": seconds(latency.percentile(perMille: 999)), "max": seconds(latency.maximum),
        ]
    }

    fileprivate var json: JSONValue {
        [
            "ordersPerSecond": .number(rate), "deliveryLatency": latencies, "notifications": .integer(Int64(posted)),
            "backlog": .integer(Int64(backlog)), "dropped": .integer(Int64(dropped)),
        ]
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
        var members: [JSONValue.Member] = [
            .init(key: "group", value: .string(property.group.rawValue)),
            .init(key: "holds", value: holds.map { .bool($0) } ?? .null), .init(key: "applies", value: .bool(applies)),
            .init(key: "evidence", value: .string(evidence)),
        ]
        if let price { members.append(.init(key: "price", value: .number(price))) }
        return .object(members)
    }
}
