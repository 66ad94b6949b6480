import JuiceStand
import TextFormats

/// The figures of a comparison as tables of text.
struct ComparisonTables {
    struct Table {
        var title: String
        var note: String
        var header: [String]
        var rows: [[String]]
        /// Wirings without figures, and why.
        var remarks: [(name: String, why: String)] = []
    }

    let comparison: Comparison

    /// Every table that is not empty.
    var all: [Table] { [speed, variants, observing, stand, load].filter { !$0.rows.isEmpty || !$0.remarks.isEmpty } }

    private var speed: Table {
        let counts = comparison.wirings.map { $0.speed.map(\.observers) }.max { $0.count < $1.count } ?? []
        let rows = comparison.wirings.filter { !$0.speed.isEmpty }
        return Table(
            title: "One notification",
            note:
                "nanoseconds of processor time and ratio to closure, by number of observers; k is a thousand; medians "
                + "of passes that take turns", header: ["wiring"] + counts.map { Columns.grouped($0) },
            rows: rows.map { wiring in
                [wiring.choice.rawValue]
                    + counts.map { count in
                        wiring.speed.first { $0.observers == count }.map {
                            "\(Figure.number($0.nanoseconds.median)) \(Figure.ratio($0.ratioToClosure))"
                        } ?? "–"
                    }
            },
            remarks: counts.isEmpty
                ? []
                : rows.map { ($0.choice.rawValue, $0.choice.subject.configuration) }
                    + (comparison.wirings.count == WiringChoice.allCases.count ? Comparison.absent : []))
    }

    private var variants: Table {
        Table(
            title: "Other plain ways, and options",
            note: "one observer; an option of notification is what a post costs with it",
            header: ["wiring", "way", "ns", "ratio"],
            rows: comparison.wirings.flatMap { wiring in
                wiring.variants.map { name, speed in
                    [
                        wiring.choice.rawValue, name, Figure.number(speed.nanoseconds.median),
                        Figure.ratio(speed.ratioToClosure),
                    ]
                }
            })
    }

    private var observing: Table {
        func figure(_ value: Double?, _ decimals: Int = 0) -> String {
            value.map { Columns.fixed($0, decimals: decimals) } ?? "unknown"
        }
        return Table(
            title: "Observing, and memory",
            note: "nanoseconds to observe and cancel alone, beside 1,000 others, and while another thread posts; bytes "
                + "of an observation and of an event; heap blocks of a post to one observer; how much more a post "
                + "costs while another thread posts",
            header: ["wiring", "ns", "1,000", "posting", "bytes", "event", "blocks", "2 threads"],
            rows: comparison.wirings.filter { !$0.speed.isEmpty }.map { wiring in
                let observing = wiring.observing
                let threads =
                    if case .measured(let slowdown)? = wiring.twoThreads {
                        "\(Columns.fixed(slowdown.median, decimals: 2))×"
                    } else { "–" }
                return [wiring.choice.rawValue]
                    + [observing?.nanoseconds, observing?.besideThousand, observing?.whileAnotherPosts].map {
                        $0.map { Figure.number($0.median) } ?? "–"
                    }
                    + (observing.map { [figure($0.bytes), figure($0.eventBytes)] } ?? ["–", "–"])
                    + [figure(wiring.speed[0].allocations, 1), threads]
            })
    }

    private var stand: Table {
        let note = comparison.stand.map {
            "\($0.name), seed \($0.seed): \(Columns.grouped($0.orders)) orders and \(Columns.grouped($0.facts)) "
                + "notifications in \(Columns.readable($0.horizon.seconds)) s of virtual time, to a display, an "
                + "alerter and a ledger; orders a second of processor time. The stand is wired for all its kinds of "
                + "facts, as the last column says"
        }
        return Table(
            title: "The whole stand", note: note ?? "", header: ["wiring", "orders/s", "min", "max"],
            rows: comparison.wirings.compactMap { wiring in
                guard case .measured(let speed, _)? = wiring.stand else { return nil }
                return [wiring.choice.rawValue] + [speed.median, speed.min, speed.max].map { Columns.grouped(Int($0)) }
            },
            remarks: comparison.wirings.compactMap { wiring in
                switch wiring.stand {
                case .measured?: (wiring.choice.rawValue, wiring.choice.subject.standWiring)
                case .refused(let why)?: (wiring.choice.rawValue, why)
                case nil: nil
                }
            })
    }

    private var load: Table {
        Table(
            title: "Delivery under live load",
            note:
                "microseconds from the post to the entry of the last of 3 observers; the longest backlog; posts "
                + "never heard",
            header: ["wiring", "orders/s", "p50", "p99", "p99.9", "max", "backlog", "lost"],
            rows: comparison.wirings.flatMap { wiring -> [[String]] in
                guard case .measured(_, let loads)? = wiring.stand else { return [] }
                return loads.map { load in
                    guard load.posted > 0 else {
                        return [wiring.choice.rawValue, Columns.readable(load.rate)] + Array(repeating: "?", count: 6)
                    }
                    let spans = [
                        load.latency.percentile(perMille: 500), load.latency.percentile(perMille: 990),
                        load.latency.percentile(perMille: 999), load.latency.maximum,
                    ]
                    let lost = 100 * Double(load.dropped) / Double(max(1, load.posted))
                    return [wiring.choice.rawValue, Columns.readable(load.rate)]
                        + spans.map { $0.map { Figure.number($0.seconds * 1e6) } ?? "" } + [
                            Columns.grouped(load.backlog),
                            load.dropped == 0 ? "0" : Columns.fixed(lost, decimals: 0) + "%",
                        ]
                }
            })
    }
}
