import Dispatch
import JuiceStand
import Platform
import StandState
import Synchronization
import TextFormats

/// How a running stand is asked and changed: by the program's own signals, over the socket, over HTTP.
///
/// Reading never waits for the stand. A change is answered once it lasts: with a state folder, when it is on the disk.
/// Every answer is called on the stand's own queue and must hand over to another at once; changes are made in the order in
/// which they came, those that come together share one write to the disk.
package final class StandControl: Sendable {
    /// What a change is answered with.
    package typealias Reply<Answer> = @Sendable (Result<Answer, ControlError>) -> Void

    /// One change on its way.
    struct Request: Sendable {
        var change: StandChange
        var key: String?
        var reply: Reply<ChangeAnswer>
    }

    struct Queueing {
        var waiting: [Request] = []
        /// Whether the stand is held while changes are made to last.
        var isCommitting = false
        /// That the stand is to close, once the program itself has said so; tried again until it lasts.
        var closing: Closing?
        var isSuspending = false
        /// Whether the stand is to be saved before the next changes.
        var isToBeSaved = false
        var hasEnded = false
    }

    /// The end of a stand by itself.
    struct Closing {
        /// Where it closes; nil is now.
        var end: SimulationTime?
    }

    let queue: DispatchQueue
    let driver: LiveDriver
    let speed: Double
    /// What is known of changes and their keys; on the queue alone.
    let desk: Guarded<ChangeDesk>
    let queueing = Guarded(Queueing())
    private let orders = OrderBook()
    private let published: Guarded<Published>
    private let publications = Atomic<UInt64>(0)
    private let tail: EventTail
    private let ledger: LedgerFile?
    /// Lines that ``tail`` has forgotten, or that were written before the program started; nil where no file keeps them.
    private let history: LedgerHistory?
    private let recalling = DispatchQueue(label: "recalling", qos: .utility)
    /// Makes the lines that ``tail`` keeps where neither a ledger nor a state does; connected with the first reader.
    private let tailLogger: Guarded<StandLogger?>
    /// nil for a stand that is in memory alone.
    let keeping: StandKeeping?

    /// Whether the stand outlasts the program.
    package var hasState: Bool { keeping != nil }
    private let reloading: (@Sendable () throws(ConfigurationError) -> StandSettings)?
    /// Configurations are read one after the other, so that the last one asked for is the last one applied.
    private let reading = DispatchQueue(label: "reading")

    /// What was last shown, and when.
    private struct Published {
        var status: StandStatus
        var wall: DispatchTime
    }

    init(
        _ driver: LiveDriver, on queue: DispatchQueue, stand: Stand, speed: Double, desk: ChangeDesk, tail: EventTail,
        ledger: LedgerFile?, tailLogger: StandLogger?, keeping: StandKeeping?,
        reloading: (@Sendable () throws(ConfigurationError) -> StandSettings)?
    ) {
        self.driver = driver
        self.queue = queue
        self.speed = speed
        self.desk = Guarded(desk)
        self.tail = tail
        self.ledger = ledger
        history = ledger.flatMap { LedgerHistory($0) }
        self.tailLogger = Guarded(tailLogger)
        self.keeping = keeping
        self.reloading = reloading
        published = Guarded(Published(status: StandStatus(stand, time: stand.now, speed: speed), wall: .now()))
    }
}

// MARK: - Reading

extension StandControl {
    /// The stand as it is now.
    package var status: StandStatus {
        var (status, wall) = published.withLock { ($0.status, $0.wall) }
        status.causes = causes
        if status.phase == .open {
            let passed = Double(DispatchTime.now().uptimeNanoseconds - wall.uptimeNanoseconds) / 1e9 * speed
            let end = min(driver.horizon, queueing.withLock { $0.closing?.end } ?? .never)
            status.time = max(status.time, min(status.time + SimulationTime(seconds: passed), end))
        }
        return status
    }

    /// Counts how often the stand was shown anew: while it is the same, in ``status`` only time has gone on and causes may
    /// have changed.
    var revision: UInt64 { publications.load(ordering: .acquiring) }

