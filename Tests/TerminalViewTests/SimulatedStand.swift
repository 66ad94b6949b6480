import JuiceStand
import Platform
import StandClient
import StandService
import StandState
import TerminalView
import Testing
import TextFormats

/// A stand in virtual time, as the source of a live display.
final class SimulatedStand {
    private final class Lines: LineSink {
        private let bytes = Guarded<[UInt8]>([])

        func write(_ lines: RawSpan) {
            let new = unsafe lines.withUnsafeBytes { unsafe Array($0) }
            bytes.withLock { $0 += new }
        }

        func take() -> [UInt8] { bytes.exchange(\.self, for: []) }
    }

    private var stand: Stand
    private let speed: Double
    private let wiring = ClosureWiring()
    private let lines = Lines()
    private let observers: StandObservers
    private let out: FactPublisher

    /// - Parameter configuration: In JSON5.
    init(_ configuration: String, speed: Double = 1) throws {
        let settings = try StandConfiguration(Array(configuration.utf8), source: "test").settings
        stand = Stand(settings)
        self.speed = speed
        observers = StandObservers(loggers: [StandLogger(.ledger, menu: settings.menu, sink: lines)])
        observers.connect(to: wiring)
        out = FactPublisher(wiring)
        stand.open(out)
    }

    /// The current status.
    func status(at time: SimulationTime) -> StandStatus {
        StandStatus(observers, stand, time: time, speed: speed)
    }

    /// The current stock and menu.
    var shelves: StandNews {
        .shelves(stock: status(at: stand.now).stockDocument, menu: status(at: stand.now).menuDocument)
    }

    /// Advances to a stand time, and gives the news for a display.
    func news(until seconds: Double) -> [StandNews] {
        let time = SimulationTime(seconds: seconds)
        stand.advance(to: time, out)
        let events = lines.take().split(separator: UInt8(ascii: "\n"))
        return events.map(StandNews.line) + [.status(status(at: time).document)]
    }
}

extension StandNews {
    /// The event of a line of the ledger.
    static func line(_ line: ArraySlice<UInt8>) -> StandNews { .event(LedgerEvent(line)!) }

    /// The event of a line of the ledger.
    static func line(_ text: String) -> StandNews { .line(Array(text.utf8)[...]) }

    /// As a stand of another process answers.
    static func status(_ json: JSONValue) -> StandNews { .status(StatusDocument(json: json)!) }

    /// As a stand of another process answers.
    static func instant(_ json: JSONValue) -> StandNews { .instant(StatusDocument(json: json)!) }

    /// As a stand of another process answers.
    static func shelves(stock: JSONValue, menu: JSONValue) -> StandNews {
        .shelves(stock: StockDocument(json: stock)!, menu: MenuDocument(json: menu)!)
    }
}

extension JSONValue {
    /// This object with the members of another, which replace those of the same names.
    func replacing(with other: JSONValue) -> JSONValue {
        .object(members.filter { other[$0.key] == nil } + other.members)
    }
}
