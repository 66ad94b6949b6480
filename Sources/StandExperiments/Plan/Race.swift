import JuiceStand
import Platform

/// A sequential selection of the best setting that satisfies all constraints.
///
/// All settings still in the race have the same replications with common random numbers. After each round, a setting
/// leaves the race if it is shown to break a constraint, or to be worse than a setting that is shown to satisfy all.
/// The race is decided when the leader is shown to be within ``within`` of all that are left.
///
/// "Shown" means by a ``ConfidenceSequence``, over pairs of replications for two settings. The error is shared evenly
/// by one statement for each setting but the best, and one for each constraint of the best. So with the given
/// confidence none of them is wrong, whenever the race ends: a setting that breaks a constraint is wrongly accepted
/// only if the sequence of that constraint misses; the best setting leaves wrongly, or is left more than ``within``
/// behind, only if the sequence of its difference from another one misses, or that of one of its own constraints.
///
/// An interval says nothing about a kind of day that is in none of the replications. So half of the error is spent on
/// such days: nothing is shown until the probability to miss a kind of day that comes at least once in a given number
/// is at most that half. The statements share the other half.
///
/// Racing by simultaneous intervals: Maron and Moore, "Hoeffding races", Advances in Neural Information Processing
/// Systems 6 (1994). Selection with constraints tested in the same run: Andradóttir and Kim, "Fully sequential
/// procedures for comparing constrained systems via simulation", Naval Research Logistics 57 (2010).
package struct Race: Sendable {
    /// The outcome of the race for a setting.
    package enum Fate: String, CaseIterable, Sendable {
        case best
        /// Not shown to be worse than the best, but within the wanted distance.
        case kept
        /// Shown to be worse than the best.
        case dearer
        /// Shown to break a constraint.
        case infeasible

        /// The fate in words: of a maximized profit, a setting is worse and not dearer.
        var inWords: String { self == .dearer ? "worse" : rawValue }
    }

    package struct Contestant: Sendable {
        /// Nil as long as the setting is in the race.
        package fileprivate(set) var fate: Fate?
        /// The setting that is shown to be better than this one; nil without one.
        fileprivate var better: Int?
        /// The objective of each replication; nil without an observation.
        package fileprivate(set) var objective: [Double?] = []
        package fileprivate(set) var moments = Moments()
        /// Whether the configuration makes the objective the same in every replication.
        package let isCertain: Bool
        /// The evidence on each constraint.
        package fileprivate(set) var evidence: [ConstraintEvidence]
        /// The observations of the metric with the fewest.
        var fewestObservations: Int { evidence.map(\.moments.count).reduce(moments.count, min) }
        /// Whether all constraints are shown to be satisfied.
        package var isFeasible: Bool { evidence.allSatisfy(\.isSatisfied) }
    }

    let maximizes: Bool
    let constraints: [Constraint]
    /// How much worse than the best the selected setting may be; a share is one of the leader's mean.
    let within: Tolerance
    private let sequence: ConfidenceSequence
    /// The fewest replications of a setting that can show anything.
    package let fewestReplications: Int
    /// The settings that were shown to satisfy a constraint until later replications contradicted it.
    package private(set) var withdrawn: [Int] = []
    package private(set) var contestants: [Contestant] = []

    /// - Parameters:
    ///   - settings: The number of settings that could enter the race. All share the error, so that a search may
    ///     choose by the same replications which of them enter.
    ///   - rarest: The claims cover kinds of days that come at least once in this number; 1 if all days are alike.
    package init(
        settings: Int, maximizes: Bool, constraints: [Constraint], within: Tolerance, confidence: Double,
        rarest: Int = 1
    ) {
        self.maximizes = maximizes
        self.constraints = constraints
        self.within = within
        fewestReplications = Self.fewestReplications(rarest: rarest, confidence: confidence)
        let error = rarest > 1 ? (1 - confidence) / 2 : 1 - confidence
        sequence = ConfidenceSequence(error: error / Double(max(1, settings - 1 + constraints.count)))
    }

    /// The replications after which the probability to miss a kind of day that comes once in `rarest` is at most half
    /// of the error.
    package static func fewestReplications(rarest: Int, confidence: Double) -> Int {
        rarest > 1 ? Int((log((1 - confidence) / 2) / log1p(-1 / Double(rarest))).rounded(.up)) : 1
    }

    /// Adds a setting without replications.
    ///
    /// - Parameters:
    ///   - isCertain: Whether the configuration makes the objective the same in every replication.
    ///   - certain: The same for the value of each constraint; empty if none is certain.
    package mutating func enter(isCertain: Bool = false, certain: [Bool] = []) {
        let evidence = constraints.enumerated().map { index, constraint in
            ConstraintEvidence(constraint, isCertain: certain.isEmpty ? false : certain[index])
        }
        contestants.append(Contestant(isCertain: isCertain, evidence: evidence))
    }

    /// Adds the next replication of a setting. Values without an observation are nil and do not count.
    package mutating func add(_ objective: Double?, _ constrained: [Constraint.Observation?], to contestant: Int) {
        contestants[contestant].objective.append(objective)
        if let objective { contestants[contestant].moments.add(objective) }
        for (index, value) in constrained.enumerated() {
            if let value { contestants[contestant].evidence[index].add(value) }
        }
    }

    /// Takes a setting that cannot be judged out of the race.
    mutating func withdraw(_ contestant: Int) { contestants[contestant].fate = .infeasible }

    /// The settings still in the race.
    package var racing: [Int] { contestants.indices.filter { contestants[$0].fate == nil } }
}

