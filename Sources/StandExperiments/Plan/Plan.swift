import JuiceStand

/// A search for the best of many settings that satisfies all constraints.
///
/// `Plan+Running.swift` runs it.
package struct Plan: Sendable {
    package let grid: Grid
    /// The stand of a combination of the grid; nil if it is not a valid configuration.
    package let makeSettings: @Sendable (Int) -> StandSettings?
    package let objective: MetricSum
    package var maximizes = false
    package var constraints: [Constraint] = []
    /// How much worse than the best the selected setting may be.
    package var within = Self.standardWithin
    package var confidence = 0.95
    /// The claims cover kinds of days that come at least once in this number of replications.
    package var rarest = Self.standardRarest
    /// Nil if a trace runs to its end.
    package let horizon: SimulationTime?
    package var warmUp = SimulationTime.zero
    /// The most replications of one setting.
    package var mostReplications = Self.standardMostReplications

    package init(
        _ objective: MetricSum, over grid: Grid, horizon: SimulationTime?,
        makeSettings: @escaping @Sendable (Int) -> StandSettings?
    ) {
        self.objective = objective
        self.grid = grid
        self.horizon = horizon
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
