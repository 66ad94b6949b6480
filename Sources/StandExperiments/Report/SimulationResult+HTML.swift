import JuiceStand
import TextFormats

extension SimulationResult {
    /// The result as a self-contained page: a headline, verdicts, plots, settings, totals, and every figure.
    ///
    /// Figures are rounded to what their intervals tell; the table of every figure has them as in ``text(_:)``. The
    /// page depends on the result alone. Its size is bounded, and it says what it leaves out.
    package func html(_ verdicts: [Verdict]) -> String {
        HTMLPage(
            title: title(),
            body: [
                header, HTMLPage.section("Expectations", Self.list(verdicts)), sweepPlots,
                HTMLPage.section("Settings compared", comparison), HTMLPage.section("Totals", totals), waitPlots,
                levelPlots, HTMLPage.section("Every figure", everyFigure),
                HTMLPage.section(
                    "Configuration",
                    HTMLPage.details(
                        "The configuration with every default filled "
                            + "in\(isSweep ? ", before anything was varied" : "")", "<pre>\(config.pretty())</pre>\n")),
            ].joined()
        ).source()
    }

    var isSweep: Bool { runs.count > 1 }

    /// The name of a setting on the page.
    func name(of run: Run) -> String { run.set.isEmpty ? text("stand") : Self.describe(run.set) }

    /// The names of the varied keys; see ``shortened(_:)``.
    var shortKeys: [String] { Self.shortened(runs.first?.set ?? []).map(\.key) }

    /// Keys without what stands before their last point, unless two would be equal: `makers`, `reorderPoint`.
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

    /// One cell for each varied value of a setting.
    private func cells(of run: Run) -> [Markup] { run.set.map { "\(Self.plain($0.value))" } }

    /// Up to `count` settings, evenly spread, including both ends.
    func spread(over count: Int) -> [Run] {
        guard runs.count > count else { return runs }
        return count < 2 ? Array(runs.prefix(count)) : (0..<count).map { runs[$0 * (runs.count - 1) / (count - 1)] }
    }

    /// The most rows of a list or table.
    private static let mostRows = 500
    /// The most rows of all tables of single figures together.
    private static let mostFigures = 12_000

    /// A remark that only some are shown; nothing if all are.
    static func leftOut(_ shown: Int, of all: Int, _ what: String, elsewhere: String) -> Markup {
        shown < all
            ? HTMLPage.remark(
                "Only \(Columns.grouped(shown)) of \(Columns.grouped(all)) \(what) are shown here; \(elsewhere).") : ""
    }
}

// MARK: - Header and verdicts

extension SimulationResult {
    private var header: Markup {
        let alarms = (isPartial ? ["Interrupted: this result is partial."] : []) + faults
        return """
            <header>
            <h1>\(text("stand"))</h1>
            <p class="about">\(title(SpanText.inWords))</p>
            \(Self.boxes(alarms, class: "alarm", sign: "✗ "))\
            \(Self.boxes(notes, class: "note", sign: "Note: "))\(headline)</header>

            """
    }

    private static func boxes(_ lines: [String], class name: String, sign: String) -> Markup {
        let shown = lines.prefix(mostRows).map { "<p class=\"\(name)\">\(sign)\($0)</p>\n" as Markup }
        return "\(shown)\(leftOut(shown.count, of: lines.count, "messages", elsewhere: "the JSON has all"))"
    }

    private static func list(_ verdicts: [Verdict]) -> Markup {
        guard !verdicts.isEmpty else { return "" }
        let failed = verdicts.filter { !$0.isMet }
        // If not all fit, those that failed come first.
        let order = verdicts.count > mostRows ? failed + verdicts.filter(\.isMet) : verdicts
        let shown = order.prefix(mostRows).map { verdict -> Markup in
            "<li class=\"\(verdict.isMet ? "met" : "failed")\">\(verdict.message)</li>\n"
        }
        let count = "\(Columns.grouped(verdicts.count - failed.count)) met, \(Columns.grouped(failed.count)) failed"
        return """
            <ul class="plain">
            \(shown)</ul>
            \(HTMLPage.remark(count))\
            \(leftOut(shown.count, of: verdicts.count, "expectations", elsewhere: "those that failed come first"))
            """
    }
}

// MARK: - Totals and settings

extension SimulationResult {
    /// The metrics of the totals with their labels.
    private var totalNames: [(metric: String, words: String)] {
        let losses = LossReason.allCases.filter { !$0.traits.isByCommand }
        return [("customers.arrived", "customers came"), ("customers.served", "served")]
            + losses.map { ($0.traits.metric, $0.inWords) } + [
                ("customers.present", "still present"), ("cups.served", "cups served"),
                ("revenue", "revenue, \(text("currency"))"), ("wait.p50", "median wait, s"),
                ("wait.p95", "95% within, s"),
            ]
    }

