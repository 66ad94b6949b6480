import Dispatch
import JuiceStand
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The daemon: a stand in wall-clock time, its observers, its outputs, and its end.
package final class RunningStand: Sendable {
    /// What to run and what to show of it.
    package struct Options: Sendable {
        package var settings: StandSettings
        package var wiring: WiringChoice
        /// Stand seconds a wall second.
        package var speed: Double
        /// Where the stand closes by itself; `never` where it stays open.
        package var horizon: SimulationTime
        /// Wall time after which the stand closes by itself; nil where it does not.
        package var duration: SimulationTime?
        package var ledger: String?
        package var display: Display
        package var logsAsJSON: Bool

        package init(
            settings: StandSettings, wiring: WiringChoice, speed: Double, horizon: SimulationTime,
            duration: SimulationTime?, ledger: String?, display: Display, logsAsJSON: Bool
        ) {
            self.settings = settings
            self.wiring = wiring
            self.speed = speed
            self.horizon = horizon
            self.duration = duration
            self.ledger = ledger
            self.display = display
            self.logsAsJSON = logsAsJSON
        }
    }

    /// What standard output shows while the stand is open.
    package enum Display: String, CaseIterable, Sendable {
        /// `live` on a terminal, else `text`.
        case auto
        /// Levels and counts, redrawn in place.
        case live
        /// A line for each fact.
        case text
        case none
    }

    /// How it ended.
    package struct Outcome: Sendable {
        package var stand: Stand
        package var lateness: LiveDriver.Lateness
        /// See ``LiveDriver/Outcome/behind``.
        package var behind: SimulationTime
        /// Wall time from a fact's post until every observer has dealt with it.
        package var deliveries: Histogram
        /// What could not be written, by the output's name, with the lines missing from it.
        package var failures: [(error: FileError, linesLost: Int)]
    }

    /// Whether standard output is a terminal whose user has nothing against redrawing: see no-color.org.
    package static var canRedraw: Bool {
        unsafe getenv("NO_COLOR") == nil && TerminalScreen.isTerminal(1)
    }

    private let options: Options
    private let driver: LiveDriver
    private let queue = DispatchQueue(label: "stand", qos: .userInteractive)
    private let display = StockDisplay()
    private let alerter: LowStockAlerter
    private let meter = DeliveryMeter()
    private let ledger: StandLogger?
    private let log: StandLogger?
    private let sinks: [FileLineSink]
    private let shows: Display
    private let stopRequest: StopRequest

    /// Stops the driver once there is one; outputs can fail before that.
    private final class StopRequest: Sendable {
        private let driver = Mutex<LiveDriver?>(nil)

        func connect(_ driver: LiveDriver) { self.driver.withLock { $0 = driver } }
        func stop() { driver.withLock { $0 }?.stop() }
    }

    /// Wires a stand that is not open yet.
    ///
    /// - Throws: ``FileError`` where the ledger can't be begun.
    package init(_ options: Options) throws(FileError) {
        self.options = options
        let stopRequest = StopRequest()
        self.stopRequest = stopRequest
        let output = FileLineSink(descriptor: 1, name: "standard output") { _ in stopRequest.stop() }
        var sinks = [output]
        shows =
            options.display == .auto
            ? (Self.canRedraw && !options.logsAsJSON ? .live : .text) : options.display
        let menu = options.settings.menu
        log =
            shows == .text
            ? StandLogger(
                options.logsAsJSON ? .json : .text, menu: menu, sink: output, flushAt: 1 << 16, wallClock: WallClock.now
            ) : nil
        if let path = options.ledger {
            let file = try FileLineSink(newFile: path) { _ in stopRequest.stop() }
            sinks.append(file)
            ledger = StandLogger(.ledger, menu: menu, sink: file, flushAt: 1 << 16)
        } else {
            ledger = nil
        }
        self.sinks = sinks
        alerter = LowStockAlerter()
        let wiring = MeteredWiring(options.wiring.makeWiring(), meter)
        wiring.connect(display)
        wiring.connect(alerter)
        if let log { wiring.connect(log) }
        if let ledger { wiring.connect(ledger) }
        driver = LiveDriver(
            Stand(options.settings), wiring, queue: queue, speed: options.speed, horizon: options.horizon,
            duration: options.duration
        ) { [log, ledger] in
            log?.flush()
            ledger?.flush()
        }
        stopRequest.connect(driver)
    }

    /// Opens the stand and returns when it has closed: at its horizon, after its last order, on SIGINT or SIGTERM, or
    /// when an output fails.
    package func run() -> Outcome {
        SignalWatch.ignoreFailingWrites()
        let watch = SignalWatch(SignalWatch.ending, on: .global()) { [driver] _ in driver.stop() }
        let closed = DispatchSemaphore(value: 0)
        let last = Mutex<LiveDriver.Outcome?>(nil)
        driver.start { outcome in
            last.withLock { $0 = outcome }
            closed.signal()
        }
        let screen = shows == .live ? LiveScreen(options.settings, display, alerter, sinks[0]) : nil
        closed.wait()
        withExtendedLifetime(watch) {}
        ledger?.flush()
        log?.flush()
        screen?.end()
        let outcome = last.withLock { $0! }
        return Outcome(
            stand: outcome.stand, lateness: outcome.lateness, behind: outcome.behind, deliveries: meter.deliveries,
            failures: sinks.compactMap { sink in sink.failure.map { ($0, sink.linesLost) } })
    }
}

/// Redraws the display a few times a second, on a queue of its own.
private final class LiveScreen {
    private let timer: any DispatchSourceTimer
    private let queue = DispatchQueue(label: "screen")
    private let canvas: Canvas

    /// What is drawn on.
    private final class Canvas: Sendable {
        private let screen: Mutex<TerminalScreen>
        private let text: DisplayText
        private let display: StockDisplay
        private let alerter: LowStockAlerter

        init(
            _ settings: StandSettings, _ display: StockDisplay, _ alerter: LowStockAlerter, _ sink: any LineSink
        ) {
            self.display = display
            self.alerter = alerter
            text = DisplayText(settings)
            screen = Mutex(TerminalScreen(sink))
        }

        func draw() {
            let lines = text.lines(display.current, alerts: alerter.alerts, last: alerter.last)
            screen.withLock { $0.show(lines, size: TerminalScreen.size(1)) }
        }
    }

    init(_ settings: StandSettings, _ display: StockDisplay, _ alerter: LowStockAlerter, _ sink: any LineSink) {
        canvas = Canvas(settings, display, alerter, sink)
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(125), leeway: .milliseconds(20))
        timer.setEventHandler { @Sendable [canvas] in canvas.draw() }
        timer.activate()
    }

    /// Draws a last time.
    func end() {
        timer.cancel()
        queue.sync { canvas.draw() }
    }
}
