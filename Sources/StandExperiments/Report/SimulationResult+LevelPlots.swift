import JuiceStand
import Reports
import TextFormats

// Plots of the stock over time.

extension SimulationResult {
    private static let mostLevelPlots = 24

    private static func levels(of run: Run) -> LevelSeries? { run.outcomes.first?.charts?.levels }

    /// A plot of the stock over time for each setting and fruit, from the first replication.
    var levelPlots: [Report.Block] {
        let counts = runs.map { Self.levels(of: $0)?.fruits.count ?? 0 }
        guard let most = counts.max(), most > 0 else { return [] }
        var blocks = [
            Report.Block.paragraph(
                "Pieces on hand in the first replication, sampled at regular times. The reorder point is compared with "
                    + "the pieces on hand and on order, less those backordered.")
        ]
        var shown = 0
        // A setting is shown with all its fruits, unless one setting alone has too many.
        for run in spread(over: max(1, Self.mostLevelPlots / most)) {
            guard let levels = Self.levels(of: run) else { continue }
            let plots = levels.fruits.prefix(Self.mostLevelPlots).map { plot($0, step: levels.step) }
            shown += plots.count
            let block = Report.Block.plots(plots, areSmall: true)
            blocks.append(isSweep ? .folded(name(of: run), isOpen: true, [block]) : block)
        }
        return blocks
            + Report.leftOut(
                shown, of: counts.reduce(0, +), "plots of levels", elsewhere: "the tables have figures of every fruit")
    }

    private func plot(_ fruit: LevelSeries.Fruit, step: SimulationTime) -> Markup {
        let end = Double(fruit.levels.count) * step.seconds
        let unit = SpanText.unit(for: end)
        let low = fruit.levels.min() ?? 0
        let high = fruit.levels.max() ?? 0
        let point = fruit.reorderPoint
        var plot = Plot(
            fruit.name,
            description: "From \(Columns.counted(fruit.levels.first ?? 0, "piece")) at "
                + "\(from == nil ? "the opening" : "the start") to \(Columns.grouped(fruit.levels.last ?? 0)), "
                + "at least \(Columns.grouped(low)) and at most \(Columns.grouped(high))"
                + (point.map { "; reorder point \(Columns.grouped($0))" } ?? "; no reorder point") + ".",
            x: Axis(
                "\(unit.name) \(from == nil ? "since opening" : "from now")", 0...end / unit.seconds, ticks: 6,
                isExtended: false), y: Axis("pieces", Double(min(0, low))...Double(max(high, point ?? 0))))
        plot.badge = HTMLPage.face(of: fruit.name, in: faces)
        if warmUp > .zero {
            plot.addShade(
                0...min(warmUp.seconds / unit.seconds, end / unit.seconds), label: "warm-up, left out of all figures")
        }
        plot.addSteps(fruit.levels.map(Double.init), step: step.seconds / unit.seconds)
        if let point, point >= 0 { plot.addThreshold(Double(point), label: "reorder point \(Columns.grouped(point))") }
        return plot.markup()
    }
}
