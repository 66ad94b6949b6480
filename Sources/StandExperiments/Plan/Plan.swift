import JuiceStand

/// A search for the best of many settings that satisfies all constraints.
///
/// `Plan+Running.swift` runs it.
package struct Plan: Sendable {
    package var grid: Grid
    /// The stand of a combination of the grid; nil if it is not a valid configuration.
    package var makeSettings: @Sendable (Int) -> StandSettings?
    package var objective: MetricSum
    package var maximizes: Bool
    package var constraints: [Constraint]
    package var within: Tolerance
    package var confidence: Double
    /// The claims cover kinds of days that come at least once in this number of replications.
    package var rarest: Int
    /// Nil if a trace runs to its end.
    package var horizon: SimulationTime?
    package var warmUp: SimulationTime
    /// Of one setting.
    package var mostReplications: Int

    package init(
        grid: Grid, objective: MetricSum, maximizes: Bool = false, constraints: [Constraint] = [],
        within: Tolerance = Self.standardWithin, confidence: Double = 0.95, rarest: Int = Self.standardRarest,
        horizon: SimulationTime?,
        warmUp: SimulationTime = .zero, mostReplications: Int = Self.standardMostReplications,
        makeSettings: @escaping @Sendable (Int) -> StandSettings?
    ) {
        self.grid = grid
        self.objective = objective
        self.maximizes = maximizes
        self.constraints = constraints
        self.within = within
        self.confidence = confidence
        self.rarest = rarest
        self.horizon = horizon
        self.warmUp = warmUp
        self.mostReplications = mostReplications
        self.makeSettings = makeSettings
    }

    package static let standardWithin = Tolerance.relative(0.005)
    package static let standardMostReplications = 10_000
    package static let standardRarest = 50
    /// The largest grid of which every setting is visited.
    package static let mostRaced = 500
    /// The replications before the race is judged first. With fewer, means are far from normal.
    static let firstReplications = 10
}
