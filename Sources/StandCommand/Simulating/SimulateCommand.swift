import JuiceStand
import Platform
import StandExperiments

/// `juicestand simulate`: runs the stand in virtual time.
enum SimulateCommand {
    private static let socket = Option(
        "--socket", "PATH", .text, "starts from the stand that runs there, as it is now")
    private static let warmUp = Option(
        "--warm-up", "D|auto", .warmUp, "excludes the beginning of the run from the metrics; auto: chosen by MSER-5")
    private static let replications = Option(
        "--replications", "N", .whole(1...Precision.mostReplications), default: "1",
        "number of independent replications")
    private static let precision = Option(
        repeatable: "--precision", "METRIC=X%",
        .reading("needs a metric and a width, such as wait.mean=1%") { Precision($0) },
        "adds replications until the half-width of the interval is at most X% of the mean, or X without the %; "
            + "repeatable")
    static let jobs = Option(
        "--jobs", "N", .jobs, default: "\(Processors.available)", told: "number of cores", "parallel replications",
        "; does not change results")
    private static let vary = Option(
        repeatable: "--vary", "KEY.PATH=A,B,C", .axis,
        "simulates each value of a key, also A..B or A..B/STEP; repeatable: all combinations")
    private static let shard = Option(
        "--shard", "I/N", .text, "runs shard I of N, counted from 1, for juicestand merge")
    static let observed = Option("--observed", "attaches the observers of run; does not change results")
    private static let noTiming = Option(
        "--no-timing", "omits wall-clock metrics, so that equal runs print equal bytes")

    static let command = Command(
        "simulate",
        StandOptions.all + [
            PresentStand.state, socket, warmUp, replications, precision, jobs, vary, shard, observed, noTiming,
        ] + ResultOptions.all, run: run)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try ThreadReserve.check()
        let present = try PresentStand(options, output)
        let stand = try StandOptions(options, output, from: present)
        let experiment = try experiment(options, stand, present, output)
        let names = experiment.metricNames
        try StandOptions.check(stand.expectations, among: names)
        try StandOptions.check(experiment.precisions.map(\.metric), option: "--precision", among: names)
        let results = try ResultOptions(options, expectations: stand.expectations, shard: experiment.shard)
        let observers = try SimulationObservers(options, stand, experiment)
        let interrupt = InterruptFlag(output)
        defer { withExtendedLifetime(interrupt) {} }
        let isInterrupted = interrupt.isRaised
        let execution = Experiment.Execution(
            jobs: options[jobs],
            while: { !isInterrupted() && observers.failure == nil }, makeAudience: observers.make)
        let result = ProgressLine.show(command.name, execution.progress) { experiment.run(execution) }
        let status = try results.finish(result, experiment.precisions, output)
        try observers.check()
        return status
    }

    private static func experiment(
        _ options: Options, _ stand: StandOptions, _ present: PresentStand?, _ output: Output
    ) throws(CommandFailure) -> Experiment {
        let settings = try Sweep.settings(vary, options, of: stand)
        let start = try present.map { present throws(CommandFailure) in
            try makeStart(present, [stand.settings] + settings.map { $0.settings })
        }
        let endsByItself = settings.allSatisfy { $0.settings.endsWithItsOrders }
        let horizon = stand.horizon ?? (endsByItself ? nil : StandOptions.standardHorizon)
        let precisions = options[precision]
        let shard = try shard(options)
        if let shard, !options.has(Self.shard) { output.warn("shard \(shard), from SLURM_ARRAY_TASK_ID") }
        if shard != nil, !precisions.isEmpty {
            throw CommandFailure(
                .usage, "--precision cannot be used with --shard: a shard does not know the interval of the whole")
        }
        return Experiment(
            base: stand.settings, from: start, settings: settings,
            replications: options[replications],
            horizon: horizon, warmUp: try warmUp(options, horizon), precisions: precisions, shard: shard,
            includesTiming: !options[noTiming], drawsCharts: options.has(ResultOptions.report) || shard != nil)
    }

    /// - Parameter settings: All settings, with the seed of the futures.
    private static func makeStart(
        _ present: PresentStand, _ settings: [StandSettings]
    ) throws(CommandFailure) -> Experiment.Start {
        do throws(ForecastError) {
            let start = try Experiment.Start(of: present.stand, at: present.time, seed: settings[0].seed)
            for settings in settings { try start.check(settings) }
            return start
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func warmUp(_ options: Options, _ horizon: SimulationTime?) throws(CommandFailure) -> WarmUp {
        let warmUp = options[warmUp] ?? .fixed(.zero)
        switch warmUp {
        case .automatic where horizon == nil:
            throw CommandFailure(
                .usage, "--warm-up auto needs --for with a trace, because a trace has no known length")
        case .fixed(let time) where time >= horizon ?? .never:
            throw CommandFailure(.usage, "--warm-up must be shorter than the run")
        default: return warmUp
        }
    }

    private static func shard(_ options: Options) throws(CommandFailure) -> Shard? {
        var variables: [String: String] = [:]
        for name in Shard.variables { variables[name] = environmentVariable(name) }
        do { return try Shard.read(option: options[shard], environment: variables) } catch {
            throw CommandFailure(.usage, error.message)
        }
    }
}

extension OptionForm where Value == WarmUp {
    fileprivate static var warmUp: OptionForm {
        let time = OptionForm<SimulationTime>.duration(allowsZero: true, orElse: ", or auto")
        return OptionForm { name, text throws(CommandFailure) in
            text == "auto" ? .automatic : .fixed(try time.read(name, text))
        }
    }
}
