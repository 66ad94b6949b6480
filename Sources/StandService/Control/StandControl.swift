import Dispatch
import JuiceStand
import Platform
import StandExperiments
import StandState
import TextFormats

/// Reads and changes a running stand, for the program's own signals and for HTTP.
///
/// Reading never waits for the stand. The reply to a change comes once the change is durable: with a state folder, when
/// it is on the disk. Replies are called on the stand's queue and must return at once. Changes take effect in the order
/// in which they arrive; changes that arrive together share one write to the disk.
package final class StandControl: Sendable {
    /// The reply to a change.
    package typealias Reply<Answer> = @Sendable (Result<Answer, ControlError>) -> Void

    /// A submitted change.
    struct Request: Sendable {
        var change: StandChange
        var key: String?
        var reply: Reply<ChangeAnswer>
    }

    struct Queueing {
        var waiting: [Request] = []
        /// Whether the stand is held while changes become durable.
        var isCommitting = false
        /// Set when the program itself closes the stand; retried until that is durable.
        var closing: Closing?
        var isSuspending = false
        /// Whether to save a snapshot before the next changes.
        var isToBeSaved = false
        var hasEnded = false
    }

    /// A close by the program itself.
    struct Closing {
        /// Stand time of the close; nil is now.
        var end: SimulationTime?
    }

    let queue: DispatchQueue
    let driver: LiveDriver
    /// The observers of the stand, from which the status is read.
    let observers: StandObservers
    /// Stand seconds per wall second.
    var speed: Double { driver.speed }
    /// Answers by idempotency key. Confined to the queue.
    let cache: Guarded<IdempotencyCache>
    let queueing = Guarded(Queueing())
    private let orders = OrderBook()
    private let published: Guarded<Published>
    /// The latest lines, in memory.
    let tail: EventTail
    let ledger: LedgerFile?
    /// Synchronizes the ledger while it is reopened.
    let reopening = DispatchQueue(label: "reopening")
    /// Lines older than those of ``tail``; nil if no file keeps them.
    private let history: LedgerHistory?
    /// The stand at earlier instants.
    let past: Past
    private let recalling = DispatchQueue(label: "recalling", qos: .utility)
    /// Makes the lines of ``tail`` if there is neither a ledger nor a state. Connected with the first listener.
    private let tailLogger: Guarded<StandLogger?>
    /// nil for a stand without a state.
    let keeping: StandKeeping?

    /// Whether a restart resumes the stand.
    package var hasState: Bool { keeping != nil }
    /// The latest forecast; nil if none was made.
    private let forecast = Guarded<Forecast.Answer?>(nil)
    let reloading: (@Sendable () throws(ConfigurationError) -> StandSettings)?
    /// Configurations are read one at a time, so that the last one requested is the last one applied.
    let reading = DispatchQueue(label: "reading")

    /// The last published status, and when that was.
    private struct Published {
        var status: StandStatus
        var wall: DispatchTime
        /// The time of the next event. Until it has happened, stand time does not pass it.
        var next = SimulationTime.never
        var lastMinute = LiveDriver.LastMinute()
        /// Since when stand time is held for a change; nil if it is not held.
        var heldSince: DispatchTime?
    }

    init(
        _ driver: LiveDriver, _ observers: StandObservers, on queue: DispatchQueue, stand: Stand,
        cache: IdempotencyCache, past: Past, tail: EventTail, ledger: LedgerFile?, tailLogger: StandLogger?,
        keeping: StandKeeping?, reloading: (@Sendable () throws(ConfigurationError) -> StandSettings)?
    ) {
        self.driver = driver
        self.observers = observers
        self.queue = queue
        self.cache = Guarded(cache)
        self.tail = tail
        self.ledger = ledger
        history = ledger.map { LedgerHistory(path: $0.path) }
        self.past = past
        self.tailLogger = Guarded(tailLogger)
        self.keeping = keeping
        self.reloading = reloading
        let status = StandStatus(observers, stand, time: stand.now, speed: driver.speed)
        // Before it opens or goes on, stand time stands still.
        published = Guarded(Published(status: status, wall: .now(), next: stand.now + SimulationTime(nanoseconds: 1)))
    }
}

// MARK: - Reading

extension StandControl {
    package var status: StandStatus {
        let (published, now) = published.withLock { ($0, $0.heldSince ?? .now()) }
        var status = published.status
        // A stand without a state ends when its ledger fails, and names the failure then.
        status.faults = keeping?.causes ?? []
        status.outlook = forecast.withLock { $0 }
        status.lateShare = published.lastMinute.lateShare()
        if status.phase == .open {
            let passed =
                Double(max(now, published.wall).uptimeNanoseconds - published.wall.uptimeNanoseconds) / 1e9
                * status.speed
            let end = min(driver.horizon, queueing.withLock { $0.closing?.end } ?? .never)
            let due = max(status.time, min(status.time + status.behind + SimulationTime(seconds: passed), end))
            // Events due at the next event's time have not happened, and those due at the end never will.
            let next = published.next < end ? published.next - SimulationTime(nanoseconds: 1) : end
            status.time = max(status.time, min(due, next))
            status.behind = due - status.time
        }
        return status
    }

    /// Keeps the latest forecast.
    func show(_ outlook: Forecast.Answer) { forecast.withLock { $0 = outlook } }

    /// Why the stand is not ready; empty if it is.
    package var causes: [String] { status.causes }

