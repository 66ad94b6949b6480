import JuiceStand
import Terms
import TextFormats

extension StandScreen {
    /// The columns of the stock's rows.
    private struct Layout {
        var name: Int
        var bar: Int
        var trend: Int
        /// The columns for pictures; 0 without room.
        var face: Int
        static let level = 8
        static let note = 4
        static let onOrder = 9
        /// The columns for the time at which a fruit runs out; 0 without a forecast or room.
        var runsOut: Int

        init(_ view: StandView, _ width: Int) {
            let longest = view.shelves.map { TextWidth.columns(of: $0.name) }.max() ?? 0
            name = min(longest, width < 60 ? 10 : width < 120 ? 16 : 28)
            runsOut = view.status.forecast != nil && width >= 60 ? 17 : 0
            face = width < 60 ? 0 : 3
            let left = width - face - name - Self.level - Self.note - Self.onOrder - runsOut - 6
            // An instant that has passed has no trend.
            trend = left >= 24 && !view.isPast ? left * 2 / 5 : 0
            bar = max(0, left - trend - (trend > 0 ? 2 : 0))
        }
    }

    /// Each fruit with its level, marks, pieces on order and trend, in at most `most` lines below the title.
    func stock(_ view: StandView, _ width: Int, most: Int) -> [StyledText] {
        let words = view.words
        let layout = Layout(view, width)
        var legend = StyledText("  ")
        legend.append(String(glyphs.low), .bad)
        legend.append(" " + words(.low) + "  ", .dim)
        legend.append(String(glyphs.reorder), .warning)
        legend.append(" " + words(.reorder) + " ", .dim)
        let span = view.shelves.map { $0.trend.span(layout.trend) }.max() ?? 0
        if layout.trend > 0, span > 0 { legend.append(" " + words(.trend, words.span(span)) + " ", .dim) }
        if layout.runsOut > 0, let made = view.status.forecast?.at {
            legend.append(" " + words(.forecastAge, words.span(max(0, view.status.time - made))) + " ", .dim)
        }
        let title: Phrase =
            switch view.choice.sorting {
            case .menu: .stock
            case .level: .stockByLevel
            case .name: .stockByName
            case .timeLeft: .stockByTime
            }
        let shelves = view.sortedShelves
        let isChosen = view.choice.part == .stock
        var lines = [rule(words(title), width, legend, isChosen: isChosen)]
        let fits = shelves.count <= most ? shelves.count : max(0, most - 1)
        let top = min(view.choice.stockTop, max(0, shelves.count - fits))
        lines += shelves.dropFirst(top).prefix(fits).map { row($0, layout, words, at: view.status.time) }
        let hidden = shelves.prefix(top) + shelves.dropFirst(top + fits)
        if !hidden.isEmpty {
            let low = hidden.count { $0.isLow }
            let text =
                low > 0
                ? words(.moreFruitsLow, Columns.grouped(hidden.count), Columns.grouped(low))
                : words.counted(hidden.count, .moreFruits)
            lines.append(StyledText(" " + clip(text, width - 1), low > 0 ? .warning : .dim))
        }
        return lines
    }

