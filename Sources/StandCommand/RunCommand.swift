import JuiceStand
import Platform
import StandExperiments
import StandService
import StandState
import TerminalView
import TextFormats

/// `juicestand run`: the daemon.
enum RunCommand: Command {
    static let name = "run"
    static let summary = "opens the stand in wall-clock time and runs until told to stop"
    static let discussion = """
        Ctrl-C or SIGTERM closes the stand: what is due is released, the ledger ends with `closed`, a summary is
        printed, and the exit status is 0. So does a reader of its output through a pipe who has seen enough, as in
        `| head`. With --state they only suspend it, and the next start goes on, also after a crash.

        SIGHUP reads the configuration again, SIGUSR1 reopens the ledger, SIGUSR2 tells how it is on standard error.
        On a terminal levels and counts are redrawn in place; elsewhere every event is a line.
        """
    static let options =
        StandOptions.all + [
            Format.option,
            Option("--speed", "X", "stand seconds a wall second (default: 1)"),
            Option("--duration", "D", "closes by itself after so much wall time"),
            Option("--state", "FOLDER", "keeps the stand's state there: the next start goes on where this one ended"),
            Option("--ledger-rotate", "SIZE,AGE", "begins another ledger file then, such as 256MB, 24h or 256MB,24h"),
            Option("--ledger-keep", "N", "rotated ledger files that are kept (default: all)"),
            Option("--display", "auto|live|text|none", "what is shown while the stand is open (default: auto)"),
            ServiceOptions.socket, ServiceOptions.listen, ServiceOptions.comparison,
        ]
    static let examples = [
        Example("juicestand run", "the stand of config/stand.json, until Ctrl-C"),
        Example("juicestand run --config config/rush-hour.json --speed 60", "a busy stand, a minute a second"),
        Example(
            "juicestand run --display text --format json | jq -c 'select(.event == \"lowStock\")'",
            "follow one kind of event"),
        Example(
            "juicestand run --for 8h --speed 3600 --ledger day.jsonl --display none", "a working day in eight seconds"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard RunningStand.hasDescriptors else {
            throw CommandFailure(
                .inputOutput,
                "too few files can be open at once: at least \(RunningStand.fewestDescriptors) are needed (see ulimit -n)"
            )
        }
        let stand = try StandOptions(options, output)
        let format: Format = try options.choice("--format", default: .text)
        let speed = try speed(options)
        let choice: DisplayChoice = try options.choice("--display", default: .auto)
        if choice == .live, !LiveTerminal.canRedraw || format == .json {
            throw CommandFailure(
                .usage, "--display live needs a terminal, NO_COLOR unset and --format text; use --display text")
        }
        let names = (figures(of: Stand(stand.settings)) + lateness(LiveDriver.Lateness()) + deliveries(Histogram()))
            .map(\.name)
        try StandOptions.check(stand.expectations.map(\.metric), option: "--expect", among: names)
        var request = RunningStand.Options(
            settings: stand.settings, wiring: stand.wiring, speed: speed, horizon: stand.horizon ?? .never,
            duration: try options.duration("--duration"), ledger: stand.ledger,
            display: choice.display(format), logsAsJSON: format == .json)
        request.state = try options.value("--state")
        request.rotation = try rotation(options)
        request.reloading = stand.reread
        // Signals that come while the state is read wait until the stand can hear them.
        RunningStand.prepareProcess()
        let running: RunningStand
        do { running = try RunningStand(request) } catch { throw CommandFailure(error) }
        let server = try ServiceOptions.server(options, state: request.state)
        let link = ServiceOptions.link(server)
        // A live display leaves it on the screen of before, and has it in its help; JSON names the file of the token.
        if let link, format == .text { output.print(link + "\n") }
        let outcome = try serve(running, server, link, format)
        return try report(outcome, stand, format, output)
    }

    /// Runs the stand and answers for it.
    private static func serve(
        _ running: RunningStand, _ server: StandServer, _ link: String?, _ format: Format
    ) throws(CommandFailure) -> RunningStand.Outcome {
        var failure: FileError?
        let outcome = running.run(
            makeDisplay: { LiveTerminal($0, link: link, to: $1) },
            whenOpen: { control in
                do throws(FileError) {
                    try server.serve(running)
                    running.note(ServiceOptions.logLine(server, at: control.status.time, format))
                } catch {
                    failure = error
                    control.end()
                }
            })
        server.stop()
        if let failure { throw CommandFailure(.inputOutput, "\(failure.path): \(failure.reason)") }
        return outcome
    }

    /// What `--display` takes.
    private enum DisplayChoice: String, CaseIterable {
        /// `live` on a terminal, else `text`.
        case auto
        case live
        case text
        case none

        func display(_ format: Format) -> RunningStand.Display {
            switch self {
            case .auto: LiveTerminal.isMeantToRedraw && format == .text ? .live : .text
            case .live: .live
            case .text: .text
            case .none: .none
            }
        }
    }

    /// When a ledger file is full.
    private static func rotation(_ options: Options) throws(CommandFailure) -> LedgerRotation {
        var rotation = LedgerRotation()
        for name in ["--ledger-rotate", "--ledger-keep"] {
            if try options.value(name) != nil, try options.value("--ledger") == nil {
                throw CommandFailure(.usage, "\(name) is about a ledger; give one with --ledger FILE")
            }
        }
        if let text = try options.value("--ledger-rotate") {
            for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
                if let size = ByteCount(part), rotation.size == nil {
                    rotation.size = size.bytes
                } else if let age = DurationText.nanoseconds(part), age >= 1_000_000_000, rotation.age == nil {
                    rotation.age = Int(age / 1_000_000_000)
                } else {
                    throw CommandFailure(
                        .usage,
                        "--ledger-rotate must be a size such as 256MB, a time of at least 1s such as 24h, or both, found \"\(text)\""
                    )
                }
            }
        }
        rotation.keep = try options.whole("--ledger-keep", 0...1_000_000) ?? rotation.keep
        return rotation
    }

