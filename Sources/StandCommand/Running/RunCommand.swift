import JuiceStand
import Platform
import StandExperiments
import StandService
import StandState
import TerminalView
import TextFormats

/// `juicestand run`: the daemon, a stand in real time.
enum RunCommand {
    private static let speed = Option(
        "--speed", "X",
        .reading("must be a number above 0 and at most 1e9") { text in
            Double(decimal: text).flatMap { $0 > 0 && $0 <= 1e9 ? $0 : nil }
        }, default: "1", "stand seconds per real second")
    private static let duration = Option(
        "--duration", "D", .duration, "closes after this real time, for good with --state")
    private static let state = Option(
        "--state", "DIR", .text, "keeps the state in this directory; the next start resumes from it")
    private static let display = Option(
        "--display", "auto|live|text|none", .choice(DisplayChoice.self), default: "auto",
        told: "live on a terminal, else text", "output while the stand is open")
    private static let forecast = Option(
        "--forecast", "D", .duration,
        "forecasts the stand this far ahead, and renews that: for metrics, status, display and warnings in the log")
    private static let verbose = Option("--verbose", "prints all metrics after the summary")

    static let command = Command(
        "run",
        StandOptions.all + [
            Format.option, speed, duration, state, display, forecast, verbose, ServiceOptions.socket,
            ServiceOptions.listen,
        ], run: run)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try ThreadReserve.check()
        guard RunningStand.hasDescriptors else {
            throw CommandFailure(
                .inputOutput,
                "the limit of open files is too low: at least \(RunningStand.fewestDescriptors) are needed (see "
                    + "ulimit -n)")
        }
        let stand = try StandOptions(options, output)
        let format = options[Format.option]
        let speed = options[speed]
        let choice = options[display]
        if choice == .live, format == .json {
            throw CommandFailure(.usage, "--display live can't show --format json; use --display text")
        }
        if choice == .live, let obstacle = TerminalAbilities.obstacle {
            throw CommandFailure(.usage, "--display live can't run: \(obstacle); use --display text")
        }
        let names =
            (Stand(stand.settings).metrics(at: .zero, takesCommands: true)
            + figures(LiveDriver.Lateness(), deliveries: Histogram())).map(\.name)
        try StandOptions.check(stand.expectations, among: names)
        var request = RunningStand.Options(
            settings: stand.settings, wiring: stand.wiring, speed: speed, horizon: stand.horizon ?? .never,
            duration: options[duration], ledger: stand.ledger,
            display: choice.display(format), logsAsJSON: format == .json)
        request.state = options[state]
        request.forecast = options[forecast]
        if request.forecast != nil, stand.settings.endsWithItsOrders {
            throw CommandFailure(.usage, "--forecast: \(ForecastError.replaysTrace.lines[0])")
        }
        request.reloading = stand.reread
        // Blocks signals while the state is read, until the stand can handle them.
        RunningStand.prepareProcess()
        let running: RunningStand
        do { running = try RunningStand(request) } catch { throw CommandFailure(error) }
        let server = try ServiceOptions.server(options, state: request.state)
        let link = ServiceOptions.link(server)
        // The live display shows the link itself. In JSON the log names the token's file instead.
        if let link, format == .text, request.display != .live { output.print(link + "\n") }
        if request.display == .text, format == .text, speed <= 1, RunningStand.isOnTerminal {
            output.print("The first customer may take a minute. For a faster stand add --speed 60.\n")
        }
        let outcome = try serve(running, server, link)
        output.stopWaiting()
        return try report(outcome, stand, format, isVerbose: options[verbose], output)
    }

    /// Runs the stand and serves requests until it ends.
    private static func serve(
        _ running: RunningStand, _ server: StandServer, _ link: String?
    ) throws(CommandFailure) -> RunningStand.Outcome {
        var failure: FileError?
        let outcome = running.run(
            makeDisplay: { control, sink in
                LiveTerminal(
                    OwnStand(control), link: link, warnings: server.warnings,
                    ending: control.hasState ? .suspends : .closes, to: sink
                ) { control.end() }
            },
            whenOpen: { control in
                do throws(FileError) {
                    try server.serve(running)
                } catch {
                    failure = error
                    control.end()
                }
            })
        server.stop()
        if let failure { throw CommandFailure(.inputOutput, failure) }
        return outcome
    }

    /// The values of `--display`.
    private enum DisplayChoice: String, CaseIterable {
        /// `live` on a terminal, else `text`.
        case auto
        case live
        case text
        case none

        func display(_ format: Format) -> RunningStand.Display {
            switch self {
            case .auto: TerminalAbilities.obstacle == nil && format == .text ? .live : .text
            case .live: .live
            case .text: .text
            case .none: .none
            }
        }
    }

    /// In real seconds: how late events were processed, and how long all observers took from the post of an event.
    private static func figures(_ lateness: LiveDriver.Lateness, deliveries: Histogram) -> [Metric] {
        func figures(_ name: String, _ spans: Histogram) -> [Metric] {
            [
                Metric("\(name).p50", spans.percentile(perMille: 500)?.seconds),
                Metric("\(name).p99", spans.percentile(perMille: 990)?.seconds),
                Metric("\(name).max", spans.maximum?.seconds),
            ]
        }
        return figures("lateness", lateness.spans) + [
            Metric("lateness.caughtUp", Double(lateness.caughtUp)), Metric("delivery.count", Double(deliveries.count)),
        ] + figures("delivery", deliveries)
    }

    /// Prints the summary of a run and returns its exit status.
    private static func report(
        _ outcome: RunningStand.Outcome, _ stand: StandOptions, _ format: Format, isVerbose: Bool,
        _ output: Output
    ) throws(CommandFailure) -> ExitStatus {
        let closed = outcome.stand
        if outcome.behind > .zero {
            output.warn(
                "warning: the stand closed \(Columns.readable(outcome.behind.seconds)) s of stand time late; "
                    + "it cannot keep up with this speed")
        }
        let figures =
            closed.metrics(at: closed.now, takesCommands: true)
            + Self.figures(outcome.lateness, deliveries: outcome.deliveries)
        let metrics = figures.map { Estimate(name: $0.name, of: [$0.value]) }
        let verdicts = stand.expectations.map { expectation in
            Verdict(
                expectation, found: metrics.first { $0.name == expectation.metric },
                currency: closed.settings.currency)
        }
        // With standard output closed, the verdicts go to standard error.
        let isGone = outcome.failures.contains { $0.error.path == "standard output" }
        switch format {
        case .json:
            let figures = metrics.map { JSONValue.Member(key: $0.name, value: $0.mean.map { .number($0) } ?? .null) }
            let summary: JSONValue = [
                "time": .string(WallClock.now()), "level": "info", "at": .number(closed.now.seconds),
                "event": "summary", "metrics": .object(figures),
            ]
            if !isGone { output.print(summary.compact() + "\n") }
        case .text:
            let report = RunSummary(stand: closed, metrics: metrics).report(verdicts)
            if !isGone { output.print(report, width: RunSummary.width, isVerbose: isVerbose) }
        }
        if isGone || format == .json {
            for verdict in verdicts where !verdict.isMet { output.warn(verdict.message) }
        }
        let messages: [String] =
            outcome.failures.filter { !$0.error.isReaderGone }.map {
                let end = closed.isClosed ? "the stand was closed" : "the stand was suspended"
                return "\($0.error.path): \($0.error.reason); \(end), and \(String.linesLost($0.linesLost))"
            } + outcome.causes.map { "\($0); the next start repairs this" }
        guard messages.isEmpty else { throw CommandFailure(.inputOutput, messages: messages) }
        return verdicts.allSatisfy(\.isMet) ? .done : .failed
    }
}

extension LiveTerminal: TerminalDisplay {}
