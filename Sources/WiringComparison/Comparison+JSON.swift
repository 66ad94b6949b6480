import JuiceStand
import TextFormats

extension Comparison {
    /// Contract, section 7; times of delivery are in seconds, as everywhere in JSON.
    package func json() -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "schema", value: .string(Self.schema)), .init(key: "machine", value: machine.json),
        ]
        if isPartial { members.append(.init(key: "partial", value: true)) }
        if let stand { members.append(.init(key: "stand", value: stand.json)) }
        members.append(.init(key: "wirings", value: .array(wirings.map(\.json))))
        members.append(
            .init(
                key: "absent",
                value: .array(Self.absent.map { ["name": .string($0.name), "why": .string($0.why)] })))
        return .object(members)
    }

    /// What people know and will look for in vain.
    static var absent: [(name: String, why: String)] {
        #if canImport(ObjectiveC)
            [("key-value-observing", "not compared: the project is run and promised on Linux, which does not have it")]
        #else
            [("key-value-observing", "needs the Objective-C runtime, which this platform does not have")]
        #endif
    }
}

extension Machine {
    fileprivate var json: JSONValue {
        [
            "system": .string(system), "processor": .string(processor), "processors": .integer(Int64(processors)),
            "load": load.map { .number($0) } ?? .null, "optimized": .bool(isOptimized), "pinned": .bool(isPinned),
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
            .init(key: "speed", value: .array(speed.map(\.json))),
        ]
        if let observing { members.append(.init(key: "observing", value: observing.json)) }
        members.append(.init(key: "stand", value: stand?.json ?? ["why": "not measured"]))
        if let twoThreads { members.append(.init(key: "twoThreads", value: twoThreads.json)) }
        if let observer = efforts[.observer], let fact = efforts[.fact] {
            members.append(
                .init(key: "effort", value: ["toAddAnObserver": observer.json, "toAddAFact": fact.json]))
        }
        members.append(
            .init(
                key: "properties",
                value: .object(properties.map { .init(key: $0.property.rawValue, value: $0.finding.json) })))
        return .object(members)
    }
}

extension Comparison.Speed {
    fileprivate var json: JSONValue {
        [
            "observers": .integer(Int64(observers)), "nanosecondsPerNotification": nanoseconds.json,
            "ratioToDirect": .number(ratioToDirect), "allocationsPerNotification": allocations.json,
        ]
    }
}

extension Comparison.Observing {
    fileprivate var json: JSONValue {
        [
            "nanosecondsToObserveAndCancel": nanoseconds.json, "bytesPerObserver": bytes.json,
            "allocationsPerObserver": allocations.json,
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

extension Effort {
    fileprivate var json: JSONValue { ["lines": .integer(Int64(lines)), "files": .integer(Int64(files))] }
}

extension Finding {
    fileprivate var json: JSONValue {
        ["holds": holds.map { .bool($0) } ?? .null, "evidence": .string(evidence)]
    }
}
