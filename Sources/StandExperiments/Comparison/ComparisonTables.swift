import JuiceStand

/// A comparison as tables of text, which the renderings for terminals, READMEs and browsers share.
struct ComparisonTables {
    struct Table {
        var title: String
        var note: String
        var header: [String]
        var rows: [[String]]
    }

    let comparison: Comparison

    init(_ comparison: Comparison) {
        self.comparison = comparison
    }

    /// Every table that has a row.
    var all: [Table] { [speed, observing, stand, load, effort].filter { !$0.rows.isEmpty } }

    private var speed: Table {
        let counts = comparison.wirings.map { $0.speed.map(\.observers) }.max { $0.count < $1.count } ?? []
        return Table(
            title: "One notification",
            note: "nanoseconds (ratio to direct), median of passes that take turns; blocks are heap allocations",
            header: ["wiring"] + counts.map { $0.of("observer") } + ["blocks"],
            rows: comparison.wirings.filter { !$0.speed.isEmpty }.map { wiring in
                [wiring.choice.rawValue]
                    + counts.map { count in
                        wiring.speed.first { $0.observers == count }.map {
                            "\(number($0.nanoseconds.median)) (\(number($0.ratioToDirect))×)"
                        } ?? ""
                    } + [blocks(wiring)]
            })
    }

    /// One figure where it is the same for every number of observers.
    private func blocks(_ wiring: Comparison.Wiring) -> String {
        let found = wiring.speed.map {
            $0.allocations.map { Columns.fixed($0, decimals: $0 < 10 ? 1 : 0) } ?? "unknown"
        }
        guard let first = found.first, let last = found.last else { return "" }
        return first == last ? first : "\(first) … \(last)"
    }

    private var observing: Table {
        Table(
            title: "Observing",
            note: "observe and cancel, nanoseconds; memory an observer takes; two threads posting at once",
            header: ["wiring", "median", "min", "max", "bytes", "blocks", "slowdown by a second thread"],
            rows: comparison.wirings.compactMap { wiring in
                guard let observing = wiring.observing else { return nil }
                let spread = observing.nanoseconds
                let threads =
                    switch wiring.twoThreads {
                    case .measured(let slowdown): "\(Columns.fixed(slowdown.median, decimals: 2))×"
                    case .refused(let why): String(why.prefix { $0 != ":" })
                    case nil: ""
                    }
                return [wiring.choice.rawValue, number(spread.median), number(spread.min), number(spread.max)]
                    + [observing.bytes, observing.allocations].map {
                        $0.map { Columns.fixed($0, decimals: 0) } ?? "unknown"
                    }
                    + [threads]
            })
    }

    private var stand: Table {
        let figures = comparison.stand
        let note = figures.map {
            "\($0.name), seed \($0.seed): \(Columns.grouped($0.orders)) orders and \(Columns.grouped($0.facts)) notifications in "
                + "\(Columns.readable($0.horizon.seconds)) s of virtual time, to a display, an alerter and a ledger"
        }
        return Table(
            title: "The whole stand", note: note ?? "", header: ["wiring", "orders/s", "min", "max"],
            rows: comparison.wirings.compactMap { wiring in
                switch wiring.stand {
                case .measured(let speed, _):
                    [wiring.choice.rawValue] + [speed.median, speed.min, speed.max].map { Columns.grouped(Int($0)) }
                case .refused(let why): [wiring.choice.rawValue, why, "", ""]
                case nil: nil
                }
            })
    }

    private var load: Table {
        Table(
            title: "Delivery under live load",
            note:
                "microseconds from the post to the entry of the last of 3 observers; what waited at most, what was never heard",
            header: ["wiring", "orders/s", "p50", "p99", "p99.9", "max", "backlog", "dropped"],
            rows: comparison.wirings.flatMap { wiring -> [[String]] in
                guard case .measured(_, let loads) = wiring.stand else { return [] }
                return loads.map { load in
                    let spans = [
                        load.latency.percentile(perMille: 500), load.latency.percentile(perMille: 990),
                        load.latency.percentile(perMille: 999), load.latency.maximum,
                    ]
                    return [wiring.choice.rawValue, Columns.readable(load.rate)]
                        + spans.map { $0.map { number($0.seconds * 1e6) } ?? "" }
                        + [
                            Columns.grouped(load.backlog),
                            load.dropped == 0
                                ? "0" : "\(Columns.grouped(load.dropped)) of \(Columns.grouped(load.posted))",
                        ]
                }
            })
    }

    private var effort: Table {
        Table(
            title: "What it takes", note: "lines (files touched) in a small program of the wiring's idiom, counted",
            header: ["wiring", "one more observer", "one more fact"],
            rows: comparison.wirings.compactMap { wiring in
                wiring.effort.map {
                    [
                        wiring.choice.rawValue, "\($0.observerLines) (\($0.observerFiles))",
                        "\($0.factLines) (\($0.factFiles))",
                    ]
                }
            })
    }

    /// Three significant digits, which is more than such figures are worth.
    private func number(_ value: Double) -> String {
        Columns.fixed(value, decimals: value < 10 ? 2 : value < 100 ? 1 : 0)
    }

    // MARK: - The matrix

    /// What was found of one property, wiring by wiring.
    struct Row {
        var property: Property
        /// nil where it was not probed.
        var findings: [Finding?]
    }

    var matrix: [Row] {
        Property.allCases.compactMap { property in
            let findings = comparison.wirings.map { wiring in
                wiring.properties.first { $0.property == property }?.finding
            }
            return findings.contains { $0 != nil } ? Row(property: property, findings: findings) : nil
        }
    }

    static func mark(_ finding: Finding?) -> String {
        guard let finding else { return " " }
        return switch finding.holds {
        case true?: "✓"
        case false?: "✗"
        case nil: "?"
        }
    }

    /// Where the figures are from.
    var circumstances: String {
        let machine = comparison.machine
        return "\(machine.processor), \(machine.processors.of("processor")), \(machine.system)"
            + (machine.load.map { ", load \(Columns.fixed($0, decimals: 1))" } ?? "")
            + (machine.isOptimized ? "" : ", debug build: figures of speed mean little")
    }

    var absent: [String] { Comparison.absent.map { "\($0.name): \($0.why)" } }
}
