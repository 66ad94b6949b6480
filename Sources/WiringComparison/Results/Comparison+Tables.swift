import JuiceStand
import Reports
import TextFormats

/// The parts of a comparison that `--table` names.
package enum ComparisonPart: String, CaseIterable, Sendable {
    case speed, memory, stand, live, properties
}

// The figures as tables.

extension Comparison {
    struct FigureTable {
        var part: ComparisonPart
        var title: String
        var note: String
        var header: [String]
        /// Columns after the first that have texts and no figures.
        var texts: Set<Int> = []
        var rows: [[String]]
        /// Wirings without figures, and why.
        var remarks: [(name: String, why: String)] = []

        /// The figures, with the note as their caption on pages, and the remarks.
        var blocks: [Report.Block] {
            let rows = rows.map { Report.Row(texts: $0) }
            let table = Report.Table(note, columns: header, texts: texts, rows: rows)
            let lines = remarks.map { "\($0.name): \($0.why)" }
            return [.table(table)] + (lines.isEmpty ? [] : [.list(lines)])
        }
    }

    /// Every table that is not empty.
    var tables: [FigureTable] {
        [speeds, variants, observing, wholeStands, bursts].filter { !$0.rows.isEmpty || !$0.remarks.isEmpty }
    }

    /// A row for each wiring: the cost of a post, the share heard of a burst, and when to choose the wiring.
    var overview: [[String]] {
        let unordered = [1, 3].map { count in Set(overlaps(count).flatMap { [$0.0, $0.1] }) }
        return wirings.map { wiring in
            let costs = zip([1, 3], unordered).map { count, unordered in
                guard let speed = wiring.speed.first(where: { $0.observers == count }) else { return "–" }
                return (unordered.contains(wiring.choice) ? "~" : "") + speed.cost
            }
            return [wiring.choice.rawValue] + costs + [
                wiring.burst.map { Figure.share($0.heard, of: Burst.postedAtOnce) } ?? "–",
                wiring.choice.profile.advice.text,
            ]
        }
    }

    /// Explains the overview.
    static let legend = "± 95% interval; ~ overlaps another's; heard: of a burst"

    private var bursts: FigureTable {
        let posted = [Burst.postedAtOnce, Burst.postedPaced].map { Columns.grouped($0) }
        return FigureTable(
            part: .live, title: "Bursts, and posts at a pace",
            note: "what the observer that heard least has heard of \(posted[0]) posts as fast as possible, and of "
                + "\(posted[1]) posts at one a millisecond; microseconds from such a post to the entry of the last of 3 observers; the posts "
                + "that are kept for an observer",
            header: ["wiring", "of a burst", "when paced", "p50", "p99", "max", "kept"],
            rows: wirings.compactMap { wiring in
                guard let burst = wiring.burst else { return nil }
                let window = wiring.choice.profile.plain.window
                let spans = [
                    burst.latency.percentile(perMille: 500), burst.latency.percentile(perMille: 990),
                    burst.latency.maximum,
                ]
                return [
                    wiring.choice.rawValue, Figure.share(burst.heard, of: Burst.postedAtOnce),
                    Figure.share(burst.paced, of: Burst.postedPaced),
                ] + spans.map { $0.map { Figure.number($0.seconds * 1e6) } ?? "–" }
                    + [window == .max ? "all" : window == 1 ? "latest" : "newest \(window)"]
            })
    }

    private var speeds: FigureTable {
        let counts = wirings.map { $0.speed.map(\.observers) }.max { $0.count < $1.count } ?? []
        let rows = wirings.filter { !$0.speed.isEmpty }
        return FigureTable(
            part: .speed, title: "One notification",
            note:
                "nanoseconds of processor time with half the width of the 95% interval, and ratio to closure, by "
                + "number of observers; k is a thousand; medians of passes that take turns",
            header: ["wiring"] + counts.map { Columns.grouped($0) },
            rows: rows.map { wiring in
                [wiring.choice.rawValue]
                    + counts.map { count in
                        wiring.speed.first { $0.observers == count }.map {
                            "\($0.cost) \(Figure.ratio($0.ratioToClosure.median))"
                        } ?? "–"
                    }
            },
            remarks: counts.isEmpty
                ? []
                : rows.map { ($0.choice.rawValue, $0.choice.profile.configuration) } + counts.compactMap(overlap)
                    + Self.absent.map { ($0.name, "not compared: \($0.why) (\($0.readMore))") })
    }