    private func row(_ shelf: StandView.Shelf, _ layout: Layout, _ words: Words, at time: Double) -> StyledText {
        let style: TextStyle = shelf.level == 0 ? .bad : shelf.isLow ? .warning : .good
        var line = StyledText(" ")
        if layout.face > 0 { line = line + glyphs.face(shelf) + StyledText(" ") }
        line.append(glyphs.showable(shelf.name).left(layout.name, mark: glyphs.cut))
        guard let level = shelf.level else {
            line.append("  " + words(.unlimited), .dim)
            return line
        }
        line.append(Columns.right(Columns.grouped(level), Layout.level), shelf.isLow ? style : .bold)
        line.append(" ")
        func share(_ mark: Int?) -> Double? { mark.map { min(1, Double($0) / Double(shelf.full)) } }
        line.append(
            glyphs.bar(
                share(level) ?? 0, width: layout.bar, reorder: share(shelf.entry.reorderPoint),
                low: share(shelf.entry.lowStock), style))
        line.append(" ")
        line.append((level == 0 ? words(.out) : shelf.isLow ? words(.low) : "").left(Layout.note), style)
        let coming = shelf.entry.onOrder > 0 ? "+" + Columns.grouped(shelf.entry.onOrder) : ""
        line.append(Columns.right(coming, Layout.onOrder - 1), .accent)
        if layout.runsOut > 0 {
            let text =
                level == 0 ? "" : shelf.runsOut.map { words(.shortIn, words.span(max(0, $0 - time))) } ?? words(.lasts)
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
    ///
    /// - Parameter isTall: Whether there is room for people and for what makers do.
    func orders(_ view: StandView, _ width: Int, isTall: Bool) -> [StyledText] {
        let people = isTall ? [line(view, width), makers(view, width)] : [line(view, nil)]
        return [rule(view.words(.orders), width)] + people + [served(view, width), lost(view), waits(view)]
    }

    /// A label, and a number below those of the other rows.
    private func start(_ label: Phrase, _ words: Words, _ number: Int, _ style: TextStyle) -> StyledText {
        StyledText(" " + words(label).left(7)) + StyledText(Columns.right(Columns.grouped(number), 8), style)
    }

    /// - Parameter width: nil for a line with the makers and without figures of people.
    private func line(_ view: StandView, _ width: Int?) -> StyledText {
        let words = view.words
        let waiting = view.status.queue
        var line = start(.line, words, waiting, .bold)
        line.append(view.status.places.map { words.counted($0, .waitingOf) } ?? words(.waiting))
        line.append("  " + words(.inTheStand, Columns.grouped(view.status.present)) + "  ")
        guard let width else { return line + StyledText(words(.makers) + " ") + busy(view) }
        let people = Array(repeating: StyledText(String(glyphs.person), .accent), count: min(waiting, width))
        return line + row(people, of: waiting, width - line.columns)
    }

    /// How many makers are busy, with a bar for each order being made and for each idle maker.
    private func makers(_ view: StandView, _ width: Int) -> StyledText {
        let line = StyledText(" " + view.words(.makers).left(7) + "  ") + busy(view) + StyledText("  ")
        guard let progress = view.progress else { return line }
        let idle = max(0, (view.status.makers ?? 0) - view.status.busyMakers)
        let bars = (progress + Array(repeating: 0, count: min(idle, width))).prefix(width).map { share in
            glyphs.bar(share, width: 8, reorder: nil, low: nil, share > 1 ? .warning : .accent) + StyledText(" ")
        }
        return line + row(bars, of: progress.count + idle, width - line.columns)
    }

    private func busy(_ view: StandView) -> StyledText {
        let words = view.words
        let busy = view.status.busyMakers
        return StyledText(
            view.status.makers.map { words(.makersBusy, Columns.grouped(busy), Columns.grouped($0)) }
                ?? words(.busy, Columns.grouped(busy)), .bold)
    }

    /// As many of the figures as there is room for; a number stands for the rest of `total`.
    private func row(_ figures: [StyledText], of total: Int, _ width: Int) -> StyledText {
        func text(_ count: Int) -> StyledText {
            let rest = count < total ? "+\(Columns.grouped(total - count))" : ""
            return figures.prefix(count).reduce(StyledText(), +) + StyledText(rest, .dim)
        }
        return (0...figures.count).reversed().lazy.map(text).first { $0.columns < width } ?? StyledText()
    }

    private func served(_ view: StandView, _ width: Int) -> StyledText {
        let words = view.words
        let served = view.status.served
        var line = start(.served, words, served, .good)
        line.append(words(.servedOrders, Columns.grouped(served), words.counted(view.status.cupsServed, .cups)))
        if let perSecond = view.served.rate {
            let perHour = perSecond * 3600
            let (rate, unit): (Double, Phrase) =
                perHour < 600
                ? (perHour, .perHour) : perHour < 36_000 ? (perHour / 60, .perMinute) : (perSecond, .perSecond)
            line.append("  " + words(unit, Columns.fixed(rate, decimals: rate < 100 ? 1 : 0)), .bold)
        }
        line.append("  ")
        let growth = view.served.growth(max(0, width - line.columns - 1))
        line.append(glyphs.sparkline(growth, most: growth.compactMap(\.self).max() ?? 0), .dim)
        return line
    }

    private func lost(_ view: StandView) -> StyledText {
        let lost = view.status.lostInAll
        let served = view.status.served
        var line = start(.lost, view.words, lost, lost > 0 ? .bad : .plain)
        let share = lost + served > 0 ? Columns.fixed(100 * Double(lost) / Double(lost + served), decimals: 1) : "0"
        line.append("  \(share)%  ".left(10))
        let reasons = LossReason.allCases.filter { view.lost($0) > 0 }.map {
            "\(view.words($0)) \(Columns.grouped(view.lost($0)))"
        }
        line.append(reasons.joined(separator: "  "))
        return line
    }

    private func waits(_ view: StandView) -> StyledText {
        let words = view.words
        var line = StyledText(" " + words(.wait).left(7))
        let waits = view.status.waits
        guard let median = waits.p50, let p95 = waits.p95, let p99 = waits.p99 else {
            line.append(Columns.right(words(.nobodyServed), 8), .dim)
            return line
        }
        line.append(Columns.right(words.span(median), 8), .bold)
        line.append(" " + words(.median))
        for (name, wait) in [("95%", p95), ("99%", p99)] {
            line.append("  \(name) ")
            line.append(words.span(wait), .bold)
        }
        return line
    }
}
