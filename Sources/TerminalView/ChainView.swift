import JuiceStand
import StandService
import StandState
import Terms
import TextFormats

/// What a display of many stands knows of them, and what its user has chosen to see.
struct ChainView: Sendable {
    /// A stand in the table.
    struct Row: Sendable {
        let target: StandTarget
        var name: String
        /// nil before the first answer.
        var status: JSONValue?
        /// Whether it does not answer.
        var isAway = false
        fileprivate var trend = Trend()
        /// The number of its last event among the alerts.
        fileprivate var lastAlert: UInt64 = 0
        /// Fruits whose last alert is that they are low.
        fileprivate var low: Set<String> = []

        init(_ target: StandTarget) {
            self.target = target
            name = "\(target)"
        }

        func count(_ key: String) -> Int { status?[key]?.whole ?? 0 }
        private func seconds(_ key: String) -> Double { status?[key]?.seconds ?? 0 }

        var clock: String { status.map { StandClock(status: $0).present } ?? "" }
        var speed: Double { seconds("speed") }
        var phase: String { status?["phase"]?.text ?? "" }
        /// Orders a minute of stand time: lately, or since the opening until that is known.
        var ordersPerMinute: Double? {
            let whole = seconds("time") > 0 ? Double(count("orders")) / seconds("time") : nil
            return (trend.rate ?? whole).map { $0 * 60 }
        }
        var alerts: Int { count("lowStockAlerts") }

        /// The share of orders that were lost, in per cent.
        var lost: Double {
            let lost = status?["lost"]?.members.reduce(0) { $0 + ($1.value.whole ?? 0) } ?? 0
            return count("orders") == 0 ? 0 : 100 * Double(lost) / Double(count("orders"))
        }

        /// Of the latest orders served, in seconds.
        var medianWait: Double? { status?["waits"]?["p50"]?.seconds }

        /// The fruit that is short first: its name, its level, and the seconds until then if that is a forecast.
        var short: (fruit: String, level: Int, after: Double?)? {
            let levels = (status?["stock"]?.members ?? []).compactMap { entry in
                entry.value.whole.map { (fruit: entry.key, level: $0) }
            }
            if let empty = levels.first(where: { $0.level == 0 }) { return (empty.fruit, 0, nil) }
            let forecasts = (status?["forecast"]?["fruits"]?.members ?? []).compactMap { entry in
                (entry.value["probability"]?.seconds ?? 0) >= 0.5
                    ? entry.value["p50"]?.seconds.map { (fruit: entry.key, at: $0) } : nil
            }
            if let first = forecasts.min(by: { $0.at < $1.at }) {
                let level = levels.first { $0.fruit == first.fruit }?.level ?? 0
                return (first.fruit, level, max(0, first.at - seconds("time")))
            }
            return levels.filter { low.contains($0.fruit) }.min { $0.level < $1.level }.map {
                ($0.fruit, $0.level, nil)
            }
        }

        /// Whether it is late by more than half a second of real time.
        var isBehind: Bool { (status?["behind"]?["seconds"]?.seconds ?? 0) > speed / 2 }
        var isReady: Bool { status?["ready"]?.isTrue != false || phase == "closed" }

        /// How urgent it is that somebody looks at the stand; the greatest comes first.
        fileprivate var urgency: Double {
            if isAway { return 1000 }
            if !isReady { return 900 }
            if isBehind { return 800 }
            let short = short.map { $0.level == 0 ? 300 : $0.after.map { 200 - min(100, $0 / 3600) } ?? 100.0 } ?? 0
            return short + min(99, lost)
        }
    }

    /// Alerts of each stand that are kept.
    private static let mostAlerts = 1000

    /// In the order of the list of stands.
    private var rows: [StandTarget: Row] = [:]
    var alerts = ScrolledLines(most: mostAlerts)
    let words: Words
    /// Only stands whose name has this text are shown.
    var filter = ""
    var isTyping = false
    /// The row that the keys move; nil is the first.
    private(set) var chosen: StandTarget?
    /// Said in the last line until a key is pressed.
    var notice: String?