    /// Why the stand can't do all that it should; empty when it is ready.
    package var causes: [String] { keeping?.causes ?? ledger?.causes ?? [] }

    /// Calls `then` with what `body` makes of the stand between two events; nil once the stand has ended.
    ///
    /// For what ``status`` does not have, such as histograms; `body` holds the stand up and must be short.
    package func inspect<Result: Sendable>(
        _ body: @escaping @Sendable (Stand, SimulationTime, LiveDriver.Lateness) -> Result,
        then: @escaping @Sendable (Result?) -> Void
    ) {
        driver.async { then(self.driver.look(body)) }
    }

    /// Calls `then` with the order of that number.
    package func order(_ number: UInt64, then: @escaping @Sendable (OrderView) -> Void) {
        driver.async {
            self.keepOrders()
            then(self.orders[number])
        }
    }

    /// Sees to it that it is known from now on what becomes of orders; on the queue.
    func keepOrders() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !orders.hasBegun, driver.look({ stand, _, _ in orders.begin(with: stand) }) != nil else { return }
        driver.connect(orders)
    }

    /// Lines of the ledger after the one numbered `sequence`, of those in memory: at most `limit` bytes, but at least one
    /// line. Those that are gone from there may be in files, see ``recall(after:limit:from:then:)``.
    package func events(after sequence: UInt64, limit: Int) -> EventReading {
        switch tail.read(after: sequence, limit: limit) {
        case .lines(let bytes, let last): .lines(bytes, last: last)
        case .upToDate: .upToDate
        case .gone(let first): .gone(first: first)
        }
    }

    /// Reads what is in the ledger's files after the line numbered `sequence`, as ``LedgerHistory/lines(after:limit:from:)``.
    ///
    /// - Parameter then: Called on a queue of its own, from which a slow disk holds up nobody else; nil where there are no
    ///   such lines, or they can't be read.
    func recall(
        after sequence: UInt64, limit: Int, from place: LedgerHistory.Place?,
        then: @escaping @Sendable (LedgerHistory.Lines?) -> Void
    ) {
        recalling.async { [history] in
            do throws(FileError) { then(try history?.lines(after: sequence, limit: limit, from: place)) } catch {
                // Whoever asks is told which lines there are.
                then(nil)
            }
        }
    }

    /// Calls `wake` on the stand's queue whenever there are lines to be read, until the result is released.
    package func whenEvents(_ wake: @escaping @Sendable () -> Void) -> EventWatch { tail.wake(wake) }

    /// Sees to it that lines are kept from now on, and calls `then` with the number of the last event there has been.
    package func follow(then: @escaping @Sendable (UInt64) -> Void) {
        driver.async {
            let last =
                self.driver.look { stand, _, _ in stand.factsAnnounced }
                ?? self.published.withLock { $0.status.sequence }
            let logger = self.tailLogger.withLock { logger in
                defer { logger = nil }
                return logger
            }
            if let logger {
                self.driver.connect(logger)
                self.tail.begin(after: last)
            }
            then(last)
        }
    }
}

/// What a reader of ``StandControl/events(after:limit:)`` gets.
package enum EventReading: Sendable {
    /// Whole lines, the last of them numbered `last`.
    case lines([UInt8], last: UInt64)
    case upToDate
    /// The lines that were asked for are not kept; the first that is kept is `first`.
    case gone(first: UInt64)
}

// MARK: - Changing

extension StandControl {
    /// Places an order; it queues like any customer's and never runs out of patience.
    package func order(_ juice: String, cups: Int, key: String? = nil, reply: @escaping Reply<OrderAnswer>) {
        submit(.order(juice: juice, cups: cups), key) { result in
            reply(result.map { if case .order(let answer) = $0 { answer } else { fatalError("\($0)") } })
        }
    }

