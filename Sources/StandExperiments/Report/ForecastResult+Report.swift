import JuiceStand
import Reports
import TextFormats

extension ForecastResult {
    /// For each course of action when fruit becomes short, what it changes, and on pages a fan for each fruit and the
    /// line: the middle 50% and 90% of the futures.
    package func report() -> Report {
        var report = Report(
            title: "\(stand): the next \(SpanText.long(horizon - at))",
            about: "from \(time), after event \(Columns.grouped(Int(clamping: seq))), "
                + "\(Columns.counted(replications, "future")), seed \(seed)")
        report.headline = headline
        if runs.count > 1 {
            report.add("", [.table(shortages)])
            report.add("", [.table(changes)])
        }
        let audience: Report.Audience = runs.count > 1 ? .curious : .everybody
        for run in runs {
            let title = runs.count > 1 ? run.title : ""
            report.add(title, for: audience, [.table(table(run))])
            report.add("", for: .page, [.plots(fans(run))])
            report.add("", for: .curious, [.folded("Every figure, \(run.title)", [.table(figures(run))])])
        }
        return report
    }

    /// The fruit that is short now, and the other fruit that is most likely to run short.
    private var headline: String {
        let fruits = runs.first?.fruits ?? []
        let now = fruits.filter(isShortNow).map(\.name)
        let others = fruits.filter { !isShortNow($0) }
        let sentence =
            now.isEmpty
            ? "" : "\(now.prefix(5).joined(separator: ", ")) \(now.count == 1 ? "is" : "are") short now. "
        guard let first = others.max(by: { $0.short.probability.mean < $1.short.probability.mean }),
            let at = first.short.at
        else { return sentence + "\(now.isEmpty ? "No fruit" : "No other fruit") runs short in any of the futures." }
        let median = SpanText.long(at.p50 - self.at)
        let low = at.p05 - self.at
        let high = at.p95 - self.at
        return sentence + "\(first.name) is most likely to run short: in "
            + "\(Self.percent(first.short.probability.mean)) of the futures, after \(median) "
            + "(90% between \(SpanText.long(low)) and \(SpanText.long(high)))."
    }

    private func isShortNow(_ fruit: Fruit) -> Bool {
        fruit.short.probability.mean == 1 && fruit.short.at?.p95 == at
    }

    /// When a fruit is first short: `now` or `in 13 min (3 min–1 h)`; nil if it never is.
    private func first(_ fruit: Fruit) -> String? {
        isShortNow(fruit) ? "now" : fruit.short.at.map { "in \(Self.range($0) { SpanText.long($0 - at) })" }
    }

    /// ``first(_:)`` without the range: `now` or `in 13 min`.
    private func median(_ fruit: Fruit) -> String? {
        isShortNow(fruit) ? "now" : fruit.short.at.map { "in \(SpanText.long($0.p50 - at))" }
    }

    /// When each fruit becomes short, by the course of action.
    private var shortages: Report.Table {
        var table = Report.Table(
            "When fruit becomes short, by course", columns: ["short"] + runs.map(\.title),
            texts: Set(runs.indices.map { $0 + 1 }))
        table.things = "fruits"
        table.ranking = Self.byRisk(runs[0])
        for fruit in runs[0].fruits {
            let cells = runs.map { run -> String in
                guard let fruit = run.fruits.first(where: { $0.name == fruit.name }), let first = median(fruit) else {
                    return "never"
                }
                return "\(Self.percent(fruit.short.probability.mean)), \(first)"
            }
            table.rows.append(.init(texts: [fruit.name] + cells))
        }
        return table
    }

    /// The metrics of each course of action, as differences from the first.
    private var changes: Report.Table {
        let courses = runs.dropFirst()
        var table = Report.Table(
            "What changes from now to the horizon",
            columns: ["difference from \(runs[0].title)", runs[0].title] + courses.map(\.title))
        table.things = "metrics"
        for figure in runs[0].metrics where SimulationResult.compared.contains(figure.name) {
            let mean = figure.mean.map(MetricUnit(of: figure.name, currency: "").rounded) ?? "–"
            let cells = courses.map { Self.change(of: figure.name, in: $0) }
            table.rows.append(.init(texts: [figure.name, mean] + cells))
        }
        return table
    }

    /// A difference from the first run, with its interval.
    private static func change(of name: String, in run: Run) -> String {
        guard let difference = run.differences.first(where: { $0.name == name }), let mean = difference.mean else {
            return "–"
        }
        return MetricUnit(of: name, currency: "").signed(mean, halfWidth: difference.halfWidth)
    }

