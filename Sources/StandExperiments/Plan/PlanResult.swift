import JuiceStand
import TextFormats

/// The result of a plan: the selected setting, the guarantee, and the fate of every other setting.
package struct PlanResult: Sendable {
    package static let schema = "juicestand.plan/1"

    /// A mean with half the width of its confidence interval, which holds whenever the race ends.
    package struct Figure: Equatable, Sendable {
        package var mean: Double
        /// To the farther end; nil if too few replications were run, or if all had the same value by chance.
        package var halfWidth: Double?

        init?(_ moments: Moments, confidence: Double, isCertain: Bool) {
            guard moments.count > 0 else { return nil }
            mean = moments.mean
            let reach = ConfidenceSequence(error: 1 - confidence).reach(moments, isCertain: isCertain)
            halfWidth = reach.farther < .infinity ? reach.farther : nil
        }
    }

    package struct Candidate: Sendable {
        /// The number of its combination in the grid.
        package var combination: Int
        package var set: [JSONValue.Member]
        package var fate: Race.Fate
        /// Nil if no replication was complete.
        package var objective: Figure?
        /// The evidence on each constraint.
        package var evidence: [ConstraintEvidence]
        /// The value that each constraint bounds; nil without an observation.
        package var constrained: [Figure?]
        package var replications: Int
    }

    package let plan: Plan
    package let seed: UInt64
    package let currency: String
    /// The selected setting; nil unless its constraints and the wanted distance are shown.
    package let best: Candidate?
    /// Without a best setting, the setting that leads by its estimates; nil if none seems to satisfy the constraints.
    package let leading: Candidate?
    /// Without a best or leading setting, the setting that misses the constraints least.
    package let nearest: Candidate?
    /// How much worse than the best of all covered settings the named one may be; nil if that is not known.
    package let distance: Double?
    /// Whether the wanted guarantee was reached, or it was shown that no setting satisfies the constraints.
    package let isReached: Bool
    /// The visited settings: the best one, then by fate and objective.
    package let candidates: [Candidate]
    /// Combinations that are no valid stand.
    package let invalid: Int
    package let isPartial: Bool
    /// The fewest replications of a setting that can show anything.
    package let fewestReplications: Int
    package let notes: [String]
    package let faults: [String]

    /// The best, leading or nearest setting; nil if no setting is valid.
    package var named: Candidate? { best ?? leading ?? nearest }

    package var replications: Int { candidates.reduce(0) { $0 + $1.replications } }

    init(_ run: PlanRun) {
        var race = run.race
        plan = run.plan
        fewestReplications = race.fewestReplications
        isPartial = run.isInterrupted
        isReached = !isPartial && race.isDecided
        distance = race.distance
        let first = race.ranking(race.racing).first
        let leader = race.leader ?? first.flatMap { race.seemsFeasible($0) ? $0 : nil }
        race.end(best: isReached ? leader : nil)
        let candidates = race.contestants.enumerated().map { index, contestant in
            Candidate(
                combination: run.combinations[index], set: run.plan.set(run.combinations[index]),
                fate: contestant.fate ?? .kept,
                objective: Figure(
                    contestant.moments, confidence: run.plan.confidence, isCertain: contestant.isCertain),
                evidence: contestant.evidence,
                constrained: contestant.evidence.map {
                    Figure($0.moments, confidence: run.plan.confidence, isCertain: $0.isCertain)
                },
                replications: contestant.objective.count)
        }
        best = isReached ? leader.map { candidates[$0] } : nil
        leading = isReached ? nil : leader.map { candidates[$0] }
        nearest = leader == nil ? race.ranking(Array(candidates.indices)).first.map { candidates[$0] } : nil
        let sign = run.plan.maximizes ? -1.0 : 1.0
        let fates = Race.Fate.allCases
        func rank(_ candidate: Candidate) -> (fate: Int, cost: Double, combination: Int) {
            let cost = candidate.objective.map { sign * $0.mean } ?? .infinity
            return (fates.firstIndex(of: candidate.fate) ?? 0, cost, candidate.combination)
        }
        self.candidates = candidates.sorted { rank($0) < rank($1) }
        invalid = run.contestants.values.count { $0 == nil }
        seed = run.seed
        currency = run.currency
        notes =
            run.notes + Self.note(onUnobserved: race)
            + race.withdrawn.map {
                "\(run.name(of: $0)) was shown to satisfy the constraints; later replications contradict that, "
                    + "and the claim is withdrawn"
            }
        faults = run.faults
    }

    /// A note on the replications without a value; empty if there are none.
    private static func note(onUnobserved race: Race) -> [String] {
        var unobserved = 0
        for contestant in race.contestants where contestant.moments.count > 0 {
            unobserved += contestant.objective.count - contestant.fewestObservations
        }
        guard unobserved > 0 else { return [] }
        return [
            "\(Columns.counted(unobserved, "replication")) without an observation of a metric: they do not count in "
                + "its mean"
        ]
    }
}
