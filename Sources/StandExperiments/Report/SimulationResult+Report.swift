import JuiceStand
import Reports
import TextFormats

extension SimulationResult {
    /// The result for people, as text on one screen or as a page.
    ///
    /// Figures are rounded to what their intervals tell. The report depends on the result alone. The size of its page
    /// is bounded, and it says what it leaves out.
    package func report(_ expectations: [Expectation] = [], _ precisions: [Precision] = []) -> Report {
        let answer = SweepAnswer(of: self, expectations)
        var report = Report(title: text("stand"), about: about)
        report.headline = answer?.headline ?? ""
        report.alarms = (isPartial ? ["Interrupted: this result is partial."] : []) + faults
        report.notes = notes + remarks
        report.verdicts = verdicts(expectations, precisions)
        if let answer {
            var table = comparison(answer.columns, best: answer.best, isShort: true)
            table.ranking = answer.ranking
            for place in answer.failed { table.rows[place].isFailed = true }
            report.add("", for: .terminal, [.table(table)])
            report.add("What the settings change", for: .page, sweepPlots(answer.columns))
            report.add("Settings compared", for: .page, comparison(answer))
        } else if let run = runs.first {
            report.add("", [.figures(StandSummary(run.metrics, currency: currency).figures)])
        }
        if let run = answer.map({ runs[$0.best] }) ?? runs.first { addLosses(of: run, to: &report) }
        report.add("Waiting", for: .page, waitPlots)
        report.add("Stock over time", for: .page, levelPlots)
        report.add("Every figure", for: .curious, everyFigure)
        let configuration: String = isSweep ? ", before anything was varied" : ""
        report.add(
            "Configuration", for: .page,
            [.folded("The configuration with every default filled in\(configuration)", [.code(config.pretty())])])
        return report
    }

    /// Whether each setting meets the expectations and precisions.
    package func verdicts(_ expectations: [Expectation], _ precisions: [Precision]) -> [Verdict] {
        runs.flatMap { run in
            let setting = Self.describe(run.set)
            return expectations.map {
                Verdict($0, found: run.metric($0.metric), setting: setting, currency: currency)
            }
                + precisions.map { Verdict($0, found: run.metric($0.metric), setting: setting, currency: currency) }
        }
    }

    /// How the result was computed.
    private var about: String {
        var parts = ["seed \(seed)"]
        if let from {
            let clock = StandClock(opens: text("opens"), now: from.at.nanoseconds)
            parts.append("from \(clock.present) (event \(Columns.grouped(Int(clamping: from.sequence))))")
        }
        parts.append(horizon.map { "\(SpanText.long($0.seconds)) of stand time" } ?? "to the last order")
        if warmUp > .zero { parts.append("the first \(SpanText.long(warmUp.seconds)) left out") }
        let done = isPartial ? runs.map(\.outcomes.count).min() ?? 0 : replications
        if replications > 1 {
            let all = Columns.grouped(replications)
            parts.append(
                isPartial ? "partial: \(Columns.grouped(done)) of \(all) replications" : "\(all) replications")
            if done > 1 { parts.append("means with 95% intervals") }
        }
        if let shard { parts.append("shard \(shard)") }
        return parts.joined(separator: ", ")
    }
}

// MARK: - Names

extension SimulationResult {
    var isSweep: Bool { runs.count > 1 }

    var currency: String { text("currency") }

    /// The name of a setting in a report.
    func name(of run: Run) -> String { run.set.isEmpty ? text("stand") : Self.describe(run.set) }

    /// The names of the varied keys; see ``shortened(_:)``.
    var shortKeys: [String] { Self.shortened(runs.first?.set ?? []).map(\.key) }

    /// The last components of the keys, such as `reorderPoint`; the whole keys if two of these would be equal.
    static func shortened(_ set: [JSONValue.Member]) -> [JSONValue.Member] {
        let ends = set.map { member in
            JSONValue.Member(
                key: member.key.split(separator: ".").last.map(String.init) ?? member.key, value: member.value)
        }
        return Set(ends.map(\.key)).count == ends.count ? ends : set
    }

    /// The name of a setting with short keys.
    func shortName(of run: Run) -> String {
        run.set.isEmpty ? name(of: run) : Self.describe(Self.shortened(run.set))
    }

    /// Up to `count` settings, evenly spread, including both ends.
    func spread(over count: Int) -> [Run] {
        guard runs.count > count else { return runs }
        return count < 2 ? Array(runs.prefix(count)) : (0..<count).map { runs[$0 * (runs.count - 1) / (count - 1)] }
    }
}

// MARK: - Remarks

extension SimulationResult {
    /// Warnings that the figures alone do not give.
    private var remarks: [String] {
        var remarks: [String] = []
        if let run = runs.first, let remark = remarkOnStock(run) { remarks.append(remark) }
        let growing = runs.filter(Self.isGrowing)
        if let worst = growing.max(by: { $0.mean("customers.present") < $1.mean("customers.present") }) {
            let present = Columns.counted(worst.mean("customers.present").rounded(), "customer")
            remarks.append(
                "\(isSweep ? "with \(shortName(of: worst)) " : "")the line grew until the end, when \(present) were "
                    + "still there: the waits of those served understate what comes")
        }
        return remarks
    }

    /// Whether the queue grew throughout, a sign of an overloaded stand.
    ///
    /// A line that grows evenly has half of its greatest length on average; one that is full or that customers leave
    /// has more.
    private static func isGrowing(_ run: Run) -> Bool {
        let greatest = run.mean("queue.max")
        return greatest >= 10 && run.mean("customers.present") >= 0.75 * greatest
            && (0.3...0.7).contains(run.mean("queue.mean") / greatest)
    }

