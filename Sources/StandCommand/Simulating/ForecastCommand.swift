import JuiceStand
import Platform
import StandClient
import StandExperiments
import TextFormats

/// `juicestand forecast`: the futures of a stand.
enum ForecastCommand {
    fileprivate static let length = Option(
        "--in", "D", .duration, default: "4h", "the time to look ahead, in stand time")
    fileprivate static let every = Option(
        "--every", "D", .duration, default: "15m", "prints levels and the queue at multiples of this")
    fileprivate static let replications = Option(
        "--replications", "N", .whole(1...Forecast.Span.mostReplications),
        default: "\(Forecast.Span().replications)", "number of futures")
    fileprivate static let seed = Option(
        "--seed", "N", .whole(0...Int.max), without: "that of the stand", "seed of the futures")
    fileprivate static let change = Option(
        repeatable: "--change", "'CHANGE'", .text,
        "also shows the futures after this change, such as 'restock banana=20'; repeatable")
    private static let set = Option(
        repeatable: "--set", "KEY.PATH=VALUE", .override,
        "also shows the futures with this configuration; repeatable")
    private static let state = Option("--state", "DIR", .text, "reads the state of a stand that is down")
    private static let jobs = Option(
        "--jobs", "N", .jobs, default: "\(Processors.available)", told: "number of cores",
        "futures at a time, with --state", "; does not change results")

    static let command = Command(
        "forecast",
        [
            length, every, replications, seed, change, set, state, jobs, ServiceOptions.socket,
            ResultOptions.Format.option, ResultOptions.report, ResultOptions.verbose,
        ], run: run)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        try ThreadReserve.check()
        let format = options[ResultOptions.Format.option]
        var report = try ResultOptions.open(options[ResultOptions.report])
        let question = try Question(options)
        let result: ForecastResult
        if let (stand, time, _) = try PresentStand.stopped(options) {
            result = try question.answer(of: stand, at: time, jobs: options[jobs])
        } else {
            result = try question.answer(StandSession(options, output, format: .json, timeout: longestAnswer))
        }
        try ResultOptions.write(&report, result.report().html())
        switch format {
        case .text: output.print(result.report(), isVerbose: options[ResultOptions.verbose])
        case .json: output.print(result.json.pretty() + "\n")
        case .csv: output.print(result.csv())
        }
        return .done
    }

    /// The timeout for the answer of a running stand, in seconds.
    private static let longestAnswer = 600
}

// MARK: - What is asked

/// A question that a running stand or a saved state can answer.
private struct Question {
    let span: Forecast.Span
    let seed: UInt64?
    let courses: [Forecast.Course]

    init(_ options: Options) throws(CommandFailure) {
        span = Forecast.Span(
            length: options[ForecastCommand.length],
            every: options.has(ForecastCommand.every) ? options[ForecastCommand.every] : nil,
            replications: options[ForecastCommand.replications])
        // A running stand adjusts an interval out of range, so it is refused here.
        do { try span.checkInstants() } catch { throw CommandFailure(error) }
        seed = options[ForecastCommand.seed].map { UInt64($0) }
        var courses: [Forecast.Course] = []
        for text in options[ForecastCommand.change] {
            do { courses.append(.init(change: try ForecastChange(text))) } catch { throw CommandFailure(error) }
        }
        let set = options[StandOptions.set].map {
            JSONValue.Member(key: $0.keyPath, value: JSONValue(setting: $0.value))
        }
        if !set.isEmpty { courses.append(.init(set: set)) }
        self.courses = courses
    }

    func answer(of stand: Stand, at time: SimulationTime, jobs: Int) throws(CommandFailure) -> ForecastResult {
        do throws(ForecastError) {
            let forecast = try Forecast(of: stand, at: time, span, seed: seed, comparing: courses)
            guard let answer = try forecast.answer(jobs: jobs) else { fatalError("the forecast was stopped by nobody") }
            return answer.result
        } catch {
            throw CommandFailure(error)
        }
    }

    func answer(_ session: StandSession) throws(CommandFailure) -> ForecastResult {
        let answer = try session.request(.post, "forecast", content, isChange: false)
        guard answer.isSuccess, let json = answer.json else { throw StandSession.failure(answer) }
        guard json["schema"]?.text == ForecastResult.kind, var result = ForecastResult(json: json),
            !result.runs.isEmpty
        else {
            throw CommandFailure(.inputOutput, "the stand's answer is not a forecast; does another version run there?")
        }
        for shelf in try session.get("stock", StockDocument.self)?.shelves ?? [] {
            result.faces[shelf.fruit] = shelf.face
        }
        return result
    }

    private var content: JSONValue {
        let changes = courses.compactMap(\.change?.json)
        let set = courses.flatMap(\.set)
        return [
            "in": .number(span.length.seconds), "every": .number(span.every.seconds),
            "replications": .integer(Int64(span.replications)), "seed": seed.map { .integer(Int64($0)) },
            "changes": changes.isEmpty ? nil : .array(changes), "set": set.isEmpty ? nil : .object(set),
        ]
    }
}

extension CommandFailure {
    init(_ error: ForecastError) {
        let status: ExitStatus =
            switch error {
            case .closed: .stateInUse
            case .replaysTrace, .invalid, .tooLarge, .cannotEdit: .usage
            case .badConfiguration: .badConfiguration
            case .cannotChange: .failed
            }
        self.init(status, messages: error.lines)
    }
}
