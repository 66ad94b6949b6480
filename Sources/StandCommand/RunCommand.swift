import JuiceStand
import StandExperiments
import StandService

/// `juicestand run`: the daemon.
enum RunCommand: Command {
    static let name = "run"
    static let summary = "opens the stand in wall-clock time and runs until told to stop"
    static let discussion = """
        Ctrl-C or SIGTERM closes the stand: what is due is released, the ledger ends with `closed`, a summary is
        printed, and the exit status is 0. On a terminal levels and counts are redrawn in place; elsewhere every
        event is a line.
        """
    static let options =
        StandOptions.all + [
            Option("--speed", "X", "stand seconds a wall second (default: 1)"),
            Option("--duration", "D", "closes by itself after so much wall time"),
            Option("--display", "auto|live|text|none", "what is shown while the stand is open (default: auto)"),
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
        let stand = try StandOptions(options, output)
        let speed = try speed(options)
        let display: RunningStand.Display = try options.choice("--display", default: .auto)
        if display == .live, !RunningStand.canRedraw || stand.format == .json {
            throw CommandFailure(
                .usage, "--display live needs a terminal, NO_COLOR unset and --format text; use --display text")
        }
        try stand.checkExpectations(also: (lateness(LiveDriver.Lateness()) + deliveries(Histogram())).map(\.name))
        let request = RunningStand.Options(
            settings: stand.settings, wiring: stand.wiring, speed: speed, horizon: stand.horizon ?? .never,
            duration: try options.duration("--duration"), ledger: stand.ledger, display: display,
            logsAsJSON: stand.format == .json)
        let running: RunningStand
        do { running = try RunningStand(request) } catch {
            throw CommandFailure(.cannotCreate, "\(error.path): \(error.reason)")
        }
        let outcome = running.run()
        return try report(outcome, stand, output)
    }

    private static func speed(_ options: Options) throws(CommandFailure) -> Double {
        guard let text = try options.value("--speed") else { return 1 }
        guard let speed = Double(text), speed > 0, speed <= 1e9 else {
            throw CommandFailure(.usage, "--speed must be a number above 0 and at most 1e9, found \"\(text)\"")
        }
        return speed
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
        _ outcome: RunningStand.Outcome, _ stand: StandOptions, _ output: Output
    ) throws(CommandFailure) -> ExitStatus {
        let closed = outcome.stand
        if outcome.behind > .zero {
            output.warn(
                "warning: the stand closed \(Columns.readable(outcome.behind.seconds)) s of stand time behind; it can't keep this speed"
            )
        }
        let figures = closed.metrics(at: closed.now) + lateness(outcome.lateness) + deliveries(outcome.deliveries)
        let metrics = figures.map {
            Estimate(name: $0.name, mean: $0.value, halfWidth: nil, count: $0.value == nil ? 0 : 1)
        }
        let verdicts = stand.judge(metrics)
        switch stand.format {
        case .json:
            let figures = metrics.map { JSONValue.Member(key: $0.name, value: $0.mean.map { .number($0) } ?? .null) }
            let summary: JSONValue = [
                "time": .string(WallClock.now()), "level": "info", "at": .number(closed.now.seconds),
                "event": "summary", "metrics": .object(figures),
            ]
            output.print(summary.compact() + "\n")
            for verdict in verdicts where !verdict.isMet { output.warn("\(verdict)") }
        case .text:
            let title =
                "\(stand.settings.stand), seed \(stand.settings.seed), closed after "
                + "\(Columns.readable(closed.now.seconds)) s of stand time"
            let summary = SummaryText(
                title: title, metrics: metrics, verdicts: verdicts, currency: stand.settings.currency)
            output.print(summary.text())
        }
        guard outcome.failures.isEmpty else {
            throw CommandFailure(
                .inputOutput,
                messages: outcome.failures.map {
                    "\($0.error.path): \($0.error.reason); the stand was closed, and \($0.linesLost) lines are lost"
                })
        }
        return verdicts.allSatisfy(\.isMet) ? .done : .failed
    }
}