    /// The fruits that nobody restocks and that run short; nil if there are none.
    private func remarkOnStock(_ run: Run) -> String? {
        let fruits = (config["fruits"]?.members ?? []).compactMap { fruit -> String? in
            let key = "fruits.\(fruit.key).restock"
            let share = run.mean("stock.\(fruit.key).shortFraction")
            guard fruit.value["restock"]?.text == "manual", share > 0,
                !runs.contains(where: { $0.set.contains { $0.key.hasPrefix(key) } })
            else { return nil }
            guard let horizon else { return fruit.key }
            let short = warmUp.seconds + (1 - share) * (horizon - warmUp).seconds
            return "\(fruit.key) after \(SpanText.long(short))"
        }
        guard !fruits.isEmpty else { return nil }
        let more = fruits.count - 5
        return "nobody restocks this fruit, which runs short: \(fruits.prefix(5).joined(separator: ", "))"
            + (more > 0 ? " and \(Columns.grouped(more)) more" : "")
    }
}

extension SimulationResult.Run {
    /// The mean of a metric; 0 without one.
    func mean(_ name: String) -> Double { metric(name)?.mean ?? 0 }
}

// MARK: - Settings compared

extension SimulationResult {
    /// A table with a row for each setting and a column for each metric.
    ///
    /// - Parameter isShort: Whether only the first column has intervals, and none has differences.
    func comparison(_ columns: [String], best: Int?, isShort: Bool) -> Report.Table {
        let keys = shortKeys
        let hasBars = !isShort && sweepAxis == nil
        var table = Report.Table(
            "Settings\(replications > 1 ? ", means with 95% confidence intervals" : "")",
            columns: isShort ? [""] : keys, headings: isShort ? 1 : keys.count)
        table.columns += columns.map(Self.words)
        table.things = "settings"
        for (index, run) in runs.enumerated() {
            let names = isShort ? [shortName(of: run)] : run.set.map { Self.plain($0.value) }
            let differences = index > 0 && !isShort ? run.differences(from: runs[0], of: columns) : []
            let cells = columns.enumerated().map { place, column -> Report.Cell in
                guard let metric = run.metric(column), metric.mean != nil else { return "none" }
                guard !isShort else {
                    let mean = metric.roundedMean(currency)
                    return .init(place == 0 ? metric.rounded(currency) : mean, brief: mean)
                }
                let difference = differences.first { $0.name == column && $0.mean != nil }
                return .init(
                    metric.rounded(currency), small: difference?.signed(currency) ?? "",
                    isSure: difference?.differs ?? false,
                    bar: hasBars ? metric.mean.map { ($0, metric.interval) } : nil)
            }
            table.rows.append(.init(names.map { .init($0) } + cells, isMarked: index == best))
        }
        return table
    }

    private func comparison(_ answer: SweepAnswer) -> [Report.Block] {
        [
            .table(comparison(answer.columns, best: answer.best, isShort: false)),
            .paragraph(
                "Below each figure: its difference from \(name(of: runs[0])), over pairs of replications with the same "
                    + "customers." + (replications > 1 ? " It is bold if its own 95% interval does not contain 0." : "")
            ),
        ]
    }

    /// The metrics that every comparison has.
    static let compared = ["profit", "customers.served", "fillRate", "wait.p95", "makers.utilization", "cost.total"]

    /// The heading of a metric in a comparison.
    static func words(for metric: String) -> String {
        let parts = metric.split(separator: ".")
        switch metric {
        case "customers.served": return "served"
        case "fillRate": return "fill rate"
        case "wait.p95": return "95% wait within"
        case "makers.utilization": return "makers busy"
        case "cost.total": return "cost"
        case _ where metric.hasSuffix(".shortFraction"): return parts.dropFirst().dropLast().joined() + " short"
        default: return LossReason.allCases.first { $0.traits.metric == metric }?.inWords ?? metric
        }
    }
}

// MARK: - Every figure

extension SimulationResult {
    /// The most rows of all tables of single figures together.
    private static let mostFigures = 12_000

    /// A table for each setting, up to the most rows.
    private var everyFigure: [Report.Block] {
        var room = Self.mostFigures
        var tables: [Report.Block] = []
        for (index, run) in runs.enumerated() {
            room -= run.metrics.count
            guard room >= 0 || index == 0 else { break }
            tables.append(.folded(name(of: run), isOpen: !isSweep, [.table(figures(of: run, isFirst: index == 0))]))
        }
        return tables
            + Report.leftOut(tables.count, of: runs.count, "settings", elsewhere: "the JSON and the CSV have all")
    }

    private func figures(of run: Run, isFirst: Bool) -> Report.Table {
        let differences = isFirst ? [] : run.differences(from: runs[0])
        let byName = Dictionary(uniqueKeysWithValues: differences.map { ($0.name, $0) })
        var table = Report.Table(
            "Every figure of \(name(of: run))",
            columns: ["metric", "mean", "replications"] + (isFirst ? [] : ["difference from \(name(of: runs[0]))"]))
        table.rows = run.metrics.map { metric in
            let difference = byName[metric.name].map { $0.mean == nil ? "" : $0.signed(currency) } ?? ""
            return .init(
                texts: [metric.name, metric.rounded(currency), Columns.grouped(metric.count)]
                    + (isFirst ? [] : [difference]))
        }
        return table
    }
}
