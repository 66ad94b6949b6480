import Dispatch
import JuiceStand
import Platform
import StandState
import TextFormats

/// The daemon: runs a stand in wall-clock time with its observers and outputs.
package final class RunningStand: Sendable {
    /// The fewest descriptors the program needs. With fewer it could not even handle a signal.
    package static let fewestDescriptors = 96

    package static var hasDescriptors: Bool {
        descriptorLimit().map { $0.rlim_cur >= rlim_t(fewestDescriptors) } ?? true
    }

    /// Prepares the process to be a daemon: signals are kept until the stand runs, and all threads share one heap.
    ///
    /// Any thread of Dispatch may allocate lines that another frees: with a heap per thread, each would grow to the
    /// size of the largest. Large blocks stay out of the heap, so that it does not keep the size of a snapshot.
    package static func prepareProcess() {
        SignalHandler.ignoreFailingWrites()
        SignalHandler.catchSignals(ServiceSupervisor.signals)
        #if canImport(Glibc)
            mallopt(M_ARENA_MAX, 1)
            mallopt(M_MMAP_THRESHOLD, 1 << 17)
        #endif
    }

    /// Whether standard output is a terminal.
    package static var isOnTerminal: Bool { isTerminal(1) }

    /// Reads and changes the stand while it runs.
    package let control: StandControl
    let desk: ForecastDesk
    private let options: Options
    private let queue = DispatchQueue(label: "stand", qos: .userInteractive)
    /// Measures how long observers take.
    let deliveryTimes: DeliveryTimes
    /// How facts reach the observers.
    var wiring: WiringChoice { options.wiring }
    private let ledger: StandLogger?
    private let log: StandLogger?
    /// Makes the lines for event listeners if there is no ledger.
    private let tailLogger: StandLogger?
    private let output: FileLineSink
    /// Takes the log on standard output in the background; nil for a file, which is never blocked by a reader.
    private let background: BackgroundSink?
    private let serviceLog: ServiceLog
    /// The settings that the configuration changes in a resumed stand.
    private let changes: [SettingChange]
    /// Repairs made while the state was read.
    private let warnings: [String]

    /// Reaches the control once it exists. The driver calls back and outputs can fail before that.
    private final class Connection: Sendable {
        private struct Reference: Sendable {
            weak var control: StandControl?
        }

        private let reference = Guarded(Reference())

        var control: StandControl? {
            get { reference.withLock { $0.control } }
            set { reference.withLock { $0.control = newValue } }
        }
    }

    /// Wires a new stand, or one that resumes from its state.
    ///
    /// - Throws: ``StateError`` if the ledger can't be started or continued, or the state can't be used.
    package init(_ options: Options) throws(StateError) {
        self.options = options
        let connection = Connection()
        output = FileLineSink(descriptor: 1, name: "standard output") { _ in connection.control?.end() }
        let direct = output
        let isJSON = options.logsAsJSON
        let clock = options.settings.clock(at: .zero)
        serviceLog = ServiceLog(isJSON: isJSON, clock)
        background =
            options.display == .text && !isRegularFile(1)
            ? BackgroundSink(output) { lines in
                ServiceLog(isJSON: isJSON, hasPriority: ServiceLog.isJournal(1), clock, to: direct)
                    .write(.warning, "linesDropped", ["lines": .whole(lines)])
            } : nil
        let logSink: any LineSink = background ?? output
        let menu = options.settings.menu
        log =
            options.display == .text
            ? StandLogger(
                isJSON ? .json : .text(clock), menu: menu, sink: logSink, flushAt: 1 << 16,
                hasPriority: ServiceLog.isJournal(1), wallClock: WallClock.now
            ) : nil
        let folder = try options.state.map { path throws(StateError) in try StateFolder(path, on: options.disk) }
        let request = options.ledger.map { path in
            // With a state, the missing lines are written once writes succeed.
            Resumption.LedgerRequest(path: path) { _ in
                if folder == nil { connection.control?.end() }
            }
        }
        let resumed =
            if let folder {
                try Resumption.resume(options.settings, folder, ledger: request)
            } else {
                try Resumption.begin(options.settings, ledger: request)
            }
        if let folder, let time = resumed.resumesAt, time > options.horizon {
            throw .horizonPassed(folder: folder.path, at: resumed.stand.settings.clock(at: time).present)
        }
        let stand = resumed.stand
        changes = try Self.changes(from: stand.settings, to: options.settings, folder?.path)
        warnings = resumed.warnings
        // With a ledger, older lines are in its files.
        let tail = EventTail(after: stand.factsAnnounced, mostBytes: resumed.ledger == nil ? 2 << 20 : 512 << 10)
        let ledger = resumed.ledger.map {
            // A slow disk delays the stand with every write, so the lines of one release share a write.
            StandLogger(.ledger, menu: menu, sink: LineFork([$0, tail]), flushAt: 4 << 20)
        }
        tailLogger = ledger == nil ? StandLogger(.ledger, menu: menu, sink: tail, flushAt: 1 << 16) : nil
        self.ledger = ledger
        // Listeners of the last run can resume, if they reconnect soon.
        let lines = [log, ledger, folder == nil ? nil : tailLogger].compactMap { $0 }
        let observers = StandObservers(loggers: lines)
        observers.begin(with: resumed.observers)
        let wiring = options.wiring.makeWiring()
        let deliveryTimes = DeliveryTimes(wiring)
        self.deliveryTimes = deliveryTimes
        let driver = LiveDriver(
            stand, wiring, observers: observers.all, queue: queue, speed: options.speed, horizon: options.horizon,
            duration: options.duration, resumesAt: resumed.resumesAt, atEnd: { connection.control?.close(at: $0) },
            afterRelease: { [log, tailLogger] in
                log?.flush()
                ledger?.flush()
                tailLogger?.flush()
                connection.control?.publish()
                deliveryTimes.releaseEnded()
            })
        control = StandControl(
            driver, observers, on: queue, stand: stand, cache: resumed.cache, past: Past(resumed, folder), tail: tail,
            ledger: resumed.ledger, tailLogger: folder == nil ? tailLogger : nil,
            keeping: folder.map { StandKeeping($0, resumed, ledger, options.saving) }, reloading: options.reloading)
        connection.control = control
        desk = ForecastDesk(control)
    }

    /// The settings that the configuration changes in a resumed stand.
    private static func changes(
        from old: StandSettings, to new: StandSettings, _ folder: String?
    ) throws(StateError) -> [SettingChange] {
        let difference = SettingsDifference(from: old, to: new)
        guard difference.obstacles.isEmpty else { throw .otherStand(folder: folder ?? "", difference.obstacles) }
        return difference.changes
    }

    /// The log of the program, on standard output if events are logged there, else on standard error.
    private var programLog: ServiceLog {
        options.display == .text
            ? ServiceLog(
                isJSON: options.logsAsJSON, hasPriority: ServiceLog.isJournal(1), options.settings.clock(at: .zero),
                to: background ?? output)
            : serviceLog
    }

    /// Logs where the stand listens, unless the log is on the terminal of a live display, which shows that itself.
    func logListeners(_ fields: JSONValue, warning: String?) {
        if options.display == .live, isTerminal(2) { return }
        programLog.write(.info, at: control.status.time, "listening", fields)
        if let warning { serviceLog.write(.warning, "socket", ["reason": .string(warning)]) }
    }

    /// Opens or resumes the stand, and returns when it has ended: at its horizon, after its last order, on SIGINT or
    /// SIGTERM, or when an output fails.
    ///
    /// - Parameters:
    ///   - makeDisplay: Makes the live display, if ``Options/display`` is `live`.
    ///   - whenOpen: Called once the stand can be read and changed.
    package func run(
        makeDisplay: (StandControl, any LineSink) -> (any TerminalDisplay)? = { _, _ in nil },
        whenOpen: (StandControl) -> Void
    ) -> Outcome {
        SignalHandler.ignoreFailingWrites()
        let live = options.display == .live ? makeDisplay(control, output) : nil
        let supervisor = ServiceSupervisor(control, log: serviceLog)
        let handler = SignalHandler(ServiceSupervisor.signals + (live?.signals ?? []), on: .global()) {
            [output] number in
            if live?.hear(number) == true { return }
            if number == SIGTERM || number == SIGINT { output.end() }
            supervisor.hear(number)
        }
        let ended = DispatchSemaphore(value: 0)
        let last = Guarded<LiveDriver.Outcome?>(nil)
        for warning in warnings { supervisor.log.write(.warning, "mended", ["what": .string(warning)]) }
        control.driver.start { outcome in
            self.control.publishEnd(outcome.stand)
            last.withLock { $0 = outcome }
            ended.signal()
        }
        control.begin()
        if !changes.isEmpty { control.reload(options.settings) { supervisor.logReload($0, "restart") } }
        // The opening precedes this on the stand's queue.
        queue.sync {}
        whenOpen(control)
        if live != nil { supervisor.log.hold() }
        live?.begin()
        supervisor.begin()
        let forecasts = options.forecast.map { length in
            LiveForecast(desk, control, length, every: options.forecastInterval, log: programLog)
        }
        forecasts?.begin()
        ended.wait()
        forecasts?.end()
        supervisor.end()
        withExtendedLifetime(handler) {}
        ledger?.flush()
        log?.flush()
        tailLogger?.flush()
        background?.finish()
        // From now on nothing waits long for a stalled reader.
        output.end()
        live?.end()
        supervisor.log.release()
        control.keeping?.close()
        let outcome = last.withLock { $0! }
        return Outcome(
            stand: outcome.stand, lateness: outcome.lateness, behind: outcome.behind,
            deliveries: deliveryTimes.deliveries, failures: failures, causes: control.keeping?.causes ?? [])
    }

    private var failures: [(error: FileError, linesLost: Int)] {
        var failures: [(error: FileError, linesLost: Int)] = []
        let dropped = background?.linesDropped ?? 0
        if let failure = output.failure { failures.append((failure, output.linesLost + dropped)) }
        if control.keeping == nil, let file = control.ledger, let failure = file.failure {
            failures.append((failure, Int(file.linesMissing)))
        }
        return failures
    }
}

/// Writes lines to several sinks, in order.
private final class LineFork: LineSink {
    private let sinks: [any LineSink]

    init(_ sinks: [any LineSink]) {
        self.sinks = sinks
    }

    func write(_ lines: RawSpan) { for sink in sinks { sink.write(lines) } }
}