    /// The indices of the fruits, the one most likely to become short first.
    private static func byRisk(_ run: Run) -> [Int] {
        run.fruits.indices.sorted { first, second in
            run.fruits[first].short.probability.mean > run.fruits[second].short.probability.mean
        }
    }

    /// A row for each fruit, then the queue.
    private func table(_ run: Run) -> Report.Table {
        var table = Report.Table(
            "When fruit becomes short",
            columns: ["", "short (95% interval)", "first (90%)", "none left", "left at the end (90%)", "median"],
            texts: [1, 2, 3, 4, 5])
        for fruit in run.fruits {
            table.rows.append(
                .init([
                    .init(fruit.name), .init(Self.percent(fruit.short.probability)),
                    .init(first(fruit) ?? "never", brief: median(fruit)),
                    .init(Self.percent(fruit.stockout.probability.mean)), .init(Self.end(fruit.levels)),
                    .init(Report.sparkline(fruit.levels.map(\.quantiles.p50))),
                ]))
        }
        table.things = "fruits"
        table.extras = 1
        // On a short screen, the row of the queue is kept.
        table.ranking = [run.fruits.count] + Self.byRisk(run)
        let medians = Report.sparkline(run.queue.map(\.quantiles.p50))
        table.rows.append(.init(texts: ["queue", "", "", "", Self.end(run.queue), medians]))
        return table
    }

    private static func end(_ instants: [Instant]) -> String {
        instants.last.map { range($0.quantiles, Columns.rounded) } ?? ""
    }

    /// The mean of each metric, its 90% range and, for a change, the difference.
    private func figures(_ run: Run) -> Report.Table {
        let hasDifferences = !run.differences.isEmpty
        var table = Report.Table(
            "From now to the horizon",
            columns: ["metric", "mean", "5%", "50%", "95%"]
                + (hasDifferences ? ["difference from \(runs[0].title)"] : []))
        for figure in run.metrics {
            let unit = MetricUnit(of: figure.name, currency: "")
            let values = [figure.mean, figure.p05, figure.p50, figure.p95].map { $0.map(unit.rounded) ?? "–" }
            let changes = hasDifferences ? [Self.change(of: figure.name, in: run)] : []
            table.rows.append(.init(texts: [figure.name] + values + changes))
        }
        return table
    }

    // MARK: - Fans

    private func fans(_ run: Run) -> [Markup] {
        run.fruits.map { fruit in
            let first = first(fruit).map { ", first \($0)" } ?? ""
            return fan(
                "Stock of \(fruit.name)", "pieces", fruit.levels, badge: HTMLPage.face(of: fruit.name, in: faces),
                caption: "short with \(Self.percent(fruit.short.probability))\(first)")
        } + [fan("Customers in the queue", "customers", run.queue, caption: "")]
    }

    private func fan(
        _ title: String, _ unit: String, _ instants: [Instant], badge: Markup = "", caption: String
    ) -> Markup {
        let inHours = horizon - at > 2 * 3600
        let scale = inHours ? 3600.0 : 60.0
        func points(_ value: (Quantiles) -> Double) -> [Plot.Point] {
            instants.map { Plot.Point(($0.at - at) / scale, value($0.quantiles)) }
        }
        var plot = Plot(
            title,
            description: "\(title) from now on: median and the middle 50% and 90% of the futures. At the end "
                + "\(Self.end(instants)).",
            caption: caption,
            x: Axis(inHours ? "hours from now" : "minutes from now", 0...(horizon - at) / scale, isExtended: false),
            y: Axis(unit, 0...max(1, instants.map(\.quantiles.p95).max() ?? 1)))
        plot.badge = badge
        plot.addBand(from: points(\.p05), to: points(\.p95))
        plot.addBand(from: points(\.p25), to: points(\.p75))
        plot.addLine(points(\.p50))
        return plot.markup()
    }

    // MARK: - Words

    private static func range(_ quantiles: Quantiles, _ text: (Double) -> String) -> String {
        let low = text(quantiles.p05)
        let high = text(quantiles.p95)
        return text(quantiles.p50) + (low == high ? "" : " (\(low)–\(high))")
    }

    private static func percent(_ share: Probability) -> String {
        "\(percent(share.mean)) (\(percent(share.low).dropLast())–\(percent(share.high).dropLast()))"
    }

    private static func percent(_ share: Double) -> String {
        Columns.percent(share, decimals: share > 0 && share < 0.1 ? 1 : 0)
    }
}
