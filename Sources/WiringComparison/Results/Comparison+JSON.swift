import JuiceStand
import TextFormats

extension Comparison {
    /// The comparison as JSON; times of delivery are in seconds.
    package func json() -> JSONValue {
        [
            "schema": .string(Self.schema), "machine": machine.json, "partial": isPartial ? true : nil,
            "cutOff": cutOff.isEmpty ? nil : .strings(cutOff),
            "stand": stand?.json, "questions": .array(Advice.questions.map { Self.json($0) }),
            "wirings": .array(wirings.map(\.json)), "rows": .array(rows.map(\.json)),
            "bursts": .object(
                wirings.compactMap { wiring in
                    wiring.burst.map { .init(key: wiring.choice.rawValue, value: $0.json) }
                }),
            "advice": .array(wirings.map { Self.json($0.choice) }),
            "absent": .array(
                Self.absent.map {
                    ["name": .string($0.name), "why": .string($0.why), "readMore": .string($0.readMore)]
                }),
        ]
    }

    private static func json(_ question: (text: String, yes: WiringChoice, no: WiringChoice?)) -> JSONValue {
        [
            "question": .string(question.text), "yes": .string(question.yes.rawValue),
            "no": .orNull(question.no?.rawValue),
        ]
    }

    private static func json(_ choice: WiringChoice) -> JSONValue {
        let advice = choice.profile.advice
        return [
            "wiring": .string(choice.rawValue), "text": .string("Choose \(choice) for \(advice.text)."),
            "rows": .array(advice.rows.map { .string($0.property.rawValue) }),
        ]
    }

    /// The properties that were asked for.
    package var rows: [Property] {
        Property.allCases.filter { row in wirings.contains { $0.findings[row] != nil } }
    }

    /// Mechanisms that people know and that are not compared.
    package static let absent: [(name: String, why: String, readMore: String)] = [
        (
            "key-value-observing", "needs the Objective-C runtime, which Linux does not have; see key-path",
            "developer.apple.com/documentation/swift/using-key-value-observing-in-swift"
        ),
        (
            "combine", "is on Apple's systems only; subject has its signatures",
            "developer.apple.com/documentation/combine/passthroughsubject"
        ),
        (
            "async-channel", "is in the package swift-async-algorithms, and this program uses no package",
            "github.com/apple/swift-async-algorithms"
        ),
        (
            "share", "of a sequence is in the package swift-async-algorithms, and this program uses no package",
            "github.com/apple/swift-async-algorithms"
        ),
    ]
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
            "processors": .whole(processors), "load": .orNull(load),
            "busyElsewhere": .orNull(busyElsewhere), "underLoad": .bool(isUnderLoad), "optimized": .bool(isOptimized),
        ]
    }
}

extension ClosedRange<Double> {
    fileprivate var json: JSONValue { [.number(lowerBound), .number(upperBound)] }
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
        let rows = Property.allCases.compactMap { row in findings[row].map { ($0, row) } }
        return [
            "name": .string(choice.rawValue), "mechanism": .string(choice.mechanism),
            "configuration": .string(choice.profile.configuration), "speed": .array(speed.map { $0.json() }),
            "variants": variants.isEmpty ? nil : .array(variants.map { name, speed in speed.json(name) }),
            "observing": observing?.json,
            "stand": stand?.json { $0.json(burst?.latencies) } ?? ["why": "not measured"],
            "twoThreads": twoThreads?.json { ["slowdown": $0.json] },
            "properties": .object(rows.map { .init(key: $1.rawValue, value: $0.json($1)) }),
        ]
    }
}

extension Comparison.Speed {
    fileprivate func json(_ name: String? = nil) -> JSONValue {
        [
            "name": name.map { .string($0) }, "observers": .whole(observers),
            "nanosecondsPerNotification": nanoseconds.json, "interval": nanoseconds.interval?.json ?? .null,
            "ratioToClosure": .number(ratioToClosure.median),
            "ratioInterval": ratioToClosure.interval?.json ?? .null,
            "allocationsPerNotification": .orNull(allocations),
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

extension Comparison.Outcome {
    fileprivate func json(_ write: (Figures) -> JSONValue) -> JSONValue {
        switch self {
        case .measured(let figures): write(figures)
        case .refused(let why): ["why": .string(why)]
        }
    }
}

extension Comparison.StandSpeed {
    fileprivate func json(_ latencies: JSONValue?) -> JSONValue {
        [
            "ordersPerSecond": ordersPerSecond.json, "ratioToClosure": .number(ratioToClosure.median),
            "interval": ratioToClosure.interval?.json ?? .null, "deliveryShare": .number(deliveryShare),
            "deliveryLatency": latencies ?? .null,
        ]
    }
}

extension Comparison.Burst {
    fileprivate var latencies: JSONValue {
        func percentile(_ perMille: UInt64) -> JSONValue { .orNull(latency.percentile(perMille: perMille)?.seconds) }
        return ["p50": percentile(500), "p99": percentile(990), "max": .orNull(latency.maximum?.seconds)]
    }

    fileprivate var json: JSONValue {
        func json(_ posted: Int, _ heard: [Int]?, paced: JSONValue? = nil) -> JSONValue {
            [
                "posted": .whole(posted), "heard": heard.map { .array($0.map { .whole($0) }) } ?? .null,
                "why": heard == nil ? .string(Self.notDrained) : nil, "paced": paced,
            ]
        }
        return json(Self.postedAtOnce, heard, paced: json(Self.postedPaced, paced))
    }
}

extension Finding {
    fileprivate func json(_ property: Property) -> JSONValue {
        [
            "group": .string(property.group.rawValue), "holds": holds.map { .bool($0) } ?? .null,
            "applies": .bool(applies), "evidence": .string(evidence), "price": price.map { .number($0) },
            "option": option.map { .string($0) }, "tried": tried.map { .whole($0) },
            "recorded": recorded.map { .string($0) }, "counterExample": counterExample.map { .string($0) },
        ]
    }
}
