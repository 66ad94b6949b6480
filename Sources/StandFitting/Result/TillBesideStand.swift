import Platform
import Reports
import TextFormats

/// The days of a till beside simulated days of the fitted stand, for the owner of the shop.
struct TillBesideStand {
    private static let mostItems = 30
    private static let series = ["your till", "simulated stand"]

    let till: DaysOfOrders
    let stand: DaysOfOrders

    func add(to report: inout Report) {
        report.add("Is the stand like the shop?", for: .page, [.table(summary)])
        report.add("Days, hours and gaps", for: .page, [.plots(plots)])
        if !till.items.isEmpty { report.add("Items", for: .page, items) }
    }

    /// The figures that matter most.
    private var summary: Report.Table {
        func mean(_ days: DaysOfOrders) -> String {
            Columns.fixed(days.byWeekday.reduce(0, +) / Double(max(1, days.byWeekday.count { $0 > 0 })), decimals: 1)
        }
        func dispersion(_ days: DaysOfOrders) -> String {
            days.dispersion.map { Columns.fixed($0, decimals: 2) } ?? "–"
        }
        let rows = [
            ["Orders on an open day", mean(till), mean(stand)],
            [
                "Variance of a day's orders, divided by their mean (1 is pure chance)", dispersion(till),
                dispersion(stand),
            ],
            ["Gaps under a minute", Columns.percent(till.gaps[0]), Columns.percent(stand.gaps[0])],
        ]
        return Report.Table(
            "The till beside \(Columns.counted(stand.counts.count, "simulated open day"))",
            columns: [""] + Self.series, rows: rows.map { .init(texts: $0) })
    }

    private var items: [Report.Block] {
        let simulated = Dictionary(stand.items.map { ($0.name, $0.share) }) { first, _ in first }
        let shown = till.items.sorted { $0.share > $1.share }.prefix(Self.mostItems)
        var table = Report.Table("Share of lines", columns: ["item"] + Self.series)
        table.rows = shown.map { item in
            .init(texts: [item.name, Columns.percent(item.share), Columns.percent(simulated[item.name] ?? 0)])
        }
        return [.table(table)]
            + Report.leftOut(shown.count, of: till.items.count, "items", elsewhere: "the configuration has all")
    }

    // MARK: - Plots

    private var plots: [Markup] {
        func middle(_ counts: [Int]) -> String { counts.isEmpty ? "–" : "\(counts[counts.count / 2])" }
        return [
            bars("Orders by weekday", Weekday.long.map { String($0.prefix(3)) }, \.byWeekday, x: "weekday"),
            bars("Orders by hour", (0..<24).map { "\($0)" }, \.byHour, x: "hour"),
            lines(
                "Busy and quiet days", x: "orders on a day", y: "% of days with at most this number",
                words: "Half of the days have at most \(middle(till.counts)) orders in the till and "
                    + "\(middle(stand.counts)) in the stand"
            ) { days in
                // A hundred points draw the line as well as thousands.
                stride(from: 0, to: days.counts.count, by: max(1, days.counts.count / 100)).map {
                    Plot.Point(Double(days.counts[$0]), 100 * Double($0 + 1) / Double(days.counts.count))
                }
            },
            lines(
                "Gaps between orders", x: "minutes", y: "% of gaps that are shorter",
                words: "Gaps under a minute: \(Columns.percent(till.gaps[0])) in the till and "
                    + "\(Columns.percent(stand.gaps[0])) in the stand"
            ) { days in
                [Plot.Point(0, 0)] + zip(DaysOfOrders.gapMinutes, days.gaps).map { Plot.Point(Double($0), 100 * $1) }
            },
        ].compactMap { $0 }
    }

    private func bars(
        _ title: String, _ names: [String], _ figures: (DaysOfOrders) -> [Double], x: String
    ) -> Markup {
        let observed = figures(till)
        let simulated = figures(stand)
        let top = max(observed.max() ?? 0, simulated.max() ?? 0, 1e-9)
        let every = names.count > 12 ? 4 : 1
        let ticks = names.indices.filter { $0 % every == 0 || $0 == names.count - 1 }
        let words = names.indices.filter { observed[$0] > 0 || simulated[$0] > 0 }.map {
            "\(names[$0]): \(Columns.fixed(observed[$0], decimals: 1)) and \(Columns.fixed(simulated[$0], decimals: 1))"
        }
        var plot = Plot(
            title, description: "Till and stand, \(x) by \(x): " + words.joined(separator: ", "), series: Self.series,
            x: Axis(x, at: ticks.map { Axis.Tick(Double($0), names[$0]) }),
            y: Axis("mean orders of an open day", 0...top))
        for index in names.indices {
            let place = Double(index)
            plot.addBar(
                place - 0.35...place, to: observed[index],
                label: "\(names[index]), till: \(Columns.fixed(observed[index], decimals: 2))")
            plot.addBar(
                place...place + 0.35, to: simulated[index],
                label: "\(names[index]), stand: \(Columns.fixed(simulated[index], decimals: 2))", style: 1)
        }
        return plot.markup()
    }

    /// A line for the till and one for the stand; nil without points.
    private func lines(
        _ title: String, x: String, y: String, words: String, points: (DaysOfOrders) -> [Plot.Point]
    ) -> Markup? {
        let observed = points(till)
        let simulated = points(stand)
        guard let right = (observed + simulated).map(\.x).max(), right > 0 else { return nil }
        var plot = Plot(title, description: words, series: Self.series, x: Axis(x, 0...right), y: Axis(y, 0...100))
        plot.addLine(observed)
        plot.addLine(simulated, style: 1)
        return plot.markup()
    }
}
