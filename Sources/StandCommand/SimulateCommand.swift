import JuiceStand
import StandExperiments
import StandService

/// `juicestand simulate`: the stand in virtual time.
enum SimulateCommand: Command {
    static let name = "simulate"
    static let summary = "the stand in virtual time: replications, sweeps, thresholds, reports"
    static let discussion = """
        Prints every figure of the run; with --replications means and 95% confidence intervals. A trace that does not
        repeat runs to its last order unless --for ends it first; every other stand runs for 8 hours of stand time.

        --vary simulates the stand with each value of a key, all combinations where it is repeated. Replication r has
        the same customers in every setting, so that the differences from the first setting are those of the settings
        and not of chance; they come with intervals of their own.

        --shard runs one machine's part, every N-th replication; `juicestand merge` puts the parts together. /N takes
        the index from PARALLEL_SEQ, JOB_COMPLETION_INDEX or SLURM_ARRAY_TASK_ID, and inside a Slurm array no option
        is needed at all.

        Ctrl-C ends with the results so far, marked as partial, and exit status 130.
        """
    static let options =
        StandOptions.all + [
            Option(
                "--warm-up", "D|auto", "leaves so much stand time at the beginning out of the figures; auto: by MSER-5"),
            Option("--replications", "N", "independent runs, numbered from 0 (default: 1)"),
            Option(
                "--precision", "METRIC=X%",
                "goes on until the interval is at most X% of the mean to either side, or X of the metric's unit without the %; may be repeated"
            ),
            Option("--jobs", "N", "replications at a time (default: one for each core); changes no figure"),
            Option("--vary", "KEY.PATH=A,B,C", "simulates each value of a key; repeated: all combinations"),
            Option("--shard", "I/N", "runs the I-th of N parts, from 1, for juicestand merge"),
            Option("--observed", nil, "lets display, alerter and a counter observe, as in run; changes no figure"),
            Option("--no-timing", nil, "leaves out figures of the wall clock, which no two runs share"),
        ] + ResultOptions.all
    static let examples = [
        Example("juicestand simulate --config config/rush-hour.json --for 1d", "a day of the busy stand"),
        Example("juicestand simulate --set makers=3 --expect 'wait.p95<120'", "is a third maker enough?"),
        Example("juicestand simulate --vary makers=1,2,3 --replications 20", "how many makers, with intervals"),
        Example(
            "juicestand simulate --for 10d --warm-up auto --precision wait.mean=1%", "the long run, to one per cent"),
        Example("juicestand simulate --vary makers=1,2,3 --replications 20 --report makers.html", "with plots"),
        Example("juicestand simulate --format json --no-timing | jq '.runs[0].metrics[\"wait.mean\"]'", "for scripts"),
        Example(
            "juicestand simulate --config config/bakery.json --ledger bakery.jsonl", "real orders, and a ledger of them"
        ),
        Example("juicestand simulate --replications 1000 --shard 2/8 --output part2.json", "one machine's part"),
    ]

    private static let standardHorizon = SimulationTime(seconds: 8 * 3600)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        let stand = try StandOptions(options, output)
        let experiment = try experiment(options, stand, output)
        let names = experiment.metricNames
        try StandOptions.check(stand.expectations.map(\.metric), option: "--expect", among: names)
        try StandOptions.check(experiment.precisions.map(\.metric), option: "--precision", among: names)
        let results = try ResultOptions(options, expectations: stand.expectations, shard: experiment.shard)
        let audience = try SimulationAudience(options, stand, experiment)
        let interruption = Interruption()
        let hasCome = interruption.hasCome
        let execution = Experiment.Execution(
            jobs: try options.whole("--jobs", 1...1_000_000) ?? Processors.available,
            while: { !hasCome() && audience.failure == nil }, makeAudience: audience.make)
        let line = ProgressLine(name, execution.progress)
        let result = experiment.run(execution)
        line.end()
        withExtendedLifetime(interruption) {}
        let status = try results.finish(result, experiment.precisions, output)
        try audience.check()
        return status
    }

    private static func experiment(
        _ options: Options, _ stand: StandOptions, _ output: Output
    ) throws(CommandFailure) -> Experiment {
        let settings = try Sweep(options.all("--vary")).settings(of: stand)
        let endsByItself = settings.allSatisfy { $0.settings.endsWithItsOrders }
        let horizon = stand.horizon ?? (endsByItself ? nil : standardHorizon)
        var precisions: [Precision] = []
        for text in options.all("--precision") {
            guard let precision = Precision(text) else {
                throw CommandFailure(
                    .usage, "--precision needs a metric and a width, such as wait.mean=1%, found \"\(text)\"")
            }
            precisions.append(precision)
        }
        let shard = try shard(options)
        if let shard, !options.has("--shard") { output.warn("shard \(shard), from SLURM_ARRAY_TASK_ID") }
        if shard != nil, !precisions.isEmpty {
            throw CommandFailure(
                .usage, "--precision can't be used with shards: no shard knows how wide the whole interval is")
        }
        return Experiment(
            base: stand.settings, settings: settings,
            replications: try options.whole("--replications", 1...Precision.mostReplications) ?? 1,
            horizon: horizon, warmUp: try warmUp(options, horizon), precisions: precisions, shard: shard,
            includesTiming: !options.has("--no-timing"), drawsCharts: options.has("--report") || shard != nil)
    }

    private static func warmUp(_ options: Options, _ horizon: SimulationTime?) throws(CommandFailure) -> WarmUp {
        if try options.value("--warm-up") == "auto" {
            guard horizon != nil else {
                throw CommandFailure(.usage, "--warm-up auto needs --for, since a trace ends when it ends")
            }
            return .automatic
        }
        let time = try options.duration("--warm-up", allowsZero: true, orElse: ", or auto") ?? .zero
        if let horizon, time >= horizon { throw CommandFailure(.usage, "--warm-up must be shorter than the run") }
        return .fixed(time)
    }

    private static func shard(_ options: Options) throws(CommandFailure) -> Shard? {
        let option = try options.value("--shard")
        do { return try Shard.read(option: option, environment: environment(Shard.variables)) } catch {
            throw CommandFailure(.usage, error.message)
        }
    }
}
