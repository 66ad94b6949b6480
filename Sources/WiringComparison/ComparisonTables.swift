import JuiceStand
import TextFormats

/// A comparison as tables of text, which the renderings for terminals, READMEs and browsers share.
struct ComparisonTables {
    struct Table {
        var title: String
        var note: String
        var header: [String]
        var rows: [[String]]
        /// Who has no figures here, and why.
        var remarks: [(name: String, why: String)] = []
    }

    let comparison: Comparison

    init(_ comparison: Comparison) {
        self.comparison = comparison
    }

    /// Every table that has something to say.
    var all: [Table] { [speed, observing, stand, load, effort].filter { !$0.rows.isEmpty || !$0.remarks.isEmpty } }

    private var speed: Table {
        let counts = comparison.wirings.map { $0.speed.map(\.observers) }.max { $0.count < $1.count } ?? []
        return Table(
            title: "One notification",
            note:
                "nanoseconds and ratio to direct, by number of observers; k is a thousand; medians of passes that take turns",
            header: ["wiring"] + counts.map { Columns.grouped($0) },
            rows: comparison.wirings.filter { !$0.speed.isEmpty }.map { wiring in
                [wiring.choice.rawValue]
                    + counts.map { count in
                        wiring.speed.first { $0.observers == count }.map {
                            "\(number($0.nanoseconds.median)) \(ratio($0.ratioToDirect))"
                        } ?? ""
                    }
            }, remarks: counts.isEmpty ? [] : Comparison.absent)
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
            title: "Observing, and memory",
            note:
                "nanoseconds to observe and cancel; bytes and heap blocks an observer takes, heap blocks a post makes; "
                + "how much slower a post is while another thread posts too",
            header: ["wiring", "ns", "bytes", "blocks", "blocks a post", "2 threads"],
            rows: comparison.wirings.compactMap { wiring in
                guard let observing = wiring.observing else { return nil }
                let threads =
                    switch wiring.twoThreads {
                    case .measured(let slowdown): "\(Columns.fixed(slowdown.median, decimals: 2))×"
                    case .refused(let why): why.hasPrefix("not thread-safe") ? "unsafe" : "unknown"
                    case nil: ""
                    }
                return [wiring.choice.rawValue, number(observing.nanoseconds.median)]
                    + [observing.bytes, observing.allocations].map {
                        $0.map { Columns.fixed($0, decimals: 0) } ?? "unknown"
                    }
                    + [blocks(wiring), threads]
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
                case .refused, nil: nil
                }
            },
            remarks: comparison.wirings.compactMap { wiring in
                if case .refused(let why) = wiring.stand { (wiring.choice.rawValue, why) } else { nil }
            })
    }

    private var load: Table {
        Table(
            title: "Delivery under live load",
            note:
                "microseconds from the post to the entry of the last of 3 observers; what waited at most, what was never heard",
            header: ["wiring", "orders/s", "p50", "p99", "p99.9", "max", "backlog", "lost"],
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
                                ? "0"
                                : Columns.fixed(100 * Double(load.dropped) / Double(load.posted), decimals: 0) + "%",
                        ]
                }
            })
    }

    private var effort: Table {
        Table(
            title: "What it takes",
            note:
                "lines (files touched) of a small program in the wiring's idiom: the difference of the one without and the one with",
            header: ["wiring", "one more observer", "one more fact"],
            rows: comparison.wirings.compactMap { wiring in
                guard let observer = wiring.efforts[.observer], let fact = wiring.efforts[.fact] else { return nil }
                return [wiring.choice.rawValue] + [observer, fact].map { "\($0.lines) (\($0.files))" }
            })
    }

    /// Three significant digits, which is more than such figures are worth: `8.35`, `542`, `34.1k`, `1.04M`.
    private func number(_ value: Double) -> String {
        let (scaled, unit) = value < 999.5 ? (value, "") : value < 999_500 ? (value / 1e3, "k") : (value / 1e6, "M")
        return Columns.fixed(scaled, decimals: scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0) + unit
    }

    private func ratio(_ value: Double) -> String {
        (value < 999.5 ? number(value) : Columns.fixed(value / 1e3, decimals: 1) + "k") + "×"
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
}
