import JuiceStand
import Platform

/// The evidence of a setting's replications about a constraint.
///
/// Two arguments can show that a constraint is satisfied, each with half of the error. The first is a
/// ``ConfidenceSequence``, but only if enough replications show the event that the constraint is about: a sample of a
/// rare event without the event looks as if it had no variance. The second is a bet that needs no event. It assumes
/// only that no replication can exceed the bound by more than a largest excess.
///
/// The bet is a test martingale for means of bounded variables: Waudby-Smith and Ramdas, "Estimating means of bounded
/// random variables by betting", Journal of the Royal Statistical Society B 86 (2024).
package struct ConstraintEvidence: Sendable {
    /// The fewest replications that show a rare event.
    static let fewestEvents = 30
    /// An event is not rare if at least this share of the replications show it.
    private static let commonShare = 0.8
    /// The number of first replications, which determine the largest excess. It may depend on the number of customers.
    private static let pilotReplications = 10
    /// The factor by which the largest excess may exceed that of the first replications.
    private static let allowance = 1.5
    /// The part of the wealth that is lost in a replication with the largest excess.
    private static let stake = 0.9

    let constraint: Constraint
    /// Whether the configuration makes the value the same in every replication.
    let isCertain: Bool
    /// The moments of the value that the constraint bounds.
    package private(set) var moments = Moments()
    /// The number of replications that show the event.
    package private(set) var events = 0
    /// The excesses of the first replications. The bets on them are made when the largest excess is known.
    private var pilots: [Double] = []
    /// The largest excess that the bet assumes to be possible.
    private(set) var mostExcess = 0.0
    /// The natural logarithm of the wealth of the bet, which begins with 1.
    private var logWealth = 0.0
    /// The argument that shows that the constraint is satisfied; nil while none does.
    package private(set) var proof: Proof?

    package enum Proof: String, CaseIterable, Sendable {
        case sequence
        case bet
        /// The configuration makes the value the same in every replication.
        case certainty
    }

    package var isSatisfied: Bool { proof != nil }

    package init(_ constraint: Constraint, isCertain: Bool = false) {
        self.constraint = constraint
        self.isCertain = isCertain
    }

    package mutating func add(_ observation: Constraint.Observation) {
        moments.add(observation.value)
        if observation.showsEvent { events += 1 }
        let excess = constraint.excess(of: observation.value)
        if moments.count <= Self.pilotReplications {
            pilots.append(excess)
            mostExcess = max(mostExcess, observation.mostExcess * Self.allowance)
            if moments.count == Self.pilotReplications { for excess in pilots { bet(excess) } }
        } else {
            bet(excess)
        }
    }

    private mutating func bet(_ excess: Double) {
        logWealth += mostExcess > 0 ? log(max(0, 1 - Self.stake * excess / mostExcess)) : 0
    }

    /// Whether enough replications show the event for a confidence sequence.
    package var showsEvents: Bool {
        events >= Self.fewestEvents || Double(events) >= Self.commonShare * Double(moments.count)
    }

    /// Whether the replications are too few for their skewness to show that the constraint is satisfied.
    package var isTooSkewed: Bool { !isCovered(below: false) }

    /// Whether the interval of the excess can be relied on, below or above its mean.
    private func isCovered(below: Bool) -> Bool {
        let skewness = constraint.isUpper == below ? -moments.skewness : moments.skewness
        return ConfidenceSequence.covers(skewness: skewness, count: moments.count)
    }

    /// The excess of the mean over the bound, with the reach of its interval.
    private func excess(_ sequence: ConfidenceSequence) -> (mean: Double, reach: Reach) {
        let reach = sequence.reach(moments, isCertain: isCertain)
        let mean = constraint.excess(of: moments.mean)
        return (mean, constraint.isUpper ? reach : .init(below: reach.above, above: reach.below))
    }

    /// Judges the constraint anew. A proof is withdrawn if the mean of all replications contradicts it.
    ///
    /// - Returns: Whether the constraint is shown to be broken.
    mutating func judge(_ sequence: ConfidenceSequence) -> Bool {
        let (mean, reach) = excess(sequence)
        guard constraint.allows(excess: mean) else {
            proof = nil
            return isCovered(below: true) && !constraint.allows(excess: mean - reach.below)
        }
        guard proof == nil else { return false }
        if constraint.allows(excess: mean + reach.above) {
            if isCertain {
                proof = .certainty
            } else if showsEvents, isCovered(below: false) {
                proof = .sequence
            }
        }
        let hasWon = moments.count >= Self.pilotReplications && logWealth >= log(2 / sequence.error)
        if proof == nil, hasWon { proof = .bet }
        return false
    }
}

extension Constraint {
    /// What one replication says about a constraint.
    package struct Observation: Equatable, Sendable {
        package var value: Double
        /// Whether the replication shows the event that the constraint is about: a lost customer, a wait.
        package var showsEvent: Bool
        /// How far a replication with as many customers could exceed the bound.
        package var mostExcess: Double

        package init(value: Double, showsEvent: Bool = true, mostExcess: Double = 0) {
            self.value = value
            self.showsEvent = showsEvent
            self.mostExcess = mostExcess
        }
    }

    /// A percentile of waits is assumed to stay below this multiple of its bound.
    private static let mostOfPercentile = 3.0
    /// Any other value without a natural bound is assumed to stay below this multiple of its bound.
    private static let mostOfOthers = 100.0

    /// - Parameter find: The value of a metric in the replication.
    /// - Returns: nil if any metric has no observation.
    package func observe(_ find: (String) -> Double?) -> Observation? {
        guard let value = sum.value(find) else { return nil }
        let terms = sum.terms.map { term in
            (metric: term.metric, weight: isUpper ? term.price : -term.price, value: find(term.metric) ?? 0)
        }
        let relief = terms.reduce(0) { $0 + max(0, -$1.weight * $1.value) }
        var mostExcess = isUpper ? -bound : bound
        var isCounted = false
        var showsEvent = false
        for (metric, weight, value) in terms {
            let isDemand = metric == "customers.arrived" || metric == "cups.demanded"
            if isDemand {
                mostExcess += weight * value
            } else if weight > 0 {
                isCounted = true
                if value != 0 { showsEvent = true }
                mostExcess +=
                    Self.most(metric, find).map { weight * $0 } ?? (abs(bound) + relief) * Self.multiple(metric)
            } else if metric == "fillRate" {
                isCounted = true
                if value != 1 { showsEvent = true }
            } else if metric == "customers.served" {
                isCounted = true
                if LossReason.allCases.contains(where: { find($0.traits.metric) ?? 0 > 0 }) { showsEvent = true }
            }
        }
        return Observation(value: value, showsEvent: showsEvent || !isCounted, mostExcess: max(0, mostExcess))
    }

    /// The largest possible value of a metric; nil if it has no natural bound.
    private static func most(_ metric: String, _ find: (String) -> Double?) -> Double? {
        if metric.hasPrefix("customers.") { return find("customers.arrived") }
        if metric.hasPrefix("cups.") { return find("cups.demanded") }
        return MetricKind(metric) == .share ? 1 : nil
    }

    private static func multiple(_ metric: String) -> Double {
        let isPercentile = metric.hasPrefix("wait.p") || metric.hasPrefix("stay.p")
        return isPercentile ? mostOfPercentile : mostOfOthers
    }
}
