import JuiceStand
import TextFormats

extension PlanResult {
    /// The result as text: the best setting, the guarantee, and a table of the settings.
    package func text() -> String {
        var text = headline + "\n\n"
        for (name, figure) in figures(of: best ?? nearest) { text += "  \(name): \(Self.describe(figure))\n" }
        text += (best ?? nearest) == nil ? "" : "\n"
        for line in guarantee { text += line + "\n" }
        for fault in faults { text += "✗ \(fault)\n" }
        for note in remarks { text += "note: \(note)\n" }
        return text + "\n" + table
    }

    package var headline: String {
        let goal = "\(plan.maximizes ? "the largest" : "the least") \(plan.objective)"
        if isPartial {
            return "interrupted: "
                + (best.map { "\(Self.name($0)) has \(goal) so far" }
                    ?? "no setting is known to satisfy the constraints")
        }
        if let best { return "\(Self.name(best)) has \(goal)" }
        let none =
            isReached ? "no setting satisfies the constraints" : "no setting is known to satisfy the constraints"
        guard let nearest else { return none }
        return "\(none); \(Self.name(nearest)) comes nearest: \(misses(of: nearest).joined(separator: ", "))"
    }

    static func name(_ candidate: Candidate) -> String { SimulationResult.describe(candidate.set) }

    /// The name with the last words of the keys, if they are distinct.
    func shortName(_ candidate: Candidate) -> String {
        let ends = candidate.set.map { $0.key.split(separator: ".").last.map(String.init) ?? $0.key }
        guard Set(ends).count == ends.count else { return Self.name(candidate) }
        return SimulationResult.describe(zip(ends, candidate.set).map { .init(key: $0, value: $1.value) })
    }

    /// The constraints that the estimates miss, and by how much.
    func misses(of candidate: Candidate) -> [String] {
        zip(plan.constraints, candidate.constrained).compactMap { constraint, figure in
            guard let mean = figure?.mean, constraint.excess(of: mean) > 0 else { return nil }
            return "\(constraint) is missed by \(Columns.readable(constraint.excess(of: mean)))"
        }
    }

    /// The objective and the constrained values of a setting.
    func figures(of candidate: Candidate?) -> [(name: String, figure: Figure?)] {
        guard let candidate else { return [] }
        return [("\(plan.objective)", candidate.objective)]
            + zip(plan.constraints, candidate.constrained).map { ("\($0)", $1) }
    }

    static func describe(_ figure: Figure?) -> String {
        guard let figure else { return "no value" }
        return Columns.readable(figure.mean, halfWidth: figure.halfWidth)
    }

    /// What holds with the wanted confidence, in sentences.
    package var guarantee: [String] {
        let confidence = Columns.readable(plan.confidence * 100) + "%"
        let settings = Columns.grouped(plan.grid.count - invalid)
        let visited = Columns.grouped(candidates.count)
        let covered = plan.isSearched ? "the \(visited) settings visited, of \(settings)" : "the \(settings) settings"
        var lines: [String] = []
        if best == nil {
            lines.append(
                isReached
                    ? "With \(confidence) confidence none of \(covered) satisfies the constraints."
                    : "The race ended before anything was known with \(confidence) confidence.")
        } else if let distance {
            let isBest = plan.constraints.isEmpty ? "it is" : "it satisfies the constraints and is"
            let near = distance == 0 ? "" : "within \(Columns.readable(distance)) of "
            lines.append("With \(confidence) confidence \(isBest) \(near)the best of \(covered).")
            if !isReached {
                lines.append("More replications are needed for the distance that --within asks for.")
            }
        } else {
            lines.append(
                "It is not yet known with \(confidence) confidence whether it satisfies the constraints or how far it is from the best."
            )
        }
        if !isPartial || best != nil {
            lines.append(
                "The confidence is exact if differences between settings are normally distributed over replications.")
        }
        return lines
    }

    /// All notes.
    package var remarks: [String] {
        invalid > 0
            ? ["\(Columns.counted(invalid, "combination")) \(invalid == 1 ? "is" : "are") no valid stand and left out"]
                + notes : notes
    }

    /// The most rows of the table.
    private static let mostRows = 20

    private var table: String {
        let shown = candidates.prefix(Self.mostRows)
        var rows = [["", "fate", "objective"] + plan.constraints.map { "\($0)" } + ["replications"]]
        for candidate in shown {
            rows.append(
                [shortName(candidate), candidate.fate.rawValue, Self.describe(candidate.objective)]
                    + candidate.constrained.map(Self.describe) + [Columns.grouped(candidate.replications)])
        }
        let left = candidates.count - shown.count
        return Columns.table(rows, texts: 2) + (left > 0 ? "  and \(Columns.grouped(left)) more\n" : "")
    }
}

// MARK: - As JSON

extension PlanResult {
    package func json() -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "schema", value: .string(Self.schema)),
            .init(key: plan.maximizes ? "maximize" : "minimize", value: .string("\(plan.objective)")),
            .init(key: "where", value: .array(plan.constraints.map { .string("\($0)") })),
            .init(key: "seed", value: .integer(Int64(seed))),
            .init(key: "horizon", value: plan.horizon.map { .number($0.seconds) } ?? .null),
            .init(key: "warmUp", value: .number(plan.warmUp.seconds)),
        ]
        if isPartial { members.append(.init(key: "partial", value: true)) }
        members.append(
            .init(
                key: "best",
                value: best.map {
                    [
                        "set": .object($0.set), "objective": Self.json($0.objective),
                        "constraints": .object(constraints(of: $0)),
                    ]
                } ?? .null))
        if let nearest {
            members.append(
                .init(
                    key: "nearest",
                    value: [
                        "set": .object(nearest.set), "constraints": .object(constraints(of: nearest)),
                        "misses": .object(
                            zip(plan.constraints, nearest.constrained).compactMap { constraint, figure in
                                guard let mean = figure?.mean, constraint.excess(of: mean) > 0 else { return nil }
                                return .init(key: "\(constraint)", value: .number(constraint.excess(of: mean)))
                            }),
                    ]))
        }
        members += [
            .init(
                key: "guarantee",
                value: [
                    "confidence": .number(plan.confidence),
                    "within": distance.map { .number($0) } ?? .null,
                    "covers": .string(plan.isSearched ? "the visited settings" : "all settings"),
                    "reached": .bool(isReached),
                ]),
            .init(key: "settings", value: .integer(Int64(plan.grid.count - invalid))),
            .init(key: "visited", value: .integer(Int64(candidates.count))),
            .init(key: "replications", value: .integer(Int64(replications))),
        ]
        for (key, lines) in [("notes", remarks), ("faults", faults)] where !lines.isEmpty {
            members.append(.init(key: key, value: .array(lines.map { .string($0) })))
        }
        members.append(
            .init(
                key: "candidates",
                value: .array(
                    candidates.map {
                        [
                            "set": .object($0.set), "fate": .string($0.fate.rawValue),
                            "objective": Self.json($0.objective), "constraints": .object(constraints(of: $0)),
                            "replications": .integer(Int64($0.replications)),
                        ]
                    })))
        return .object(members)
    }

    private func constraints(of candidate: Candidate) -> [JSONValue.Member] {
        zip(plan.constraints, candidate.constrained).map { .init(key: "\($0)", value: Self.json($1)) }
    }

    private static func json(_ figure: Figure?) -> JSONValue {
        guard let figure else { return .null }
        return ["mean": .number(figure.mean), "halfWidth": figure.halfWidth.map { .number($0) } ?? .null]
    }
}
