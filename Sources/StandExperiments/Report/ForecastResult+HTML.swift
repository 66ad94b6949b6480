import JuiceStand
import TextFormats

extension ForecastResult {
    /// A self-contained page with a fan for each fruit and the line: the middle 50% and 90% of the futures.
    package func html() -> String {
        let title = "\(stand): the next \(SpanText.long(horizon - at))"
        let lead =
            "From \(time), after event \(Columns.grouped(Int(clamping: seq))). "
            + "\(Columns.counted(replications, "future")), seed \(seed)."
        let sections = runs.map { run in
            HTMLPage.section(run.title, "\(table(run))<div class=\"plots\">\n\(fans(run))</div>\n\(figures(run))")
        }
        let body: Markup = "<h1>\(title)</h1>\n\(HTMLPage.remark(lead))\(sections)"
        return HTMLPage(title: title, body: body).source()
    }

    private func table(_ run: Run) -> Markup {
        HTMLPage.table(
            caption: "When fruit becomes short",
            columns: ["fruit", "short, 95% interval", "first in, 90%", "none left", "left at the end, 90%"],
            rows: run.fruits.map { fruit in
                [
                    "\(fruit.name)", "\(Self.percent(fruit.short.probability))",
                    "\(fruit.short.at.map { Self.range($0) { SpanText.long($0 - at) } } ?? "never")",
                    "\(Self.percent(fruit.stockout.probability.mean))",
                    "\(fruit.levels.last.map { Self.range($0.quantiles, Columns.rounded) } ?? "")",
                ]
            })
    }

    private func fans(_ run: Run) -> [Markup] {
        run.fruits.map { fruit in
            let first = fruit.short.at.map { ", first in " + Self.range($0) { SpanText.long($0 - at) } } ?? ""
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
        let last = instants.last.map { Self.range($0.quantiles, Columns.rounded) } ?? "unknown"
        var plot = Plot(
            title,
            description: "\(title) from now on: median and the middle 50% and 90% of the futures. At the end \(last).",
            caption: caption,
            x: Axis(inHours ? "hours from now" : "minutes from now", 0...(horizon - at) / scale, isExtended: false),
            y: Axis(unit, 0...max(1, instants.map(\.quantiles.p95).max() ?? 1)))
        plot.badge = badge
        plot.addBand(from: points(\.p05), to: points(\.p95))
        plot.addBand(from: points(\.p25), to: points(\.p75))
        plot.addLine(points(\.p50))
        return plot.markup()
    }

    private func figures(_ run: Run) -> Markup {
        let columns = ["metric", "mean", "5%", "50%", "95%"] + (run.differences.isEmpty ? [] : ["difference"])
        let rows = run.metrics.map { figure -> [Markup] in
            let difference = run.differences.first { $0.name == figure.name }
            let change = difference?.mean.map {
                Estimate.signed($0, halfWidth: difference?.halfWidth, of: figure.name)
            }
            let values = [figure.mean, figure.p05, figure.p50, figure.p95]
            return ["\(figure.name)"] + values.map { "\($0.map { Estimate.rounded($0, of: figure.name) } ?? "–")" }
                + (run.differences.isEmpty ? [] : ["\(change ?? "–")"])
        }
        return HTMLPage.details(
            "All figures", isPrinted: true,
            HTMLPage.table(caption: "From now to the horizon", columns: columns, rows: rows))
    }
}
