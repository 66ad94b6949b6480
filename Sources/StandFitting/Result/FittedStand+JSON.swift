import TextFormats

extension FittedStand {
    /// The result as one JSON document.
    package func json() -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "schema", value: "juicestand.fit/1"),
            .init(key: "file", value: .string(till.file)),
            .init(key: "orders", value: .integer(Int64(till.orders.count))),
            .init(key: "lines", value: .integer(Int64(till.lines))),
            .init(key: "days", value: .integer(Int64(till.days.count))),
            .init(key: "from", value: .string(Self.date(till.days.lowerBound))),
            .init(key: "to", value: .string(Self.date(till.days.upperBound))),
            .init(
                key: "columns",
                value: .object(till.columns.named.map { .init(key: $0.role, value: .string($0.column)) })),
            .init(
                key: "skipped",
                value: .array(
                    till.skipped.map { ["line": .integer(Int64($0.line)), "why": .string($0.why)] })),
            .init(key: "config", value: configuration),
            .init(
                key: "parameters",
                value: .object(
                    parameters.map { parameter in
                        .init(
                            key: parameter.name,
                            value: [
                                "value": .number(parameter.value), "low": .number(parameter.low),
                                "high": .number(parameter.high),
                            ])
                    })),
            .init(key: "goodness", value: .object(allTests.map { .init(key: $0.name, value: Self.json($0)) })),
        ]
        if let holdOut { members.append(.init(key: "holdOut", value: Self.json(holdOut))) }
        members.append(.init(key: "notes", value: .strings(notes)))
        return .object(members)
    }

    /// The tests of the arrivals, and of preparation if it was fitted.
    package var allTests: [Goodness.Test] {
        goodness.tests
            + (preparation.map { fit in
                [.init(name: "preparation", statistic: fit.candidates[0].distance, p: fit.candidates[0].p, n: fit.n)]
            } ?? [])
    }

    private static func json(_ test: Goodness.Test) -> JSONValue {
        ["statistic": .number(test.statistic), "p": .number(test.p), "n": .integer(Int64(test.n))]
    }

    private static func json(_ holdOut: HoldOut) -> JSONValue {
        [
            "days": .integer(Int64(holdOut.days)), "orders": .integer(Int64(holdOut.orders)),
            "logLikelihoodPerOrder": .number(holdOut.logLikelihoodPerOrder),
            "stationaryLogLikelihoodPerOrder": .number(holdOut.stationaryLogLikelihoodPerOrder),
            "coverage90": .number(holdOut.coverage90), "model": .string(holdOut.model),
        ]
    }
}
