import TextFormats

extension FittedStand {
    /// The result as one JSON document.
    package func json() -> JSONValue {
        let columns = till.columns.named.map { JSONValue.Member(key: $0.role, value: .string($0.column)) }
        let parameters = parameters.map { parameter -> JSONValue.Member in
            .init(
                key: parameter.name,
                value: [
                    "value": .number(parameter.value), "low": .number(parameter.low), "high": .number(parameter.high),
                ])
        }
        let tests = allTests.map { test -> JSONValue.Member in
            .init(
                key: test.name,
                value: ["statistic": .number(test.statistic), "p": .number(test.p), "n": .whole(test.n)])
        }
        return [
            "schema": "juicestand.fit/1", "file": .string(till.file), "orders": .whole(till.orders.count),
            "lines": .whole(till.lines), "days": .whole(till.days.count),
            "from": .string(Self.date(till.days.lowerBound)), "to": .string(Self.date(till.days.upperBound)),
            "columns": .object(columns),
            "skipped": .array(till.skipped.map { ["line": .whole($0.line), "why": .string($0.why)] }),
            "config": configuration, "parameters": .object(parameters), "goodness": .object(tests),
            "holdOut": holdOut?.json, "notes": .strings(notes),
        ]
    }

    /// The tests of the arrivals, and of preparation if it was fitted.
    package var allTests: [Goodness.Test] {
        guard let preparation else { return goodness.tests }
        let best = preparation.candidates[0]
        return goodness.tests + [.init(name: "preparation", statistic: best.distance, p: best.p, n: preparation.n)]
    }
}

extension HoldOut {
    fileprivate var json: JSONValue {
        [
            "days": .whole(days), "orders": .whole(orders), "logLikelihoodPerOrder": .number(logLikelihoodPerOrder),
            "stationaryLogLikelihoodPerOrder": .number(stationaryLogLikelihoodPerOrder),
            "coverage90": .number(coverage90), "model": .string(model),
        ]
    }
}
