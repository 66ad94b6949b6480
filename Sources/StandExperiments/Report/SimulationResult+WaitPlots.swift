import JuiceStand
import Reports
import TextFormats

// Plots of waiting: the waits of customers, and the queue by hour of the day.

extension SimulationResult {
    /// The most settings that one plot can distinguish.
    private var plottedRuns: [Run] { spread(over: Plot.styles) }

    private func seriesNames() -> [String] { isSweep ? plottedRuns.map(shortName(of:)) : [] }
}

// MARK: - Waits

extension SimulationResult {
    var waitPlots: [Report.Block] {
        let plots = [waitPlot, linePlot].compactMap { $0?.markup() }
        var blocks: [Report.Block] = plots.isEmpty ? [] : [.plots(plots)]
        let tails = tails
        if tails.contains(where: { $0.count > 0 }), tails.allSatisfy({ $0.points.count < 2 }) {
            blocks.append(.paragraph("No served customer waited."))
        }
        guard !plots.isEmpty else { return blocks }
        return blocks
            + Report.leftOut(plottedRuns.count, of: runs.count, "settings", elsewhere: "the tables have the others")
    }

    private var tails: [WaitTail] { plottedRuns.map(WaitTail.init(of:)) }

    /// The plot of the share of customers who waited at least a given time; nil if no customer waited.
    private var waitPlot: Plot? {
        let tails = tails
        let longest = tails.map(\.longest).max() ?? 0
        guard longest > 0 else { return nil }
        let unit = SpanText.unit(for: longest)
        var plot = Plot(
            "How long customers waited",
            description: zip(plottedRuns, tails).map { "\(name(of: $0)): \($1.inWords)" }.joined(separator: " "),
            caption:
                "Share of served customers who waited at least this long, over all replications. Marks at 50%, 10% "
                + "and 1%.", series: seriesNames(),
            x: Axis("wait, \(unit.name)", 0...longest / unit.seconds, ticks: 6, isExtended: false),
            y: Axis("customers", sharesDownTo: tails.map(\.smallest).min() ?? 1))
        for (style, tail) in tails.enumerated() {
            plot.addLine(tail.points.map { Plot.Point($0.wait / unit.seconds, $0.share) }, style: style)
            for point in tail.marks {
                plot.addPoint(
                    (point.wait / unit.seconds, point.share),
                    label: "\(Columns.percent(point.share)) waited \(SpanText.short(point.wait)) or longer",
                    style: style)
            }
        }
        return plot
    }
}

/// The share of served customers who waited at least a given time, as a curve.
private struct WaitTail {
    /// The number of served customers.
    private(set) var count = 0.0
    /// Points of the curve: seconds, and the share that waited at least as long. It falls from the share that waited at
    /// all to ``smallest``.
    private(set) var points: [(wait: Double, share: Double)] = []

    init(of run: SimulationResult.Run) {
        var waits = SpanDistribution()
        for outcome in run.outcomes {
            for (bucket, spans) in (outcome.charts?.waits.counts ?? []).enumerated() { waits.add(spans, at: bucket) }
        }
        let counts = waits.counts.map { Double($0) }
        count = counts.reduce(0, +)
        // The first bucket holds those who did not wait.
        var left = count - (counts.first ?? 0)
        guard left > 0 else { return }
        points.append((0, left / count))
        for (bucket, spans) in counts.enumerated().dropFirst() where spans > 0 {
            left -= spans
            points.append((SpanDistribution.start(of: bucket + 1), max(left / count, 0)))
            if left / count < smallest { break }
        }
    }

    /// The smallest share drawn: one customer, or one in ten thousand.
    var smallest: Double { max(1e-4, 1 / max(count, 2)) }

    /// The longest wait drawn, in seconds.
    var longest: Double { points.last?.wait ?? 0 }

    /// The points at which the curve falls to one half, one tenth and one hundredth.
    var marks: [(wait: Double, share: Double)] {
        [0.5, 0.1, 0.01].compactMap { share in
            guard let first = points.first, first.share > share else { return nil }
            return points.first { $0.share <= share && $0.share >= smallest }
        }
    }

    var inWords: String {
        guard count > 0 else { return "nobody was served." }
        let parts = marks.map { "\(Columns.percent($0.share)) waited \(SpanText.short($0.wait)) or longer" }
        return (["\(Columns.percent(points.first?.share ?? 0)) had to wait"] + parts).joined(separator: ", ") + "."
    }
}

// MARK: - The queue by the hour

extension SimulationResult {
    /// The mean queue in each hour of the day, for each setting. Hours when the stand was closed have no mean.
    private var lines: [[Estimate]] {
        plottedRuns.map { run in
            (0..<24).map { hour in
                Estimate(name: "", of: run.outcomes.map { outcome in outcome.charts.flatMap { $0.lineByHour[hour] } })
            }
        }
    }

    /// The plot of the queue by the hour of the day; nil without data.
    private var linePlot: Plot? {
        let lines = lines
        // Intervals of many lines would hide each other.
        let showsIntervals = replications > 1 && lines.count <= 3
        let ends = lines.joined().compactMap { line in line.mean.map { $0 + (line.halfWidth ?? 0) } }
        let hours = (0..<24).filter { hour in lines.contains { $0[hour].mean != nil } }
        guard let most = ends.max(), let first = hours.first, let last = hours.last else { return nil }
        var plot = Plot(
            "Customers in the queue by the hour of the day",
            description: zip(plottedRuns, lines).map { run, line in
                let words = hours.map { "\($0) to \($0 + 1): \(line[$0].mean == nil ? "closed" : line[$0].rounded())" }
                return "\(name(of: run)): \(words.joined(separator: ", "))."
            }.joined(separator: " "),
            caption: "Orders with no cup started, averaged over time\(replications > 1 ? " and over replications" : "")"
                + "\(showsIntervals ? ", with 95% confidence intervals" : "").",
            series: seriesNames(), x: Axis("hour of the day", at: Self.ticks(first...last + 1)),
            y: Axis("customers in the queue", 0...max(most, 0)))
        for (style, line) in lines.enumerated() {
            Self.draw(line, style: style, asBars: !isSweep, showsIntervals: showsIntervals, in: &plot)
        }
        return plot
    }

    /// The hours at which a day is labelled: at its ends, and every hour or every three between them.
    private static func ticks(_ day: ClosedRange<Int>) -> [Axis.Tick] {
        day.filter { day.count <= 13 || $0 % 3 == 0 || $0 == day.lowerBound || $0 == day.upperBound }
            .map { .init(Double($0), "\($0)") }
    }

    /// Bars for a single setting, or a line for each of several.
    private static func draw(_ line: [Estimate], style: Int, asBars: Bool, showsIntervals: Bool, in plot: inout Plot) {
        var stretch: [Plot.Point] = []
        for (hour, estimate) in line.enumerated() {
            guard let mean = estimate.mean else {
                plot.addLine(stretch, style: style)
                stretch = []
                continue
            }
            let middle = Double(hour) + 0.5
            let interval = showsIntervals ? estimate.interval : nil
            let label = "\(hour) to \(hour + 1): \(estimate.rounded())"
            if asBars {
                plot.addBar(middle - 0.4...middle + 0.4, to: mean, interval: interval, label: label)
            } else {
                stretch.append((middle, mean))
                plot.addPoint((middle, mean), interval: interval, label: label, style: style)
            }
        }
        plot.addLine(stretch, style: style)
    }
}
