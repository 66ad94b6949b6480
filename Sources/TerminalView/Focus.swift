import JuiceStand
import StandState

/// The history of one fruit or one order on a display.
struct Focus: Sendable {
    let subject: HistorySubject
    private(set) var lines = ScrolledLines(most: History.mostLines)
    /// The number of the first event searched; nil until the history has arrived.
    private(set) var first: Int?
    /// The number of the last event of ``lines``.
    private var last: UInt64 = 0
    /// What has happened while the history was read.
    private var meanwhile: [(sequence: UInt64, line: LogLine)] = []

    init(_ subject: HistorySubject) {
        self.subject = subject
    }

    /// Takes an event that has just happened.
    mutating func take(_ event: LedgerEvent, _ line: LogLine) {
        guard event.sequence > last, subject.concerns(event) else { return }
        guard first != nil else { return meanwhile.append((event.sequence, line)) }
        last = event.sequence
        lines.append([line])
    }

    /// Takes the history; ignores one of something else.
    mutating func take(_ history: History, _ line: (LedgerEvent) -> LogLine) {
        guard history.subject == subject else { return }
        last = history.events.last?.sequence ?? 0
        let later = meanwhile.filter { $0.sequence > last }
        lines.replace(with: history.events.map(line) + later.map(\.line))
        last = later.last?.sequence ?? last
        (first, meanwhile) = (history.first, [])
    }

    mutating func scroll(by count: Int, rows: Int) { lines.scroll(by: count, rows: rows) }
}

/// What a history is about.
package enum HistorySubject: Equatable, Sendable {
    /// A fruit, by its name in the ledger.
    case fruit(String)
    case order(Int)

    func concerns(_ event: LedgerEvent) -> Bool {
        switch self {
        case .fruit(let name): event["fruit"]?.text == name
        case .order(let number): event["order"]?.whole == number
        }
    }

    /// Whether an event is the first or the last of its history.
    fileprivate func isFirst(_ event: LedgerEvent) -> Bool {
        switch self {
        case .fruit: event.sequence == 1
        case .order: event.name == "orderPlaced" || event.name == "orderLost"
        }
    }

    fileprivate func isLast(_ event: LedgerEvent) -> Bool {
        if case .order = self { event.name == "orderServed" || event.name == "orderLost" } else { false }
    }
}

/// The events of a fruit or an order.
package struct History: Sendable {
    /// Events that are kept of a long history: the last.
    static let mostLines = 2000
    /// How far the history of a fruit goes back, in events.
    private static let fruitEvents = 20_000

    var subject: HistorySubject
    /// The number of the first event searched; 1 if there was nothing before.
    var first = 1
    var events: [LedgerEvent] = []

    /// Reads a history. Blocks.
    ///
    /// - Parameters:
    ///   - last: The number of the last event.
    ///   - orders: The number of orders up to an event; nil if that is not kept.
    ///   - read: Calls its second argument with each line after an event and its number, until that returns false or
    ///     there are no more.
    package init(
        of subject: HistorySubject, last: UInt64, orders: (UInt64) -> Int?,
        read: (UInt64, (UInt64, ArraySlice<UInt8>) -> Bool) -> Void
    ) {
        self.subject = subject
        var start = last - min(last, UInt64(Self.fruitEvents))
        if case .order(let number) = subject {
            // The event that placed the order. An event that is no longer kept is taken as too early.
            var range = (1 as UInt64)..<(last + 1)
            while !range.isEmpty {
                let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
                if let count = orders(middle), count >= number {
                    range = range.lowerBound..<middle
                } else {
                    range = (middle + 1)..<range.upperBound
                }
            }
            if range.lowerBound <= last { start = range.lowerBound - 1 }
        }
        first = Int(start + 1)
        var isBegun = false
        read(start) { number, line in
            if !isBegun { first = Int(number) }
            isBegun = true
            guard let head = LedgerLine.head(line), Self.isAbout(subject, head.event),
                let event = LedgerEvent(line), subject.concerns(event)
            else { return number < last }
            if events.isEmpty, case .order = subject, subject.isFirst(event) { first = 1 }
            events.append(event)
            if events.count >= 2 * Self.mostLines {
                events.removeFirst(Self.mostLines)
                first = max(first, 2)
            }
            return number < last && !subject.isLast(event)
        }
    }

    /// Whether an event may concern it, by its name alone.
    private static func isAbout(_ subject: HistorySubject, _ name: String) -> Bool {
        switch FactKind(name: name)?.group {
        case .orders, .stock: true
        case .alerts, .restock: if case .fruit = subject { true } else { false }
        case .stand, .commands: false
        // A newer stand may announce what this program does not know.
        case nil: false
        }
    }
}
