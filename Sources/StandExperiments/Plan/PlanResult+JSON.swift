import TextFormats

extension PlanResult {
    package func json() -> JSONValue {
        [
            "schema": .string(Self.schema),
            plan.maximizes ? "maximize" : "minimize": .string("\(plan.objective)"),
            "where": .strings(plan.constraints.map { "\($0)" }), "seed": .whole(seed),
            "horizon": .orNull(plan.horizon?.seconds), "warmUp": .number(plan.warmUp.seconds),
            "partial": isPartial ? true : nil, "best": best.map(bestJSON) ?? .null,
            "leading": leading.map(bestJSON), "nearest": nearest.map(nearestJSON),
            "guarantee": [
                "confidence": .number(plan.confidence), "within": .orNull(distance),
                "covers": .string(covers),
                "reached": .bool(isReached),
            ],
            "settings": .whole(plan.grid.count - invalid), "visited": .whole(candidates.count),
            "replications": .whole(replications),
            "notes": remarks.isEmpty ? nil : .strings(remarks),
            "faults": faults.isEmpty ? nil : .strings(faults),
            "candidates": .array(candidates.map(json)),
        ]
    }

    private var covers: String {
        let settings = plan.isSearched ? "the visited settings" : "all settings"
        return plan.rarest > 1 ? "\(settings); covers days that come at least once in \(plan.rarest)" : settings
    }

    private func bestJSON(_ best: Candidate) -> JSONValue {
        ["set": .object(best.set), "objective": Self.json(best.objective), "constraints": constraints(of: best)]
    }

    private func nearestJSON(_ nearest: Candidate) -> JSONValue {
        [
            "set": .object(nearest.set), "constraints": constraints(of: nearest),
            "misses": .object(missed(by: nearest).map { .init(key: "\($0)", value: .number($1)) }),
        ]
    }

    private func json(_ candidate: Candidate) -> JSONValue {
        [
            "set": .object(candidate.set), "fate": .string(candidate.fate.rawValue),
            "objective": Self.json(candidate.objective), "constraints": constraints(of: candidate),
            "replications": .whole(candidate.replications),
        ]
    }

    private func constraints(of candidate: Candidate) -> JSONValue {
        .object(
            zip(candidate.evidence, candidate.constrained).map {
                .init(key: "\($0.constraint)", value: Self.json($1, $0))
            })
    }

    private static func json(_ figure: Figure?, _ evidence: ConstraintEvidence? = nil) -> JSONValue {
        guard let figure else { return .null }
        return [
            "mean": .number(figure.mean), "halfWidth": .orNull(figure.halfWidth),
            "events": evidence.map { .whole($0.events) }, "shownBy": evidence.map { .orNull($0.proof?.rawValue) },
        ]
    }
}
