import JuiceStand
import TextFormats

extension StandScreen {
    /// The columns of the stock's rows.
    private struct Layout {
        var name: Int
        var bar: Int
        var trend: Int
        static let level = 8
        static let note = 4
        static let onOrder = 9
        /// For when a fruit runs out; 0 without a forecast or room.
        var runsOut: Int

        init(_ view: StandView, _ width: Int) {
            let longest = view.shelves.map { TextWidth.columns(of: $0.name) }.max() ?? 0
            name = min(longest, width < 60 ? 10 : width < 120 ? 16 : 28)
            runsOut = view.hasForecast && width >= 60 ? 16 : 0
            let left = width - name - Self.level - Self.note - Self.onOrder - runsOut - 6
            trend = left >= 24 ? min(Trend.most, left * 2 / 5) : 0
            bar = max(0, left - trend - (trend > 0 ? 2 : 0))
        }
    }

    /// Each fruit with its level, marks, pieces on order and trend, in at most `most` lines.
    func stock(_ view: StandView, _ width: Int, most: Int) -> [StyledText] {
        let layout = Layout(view, width)
        var legend = StyledText("  ")
        legend.append(String(glyphs.low), .bad)
        legend.append(" low  ", .dim)
        legend.append(String(glyphs.reorder), .warning)
        legend.append(" reorder ", .dim)
        if layout.trend > 0 {
            let span = SpanText.short(Double(layout.trend) * Trend.step * view.speed)
            legend.append(" trend of \(span) ", .dim)
        }
        var lines = [rule("Stock", width, legend)]
        let fits = view.shelves.count <= most ? view.shelves.count : max(0, most - 1)
        lines += view.shelves.prefix(fits).map { row($0, layout, at: view.time) }
        let hidden = view.shelves.dropFirst(fits)
        if !hidden.isEmpty {
            let low = hidden.count { $0.isLow }
            let text = " \(Columns.counted(hidden.count, "more fruit"))" + (low > 0 ? ", \(low) of them low" : "")
            lines.append(StyledText(clip(text, width), low > 0 ? .warning : .dim))
        }
        return lines
    }

    private func row(_ shelf: StandView.Shelf, _ layout: Layout, at time: Double) -> StyledText {
        let style: TextStyle = shelf.level == 0 ? .bad : shelf.isLow ? .warning : .good
        var line = StyledText(" " + glyphs.showable(shelf.name).left(layout.name, mark: glyphs.cut))
        guard let level = shelf.level else {
            line.append("  unlimited", .dim)
            return line
        }
        line.append(Columns.grouped(level).right(Layout.level), shelf.isLow ? style : .bold)
        line.append(" ")
        func share(_ mark: Int?) -> Double? { mark.map { min(1, Double($0) / Double(shelf.full)) } }
        line.append(
            glyphs.bar(
                share(level) ?? 0, width: layout.bar, reorder: share(shelf.reorderPoint), low: share(shelf.lowStock),
                style))
        line.append(" ")
        line.append((level == 0 ? "out" : shelf.isLow ? "low" : "").left(Layout.note), style)
        let coming = shelf.onOrder > 0 ? "+" + Columns.grouped(shelf.onOrder) : ""
        line.append(coming.right(Layout.onOrder - 1), .accent)
        if layout.runsOut > 0 {
            let text = level == 0 ? "" : shelf.runsOut.map { "out in " + SpanText.short(max(0, $0 - time)) } ?? "lasts"
            line.append("  " + text.left(layout.runsOut - 2), shelf.runsOut == nil ? .dim : .warning)
        }
        if layout.trend > 0 {
            line.append("  ")
            line.append(glyphs.sparkline(shelf.trend.samples(layout.trend), most: Double(shelf.full)), .dim)
        }
        return line
    }
}

// MARK: - Orders

extension StandScreen {
    /// The line, customers served and lost, and the waits.
    func orders(_ view: StandView, _ width: Int) -> [StyledText] {
        [rule("Orders", width), line(view, width), served(view, width), lost(view), waits(view)]
    }

    private func line(_ view: StandView, _ width: Int) -> StyledText {
        var line = StyledText(" line   ")
        line.append(Columns.grouped(view.count("queue")).right(8), .bold)
        line.append(
            view.status["places"]?.whole.map { " waiting, of \(Columns.counted($0, "place"))" } ?? " waiting")
        line.append("  \(Columns.grouped(view.count("present"))) in the stand")
        line.append("  makers ")
        guard let busy = view.status["busyMakers"]?.whole else {
            // The ledger does not settle it while an order of several cups is being made.
            return line
                + StyledText("on \(Columns.counted(view.status["making"]?.elements.count ?? 0, "order"))", .bold)
        }
        if let makers = view.status["makers"]?.whole {
            line.append("\(Columns.grouped(busy)) of \(Columns.grouped(makers)) busy ", .bold)
            if makers <= max(0, min(20, width - line.columns - 1)) {
                line.append(String(repeating: glyphs.full, count: min(busy, makers)), .accent)
                line.append(String(repeating: glyphs.empty, count: max(0, makers - busy)), .dim)
            }
        } else {
            line.append("\(Columns.grouped(busy)) busy", .bold)
        }
        return line
    }

    private func served(_ view: StandView, _ width: Int) -> StyledText {
        var line = StyledText(" served ")
        let served = view.count("served")
        line.append(Columns.grouped(served).right(8), .good)
        line.append(" \(served == 1 ? "order" : "orders"), \(Columns.counted(view.count("cupsServed"), "cup"))")
        let growth = view.served.growth(width < 120 ? 20 : 60)
        let known = growth.compactMap(\.self)
        // The last step is not over yet.
        let whole = known.dropLast().suffix(6)
        if !whole.isEmpty {
            let seconds = Double(whole.count) * Trend.step * view.speed
            let perHour = whole.reduce(0, +) / seconds * 3600
            let (rate, unit) =
                perHour < 600
                ? (perHour, "an hour") : perHour < 36_000 ? (perHour / 60, "a minute") : (perHour / 3600, "a second")
            line.append("  \(Columns.fixed(rate, decimals: rate < 100 ? 1 : 0)) \(unit)", .bold)
        }
        line.append("  ")
        line.append(glyphs.sparkline(growth.map { $0 }, most: known.max() ?? 0), .dim)
        return line
    }

    private func lost(_ view: StandView) -> StyledText {
        let (lost, served) = (view.lostInAll, view.count("served"))
        var line = StyledText(" lost   ")
        line.append(Columns.grouped(lost).right(8), lost > 0 ? .bad : .plain)
        let share = lost + served > 0 ? Columns.fixed(100 * Double(lost) / Double(lost + served), decimals: 1) : "0"
        line.append("  \(share)%  ".left(10))
        let reasons = StandView.reasons.filter { view.lost($1) > 0 }.map { "\($0) \(Columns.grouped(view.lost($1)))" }
        line.append(reasons.joined(separator: "  "))
        return line
    }

    private func waits(_ view: StandView) -> StyledText {
        var line = StyledText(" wait   ")
        guard let waits = view.waits(perMille: [500, 900, 950, 990]) else {
            line.append("nobody served yet".right(8), .dim)
            return line
        }
        line.append(SpanText.short(waits[0]).right(8), .bold)
        line.append(" median")
        for (name, wait) in zip(["90%", "95%", "99%"], waits.dropFirst()) {
            line.append("  \(name) ")
            line.append(SpanText.short(wait), .bold)
        }
        line.append("  (the last \(view.waitsKnown))", .dim)
        return line
    }
}