    /// Whether the stand has closed or is suspended.
    var hasEnded: Bool { queueing.withLock { $0.hasEnded } }

    /// Calls `then` with the result of `body` between two events; nil once the stand has ended.
    ///
    /// Gives access to data that ``status`` lacks, such as histograms. `body` blocks the stand and must be short.
    package func inspect<Result: Sendable>(
        _ body: @escaping @Sendable (Stand, SimulationTime, LiveDriver.Lateness) -> Result,
        then: @escaping @Sendable (Result?) -> Void
    ) {
        driver.async { then(self.driver.look(body)) }
    }

    /// Calls `then` with what `body` finds out about the wiring, both on the stand's queue; with nil if the stand has
    /// ended.
    func inspectWiring<Result>(
        _ body: @escaping @Sendable (any Wiring, [any FactObserver & Sendable], _ announced: UInt64) -> Result,
        then: @escaping @Sendable (Result?) -> Void
    ) {
        driver.async { then(self.driver.lookAtWiring(body)) }
    }

    /// Calls `then` with the order of that number.
    package func order(_ number: UInt64, then: @escaping @Sendable (OrderView) -> Void) {
        driver.async {
            self.keepOrders()
            then(self.orders[number])
        }
    }

    /// Calls `then`, off the stand's queue, with known orders as ``OrderBook/orders(after:limit:)``.
    package func orders(
        after number: UInt64, limit: Int,
        then: @escaping @Sendable ([(number: UInt64, record: OrderRecord)], _ last: UInt64) -> Void
    ) {
        driver.async {
            self.keepOrders()
            self.recalling.async {
                let (orders, last) = self.orders.orders(after: number, limit: limit)
                then(orders, last)
            }
        }
    }

    /// Starts the order book. Called on the queue.
    func keepOrders() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !orders.hasBegun, driver.look({ stand, _, _ in orders.begin(with: stand) }) != nil else { return }
        driver.connect(orders)
    }

    /// Ledger lines after number `sequence` that are in memory: at most `limit` bytes, but at least one line. Older
    /// lines may be in files, see ``recall(after:limit:from:then:)``.
    package func events(after sequence: UInt64, limit: Int) -> EventReading {
        tail.read(after: sequence, limit: limit)
    }

    /// Reads lines after number `sequence` from the ledger's files, as ``LedgerHistory/lines(after:limit:from:)``.
    ///
    /// - Parameter then: Called on a queue of its own, so that a slow disk delays nobody else; nil if there are no such
    ///   lines or they can't be read.
    package func recall(
        after sequence: UInt64, limit: Int, from place: LedgerHistory.Place?,
        then: @escaping @Sendable (LedgerHistory.Lines?) -> Void
    ) {
        recalling.async { [history] in
            do throws(FileError) { then(try history?.lines(after: sequence, limit: limit, from: place)) } catch {
                // The caller then reports a gap.
                then(nil)
            }
        }
    }

    /// Starts to keep lines, and calls `then` with the number of the last event.
    package func follow(then: @escaping @Sendable (UInt64) -> Void) {
        driver.async { then(self.keepLines()) }
    }

    /// - Returns: The number of the last event. The lines of later ones are kept.
    private func keepLines() -> UInt64 {
        dispatchPrecondition(condition: .onQueue(queue))
        let last = driver.look { stand, _, _ in stand.factsAnnounced } ?? published.withLock { $0.status.sequence }
        if let logger = tailLogger.exchange(\.self, for: nil) {
            driver.connect(logger)
            tail.begin(after: last)
        }
        return last
    }

    /// Lines that are written after number `sequence`, as far as memory or files have them.
    func written(after sequence: UInt64, limit: Int) -> [UInt8]? {
        if case .lines(let bytes, _) = tail.read(after: sequence, limit: limit) { return bytes }
        // A ledger that can't be read has nothing to compare.
        return try? history?.lines(after: sequence, limit: limit)?.bytes
    }

    /// Calls `then`, off the stand's queue, with the stand at an instant.
    package func instant(_ instant: Instant, then: @escaping Past.Reply<Past.View>) {
        past.ask(instant, self, reply: then)
    }

    /// Calls `then`, off the stand's queue, with figures of the stand at about `count` instants.
    func figures(
        from start: SimulationTime, to end: SimulationTime, count: Int, then: @escaping Past.Reply<[StandFigures]>
    ) {
        past.ask(from: start, to: end, count: count, self, reply: then)
    }
}

// MARK: - For the stand's own queue

extension StandControl {
    /// Holds stand time in the status until ``publish(isGoingOn:)`` lets it go on.
    func holdTime() { published.withLock { $0.heldSince = $0.heldSince ?? .now() } }

    /// Publishes the current status.
    func publish(isGoingOn: Bool = false) {
        let new = driver.look { stand, time, lateness in
            past.see(stand, observers, changes: cache.withLock { $0.made })
            var status = StandStatus(observers, stand, time: time, speed: speed)
            status.behind = lateness.behind
            return Published(
                status: status, wall: .now(), next: stand.isOver ? .never : stand.nextTime,
                lastMinute: lateness.lastMinute)
        }
        guard let new else { return }
        published.withLock { published in
            let heldSince = isGoingOn ? nil : published.heldSince
            published = new
            published.heldSince = heldSince
        }
    }

    /// Publishes the final status.
    func publishEnd(_ stand: Stand) {
        published.withLock {
            $0.status = StandStatus(observers, stand, time: stand.now, speed: speed)
            $0.wall = .now()
        }
    }
}
