import JuiceStand
import Platform

/// A replay through the past, observed as the stand itself is.
package struct PastRun {
    private var replay: Replay
    private let passage: Passage
    private let book = OrderBook(remembering: 0)
    private let latest: EventTail
    /// The most bytes of lines that are kept; half of them are kept at least.
    private static let mostBytes = 1 << 16

    package var stand: Stand { replay.stand }
    package var observers: StandObservers { replay.observers }

    /// - Parameter changes: In order. Changes that the copy has are skipped.
    package init(from copy: StandCopy, _ changes: [DatedChange]) {
        replay = Replay(from: copy, IdempotencyCache(), changes)
        book.begin(with: copy.stand)
        latest = EventTail(after: copy.sequence, mostBytes: Self.mostBytes)
        passage = Passage(
            StandLogger(.ledger, menu: copy.stand.settings.menu, sink: latest, flushAt: 1 << 14))
        replay.observers.connect(to: passage.observers)
        passage.observers.connect(book)
    }

    /// The orders in the stand, by their numbers.
    package var orders: [(number: UInt64, order: OrderProgress)] { book.present }

    /// Lines of the ledger from a number on, as far as the run has come: all of them, or the latest kilobytes.
    package func lines(from first: UInt64) -> [ArraySlice<UInt8>] {
        passage.logger.flush()
        var reading = latest.read(after: max(first, 1) - 1, limit: Self.mostBytes)
        if case .gone(let kept) = reading { reading = latest.read(after: kept - 1, limit: Self.mostBytes) }
        guard case .lines(let bytes, _) = reading else { return [] }
        var rest = LedgerLines(bytes, from: first)
        var lines: [ArraySlice<UInt8>] = []
        while let line = rest.next() { lines.append(line) }
        return lines
    }

    /// Goes on to an instant, or as far as the stand came by itself.
    ///
    /// A step of the stand may announce several facts. Observers hear only the facts up to the instant.
    ///
    /// - Parameter goOn: Asked every few thousand steps; false ends the run.
    /// - Returns: Whether it was not ended.
    package mutating func advance(to instant: Instant, while goOn: () -> Bool = { true }) -> Bool {
        let out = FactPublisher(passage)
        func pause() throws { if !goOn() { throw CancellationError() } }
        do {
            switch instant {
            case .fact(let last):
                passage.last = last
                _ = try replay.advance(toFact: last, out, pausing: pause)
            case .time(let time):
                passage.last = .max
                try replay.advance(to: time, out, pausing: pause)
            }
            return true
        } catch {
            return false
        }
    }
}

/// Passes all facts on to a logger, and facts up to a given one to observers.
private final class Passage: FactObserver {
    var wanted: FactSet { .all }
    let observers = WiringChoice.closure.makeWiring()
    let logger: StandLogger
    var last = UInt64.max

    init(_ logger: StandLogger) {
        self.logger = logger
    }

    func hear<F: Fact>(_ fact: F) {
        if fact.stamp.sequence <= last { fact.hand(to: observers) }
        fact.hand(to: logger)
    }
}
