import JuiceStand
import StandClient
import Terms
import TextFormats

/// What a terminal shows of many stands, and what its user has chosen to see.
struct ChainView: Sendable {
    /// Alerts of each stand that are kept.
    private static let mostAlerts = 1000

    private var table = StandTable()
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
    var shown: [StandTable.Row] { table.rows(named: filter) }

    var count: Int { table.count }
    var awayCount: Int { table.awayCount }
    var alertCount: Int { table.alertCount }

    /// The place of the chosen row among those shown.
    func place(in shown: [StandTable.Row]) -> Int { shown.firstIndex { $0.target == chosen } ?? 0 }

    mutating func take(_ inbox: ChainSource.Inbox) {
        if let problem = inbox.problem { notice = words.detail(problem, or: .badList) }
        let sentence = EventSentence(names: [:], words: words)
        alerts.append(
            table.take(inbox).map { alert in
                let line = sentence(alert.event)
                return LogLine(
                    time: line.time, text: "\(alert.stand.visible)  \(alert.clock)  \(line.text)", style: line.style)
            })
    }
}

// MARK: - Keys

extension ChainView {
    /// What a key asks for.
    enum Wish: Equatable {
        /// With the status that is known.
        case open(StandTarget, StatusDocument)
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
        case .home, .character("g"): move(by: -count)
        case .end, .character("G"): move(by: count)
        case .character("/"): isTyping = true
        case .escape: filter = ""
        case .enter:
            let shown = shown
            guard shown.indices.contains(place(in: shown)) else { return nil }
            let row = shown[place(in: shown)]
            guard let status = row.status, !row.isAway else {
                notice = words(.noAnswer)
                return nil
            }
            chosen = row.target
            return .open(row.target, status)
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
