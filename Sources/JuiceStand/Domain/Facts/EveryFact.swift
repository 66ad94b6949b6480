// Every fact, named in one place. To add one, write its struct beside the others and add it to each of the four lists
// below. The compiler reports every list that lacks it.

/// The kinds of facts, each named for its struct, which says what happened. Add a new one last: snapshots save the raw
/// values.
package enum FactKind: Int, CaseIterable, Codable, Sendable {
    case opened
    case orderPlaced
    case orderStarted
    case orderServed
    case orderSubstituted
    case orderLost
    case orderBackordered
    case stockChanged
    case lowStock
    case stockRecovered
    case restockOrdered
    case restockDelivered
    case configurationChanged
    case rateChanged
    case paused
    case resumed
    case closed

    /// The event name in the ledger.
    package var name: String { "\(word)" }

    /// The kind with that event name in the ledger; nil if there is none.
    package init?(name: String) {
        guard let kind = Self.byName[name] else { return nil }
        self = kind
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}

/// Hears facts, each in a method of its own, so that a call is a table look-up and never runs generic code.
///
/// An observer has a method for each fact that it wants, and names these facts in ``wanted``. A test compares the two.
/// For the other facts it has the empty method below. A class that treats all facts alike has one generic method,
/// `func hear<F: Fact>(_ fact: F)`, which the compiler specializes for each fact. To the stand its wiring is the only
/// observer.
package protocol FactObserver: AnyObject {
    /// The kinds of facts to hear. Facts of other kinds are not handed over.
    var wanted: FactSet { get }

    func hear(_ fact: Opened)
    func hear(_ fact: OrderPlaced)
    func hear(_ fact: OrderStarted)
    func hear(_ fact: OrderServed)
    func hear(_ fact: OrderSubstituted)
    func hear(_ fact: OrderLost)
    func hear(_ fact: OrderBackordered)
    func hear(_ fact: StockChanged)
    func hear(_ fact: LowStock)
    func hear(_ fact: StockRecovered)
    func hear(_ fact: RestockOrdered)
    func hear(_ fact: RestockDelivered)
    func hear(_ fact: ConfigurationChanged)
    func hear(_ fact: RateChanged)
    func hear(_ fact: Paused)
    func hear(_ fact: Resumed)
    func hear(_ fact: Closed)
}

extension FactObserver {
    package func hear<F: Fact>(_ fact: F) {}
}

extension Wiring {
    package func connect(_ observer: any FactObserver & Sendable) {
        for kind in FactKind.allCases where observer.wanted.contains(kind) {
            switch kind {
            case .opened: connect(observer, to: Opened.self)
            case .orderPlaced: connect(observer, to: OrderPlaced.self)
            case .orderStarted: connect(observer, to: OrderStarted.self)
            case .orderServed: connect(observer, to: OrderServed.self)
            case .orderSubstituted: connect(observer, to: OrderSubstituted.self)
            case .orderLost: connect(observer, to: OrderLost.self)
            case .orderBackordered: connect(observer, to: OrderBackordered.self)
            case .stockChanged: connect(observer, to: StockChanged.self)
            case .lowStock: connect(observer, to: LowStock.self)
            case .stockRecovered: connect(observer, to: StockRecovered.self)
            case .restockOrdered: connect(observer, to: RestockOrdered.self)
            case .restockDelivered: connect(observer, to: RestockDelivered.self)
            case .configurationChanged: connect(observer, to: ConfigurationChanged.self)
            case .rateChanged: connect(observer, to: RateChanged.self)
            case .paused: connect(observer, to: Paused.self)
            case .resumed: connect(observer, to: Resumed.self)
            case .closed: connect(observer, to: Closed.self)
            }
        }
    }
}

extension FactKind {
    /// The subject of facts of the kind, and how people take them.
    private var traits: (group: FactGroup, tone: FactTone) {
        switch self {
        case .opened, .closed: (.stand, .news)
        case .configurationChanged, .rateChanged, .paused, .resumed: (.commands, .news)
        case .orderPlaced: (.orders, .plain)
        case .orderStarted: (.orders, .detail)
        case .orderServed: (.orders, .good)
        case .orderSubstituted: (.orders, .news)
        case .orderLost: (.orders, .bad)
        case .orderBackordered: (.orders, .warning)
        case .stockChanged: (.stock, .detail)
        case .lowStock: (.alerts, .warning)
        case .stockRecovered: (.alerts, .good)
        case .restockOrdered, .restockDelivered: (.restock, .news)
        }
    }

    /// The subject of facts of the kind.
    package var group: FactGroup { traits.group }

    /// How people take facts of the kind.
    package var tone: FactTone { traits.tone }
}