    private static func speed(_ options: Options) throws(CommandFailure) -> Double {
        guard let text = try options.value("--speed") else { return 1 }
        guard let speed = Double(decimal: text), speed > 0, speed <= 1e9 else {
            throw CommandFailure(.usage, "--speed must be a number above 0 and at most 1e9, found \"\(text)\"")
        }
        return speed
    }

    /// The stand's figures, with the orders by hand for what is not on the menu, which no simulated customer places.
    private static func figures(of stand: Stand) -> [Metric] {
        var figures = stand.metrics(at: stand.now)
        let place = figures.firstIndex { $0.name == "customers.soldOut" }.map { $0 + 1 } ?? figures.endIndex
        figures.insert(Metric("customers.notOnMenu", Double(stand.tally.notOnMenu)), at: place)
        return figures
    }

    /// How late events were released, in wall seconds.
    private static func lateness(_ lateness: LiveDriver.Lateness) -> [Metric] {
        [
            Metric("lateness.p50", lateness.spans.percentile(perMille: 500)?.seconds),
            Metric("lateness.p99", lateness.spans.percentile(perMille: 990)?.seconds),
            Metric("lateness.max", lateness.spans.maximum?.seconds),
            Metric("lateness.caughtUp", Double(lateness.caughtUp)),
        ]
    }

    /// How long the wiring took, in wall seconds, from a fact's post until every observer had dealt with it.
    private static func deliveries(_ spans: Histogram) -> [Metric] {
        [
            Metric("delivery.count", Double(spans.count)),
            Metric("delivery.p50", spans.percentile(perMille: 500)?.seconds),
            Metric("delivery.p99", spans.percentile(perMille: 990)?.seconds),
            Metric("delivery.max", spans.maximum?.seconds),
        ]
    }

    /// The summary of a run that has ended, and what it means for the exit status.
    private static func report(
        _ outcome: RunningStand.Outcome, _ stand: StandOptions, _ format: Format, _ output: Output
    ) throws(CommandFailure) -> ExitStatus {
        let closed = outcome.stand
        if outcome.behind > .zero {
            output.warn(
                "warning: the stand closed \(Columns.readable(outcome.behind.seconds)) s of stand time behind; it can't keep this speed"
            )
        }
        let figures = figures(of: closed) + lateness(outcome.lateness) + deliveries(outcome.deliveries)
        let metrics = figures.map { Estimate(name: $0.name, of: [$0.value]) }
        let verdicts = stand.judge(metrics)
        // Who did not read the log will not read this; what has to be known goes to standard error.
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
            let title =
                "\(stand.settings.stand), seed \(stand.settings.seed), \(closed.isClosed ? "closed" : "suspended") after "
                + "\(Columns.readable(closed.now.seconds)) s of stand time"
            let summary = SummaryText(metrics: metrics, currency: stand.settings.currency)
            if !isGone { output.print(title + "\n\n" + SummaryText.text(verdicts) + summary.text()) }
        }
        if isGone || format == .json {
            for verdict in verdicts where !verdict.isMet { output.warn("\(verdict)") }
        }
        let messages =
            outcome.failures.filter { !$0.error.isReaderGone }.map {
                "\($0.error.path): \($0.error.reason); the stand was \(closed.isClosed ? "closed" : "suspended"), and "
                    + "\(Columns.counted($0.linesLost, "line")) \($0.linesLost == 1 ? "is" : "are") lost"
            } + outcome.causes.map { "\($0); the next start makes it good" }
        guard messages.isEmpty else { throw CommandFailure(.inputOutput, messages: messages) }
        return verdicts.allSatisfy(\.isMet) ? .done : .failed
    }
}
