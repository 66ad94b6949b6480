import JuiceStand
import StandExperiments
import TextFormats

/// `juicestand plan`: selects the best of many settings that satisfies all constraints.
enum PlanCommand {
    private static let minimize = Option("--minimize", "METRIC", .text, "the metric or sum to minimize")
    private static let maximize = Option("--maximize", "METRIC", .text, "the metric or sum to maximize")
    private static let constraint = Option(
        repeatable: "--where", "'METRIC OP VALUE'", .text, "a constraint, such as 'wait.p95<120'; repeatable")
    private static let over = Option(
        repeatable: "--over", "KEY.PATH=A..B[/STEP]", .axis,
        "tries each value of a key, also A,B,C; repeatable: all combinations")
    private static let distance = Option(
        "--within", "X|X%", .reading("must be a number from 0, or a percentage such as 1%", within), default: "0.5%",
        "how far from the best the selected setting may be")
    private static let confidence = Option(
        "--confidence", "P%", .confidence, default: "95%", "of the guarantee")
    private static let rarest = Option(
        "--rarest", "N", .whole(1...1_000_000), default: "\(Plan.standardRarest)",
        "covers kinds of days that come at least once in N replications")
    private static let length = Option(
        "--for", "D", .duration, without: "8h, or to the last order of a trace", "stand time of each replication")
    private static let warmUp = Option(
        "--warm-up", "D", .duration(allowsZero: true),
        "excludes the beginning of each replication from the metrics")
    private static let mostReplications = Option(
        "--max-replications", "N", .whole(2...Precision.mostReplications),
        default: "\(Plan.standardMostReplications)", told: Columns.grouped(Plan.standardMostReplications),
        "of one setting")
    private static let write = Option(
        "--write", "FILE", .text, "writes the configuration with the best setting, if it is shown")

    private static let verbose = Option("--verbose", "prints all settings")

    static let command = Command(
        "plan",
        [minimize, maximize, constraint, over, distance, confidence, rarest] + StandOptions.configuration + [
            StandOptions.seed, length, warmUp, mostReplications, SimulateCommand.jobs, write, Format.option,
            ResultOptions.report, verbose,
        ], run: run)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try ThreadReserve.check()
        let stand = try StandOptions(options, output)
        let format = options[Format.option]
        let plan = try plan(options, stand)
        var file = try ResultOptions.open(options[write])
        var report = try ResultOptions.open(options[ResultOptions.report])
        let interrupt = InterruptFlag(output)
        defer { withExtendedLifetime(interrupt) {} }
        let isInterrupted = interrupt.isRaised
        let execution = Experiment.Execution(jobs: options[SimulateCommand.jobs], while: { !isInterrupted() })
        let (result, days) = ProgressLine.show(command.name, execution.progress) {
            let result = plan.run(execution)
            let wantsDays = options.has(ResultOptions.report) && !result.isPartial
            return (result, wantsDays ? result.simulateDays(today: stand.settings, execution) : nil)
        }
        if result.candidates.isEmpty, !result.isPartial {
            // No combination is a valid stand: throws the error of the first one.
            _ = try stand.settings(varying: plan.grid.overrides(0, option: "--over"))
        }
        switch format {
        case .text: output.print(result.report(), isVerbose: options[verbose])
        case .json:
            output.print(result.json().pretty() + "\n")
            for note in result.faults + result.remarks { output.warn(note) }
            if result.best == nil { output.warn(result.headline) }
        }
        if let best = result.best, let settings = plan.makeSettings(best.combination) {
            try ResultOptions.write(&file, settings.resolved().pretty() + "\n")
        } else if let path = options[write] {
            output.warn("no best setting was found, so \(path) is not written")
        }
        try ResultOptions.write(&report, result.report(days: days).html())
        if result.isPartial { return .interrupted }
        return result.best != nil && result.faults.isEmpty ? .done : .failed
    }

    private static func plan(_ options: Options, _ stand: StandOptions) throws(CommandFailure) -> Plan {
        guard options.has(over) else { throw CommandFailure(.usage, "plan needs --over, such as --over makers=1..6") }
        guard let grid = try Sweep.grid(over, options) else {
            throw CommandFailure(.usage, "--over must make at most 2^53 settings")
        }
        let metrics = Experiment(base: stand.settings, horizon: nil, includesTiming: false).metricNames
        guard options.has(minimize) != options.has(maximize) else {
            throw CommandFailure(.usage, "plan needs either --minimize METRIC or --maximize METRIC")
        }
        let goal = options.has(maximize) ? maximize : minimize
        let text = options[goal] ?? ""
        let objective: MetricSum
        do { objective = try MetricSum(text, metrics: metrics) } catch { throw Self.failure(goal.name, text, error) }
        var constraints: [Constraint] = []
        for text in options[constraint] {
            do { constraints.append(try Constraint(text, metrics: metrics)) } catch {
                throw Self.failure("--where", text, error)
            }
        }
        let horizon = stand.horizon ?? (stand.settings.endsWithItsOrders ? nil : StandOptions.standardHorizon)
        let warmUp = options[warmUp] ?? .zero
        if let horizon, warmUp >= horizon { throw CommandFailure(.usage, "--warm-up must be shorter than the run") }
        var plan = Plan(objective, over: grid, horizon: horizon) { combination in
            // A combination that is no valid stand is left out.
            do { return try stand.settings(varying: grid.overrides(combination, option: "--over")) } catch {
                return nil
            }
        }
        plan.maximizes = options.has(maximize)
        plan.constraints = constraints
        plan.within = options[distance]
        plan.confidence = options[confidence]
        plan.rarest = options[rarest]
        plan.warmUp = warmUp
        plan.mostReplications = options[mostReplications]
        return plan
    }

    @Sendable private static func within(_ text: String) -> Tolerance? {
        guard let (number, isPercent) = shareOrNumber(text), number >= 0 else { return nil }
        return isPercent ? .relative(number) : .absolute(number)
    }

    private static func failure(_ option: String, _ text: String, _ problem: TextProblem) -> CommandFailure {
        CommandFailure(.usage, "\(option) '\(text)', column \(problem.place.column): \(problem.message)")
    }
}