// MARK: - Judging

extension Race {
    /// Removes settings from the race that are shown to break a constraint or to be worse than the leader.
    ///
    /// If a setting no longer satisfies the constraints, the settings that were removed as worse than it return.
    package mutating func judge() {
        for index in racing where contestants[index].objective.count >= fewestReplications {
            judgeConstraints(of: index)
        }
        guard let leader else { return }
        for index in racing where index != leader {
            let difference = difference(index, from: leader)
            if difference.isKnown, difference.mean - difference.below > 0 {
                contestants[index].fate = .dearer
                contestants[index].better = leader
            }
        }
    }

    private mutating func judgeConstraints(of index: Int) {
        let wasFeasible = contestants[index].isFeasible
        for number in constraints.indices
        where contestants[index].evidence[number].judge(sequence) {
            contestants[index].fate = .infeasible
        }
        guard wasFeasible, !contestants[index].isFeasible else { return }
        withdrawn.append(index)
        for other in contestants.indices where contestants[other].better == index {
            contestants[other].fate = nil
            contestants[other].better = nil
        }
    }

    /// How much worse a setting is than another, over pairs of replications, with the reach of the interval below.
    private func difference(_ index: Int, from other: Int) -> (mean: Double, below: Double, isKnown: Bool) {
        let sign = maximizes ? -1.0 : 1.0
        let contestant = contestants[index]
        let leader = contestants[other]
        let pairs = zip(contestant.objective, leader.objective)
        var moments = Moments()
        for case (let mine?, let others?) in pairs { moments.add(sign * (mine - others)) }
        let isCertain = contestant.isCertain && leader.isCertain
        let reach = sequence.reach(
            moments, isCertain: isCertain || isWorseThroughout(moments),
            scale: max(abs(contestant.moments.mean), abs(leader.moments.mean)))
        let replications = min(contestant.objective.count, leader.objective.count)
        return (
            moments.mean, reach.below,
            replications >= fewestReplications
                && ConfidenceSequence.covers(skewness: -moments.skewness, count: moments.count)
        )
    }

    /// Whether the pairs of replications are enough, if one setting costs the same amount more in each of them.
    ///
    /// Then that setting costs more on every kind of day that the claims cover. If both cost the same in each
    /// replication, they may differ on rarer days, and the better one is not known.
    private func isWorseThroughout(_ differences: Moments) -> Bool {
        differences.mean > 0 && fewestReplications > 1
            && pow(2, 1 - Double(differences.count)) <= sequence.error
    }

    /// The setting with the best mean of those in the race that are shown to satisfy all constraints.
    package var leader: Int? {
        racing.filter { contestants[$0].moments.count > 0 && contestants[$0].isFeasible }
            .min { cost(of: $0) < cost(of: $1) }
    }

    /// The mean objective, negative if it is maximized.
    func cost(of index: Int) -> Double { (maximizes ? -1 : 1) * contestants[index].moments.mean }

    /// An upper bound on how much worse the leader is than the best setting; nil without a leader or a bound.
    package var distance: Double? {
        guard let leader else { return nil }
        let most = racing.filter { $0 != leader }.map { index in
            let difference = difference(index, from: leader)
            return difference.isKnown ? difference.below - difference.mean : .infinity
        }.max()
        return (most ?? 0) < .infinity ? max(0, most ?? 0) : nil
    }

    /// Whether the race is over: no setting is left, or the leader is near enough to all of them.
    package var isDecided: Bool {
        if racing.isEmpty { return true }
        guard let leader, let distance else { return false }
        return distance <= within.width(of: contestants[leader].moments.mean)
    }
}

// MARK: - Estimates, for searching

extension Race {
    /// Whether the means of a setting satisfy all constraints.
    func seemsFeasible(_ index: Int) -> Bool {
        contestants[index].moments.count > 0
            && contestants[index].evidence.allSatisfy {
                $0.constraint.allows(excess: $0.constraint.excess(of: $0.moments.mean))
            }
    }

    /// The estimated excess over the bounds, as a share of each bound, of the constraint that is missed most.
    func excess(of index: Int) -> Double {
        let shares = constraints.enumerated().map { number, constraint in
            let values = contestants[index].evidence[number].moments
            return values.count > 0 ? constraint.excess(of: values.mean) / scale(of: number) : .infinity
        }
        return shares.max() ?? 0
    }

    /// The bound, or the largest mean if the bound is 0.
    private func scale(of number: Int) -> Double {
        let bound = abs(constraints[number].bound)
        guard bound == 0 else { return bound }
        let largest = contestants.map { abs($0.evidence[number].moments.mean) }.max() ?? 0
        return largest > 0 ? largest : 1
    }

    /// The settings by their estimates: first those that satisfy the constraints, by cost; then the others, by excess.
    func ranking(_ indices: [Int]) -> [Int] {
        let keys = indices.map { index in
            let excess = seemsFeasible(index) ? 0 : max(.leastNonzeroMagnitude, excess(of: index))
            let isUnknown = contestants[index].moments.count == 0
            return (excess: isUnknown ? .infinity : excess, cost: cost(of: index), index: index)
        }
        return keys.sorted { $0 < $1 }.map(\.index)
    }

    /// Ends the race with a selected setting, if any.
    mutating func end(best: Int?) {
        for index in racing { contestants[index].fate = index == best ? .best : .kept }
    }
}
