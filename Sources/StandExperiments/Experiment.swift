import JuiceStand

/// One stand, simulated: what to run, and how far.
package struct Experiment: Sendable {
    package var settings: StandSettings
    /// nil where a trace runs to its end.
    package var horizon: SimulationTime?
    package var warmUp: SimulationTime
    /// Whether figures of the wall clock are reported, which no two runs share.
    package var includesTiming: Bool

    package init(settings: StandSettings, horizon: SimulationTime?, warmUp: SimulationTime, includesTiming: Bool) {
        self.settings = settings
        self.horizon = horizon
        self.warmUp = warmUp
        self.includesTiming = includesTiming
    }

    /// Runs one replication under `wiring`, which has been connected to whoever is to hear.
    ///
    /// - Parameter goOn: asked every few thousand events; where it says no, the result is partial.
    package func run(_ wiring: any Wiring, while goOn: () -> Bool) -> SimulationResult {
        var stand = Stand(settings)
        let clock = ContinuousClock()
        let start = clock.now
        let isWhole = VirtualDriver(horizon: horizon, warmUp: warmUp).run(&stand, wiring, while: goOn)
        let elapsed = clock.now - start
        var metrics = stand.metrics(at: stand.now)
        if includesTiming {
            let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
            metrics.append(Metric("engine.ordersPerSecond", Double(stand.ordersNumbered) / seconds))
        }
        let estimates = metrics.map {
            Estimate(name: $0.name, mean: $0.value, halfWidth: nil, count: $0.value == nil ? 0 : 1)
        }
        return SimulationResult(
            settings: settings, replications: 1, horizon: horizon, warmUp: warmUp,
            runs: [.init(set: [], metrics: estimates)], isPartial: !isWhole)
    }
}
