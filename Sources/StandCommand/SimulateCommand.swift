import JuiceStand
import StandExperiments
import StandService
import Synchronization

/// `juicestand simulate`: the stand in virtual time.
enum SimulateCommand: Command {
    static let name = "simulate"
    static let summary = "the stand in virtual time, as fast as the machine goes"
    static let discussion = """
        Prints every figure of the run. A trace that does not repeat runs to its last order unless --for ends it
        first; every other stand runs for 8 hours of stand time. Ctrl-C ends with the figures so far, marked as
        partial, and exit status 130.
        """
    static let options =
        StandOptions.all + [
            Option("--warm-up", "D", "leaves so much stand time at the beginning out of the figures"),
            Option("--no-timing", nil, "leaves out figures of the wall clock, which no two runs share"),
        ]
    static let examples = [
        Example("juicestand simulate --config config/rush-hour.json --for 1d", "a day of the busy stand"),
        Example("juicestand simulate --set makers=3 --expect 'wait.p95<120'", "is a third maker enough?"),
        Example("juicestand simulate --format json --no-timing | jq '.runs[0].metrics[\"wait.mean\"]'", "for scripts"),
        Example(
            "juicestand simulate --config config/bakery.json --ledger bakery.jsonl", "real orders, and a ledger of them"
        ),
    ]

    private static let standardHorizon = SimulationTime(seconds: 8 * 3600)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        let stand = try StandOptions(options, output)
        let experiment = Experiment(
            settings: stand.settings,
            horizon: stand.horizon ?? (stand.settings.endsWithItsOrders ? nil : standardHorizon),
            warmUp: try options.duration("--warm-up", allowsZero: true) ?? .zero,
            includesTiming: !options.has("--no-timing"))
        if let horizon = experiment.horizon, experiment.warmUp >= horizon {
            throw CommandFailure(.usage, "--warm-up must be shorter than the run")
        }
        try stand.checkExpectations(also: experiment.includesTiming ? ["engine.ordersPerSecond"] : [])
        let observed = try ObservedRun(stand)
        let interruption = Interruption()
        let result = observed.run(experiment) { !interruption.hasCome }
        let verdicts = stand.judge(result.runs[0].metrics)
        print(result, verdicts, stand, output)
        try observed.check()
        if result.isPartial { return .interrupted }
        for verdict in verdicts where !verdict.isMet && stand.format == .json { output.warn("\(verdict)") }
        return verdicts.allSatisfy(\.isMet) ? .done : .failed
    }

    private static func print(
        _ result: SimulationResult, _ verdicts: [Verdict], _ stand: StandOptions, _ output: Output
    ) {
        switch stand.format {
        case .json:
            output.print(result.json().pretty() + "\n")
        case .text:
            let horizon =
                result.horizon.map { "\(Columns.readable($0.seconds)) s of stand time" } ?? "to the last order"
            let title =
                "\(stand.settings.stand), seed \(stand.settings.seed), \(horizon)"
                + (result.isPartial ? ", interrupted: figures so far" : "")
            let summary = SummaryText(
                title: title, metrics: result.runs[0].metrics, verdicts: verdicts, currency: stand.settings.currency)
            output.print(summary.text())
        }
    }
}

/// A simulation with its observers: the display and the alerter always, the ledger where one is asked for.
private struct ObservedRun {
    private let wiring: any Wiring
    private let ledger: StandLogger?
    private let file: FileLineSink?
    // Wirings hold observers as they please, some of them weakly.
    private let observers: [AnyObject]

    init(_ stand: StandOptions) throws(CommandFailure) {
        wiring = stand.wiring.makeWiring()
        observers = [StockDisplay(), LowStockAlerter()]
        for observer in observers { wiring.connect(observer) }
        guard let path = stand.ledger else {
            (ledger, file) = (nil, nil)
            return
        }
        do { file = try FileLineSink(newFile: path) } catch {
            throw CommandFailure(.cannotCreate, "\(error.path): \(error.reason)")
        }
        ledger = StandLogger(.ledger, menu: stand.settings.menu, sink: file!, flushAt: 1 << 16)
        wiring.connect(ledger!)
    }

    func run(_ experiment: Experiment, while goOn: () -> Bool) -> SimulationResult {
        let result = experiment.run(wiring) { goOn() && file?.failure == nil }
        ledger?.flush()
        withExtendedLifetime(observers) {}
        return result
    }

    /// - Throws: where the ledger is not whole.
    func check() throws(CommandFailure) {
        guard let file, let failure = file.failure else { return }
        throw CommandFailure(
            .inputOutput,
            "\(failure.path): \(failure.reason); the ledger ends with its last whole line, \(file.linesLost) lines are lost"
        )
    }
}

/// Whether Ctrl-C or SIGTERM has come.
private final class Interruption {
    private let watch: SignalWatch
    private let flag: Flag

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    init() {
        let flag = Flag()
        self.flag = flag
        watch = SignalWatch(SignalWatch.ending, on: .global()) { _ in flag.isSet.store(true, ordering: .relaxed) }
    }

    var hasCome: Bool { flag.isSet.load(ordering: .relaxed) }
}
