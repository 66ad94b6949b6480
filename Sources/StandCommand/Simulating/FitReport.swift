import JuiceStand
import StandExperiments
import StandFitting
import TextFormats
import Tills

/// A page for the owner of a shop: the days of the till beside simulated days of the fitted stand.
struct FitReport {
    private static let mostItems = 30
    private static let series = ["your till", "simulated stand"]

    private let fitted: FittedStand
    private let till: DaysOfOrders
    private let stand: DaysOfOrders

    init(_ fitted: FittedStand) throws(ConfigurationError) {
        self.fitted = fitted
        till = fitted.observedDays
        stand = try fitted.simulatedDays()
    }

    func html() -> String {
        HTMLPage(
            title: title,
            body: [
                header, HTMLPage.section("Is the stand like the shop?", summary),
                HTMLPage.section("Days, hours and gaps", "<div class=\"plots\">\n\(plots)</div>\n"),
                HTMLPage.section("Items", items), HTMLPage.section("Tests", tests),
                HTMLPage.section("Foretelling the last days", holdOut), HTMLPage.section("Notes", notes),
                HTMLPage.section("Lines that were skipped", skipped),
                HTMLPage.section(
                    "Configuration",
                    HTMLPage.details("what --write writes", "<pre>\(fitted.configurationText)</pre>\n")),
            ].joined()
        ).source()
    }

    private var title: String {
        "\(fitted.till.file.split(separator: "/").last ?? ""): a till as a stand"
    }

    private var header: Markup {
        let till = fitted.till
        let about =
            "\(Columns.counted(till.orders.count, "order")) in \(Columns.counted(till.days.count, "day")), beside "
            + "\(Columns.counted(stand.counts.count, "simulated open day"))."
        return "<header>\n<h1>\(title)</h1>\n<p class=\"about\">\(about)</p>\n</header>\n"
    }

    /// The figures that matter most, of the till and of the stand.
    private var summary: Markup {
        func mean(_ days: DaysOfOrders) -> String {
            Columns.fixed(days.byWeekday.reduce(0, +) / Double(max(1, days.byWeekday.count { $0 > 0 })), decimals: 1)
        }
        func dispersion(_ days: DaysOfOrders) -> String {
            days.dispersion.map { Columns.fixed($0, decimals: 2) } ?? "–"
        }
        let part = Double(fitted.demand.orders.count) / Double(max(1, fitted.till.orders.count))
        var rows = [("Orders on an open day", mean(till), mean(stand))]
        if part < 1 {
            let share = "\(Columns.percent(part)) of the till's orders"
            rows.append(("Orders with an item on the menu, to which the stand is fitted", share, "all"))
        }
        rows += [
            (
                "Variance of a day's orders, divided by their mean (1 is pure chance)", dispersion(till),
                dispersion(stand)
            ),
            ("Gaps under a minute", Columns.percent(till.gaps[0]), Columns.percent(stand.gaps[0])),
        ]
        return HTMLPage.table(
            caption: "The till beside the stand", columns: ["", Self.series[0], Self.series[1]],
            rows: rows.map { ["\($0.0)", "\($0.1)", "\($0.2)"] })
    }
}

// MARK: - Plots

extension FitReport {
    private var plots: Markup {
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
        ].joined()
    }

    private func bars(
        _ title: String, _ names: [String], _ figures: (DaysOfOrders) -> [Double], x: String
    ) -> Markup {
        let (observed, simulated) = (figures(till), figures(stand))
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

    /// A line for the till and one for the stand.
    private func lines(
        _ title: String, x: String, y: String, words: String, points: (DaysOfOrders) -> [Plot.Point]
    ) -> Markup {
        let (observed, simulated) = (points(till), points(stand))
        guard let right = (observed + simulated).map(\.x).max(), right > 0 else { return "" }
        var plot = Plot(title, description: words, series: Self.series, x: Axis(x, 0...right), y: Axis(y, 0...100))
        plot.addLine(observed)
        plot.addLine(simulated, style: 1)
        return plot.markup()
    }
}

// MARK: - Tables and lists

extension FitReport {
    private var items: Markup {
        let simulated = Dictionary(stand.items.map { ($0.name, $0.share) }) { first, _ in first }
        let rows = till.items.sorted { $0.share > $1.share }.prefix(Self.mostItems).map { item -> [Markup] in
            ["\(item.name)", "\(Columns.percent(item.share))", "\(Columns.percent(simulated[item.name] ?? 0))"]
        }
        guard !rows.isEmpty else { return "" }
        let more = till.items.count - rows.count
        return HTMLPage.table(
            caption: "Share of lines", columns: ["item", Self.series[0], Self.series[1]], rows: Array(rows))
            + (more > 0 ? HTMLPage.remark("and \(Columns.counted(more, "item")) more") : "")
    }

    private var tests: Markup {
        let rows = fitted.allTests.map { test -> [Markup] in
            let verdict = test.p < 0.05 ? "hardly" : "yes"
            return ["\(FittedStand.explanation(of: test.name))", "\(Columns.fixed(test.p, decimals: 3))", "\(verdict)"]
        }
        return HTMLPage.remark(
            "Each test asks whether the shop's orders could come from the stand. A p-value below .05 casts doubt: the "
                + "shop differs from the stand by more than chance. It does not say by how much. Most real shops "
                + "differ, because no shop follows a law exactly. The tables and plots above show whether it matters "
                + "to you.")
            + HTMLPage.table(
                caption: "Could the orders come from this stand?",
                columns: ["what it looks at", "p-value", "could they?"], rows: rows)
    }

    private var holdOut: Markup {
        guard let holdOut = fitted.holdOut else { return "" }
        let words =
            "The last \(Columns.counted(holdOut.days, "day")) were forecast, each from the days before it. "
            + "\(Columns.fixed(100 * holdOut.coverage90, decimals: 0))% of them had as many orders as their 90% "
            + "interval said. The log-likelihood per order is "
            + "\(Columns.fixed(holdOut.logLikelihoodPerOrder, decimals: 4)); that of a constant rate is "
            + "\(Columns.fixed(holdOut.stationaryLogLikelihoodPerOrder, decimals: 4)). Nearer to 0 is better."
        return "<p>\(words)</p>\n"
    }

    private var notes: Markup { "<ul>\(fitted.notes.map { "<li>\($0)</li>\n" as Markup })</ul>\n" }

    private var skipped: Markup {
        let lines = fitted.till.skipped
        guard !lines.isEmpty else { return "" }
        let shown = lines.prefix(200).map { ["\(Columns.grouped($0.line))", "\($0.why)"] as [Markup] }
        return HTMLPage.details(
            Columns.counted(lines.count, "line"),
            HTMLPage.table(caption: "Skipped lines", columns: ["line", "why"], rows: Array(shown)))
    }
}
