import Platform
import Reports
import TextFormats

extension FittedStand {
    /// The result for people. With `days`, the page also compares the till with the stand, for the owner of the shop.
    ///
    /// - Parameter days: Simulated days of the stand; see ``simulatedDays()``.
    package func report(beside days: DaysOfOrders? = nil) -> Report {
        let first = Self.date(till.days.lowerBound)
        let last = Self.date(till.days.upperBound)
        let columns = till.columns.named.map { "\($0.role) \"\($0.column)\"" }.joined(separator: ", ")
        var report = Report(
            title: till.file,
            about: "\(Columns.counted(till.orders.count, "order")), \(Columns.counted(till.lines, "line")), "
                + "\(Columns.counted(till.days.count, "day")) from \(first) to \(last); columns: \(columns)")
        report.headline = headline
        report.details = "All estimates, tests and notes"
        if let days { TillBesideStand(till: observedDays, stand: days).add(to: &report) }
        report.add("Opening hours and orders", [.table(weekTable)])
        report.add("Estimates with 95% intervals", for: .curious, estimates)
        report.add(
            "Could the orders come from this stand?", for: .curious,
            [.paragraph("A p-value below .05 casts doubt."), .table(tests)])
        report.add(
            "", for: .page,
            [
                .paragraph(
                    "Each test asks whether the shop's orders could come from the stand. A small p-value says that the "
                        + "shop differs from the stand by more than chance. It does not say by how much. Most real "
                        + "shops differ, because no shop follows a law exactly. The tables and plots above show "
                        + "whether it matters to you.")
            ])
        if let holdOut {
            let days = Columns.counted(holdOut.days, "day")
            report.add("The last \(days), each forecast from the days before", [.list(Self.lines(holdOut))])
        }
        // The most important notes, on what the till does not record, are the last of `notes`.
        let skipped = till.skipped.isEmpty ? [] : ["Skipped: \(Columns.counted(till.skipped.count, "line"))."]
        report.add("Notes", [.list(skipped + notes.reversed())])
        if !skipped.isEmpty { report.add("Lines that were skipped", for: .curious, [.table(skippedLines)]) }
        report.add("Configuration", for: .page, [.folded("what --write writes", [.code(configurationText)])])
        return report
    }

    /// Whether the orders could come from the stand.
    private var headline: String {
        let doubts = allTests.filter { $0.p < 0.05 }.map { Self.explanation(of: $0.name) }
        guard !allTests.isEmpty else { return "" }
        return doubts.isEmpty
            ? "The orders could come from the fitted stand: none of \(Columns.counted(allTests.count, "test")) casts doubt."
            : "\(doubts.count) of \(Columns.counted(allTests.count, "test")) cast doubt on the fitted stand: "
                + doubts.joined(separator: "; ") + "."
    }

    private var skippedLines: Report.Table {
        var table = Report.Table(
            "\(Columns.counted(till.skipped.count, "skipped line"))", columns: ["line", "why"], texts: [1])
        table.rows = till.skipped.map { .init(texts: [Columns.grouped($0.line), $0.why.visible]) }
        return table
    }

    private var weekTable: Report.Table {
        func figure(_ value: Double) -> String { Columns.fixed(value, decimals: 1) }
        var table = Report.Table(columns: ["", "open", "orders a day", "95% interval"], texts: [1, 3])
        for weekday in 0..<7 {
            let open = week.opening.spans(weekday)
            let orders = week.rates.totals[weekday]
            let estimate = parameters.first { $0.name == "ordersPerDay.\(Weekday.short[weekday])" }
            let isOpen = orders > 0 && !open.isEmpty
            let cells =
                isOpen
                ? [
                    open.joined(separator: ", "), figure(estimate?.value ?? orders),
                    estimate.map { "\(figure($0.low)) to \(figure($0.high))" } ?? "",
                ] : ["closed", "", ""]
            table.rows.append(.init(texts: [Weekday.long[weekday]] + cells))
        }
        return table
    }

    private var estimates: [Report.Block] {
        func figure(_ value: Double) -> String { Columns.factor(Self.rounded(value, digits: 4)) }
        let shown = parameters.filter { !$0.name.hasPrefix("orders") }
        guard !shown.isEmpty else { return [.list(["every order is one line, and days differ by chance alone"])] }
        var table = Report.Table(columns: ["", "", "95% interval"], texts: [2])
        table.rows = shown.map { parameter in
            let interval = "\(figure(parameter.low)) to \(figure(parameter.high))"
            return .init(texts: [parameter.name, figure(parameter.value), interval])
        }
        return [.table(table)]
    }

    private var tests: Report.Table {
        var table = Report.Table(columns: ["what it looks at", "p-value"], texts: [1])
        table.rows = allTests.map { test in
            .init(texts: [Self.explanation(of: test.name), Self.p(test.p)], isMarked: test.p < 0.05)
        }
        return table
    }

    /// What each test looks at, in words.
    private static let explanations: [String: String] = [
        "rescaledGaps": "gaps between orders, on the clock of the expected orders", "timesOfDay": "times of day",
        "hours": "spread of hourly counts", "days": "spread of daily counts",
        "independence": "gaps after long and short gaps", "preparation": "times from start to end",
    ]

    private static func explanation(of test: String) -> String { explanations[test] ?? test }

    private static func lines(_ holdOut: HoldOut) -> [String] {
        let model: String =
            holdOut.model == Memory.Model.level.rawValue
            ? "a level that follows the last weeks, × weekday × hour" : "weekdays and hours"
        return [
            "log-likelihood per order: \(Columns.fixed(holdOut.logLikelihoodPerOrder, decimals: 4)) "
                + "(a constant rate: \(Columns.fixed(holdOut.stationaryLogLikelihoodPerOrder, decimals: 4)); "
                + "nearer to 0 is better)",
            "model, by the forecasts of the days before: \(model)",
            "days in their 90% interval: \(Columns.fixed(100 * holdOut.coverage90, decimals: 0))%",
        ]
    }
}

extension OpeningHours {
    /// The times of opening of a weekday: `08:00–17:30`.
    fileprivate func spans(_ weekday: Int) -> [String] {
        let mask = mask[weekday]
        return mask.indices.stretches { mask[$0] }.map { open in
            "\(time(open.lowerBound, of: mask.count))–\(time(open.upperBound, of: mask.count))"
        }
    }

    private func time(_ bin: Int, of bins: Int) -> String {
        let minutes = bin * 1440 / bins
        return "\(Columns.zeroPadded(minutes / 60, 2)):\(Columns.zeroPadded(minutes % 60, 2))"
    }
}