    /// Changes the stock by differences: all of them or none, and with `ifTag` only if nobody else did since.
    package func changeStock(
        _ changes: [StandChange.StockDifference], ifTag: UInt64? = nil, key: String? = nil,
        reply: @escaping Reply<(editTag: UInt64, levels: [StockLevel])>
    ) {
        submit(.stock(changes, ifTag: ifTag), key) { result in
            reply(
                result.map {
                    guard case .stock(let editTag, let levels) = $0 else { fatalError("\($0)") }
                    return (editTag, levels)
                })
        }
    }

    /// Customers come `factor` times as often as configured.
    package func setRate(_ factor: Double, key: String? = nil, reply: @escaping Reply<SimulationTime>) {
        submit(.rate(factor), key, at: reply)
    }

    /// Stand time stops.
    package func pause(key: String? = nil, reply: @escaping Reply<SimulationTime>) {
        submit(.pause, key, at: reply)
    }

    /// Stand time goes on.
    package func resume(key: String? = nil, reply: @escaping Reply<SimulationTime>) {
        submit(.resume, key, at: reply)
    }

    /// Reads the configuration again and applies what has changed, key by key; all of it or nothing.
    package func reload(key: String? = nil, reply: @escaping Reply<[SettingChange]>) {
        guard let reloading else {
            return driver.async { reply(.failure(.invalid("there is no configuration to read again"))) }
        }
        driver.async {
            // A key that is known is answered from memory, whatever the file holds by now.
            let known = self.desk.withLock { $0.answer(to: .reload(configuration: ""), key: key) }
            if let known { return reply(known.map(Self.changes)) }
            self.readAgain(reloading, key, reply)
        }
    }

    private static func changes(_ answer: ChangeAnswer) -> [SettingChange] {
        if case .reloaded(let changes) = answer { changes } else { fatalError("\(answer)") }
    }

    private func readAgain(
        _ reloading: @escaping @Sendable () throws(ConfigurationError) -> StandSettings, _ key: String?,
        _ reply: @escaping Reply<[SettingChange]>
    ) {
        reading.async {
            let settings: StandSettings
            do throws(ConfigurationError) { settings = try reloading() } catch {
                return self.driver.async { reply(.failure(.badConfiguration(error.lines))) }
            }
            self.reload(settings, key: key, reply: reply)
        }
    }

    /// Applies what has changed in a configuration that was read again.
    func reload(_ settings: StandSettings, key: String? = nil, reply: @escaping Reply<[SettingChange]> = { _ in }) {
        let difference = SettingsDifference(from: status.settings, to: settings, ignoringWiring: true)
        guard difference.obstacles.isEmpty else {
            return driver.async { reply(.failure(.cannotChange(difference.obstacles))) }
        }
        // Nothing to be remembered; a key is all the same.
        if difference.changes.isEmpty, key == nil { return driver.async { reply(.success([])) } }
        submit(.reload(configuration: settings.resolved().compact()), key) { result in
            reply(result.map(Self.changes))
        }
    }

    /// Releases what is due and closes the stand.
    package func stop(key: String? = nil, reply: @escaping Reply<SimulationTime> = { _ in }) {
        submit(.stop, key, at: reply)
    }

    private func submit(_ change: StandChange, _ key: String?, at reply: @escaping Reply<SimulationTime>) {
        submit(change, key) { result in
            reply(result.map { if case .done(let time) = $0 { time } else { fatalError("\($0)") } })
        }
    }
}

// MARK: - For the stand's own queue

extension StandControl {
    /// Shows the stand as it is now to those who read.
    func publish() {
        guard let status = driver.look({ stand, time, _ in StandStatus(stand, time: time, speed: speed) }) else {
            return
        }
        published.withLock { $0 = Published(status: status, wall: .now()) }
        publications.add(1, ordering: .releasing)
    }

    /// Shows the stand as it ended.
    func publishEnd(_ stand: Stand) {
        published.withLock {
            $0.status = StandStatus(stand, time: stand.now, speed: speed)
            $0.wall = .now()
        }
        publications.add(1, ordering: .releasing)
    }
}
