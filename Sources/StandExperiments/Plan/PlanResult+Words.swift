import JuiceStand
import Reports
import TextFormats

extension PlanResult {
    package var headline: String {
        let goal = plan.maximizes ? "the largest \(plan.objective)" : "the least \(plan.objective)"
        if let best { return "\(Self.name(best)) has \(goal)" }
        let found = finding(goal)
        return isPartial ? "interrupted: \(found)" : found
    }

    /// The result if there is no best setting.
    private func finding(_ goal: String) -> String {
        guard replications > 0 else { return "no replication was complete" }
        if let leading { return "no best setting is shown; \(Self.name(leading)) seems to have \(goal)" }
        let none: String =
            isReached ? "no setting satisfies the constraints" : "no setting seems to satisfy the constraints"
        let misses = nearest.map(missed) ?? []
        let descriptions = misses.map { "\(words($0)) is missed by \($0.sum.unit(currency: currency).rounded($1))" }
        guard let nearest, !descriptions.isEmpty else { return none }
        return "\(none); \(Self.name(nearest)) comes nearest: \(descriptions.joined(separator: ", "))"
    }

    static func name(_ candidate: Candidate) -> String { SimulationResult.describe(candidate.set) }

    /// The name with short keys.
    static func shortName(_ candidate: Candidate) -> String {
        SimulationResult.describe(SimulationResult.shortened(candidate.set))
    }

    /// The constraints that the estimates miss, and by how much.
    func missed(by candidate: Candidate) -> [(constraint: Constraint, excess: Double)] {
        zip(plan.constraints, candidate.constrained).compactMap { constraint, figure in
            figure.map { (constraint, constraint.excess(of: $0.mean)) }
        }.filter { !$0.constraint.allows(excess: $0.excess) }
    }

    /// The objective and the constrained values of a setting.
    func figures(of candidate: Candidate) -> [Report.Figure] {
        [("\(plan.objective)", describe(candidate.objective, of: plan.objective))]
            + zip(plan.constraints, candidate.constrained).map { (words($0), describe($1, of: $0.sum)) }
    }

    func words(_ constraint: Constraint) -> String { constraint.inWords(currency) }

    /// A mean of `sum` with its interval.
    func describe(_ figure: Figure?, of sum: MetricSum) -> String {
        guard let figure else { return "no value" }
        return sum.unit(currency: currency).rounded(figure.mean, halfWidth: figure.halfWidth)
    }

    /// The claims that hold with the wanted confidence, in sentences.
    package var guarantee: [String] {
        let confidence = Columns.readable(plan.confidence * 100) + "%"
        let settings = Columns.grouped(plan.grid.count - invalid)
        let visited = Columns.grouped(candidates.count)
        let covered: String =
            plan.isSearched ? "the \(visited) settings visited, of \(settings)" : "the \(settings) settings"
        var lines: [String] = []
        if let distance {
            let place: String =
                distance == 0
                ? "the best of \(covered)"
                : "within \(plan.objective.unit(currency: currency).exact(distance)) of the best of \(covered)"
            lines.append(
                plan.constraints.isEmpty
                    ? "With \(confidence) confidence it is \(place)."
                    : "With \(confidence) confidence it satisfies the constraints and is \(place).")
            if !isReached {
                lines.append("More replications are needed for the distance that --within asks for.")
            }
        } else if leading == nil, isReached {
            lines.append("With \(confidence) confidence none of \(covered) satisfies the constraints.")
        } else if leading == nil {
            lines.append("It is not known with \(confidence) confidence whether any of \(covered) satisfies them.")
        } else {
            lines.append(
                plan.constraints.isEmpty
                    ? "It is not known with \(confidence) confidence how far it is from the best."
                    : "It is not known with \(confidence) confidence whether it satisfies the constraints or how far "
                        + "it is from the best.")
        }
        if plan.mostReplications >= fewestReplications {
            lines += (leading?.evidence ?? []).filter { !$0.isSatisfied }.map(reasonUnproved)
        }
        return replications > 0 ? lines + coverage + assumptions : lines
    }

    /// The kinds of days that the guarantee is about.
    private var coverage: [String] {
        guard plan.rarest > 1 else { return [] }
        let days: String = "days that come at least once in \(Columns.grouped(plan.rarest))"
        let fewest = Columns.grouped(fewestReplications)
        return plan.mostReplications < fewestReplications
            ? [
                "To cover \(days), \(fewest) replications of a setting are needed, and --max-replications allows "
                    + "\(Columns.grouped(plan.mostReplications))."
            ] : ["The guarantee covers \(days). It does not cover rarer ones."]
    }

    /// Why a constraint is not shown to be satisfied.
    private func reasonUnproved(_ evidence: ConstraintEvidence) -> String {
        let constraint = words(evidence.constraint)
        guard evidence.moments.variance > 0 else {
            return "\(constraint) is not shown yet: all replications have the same value, and another one "
                + "could differ."
        }
        guard !evidence.showsEvents else {
            return evidence.isTooSkewed
                ? "\(constraint) is not shown yet: a few replications decide its mean, so more are needed."
                : "\(constraint) is not shown yet: its interval contains the bound."
        }
        let events = Columns.counted(evidence.events, "replication")
        return "\(constraint) is not shown yet: only \(events) of \(Columns.grouped(evidence.moments.count)) "
            + "\(evidence.events == 1 ? "shows" : "show") the event, and \(ConstraintEvidence.fewestEvents) are needed."
    }

    /// The assumptions behind the confidence, in sentences.
    private var assumptions: [String] {
        let bets = (best ?? leading)?.evidence.filter { $0.proof == .bet } ?? []
        return [
            "Intervals are t-confidence sequences over replications, corrected for skewness: "
                + "exact if means are normally distributed, else approximate."
        ]
            + bets.map {
                "\(words($0.constraint)) is shown by a bet, which assumes that no replication exceeds the bound "
                    + "by more than \($0.constraint.sum.unit(currency: currency).exact($0.mostExcess))."
            }
    }

    /// All notes.
    package var remarks: [String] {
        var remarks: [String] = []
        if invalid > 0 {
            let combinations = Columns.counted(invalid, "combination")
            remarks.append("\(combinations) \(invalid == 1 ? "is" : "are") no valid stand and left out")
        }
        if candidates.count >= Self.manySettings, plan.rarest > Self.commonDay {
            let less = Race.fewestReplications(rarest: Self.commonDay, confidence: plan.confidence)
            remarks.append(
                "each of the \(Columns.grouped(candidates.count)) settings needs "
                    + "\(Columns.grouped(fewestReplications)) replications to cover days that come "
                    + "once in \(Columns.grouped(plan.rarest)); with --rarest "
                    + "\(Self.commonDay) it needs \(less)")
        }
        return remarks + notes
    }

    /// From this number of settings on, the replications that ``Plan/rarest`` asks for take most of the time.
    private static let manySettings = 100
    private static let commonDay = 10
}
