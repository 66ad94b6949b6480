import JuiceStand
import StandClient
import Terms
import TextFormats

/// A live display's knowledge of a stand: status, marks, menu and recent events.
///
/// It is made from the service's documents and events, whether the stand is that of this process or of another. All
/// figures and alerts come from one status, and so from one sequence number.
package struct StandView: Sendable {
    /// A fruit with its level and marks.
    struct Shelf: Sendable {
        /// Its entry in the stock document, with level and pieces on order from the last status.
        var entry: StockDocument.Shelf
        /// The name in the user's language.
        var name: String
        /// The level of a full bar; grows with the levels seen.
        var full = 1
        /// The stand time in seconds at which it is short by the forecast; nil if it probably lasts, or without a
        /// forecast.
        var runsOut: Double?
        var trend = Trend()

        /// The name in the ledger.
        var key: String { entry.fruit }
        /// nil for an unlimited fruit.
        var level: Int? { entry.level }
        var isLow: Bool { level.flatMap { level in entry.lowStock.map { level <= $0 } } ?? false }
    }

    struct Drink: Sendable {
        var entry: MenuDocument.Entry
        /// The name in the user's language.
        var name: String
        /// The name in the ledger.
        var key: String { entry.juice }
    }

    /// Alerts that are kept.
    private static let mostAlerts = 500

    /// The last status of the service; all counts come from it.
    private(set) var status = StatusDocument()
    /// Whether a status has arrived.
    private(set) var isKnown = false
    /// The stand's clock now, also for an instant that has passed.
    private(set) var clock = StatusDocument().clock
    private(set) var shelves: [Shelf] = []
    private(set) var drinks: [Drink] = []
    var alerts = ScrolledLines(most: mostAlerts)
    var log = LiveLog()
    private(set) var served = Trend()
    private var orders = OrdersSeen()
    /// The number of the event of the last alert.
    private var lastAlert: UInt64 = 0
    private var sentence: EventSentence
    /// A language tag, such as `ko`. Names are shown in that language if they have it.
    let language: String?
    /// The phrases of the display.
    var words: Words

    /// Why the stand can't be reached; nil if it can.
    var absence: String?
    /// Whether the display is held.
    var isHeld = false
    /// Whether the view is of an instant that has passed.
    private(set) var isPast = false
    /// The user's choice of parts, order and rows.
    var choice = Choice()
    /// The outcome of the last request.
    var notice: String?
    /// The address of the stand's page, with the token; nil if it has none or the stand is that of another process.
    let link: String?
    /// Why the stand does not listen where users look for it.
    let warnings: [ListenerWarning]
    /// Whether no key was pressed yet.
    var isNew = true
    /// What quitting does to the stand; nil if it goes on.
    let ending: Ending?
    /// Whether there is a keyboard.
    var hasKeys = true
    /// Whether Esc goes back to the table of many stands.
    var isOneOfMany = false

    /// What quitting does to the stand.
    package enum Ending: Sendable {
        case closes
        case suspends
    }

    package init(
        language: String? = nil, link: String? = nil, warnings: [ListenerWarning] = [], ending: Ending? = nil
    ) {
        self.language = language
        self.link = link
        self.warnings = warnings
        self.ending = ending
        words = Words(language: language)
        sentence = EventSentence(names: [:], words: words)
    }
}

// MARK: - What is shown

extension StandView {
    /// A part of the screen that scrolls.
    enum Part: CaseIterable, Sendable {
        case log
        case alerts
        case stock
    }

    /// The order of the fruits.
    enum Sorting: CaseIterable, Sendable {
        case menu
        case level
        case name
        case timeLeft
    }

    /// The user's choice of parts, order and rows. It holds for a past or held view, too.
    struct Choice: Sendable {
        var mode = Mode.watching
        /// The part that keys scroll; nil is the log.
        var part: Part?
        var sorting = Sorting.menu
        /// Fruits above those shown.
        var stockTop = 0
        /// Lines of the help above those shown.
        var helpTop = 0
        /// Earlier input of each prompt, the latest last.
        var inputs: [Prompt.Kind: [String]] = [:]
    }

    var mode: Mode {
        get { choice.mode }
        set { choice.mode = newValue }
    }

    /// The fruits in the chosen order.
    var sortedShelves: [Shelf] {
        switch choice.sorting {
        case .menu: shelves
        case .level: shelves.sorted { ($0.level ?? .max) < ($1.level ?? .max) }
        case .name: shelves.sorted { $0.name < $1.name }
        case .timeLeft: shelves.sorted { ($0.runsOut ?? .infinity) < ($1.runsOut ?? .infinity) }
        }
    }
}

