import JuiceStand
import TextFormats

/// What to simulate: one stand or several that differ in some keys, and how far and how often.
///
/// A plain description; `Experiment+Running.swift` carries it out.
package struct Experiment: Sendable {
    /// One combination of the varied keys.
    package struct Setting: Sendable {
        /// The varied keys with their values; empty where nothing is varied.
        package var set: [JSONValue.Member]
        package var settings: StandSettings

        package init(set: [JSONValue.Member], settings: StandSettings) {
            self.set = set
            self.settings = settings
        }
    }

    /// The stand before anything was varied.
    package var base: StandSettings
    /// At least one.
    package var settings: [Setting]
    /// Replication *r* of every setting has the same random streams, so that settings meet the same customers.
    package var replications: Int
    /// nil where a trace runs to its end.
    package var horizon: SimulationTime?
    package var warmUp: WarmUp
    /// What has to be reached before the experiment ends; then ``replications`` are the fewest.
    package var precisions: [Precision]
    /// The part to run; nil is the whole.
    package var shard: Shard?
    /// Whether figures of the wall clock are reported, which no two runs share.
    package var includesTiming: Bool
    /// Whether what plots need is kept.
    package var drawsCharts: Bool

    package init(
        base: StandSettings, settings: [Setting]? = nil, replications: Int = 1, horizon: SimulationTime?,
        warmUp: WarmUp = .fixed(.zero), precisions: [Precision] = [], shard: Shard? = nil, includesTiming: Bool = true,
        drawsCharts: Bool = false
    ) {
        self.base = base
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

    /// The metrics that every setting has, in the order of the first.
    package var metricNames: [String] {
        let names = settings.map(metricNames(of:))
        return names.dropFirst().reduce(names[0]) { common, names in common.filter(names.contains) }
    }

    func metricNames(of setting: Setting) -> [String] {
        Stand(setting.settings).metrics(at: .zero).map(\.name) + (includesTiming ? [Self.timingMetric] : [])
    }
}