    init(words: Words) { self.words = words }
}

// MARK: - Rows

extension ChainView {
    /// The stands that are shown, the most urgent first.
    var shown: [Row] {
        let found = rows.values.filter { filter.isEmpty || $0.name.lowercased().contains(filter.lowercased()) }
        return found.map { ($0.urgency, $0) }.sorted { ($1.0, $0.1.name) < ($0.0, $1.1.name) }.map(\.1)
    }

    var count: Int { rows.count }
    var awayCount: Int { rows.values.count { $0.isAway } }

    /// The place of the chosen row among those shown.
    func place(in shown: [Row]) -> Int { shown.firstIndex { $0.target == chosen } ?? 0 }

    mutating func take(_ inbox: ChainSource.Inbox) {
        if let targets = inbox.targets {
            let former = rows
            rows = [:]
            for target in targets { rows[target] = former[target] ?? Row(target) }
        }
        if let problem = inbox.problem { notice = problem }
        for news in inbox.news.values { take(news) }
    }

    private mutating func take(_ news: ChainSource.News) {
        guard var row = rows[news.target] else { return }
        defer { rows[news.target] = row }
        row.isAway = news.status == nil
        guard let status = news.status else { return }
        row.name = news.name ?? status["stand"]?.text ?? row.name
        // A stand that was opened anew begins again.
        if row.count("sequence") > status["sequence"]?.whole ?? 0 { (row.trend, row.lastAlert) = (Trend(), 0) }
        row.status = status
        row.trend.record(
            Double(row.count("orders")), at: status["time"]?.seconds ?? 0, speed: max(row.speed, 0.001))
        let events = (status["alerts"]?.elements ?? []).compactMap { LedgerEvent($0) }
        row.low = []
        for event in events {
            guard let fruit = event["fruit"]?.text else { continue }
            if event.name == FactKind.lowStock.name { row.low.insert(fruit) } else { row.low.remove(fruit) }
        }
        let sentence = EventSentence(names: [:], words: words)
        let clock = StandClock(status: status)
        alerts.append(
            events.filter { $0.sequence > row.lastAlert }.map { event in
                let line = sentence(event)
                let time = clock.text(seconds: line.time)
                return LogLine(time: line.time, text: "\(row.name.harmless)  \(time)  \(line.text)", style: line.style)
            })
        row.lastAlert = events.last?.sequence ?? row.lastAlert
    }
}

// MARK: - Keys

extension ChainView {
    /// What a key asks for.
    enum Wish: Equatable {
        case open(StandTarget, last: Int)
        case quit
    }

    /// - Parameter page: The rows of a page.
    mutating func press(_ key: Key, page: Int) -> Wish? {
        notice = nil
        if isTyping {
            type(key)
            return nil
        }
        switch key {
        case .up, .wheel(true, _): move(by: -1)
        case .down, .wheel(false, _): move(by: 1)
        case .pageUp: move(by: -page)
        case .pageDown: move(by: page)
        case .home, .character("g"): move(by: -rows.count)
        case .end, .character("G"): move(by: rows.count)
        case .character("/"): isTyping = true
        case .escape: filter = ""
        case .enter:
            let shown = shown
            guard shown.indices.contains(place(in: shown)) else { return nil }
            let row = shown[place(in: shown)]
            guard row.status != nil, !row.isAway else {
                notice = words(.noAnswer)
                return nil
            }
            chosen = row.target
            return .open(row.target, last: row.count("sequence"))
        case .character("q"): return .quit
        default: break
        }
        return nil
    }

    private mutating func type(_ key: Key) {
        switch key {
        case .character(let character): filter.append(character)
        case .backspace: filter = String(filter.dropLast())
        case .enter: isTyping = false
        case .escape: (isTyping, filter) = (false, "")
        default: break
        }
    }

    private mutating func move(by count: Int) {
        let shown = shown
        guard !shown.isEmpty else { return }
        chosen = shown[max(0, min(place(in: shown) + count, shown.count - 1))].target
    }
}