    private var totals: Markup {
        guard let first = runs.first else { return "" }
        guard isSweep else {
            let figures = totalNames.map { metric, words -> Markup in
                "<div><dt>\(words)</dt><dd>\(Self.cell(first.metric(metric)))</dd></div>\n"
            }
            return "<dl class=\"figures\">\n\(figures)</dl>\n"
        }
        let shown = runs.prefix(Self.mostRows)
        return HTMLPage.table(
            caption: "Totals of each setting\(replications > 1 ? ", means over replications" : "")",
            columns: shortKeys + totalNames.map(\.words), headings: shortKeys.count,
            rows: shown.map { run in
                cells(of: run) + totalNames.map { "\(run.metric($0.metric)?.rounded?.mean ?? "none")" }
            }) + Self.leftOut(shown.count, of: runs.count, "settings", elsewhere: "the JSON and the CSV have all")
    }

    /// A table with a row for each setting and a column for each headline, with its difference from the first setting.
    private var comparison: Markup {
        guard isSweep, let first = runs.first else { return "" }
        let (shown, headlines) = (runs.prefix(Self.mostRows), shownHeadlines)
        let rows = shown.enumerated().map { index, run -> [Markup] in
            let differences = index > 0 ? run.differences(from: first, of: headlines) : []
            return cells(of: run)
                + headlines.map { headline in
                    let difference = differences.first { $0.name == headline }
                    return "\(Self.cell(run.metric(headline)))\(Self.note(difference))"
                }
        }
        let remark: Markup = HTMLPage.remark(
            "Below each figure: its difference from \(name(of: first)), over pairs of replications with the same "
                + "customers." + (replications > 1 ? " It is bold if its own 95% interval does not contain 0." : ""))
        return HTMLPage.table(
            caption: "Settings\(replications > 1 ? ", means with 95% confidence intervals" : "")",
            columns: shortKeys + headlines, headings: shortKeys.count, rows: rows) + remark
            + Self.leftOut(shown.count, of: runs.count, "settings", elsewhere: "the JSON and the CSV have all")
    }

    /// The mean, and half the width of its interval in small print.
    private static func cell(_ estimate: Estimate?) -> Markup {
        guard let (mean, spread) = estimate?.roundedSpread else { return "none" }
        let interval: Markup = spread.map { " <small>\($0)</small>" } ?? ""
        return "\(mean)\(interval)"
    }

    private static func note(_ difference: Estimate?) -> Markup {
        guard let difference, difference.mean != nil else { return "" }
        let weight: Markup = difference.differs ? " class=\"sure\"" : ""
        return "<small\(weight)>\(difference.signedRounded)</small>"
    }
}

// MARK: - Every figure

extension SimulationResult {
    /// A table for each setting, up to the most rows.
    private var everyFigure: Markup {
        var room = Self.mostFigures
        var tables: [Markup] = []
        for (index, run) in runs.enumerated() {
            room -= run.metrics.count
            guard room >= 0 || index == 0 else { break }
            tables.append(
                HTMLPage.details(
                    name(of: run), isOpen: !isSweep, isPrinted: true, figures(of: run, isFirst: index == 0)))
        }
        return tables.joined()
            + Self.leftOut(tables.count, of: runs.count, "settings", elsewhere: "the JSON and the CSV have all")
    }

    private func figures(of run: Run, isFirst: Bool) -> Markup {
        let differences = isFirst ? [] : run.differences(from: runs[0])
        let places = Dictionary(uniqueKeysWithValues: differences.enumerated().map { ($1.name, $0) })
        return HTMLPage.table(
            caption: "Every figure of \(name(of: run))",
            columns: ["metric", "mean", "95% interval", "replications"]
                + (isFirst ? [] : ["difference from \(name(of: runs[0]))"]),
            rows: run.metrics.map { metric in
                let difference = places[metric.name].map { differences[$0] }
                let unit = Estimate.unit(of: metric.name, currency: text("currency"))
                let known = difference?.mean == nil ? nil : difference
                return [
                    "\(metric.name)", "\(metric.rounded.map { $0.mean + unit } ?? "no observations")",
                    "\(metric.roundedSpread?.spread ?? "")", "\(Columns.grouped(metric.count))",
                ] + (isFirst ? [] : ["\(known.map { "\($0.signedRounded)\(unit)" } ?? "")"])
            })
    }
}
