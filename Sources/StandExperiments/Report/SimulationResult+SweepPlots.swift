import JuiceStand
import Reports
import TextFormats

// Plots of the effects of the varied keys.

extension SimulationResult {
    /// The metrics plotted against the settings, beside each other.
    private func swept(_ columns: [String]) -> [(metric: String, words: String, unit: String)] {
        [columns[0], "fillRate", "wait.p95"].compactMap { name in
            switch name {
            case "profit": (name, "Profit", currency)
            case "customers.served": (name, "Customers served", "customers")
            case "fillRate": (name, "Fill rate", "share of cups filled at once")
            case "wait.p95": (name, "95% wait within", "seconds")
            default: nil
            }
        }
    }

    private static let mostPoints = 200

    /// The varied key of the plots; nil if no key has numbers. The table then has bars instead.
    var sweepAxis: SweepAxis? { SweepAxis(runs.map(\.set), names: shortKeys) }

    /// A plot for each metric that has values, against a varied key with numeric values.
    func sweepPlots(_ columns: [String]) -> [Report.Block] {
        guard let axis = sweepAxis else { return [] }
        let shown = Array(runs.prefix(Self.mostPoints))
        let plots = swept(columns).filter { swept in shown.contains { $0.mean(swept.metric) != 0 } }
            .map { plot($0.metric, $0.words, $0.unit, shown, axis) }
        guard !plots.isEmpty else { return [] }
        let lines = Report.leftOut(
            min(axis.series.count, Plot.styles), of: axis.series.count, "lines", elsewhere: "the tables have all")
        let others = Report.leftOut(shown.count, of: runs.count, "settings", elsewhere: "the JSON and the CSV have all")
        return [.plots(plots, areSmall: true)] + lines + others
    }

    private func plot(_ metric: String, _ words: String, _ unit: String, _ runs: [Run], _ axis: SweepAxis) -> Markup {
        let estimates = runs.map { $0.metric(metric) }
        let ends = estimates.compactMap { estimate in
            estimate?.mean.map { estimate?.interval ?? $0...$0 }
        }
        let low = ends.map(\.lowerBound).min() ?? 0
        let high = ends.map(\.upperBound).max() ?? 0
        // The axis starts at 0, unless the differences would then disappear.
        let from = low > 0 && high - low > high / 4 ? 0 : low
        var plot = Plot(
            words,
            description: runs.map { "\(name(of: $0)): \($0.metric(metric)?.rounded(currency) ?? "none")" }
                .joined(separator: "; ") + ".",
            caption: metric + (replications > 1 ? ", with 95% confidence intervals" : ""),
            series: axis.series.count > 1 ? Array(axis.series.prefix(Plot.styles)) : [],
            x: Axis(axis.key, at: axis.ticks), y: Axis(unit, from...high))
        for style in axis.series.indices.prefix(Plot.styles) {
            let points = runs.indices.filter { axis.seriesOfRun[$0] == style && estimates[$0]?.mean != nil }
                .map { (run: $0, point: Plot.Point(axis.valueOfRun[$0], estimates[$0]?.mean ?? 0)) }
                .sorted { $0.point.x < $1.point.x }
            plot.addLine(points.map(\.point), style: style)
            for (run, point) in points {
                plot.addPoint(
                    point, interval: estimates[run]?.interval,
                    label: "\(name(of: runs[run])): \(estimates[run]?.rounded(currency) ?? "")", style: style)
            }
        }
        return plot.markup()
    }
}

/// The varied key of the horizontal axis, and the series that the other keys form.
package struct SweepAxis {
    package let key: String
    /// The distinct values, as they were given.
    let ticks: [Axis.Tick]
    /// The value of each setting.
    let valueOfRun: [Double]
    /// The values of the other keys, in readable form.
    let series: [String]
    /// The index in ``series`` of each setting.
    let seriesOfRun: [Int]

    /// Chooses the key with the most distinct numbers or durations. Returns nil if no key has two or more values, all
    /// of them of this kind.
    ///
    /// - Parameter names: The displayed names of the keys.
    package init?(_ sets: [[JSONValue.Member]], names: [String]) {
        let axes = names.indices.compactMap { place -> (place: Int, ticks: [Double: String], values: [Double])? in
            let values = sets.compactMap { Self.number($0[place].value) }
            guard values.count == sets.count else { return nil }
            let labels = sets.map { SimulationResult.plain($0[place].value) }
            return (place, Dictionary(zip(values, labels), uniquingKeysWith: { first, _ in first }), values)
        }
        // If several keys have equally many values, the first.
        guard let best = axes.max(by: { $0.ticks.count < $1.ticks.count }), best.ticks.count > 1 else { return nil }
        key = names[best.place]
        ticks = best.ticks.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) }
        valueOfRun = best.values
        let others = sets.map { set in
            SimulationResult.describe(
                set.indices.filter { $0 != best.place }.map { .init(key: names[$0], value: set[$0].value) })
        }
        var series: [String] = []
        var places: [String: Int] = [:]
        seriesOfRun = others.map { name in
            if let place = places[name] { return place }
            places[name] = series.count
            series.append(name)
            return series.count - 1
        }
        self.series = series
    }

    /// The value of a number, or the seconds of a duration.
    private static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .string(let text): DurationText.nanoseconds(text).map { Double($0) / 1e9 }
        default: nil
        }
    }
}