    /// Names the wirings whose order is not known.
    private func overlap(_ observers: Int) -> (name: String, why: String)? {
        let pairs = overlaps(observers).map { "\($0) and \($1)" }
        guard !pairs.isEmpty else { return nil }
        let count = Columns.counted(observers, "observer")
        return (
            "order not known with \(count)", "the intervals of the ratios of \(pairs.joined(separator: ", ")) overlap"
        )
    }

    private var variants: FigureTable {
        FigureTable(
            part: .speed, title: "Options, and other forms",
            note: "what a post to one observer costs with them",
            header: ["wiring", "way", "ns", "ratio"], texts: [1],
            rows: wirings.flatMap { wiring in
                wiring.variants.map { name, speed in
                    [wiring.choice.rawValue, name, speed.cost, Figure.ratio(speed.ratioToClosure.median)]
                }
            })
    }

    private var observing: FigureTable {
        func figure(_ value: Double?, _ decimals: Int = 0) -> String {
            value.map { Columns.fixed($0, decimals: decimals) } ?? "unknown"
        }
        return FigureTable(
            part: .memory, title: "Observing, and memory",
            note: "nanoseconds to observe and cancel alone, beside 1,000 others, and while another thread posts; bytes "
                + "of an observation and of an event; heap blocks of a post to one observer; how much more a post "
                + "costs while another thread posts",
            header: ["wiring", "ns", "1,000", "posting", "bytes", "event", "blocks", "2 threads"],
            rows: wirings.filter { !$0.speed.isEmpty }.map { wiring in
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

    private var wholeStands: FigureTable {
        var note = ""
        if let stand {
            let orders = Columns.grouped(stand.orders)
            let facts = Columns.grouped(stand.facts)
            let seconds = Columns.readable(stand.horizon.seconds)
            note =
                "\(stand.name), seed \(stand.seed): \(orders) orders and \(facts) notifications in \(seconds) s of "
                + "virtual time, to a display, an alerter and a ledger; orders a second of processor time, its "
                + "ratio to closure with the 95% confidence interval, the part of the time that facts take, and "
                + "the part that as many posts to 3 observers would take. Facts mostly take what their observers "
                + "do, the same under each wiring, so the order follows the last column; a wiring that delivers "
                + "later also waits for its threads after every fact"
        }
        return FigureTable(
            part: .stand, title: "The whole stand", note: note,
            header: ["wiring", "orders/s", "ratio", "interval", "facts", "posts"],
            rows: wirings.compactMap { wiring in
                guard case .measured(let speed)? = wiring.stand else { return nil }
                let interval = speed.ratioToClosure.interval.map { range in
                    [range.lowerBound, range.upperBound].map { Columns.fixed($0, decimals: 3) }.joined(separator: "–")
                }
                return [
                    wiring.choice.rawValue, Columns.grouped(Int(speed.ordersPerSecond.median)),
                    Columns.fixed(speed.ratioToClosure.median, decimals: 3), interval ?? "too few passes",
                    Columns.fixed(100 * speed.deliveryShare, decimals: 0) + "%",
                    posts(wiring, speed).map { Columns.fixed(100 * $0, decimals: 1) + "%" } ?? "–",
                ]
            },
            remarks: wirings.compactMap { wiring in
                switch wiring.stand {
                case .measured?: (wiring.choice.rawValue, wiring.choice.mechanism)
                case .refused(let why)?: (wiring.choice.rawValue, why)
                case nil: nil
                }
            })
    }

    /// The part of a stand's time that its posts take, by their cost to 3 observers; nil if that is not known, and if
    /// posts are handled later.
    private func posts(_ wiring: Wiring, _ speed: StandSpeed) -> Double? {
        guard let stand, wiring.choice.delivery != .later,
            let post = wiring.speed.first(where: { $0.observers == 3 })
        else { return nil }
        let postsPerOrder = Double(stand.facts) / Double(stand.orders)
        return speed.ordersPerSecond.median * postsPerOrder * post.nanoseconds.median / 1e9
    }
}

extension Comparison.Speed {
    /// Nanoseconds with half the width of their interval: `8.35±2%`.
    var cost: String { Figure.number(nanoseconds.median) + Figure.margin(nanoseconds.interval, of: nanoseconds.median) }
}