// MARK: - Figures

extension StandView {
    func lost(_ reason: LossReason) -> Int { status.lost[reason.name] ?? 0 }
    var speed: Double { status.speed ?? 1 }

    /// Why the stand is not ready; nil if it is.
    var cause: String? {
        status.causes?.first.map { words(.notReadyBecause, words.detail($0, or: .notSaving)) }
    }

    /// For each order being made, the time it has taken as a share of its recipe's mean; more than 1 if it is late. Nil
    /// if cups are made in less than three real seconds, which nobody could follow.
    var progress: [Double]? {
        guard drinks.allSatisfy({ $0.entry.preparation >= 3 * speed }) else { return nil }
        return orders.making.map { order in
            let mean = drinks.first { $0.key == order.juice }?.entry.preparation ?? .infinity
            return (status.time - (order.started ?? 0)) / (mean * Double(order.cups))
        }
    }
}

// MARK: - News

extension StandView {
    /// Takes a status.
    mutating func take(status: StatusDocument) {
        self.status = status
        isKnown = true
        clock = status.clock
        served.record(Double(status.served), at: status.time, speed: speed)
        takeLevels()
        for index in shelves.indices {
            guard let level = shelves[index].level else { continue }
            shelves[index].full = max(shelves[index].full, level)
            shelves[index].trend.record(Double(level), at: status.time, speed: speed)
        }
        let alerts = status.alerts.filter { $0.sequence > lastAlert }
        lastAlert = alerts.last?.sequence ?? lastAlert
        self.alerts.append(alerts.map { sentence($0) })
    }

    /// Takes the time of a later status, and nothing else.
    mutating func move(to time: Double) { status.time = time }

    /// Gives each shelf what the status says of it.
    private mutating func takeLevels() {
        for index in shelves.indices {
            let key = shelves[index].key
            shelves[index].entry.level = status.stock[key] ?? nil
            shelves[index].entry.onOrder = status.onOrder[key] ?? 0
            shelves[index].runsOut = status.forecast?.fruits[key]?.likely
        }
    }

    /// Takes the stock's marks and the menu.
    mutating func take(stock: StockDocument, menu: MenuDocument) {
        func name(_ key: String, _ names: NamedValues<String>) -> String {
            (language.flatMap { names[$0] } ?? words.name(key)).visible
        }
        shelves = stock.shelves.map { entry in
            let old = shelves.first { $0.key == entry.fruit }
            return Shelf(
                entry: entry, name: name(entry.fruit, entry.names),
                full: max(entry.full ?? 1, entry.level ?? 1, old?.full ?? 1, 1), trend: old?.trend ?? Trend())
        }
        drinks = menu.juices.map { Drink(entry: $0, name: name($0.juice, $0.names)) }
        var names: [String: String] = [:]
        for shelf in shelves { names[shelf.key] = shelf.name }
        for drink in drinks { names[drink.key] = drink.name }
        sentence = EventSentence(names: names, words: words)
    }

    /// The view of an instant that has passed, from its status, without trends.
    func past(_ status: StatusDocument) -> StandView {
        var past = self
        past.status = status
        past.isPast = true
        past.orders = OrdersSeen(making: status.making ?? [])
        past.takeLevels()
        for index in shelves.indices { past.shelves[index].trend = Trend() }
        past.served = Trend()
        let events = (status.events ?? []).filter { $0.sequence <= status.sequence }
        past.log = LiveLog(showing: events.map { sentence($0) }, filter: log.filter)
        past.alerts = ScrolledLines(status.alerts.map { sentence($0) })
        return past
    }

    /// Forgets the figures of the former stand. The log keeps its lines.
    mutating func forget() {
        served = Trend()
        for index in shelves.indices {
            shelves[index].trend = Trend()
            shelves[index].full = max(shelves[index].level ?? 1, 1)
        }
        lastAlert = 0
        alerts = ScrolledLines(most: Self.mostAlerts)
        orders = OrdersSeen()
    }

    /// Counts skipped events. Orders may have ended in them, so the orders seen so far are forgotten.
    mutating func skip(_ count: Int) {
        log.skip(count)
        orders = OrdersSeen()
    }

    mutating func scroll(_ part: Part, by count: Int, rows: Int) {
        switch part {
        case .log: log.scroll(by: count, rows: rows)
        case .alerts: alerts.scroll(by: count, rows: rows)
        case .stock: break
        }
    }

    mutating func take(_ event: LedgerEvent) {
        log.add(sentence(event))
        orders.take(event)
    }
}
