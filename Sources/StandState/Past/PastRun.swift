import JuiceStand
import Platform

/// A stand that runs once more from a copy on, with the changes that were made, observed as the stand itself is.
package struct PastRun {
    package private(set) var stand: Stand
    package let observers: StandObservers
    private var changes: ArraySlice<DatedChange>
    private let passage = Passage()
    private let present: PresentOrders
    private let logger: StandLogger
    private let latest = LatestLines()

    /// - Parameter changes: In order; those of before the copy are left out.
    package init(from copy: StandCopy, _ changes: [DatedChange]) {
        stand = copy.stand
        self.changes = changes.drop { $0.number <= copy.changes }
        observers = StandObservers(loggers: [])
        observers.begin(with: copy.observers)
        observers.connect(to: passage.toObservers)
        present = PresentOrders(stand)
        passage.toObservers.connect(present)
        logger = StandLogger(.ledger, menu: stand.settings.menu, sink: latest, flushAt: 1 << 14)
        passage.toLines.connect(logger)
    }

    /// The orders in the stand, by their numbers.
    package var orders: [(number: UInt64, order: OrderProgress)] { present.orders }

    /// Lines of the ledger from a number on, as far as the run has come: all of them, or the latest kilobytes.
    package func lines(from first: UInt64) -> [ArraySlice<UInt8>] {
        logger.flush()
        let bytes = latest.bytes
        var kept = LedgerLines(bytes, from: stand.factsAnnounced + 1 - UInt64(LedgerLines.count(bytes[...])))
        kept.remove(through: max(first, 1) - 1)
        var lines: [ArraySlice<UInt8>] = []
        while let line = kept.next() { lines.append(line) }
        return lines
    }

    /// Goes on to an instant, or as far as the stand came by itself.
    ///
    /// A step of the stand may announce several facts. Observers hear of those up to the instant.
    ///
    /// - Parameter goOn: Asked every few thousand events; false ends the run.
    /// - Returns: Whether it was not ended.
    package mutating func advance(to instant: Instant, while goOn: () -> Bool = { true }) -> Bool {
        if case .fact(let last) = instant { passage.last = last } else { passage.last = .max }
        let out = FactPublisher(passage)
        if stand.factsAnnounced == 0, instant != .fact(0) { stand.open(out) }
        var steps = 0
        while !isAt(instant), !stand.isClosed {
            let due = stand.isPaused || stand.isOver ? .never : stand.nextTime
            // What is due at the time of a change happens after it.
            if let next = changes.first, next.at <= due {
                guard includes(instant, next.at) else { return true }
                _ = next.change.apply(to: &stand, at: next.at, out)
                changes.removeFirst()
            } else {
                guard due < .never, includes(instant, due) else { return true }
                stand.step(out)
            }
            steps += 1
            if steps % 4096 == 0, !goOn() { return false }
        }
        return true
    }

    private func isAt(_ instant: Instant) -> Bool {
        if case .fact(let last) = instant { stand.factsAnnounced >= last } else { false }
    }

    private func includes(_ instant: Instant, _ time: SimulationTime) -> Bool {
        if case .time(let last) = instant { time <= last } else { true }
    }
}

/// Passes all facts on to lines, and those up to one of them to observers.
private final class Passage: FactObserver {
    var wanted: FactSet { .all }
    let toObservers = WiringChoice.closure.makeWiring()
    let toLines = WiringChoice.closure.makeWiring()
    var last = UInt64.max

    func hear<F: Fact>(_ fact: F) {
        if fact.stamp.sequence <= last { fact.hand(to: toObservers) }
        fact.hand(to: toLines)
    }
}

/// Keeps the orders in the stand.
private final class PresentOrders: FactObserver, Sendable {
    var wanted: FactSet { FactSet(.orderPlaced, .orderStarted, .orderServed, .orderLost) }
    private let state: Guarded<[UInt64: OrderProgress]>

    init(_ stand: Stand) {
        state = Guarded(Dictionary(uniqueKeysWithValues: stand.presentOrders.map { ($0.number, $0.order) }))
    }

    var orders: [(number: UInt64, order: OrderProgress)] {
        state.withLock { $0.map { (number: $0.key, order: $0.value) } }.sorted { $0.number < $1.number }
    }

    func hear(_ fact: OrderPlaced) {
        let order = OrderProgress(juice: fact.juice, cups: fact.cups, placed: fact.stamp.time)
        state.withLock { $0[fact.order] = order }
    }

    func hear(_ fact: OrderStarted) { state.withLock { $0[fact.order]?.started = fact.stamp.time } }

    func hear(_ fact: OrderServed) { state.withLock { _ = $0.removeValue(forKey: fact.order) } }

    func hear(_ fact: OrderLost) { state.withLock { _ = $0.removeValue(forKey: fact.order) } }
}

/// Keeps the latest lines: between 32 and 64 KB, once there are as many.
private final class LatestLines: LineSink {
    private static let least = 1 << 15
    private let state = Guarded<[UInt8]>([])

    var bytes: [UInt8] { state.withLock { $0 } }

    func write(_ lines: RawSpan) {
        state.withLock { bytes in
            unsafe lines.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
            guard bytes.count > 2 * Self.least else { return }
            let start = bytes[(bytes.count - Self.least)...].firstIndex(of: UInt8(ascii: "\n"))
            bytes.removeFirst((start ?? 0) + 1)
        }
    }
}
