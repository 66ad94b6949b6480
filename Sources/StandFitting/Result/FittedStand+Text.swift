import Platform
import TextFormats

extension FittedStand {
    private static let mostSkipped = 10

    /// The result for people.
    package func text() -> String {
        let (first, last) = (Self.date(till.days.lowerBound), Self.date(till.days.upperBound))
        let columns = till.columns.named.map { "\($0.role) \"\($0.column)\"" }.joined(separator: ", ")
        var lines = [
            "\(till.file): \(Columns.counted(till.orders.count, "order")), \(Columns.counted(till.lines, "line")), "
                + "\(Columns.counted(till.days.count, "day")) from \(first) to \(last)",
            "columns: \(columns)",
        ]
        lines += skippedLines() + ["", "Opening hours and orders"] + weekLines()
        lines += ["", "Estimates with 95% intervals"]
        func figure(_ value: Double) -> String { Columns.readable(Self.rounded(value, digits: 4)) }
        let shown = parameters.filter { !$0.name.hasPrefix("orders") }
        lines += Self.table(
            shown.map { [$0.name, figure($0.value), "(\(figure($0.low)) to \(figure($0.high)))"] },
            texts: [0, 2])
        if shown.isEmpty { lines.append("  every order is one line, and days differ by chance alone") }
        lines += ["", "Could the orders come from this stand? A p-value below .05 casts doubt."]
        lines += Self.table(
            allTests.map { [Self.explanation(of: $0.name), Self.p($0.p)] }, texts: [0, 1])
        if let holdOut {
            let days = Columns.counted(holdOut.days, "day")
            lines += ["", "The last \(days), each forecast from the days before"]
            lines += Self.lines(holdOut).map { "  " + $0 }
        }
        lines += ["", "Notes"] + notes.map { "  - " + $0 }
        return lines.map { $0 + "\n" }.joined()
    }

    private func skippedLines() -> [String] {
        guard !till.skipped.isEmpty else { return [] }
        var lines = ["skipped: \(Columns.counted(till.skipped.count, "line"))"]
        lines += till.skipped.prefix(Self.mostSkipped).map {
            "  line \(Columns.grouped($0.line)): \($0.why.visible)"
        }
        let more = till.skipped.count - Self.mostSkipped
        if more > 0 { lines.append("  and \(Columns.grouped(more)) more; --format json lists all") }
        return lines
    }

    private static func table(_ rows: [[String]], texts: Set<Int>) -> [String] {
        Columns.table(rows, texts: texts, margin: "  ")
    }

    private func weekLines() -> [String] {
        func figure(_ value: Double) -> String { Columns.fixed(value, decimals: 1) }
        let rows = (0..<7).map { weekday in
            let open = week.opening.spans(weekday)
            let orders = week.rates.totals[weekday]
            let name = Weekday.long[weekday]
            guard orders > 0, !open.isEmpty else { return [name, "closed", "", ""] }
            let estimate = parameters.first { $0.name == "ordersPerDay.\(Weekday.short[weekday])" }
            return [
                name, open.joined(separator: ", "), "\(figure(estimate?.value ?? orders)) orders",
                estimate.map { "(\(figure($0.low)) to \(figure($0.high)))" } ?? "",
            ]
        }
        return Self.table(rows, texts: [0, 1, 3])
    }

    /// What each test looks at, in words.
    private static let explanations: [String: String] = [
        "rescaledGaps": "gaps between orders, on the clock of the expected orders", "timesOfDay": "times of day",
        "hours": "spread of hourly counts", "days": "spread of daily counts",
        "independence": "gaps after long and short gaps", "preparation": "times from start to end",
    ]

    package static func explanation(of test: String) -> String { explanations[test] ?? test }

    private static func lines(_ holdOut: HoldOut) -> [String] {
        let model: String =
            holdOut.model == Memory.Model.level.rawValue
            ? "a level that follows the last weeks, × weekday × hour" : "weekdays and hours"
        return [
            "log-likelihood per order  \(Columns.fixed(holdOut.logLikelihoodPerOrder, decimals: 4)) "
                + "(a constant rate: \(Columns.fixed(holdOut.stationaryLogLikelihoodPerOrder, decimals: 4)))",
            "model, by the forecasts of the days before: \(model)",
            "days in their 90% interval  \(Columns.fixed(100 * holdOut.coverage90, decimals: 0))%",
        ]
    }
}

extension OpeningHours {
    /// The times of opening of a weekday: `08:00–17:30`.
    func spans(_ weekday: Int) -> [String] {
        let mask = mask[weekday]
        var spans: [String] = []
        var start: Int?
        for bin in 0...mask.count {
            let isOpen = bin < mask.count && mask[bin]
            if isOpen, start == nil { start = bin }
            if !isOpen, let begin = start {
                spans.append("\(time(begin, of: mask.count))–\(time(bin, of: mask.count))")
                start = nil
            }
        }
        return spans
    }

    private func time(_ bin: Int, of bins: Int) -> String {
        let minutes = bin * 1440 / bins
        return "\(minutes / 600)\(minutes / 60 % 10):\(minutes % 60 / 10)\(minutes % 10)"
    }
}
