import JuiceStand
import TextFormats

/// What to simulate: one stand, or several that differ in some keys, with the horizon and the replications.
///
/// `Experiment+Running.swift` runs it.
package struct Experiment: Sendable {
    /// One combination of the varied keys.
    package struct Setting: Sendable {
        /// The varied keys with their values; empty if none is varied.
        package var set: [JSONValue.Member]
        package var settings: StandSettings

        package init(set: [JSONValue.Member], settings: StandSettings) {
            self.set = set
            self.settings = settings
        }
    }

    /// The stand before any key is varied.
    package var base: StandSettings
    /// The state from which replications go on; nil if they open the stand.
    package var start: Start?
    /// One setting or more.
    package var settings: [Setting]
    /// The number of replications. Replication *r* of every setting has the same random streams, hence the same
    /// customers.
    package var replications: Int
    /// The length of a replication; nil if a trace runs to its end.
    package var horizon: SimulationTime?
    package var warmUp: WarmUp
    /// The precisions to reach. With any, ``replications`` is the least number.
    package var precisions: [Precision]
    /// The part to run; nil for the whole experiment.
    package var shard: Shard?
    /// Whether metrics of the wall clock are reported, which differ between any two runs.
    package var includesTiming: Bool
    /// Whether the data of plots is kept.
    package var drawsCharts: Bool

    package init(
        base: StandSettings, from start: Start? = nil, settings: [Setting]? = nil, replications: Int = 1,
        horizon: SimulationTime?, warmUp: WarmUp = .fixed(.zero), precisions: [Precision] = [], shard: Shard? = nil,
        includesTiming: Bool = true, drawsCharts: Bool = false
    ) {
        self.base = base
        self.start = start
        self.settings = settings ?? [Setting(set: [], settings: base)]
        self.replications = replications
        self.horizon = horizon
        self.warmUp = warmUp
        self.precisions = precisions
        self.shard = shard
        self.includesTiming = includesTiming
        self.drawsCharts = drawsCharts
    }

    package static let timingMetric = "engine.ordersPerSecond"

    /// The metrics that all settings have, in the order of the first.
    package var metricNames: [String] {
        let names = settings.map { metricNames(of: Stand($0.settings)) }
        return names.dropFirst().reduce(names[0]) { common, names in common.filter(names.contains) }
    }

    func metricNames(of stand: Stand) -> [String] {
        stand.metrics(at: .zero).map(\.name) + (includesTiming ? [Self.timingMetric] : [])
    }
}
