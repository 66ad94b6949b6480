import EmbeddedFiles
import JuiceStand
import Platform
import StandExperiments
import StandState
import TextFormats

/// The options that `run` and `simulate` share, and the stand that they describe.
struct StandOptions {
    static let standardFile = "config/stand.json"
    /// The length of a simulation without `--for`.
    static let standardHorizon = SimulationTime(seconds: 8 * 3600)
    private static let mostWarnings = 20

    static let config = Option(
        "--config", "FILE", .text, without: "\(standardFile), or a built-in copy if that is missing",
        "configuration file")
    static let set = Option(
        repeatable: "--set", "KEY.PATH=VALUE", .override, "changes one key of the configuration; repeatable")
    static let configuration: [any CommandOption] = [config, set]

    static let seed = Option(
        "--seed", "N", .whole(0...Int.max), without: "from the configuration", "seed of all random streams")
    static let wiringName = Option(
        "--wiring", "NAME", .choice(WiringChoice.self, among: wirings),
        "how events reach observers: \(wirings.joined(separator: ", "))")
    private static let length = Option(
        "--for", "D", .duration, "closes after this stand time, such as 90s, 30m, 8h or 2d")
    private static let ledgerFile = Option(
        "--ledger", "FILE", .text, "writes all events to a new file, as JSON Lines")
    static let expect = Option(
        repeatable: "--expect", "'METRIC OP VALUE'", .expectation,
        "exits with status 1 unless this holds, such as 'wait.p95<120'; repeatable")

    static let all = configuration + [seed, wiringName, length, ledgerFile, expect]

    /// The wirings that can run a stand; `compare` has more.
    private static let wirings = WiringChoice.allCases.filter { $0.refusal == nil }.map(\.rawValue)

    let settings: StandSettings
    private let configuration: StandConfiguration
    /// Reads the configuration again, for a reload.
    let reread: @Sendable () throws(ConfigurationError) -> StandSettings
    let wiring: WiringChoice
    let horizon: SimulationTime?
    let ledger: String?
    let expectations: [Expectation]

    /// - Parameter present: The stand to go on with, in place of `--config`; nil for a new one.
    init(_ options: Options, _ output: Output, from present: PresentStand? = nil) throws(CommandFailure) {
        let path = options[Self.config]
        let overrides = Self.overrides(options)
        if let present {
            guard path == nil else {
                throw CommandFailure(
                    .usage,
                    "the stand of --state or --socket has its configuration; use --set to change it, and no --config")
            }
            // Its warnings have been printed at its start.
            let text = Array(present.stand.settings.resolved().compact().utf8)
            do { configuration = try StandConfiguration(text, source: present.source, overrides: overrides) } catch {
                throw CommandFailure(error)
            }
        } else {
            configuration = try Self.read(path, overrides)
            Self.warn(of: configuration, output)
        }
        settings = configuration.settings
        reread = { () throws(ConfigurationError) in try Self.load(path, overrides).settings }
        wiring = WiringChoice(rawValue: settings.wiring)!
        if let refusal = wiring.refusal {
            throw CommandFailure(
                options.has(Self.wiringName) ? .usage : .badConfiguration,
                "wiring: \(wiring.rawValue) cannot run a stand, only be compared: \(refusal)")
        }
        horizon = options[Self.length]
        ledger = options[Self.ledgerFile]
        expectations = options[Self.expect]
    }

    /// The stand that `--config` and `--set` describe. Prints the configuration's warnings.
    ///
    /// - Parameter file: Replaces `--config`.
    static func readSettings(
        _ options: Options, _ output: Output, file: String? = nil
    ) throws(CommandFailure) -> StandSettings {
        let configuration = try read(file ?? options[config], overrides(options))
        warn(of: configuration, output)
        return configuration.settings
    }

    private static func warn(of configuration: StandConfiguration, _ output: Output) {
        for warning in configuration.warnings.prefix(mostWarnings) { output.warn("warning: \(warning)") }
        let more = configuration.warnings.count - mostWarnings
        if more > 0 { output.warn("warning: and \(Columns.grouped(more)) more") }
    }

    /// The same stand with more keys changed. Warnings are not repeated.
    func settings(varying overrides: [StandConfiguration.Override]) throws(CommandFailure) -> StandSettings {
        do { return try configuration.replacing(overrides).settings } catch { throw CommandFailure(error) }
    }

    /// The values of `--set`, `--seed` and `--wiring`.
    private static func overrides(_ options: Options) -> [StandConfiguration.Override] {
        var overrides = options[set]
        if let seed = options[seed] {
            overrides.append(.init(source: "--seed \(seed)", keyPath: "seed", value: "\(seed)"))
        }
        if let wiring = options[wiringName] {
            overrides.append(.init(source: "--wiring", keyPath: "wiring", value: wiring.rawValue))
        }
        return overrides
    }

    /// - Parameter path: See ``load(_:_:)``.
    static func read(
        _ path: String?, _ overrides: [StandConfiguration.Override]
    ) throws(CommandFailure) -> StandConfiguration {
        do { return try load(path, overrides) } catch { throw CommandFailure(error) }
    }

    /// - Parameter path: nil is the standard file, or the built-in copy if that is missing.
    private static func load(
        _ path: String?, _ overrides: [StandConfiguration.Override]
    ) throws(ConfigurationError) -> StandConfiguration {
        if let path { return try StandConfiguration(file: path, overrides: overrides) }
        var isMissing = false
        do { _ = try readFile(standardFile) } catch { isMissing = error.isMissing }
        guard isMissing else { return try StandConfiguration(file: standardFile, overrides: overrides) }
        let bytes = EmbeddedFile("stand.json").bytes
        return try StandConfiguration(bytes, source: "built-in \(standardFile)", overrides: overrides)
    }

    /// Refuses unknown metrics, and bounds in a unit that the metric does not have, before anything runs.
    static func check(_ expectations: [Expectation], among names: [String]) throws(CommandFailure) {
        try check(expectations.map(\.metric), option: expect.name, among: names)
        for expectation in expectations {
            if let problem = expectation.problem { throw CommandFailure(.usage, problem) }
        }
    }

    /// Refuses unknown metrics before anything runs.
    static func check(_ metrics: [String], option: String, among names: [String]) throws(CommandFailure) {
        for metric in metrics where !names.contains(metric) {
            throw CommandFailure(.usage, "\(option): unknown metric \"\(metric)\"\(hint(metric, among: names))")
        }
    }
}

extension OptionForm where Value == StandConfiguration.Override {
    /// `KEY.PATH=VALUE`.
    static var override: OptionForm {
        OptionForm { name, text throws(CommandFailure) in
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                throw CommandFailure(.usage, "\(name) needs KEY.PATH=VALUE, found \"\(text)\"")
            }
            return .init(
                source: "\(name) \(text)", keyPath: String(text[..<equals]),
                value: String(text[equals...].dropFirst()))
        }
    }
}

extension OptionForm where Value == Expectation {
    fileprivate static var expectation: OptionForm {
        OptionForm { name, text throws(CommandFailure) in
            if var expectation = Expectation(text) {
                // `check` reports the problem, after unknown metrics.
                expectation.problem = expectation.problem.map { "\(name) '\(text)': \($0)" }
                return expectation
            }
            let operators = Expectation.Comparison.allCases.map(\.rawValue).joined(separator: " ")
            throw CommandFailure(
                .usage,
                "\(name) needs a metric, one of \(operators) and a number, a duration or a percentage, such as "
                    + "'wait.p95<2m', found \"\(text)\"")
        }
    }
}

extension CommandFailure {
    init(_ error: StateError) {
        let status: ExitStatus =
            switch error {
            case .inUse, .closed: .stateInUse
            case .damaged, .otherSchema: .badInput
            case .otherStand: .badConfiguration
            case .foreignLedger, .ledgerTooShort, .system: .cannotCreate
            case .horizonPassed: .usage
            }
        self.init(status, messages: error.lines)
    }

    /// The failure of a command that reads a state and never creates one.
    init(reading error: StateError) {
        if case .system = error { self.init(.noInput, messages: error.lines) } else { self.init(error) }
    }

    init(_ error: ConfigurationError) {
        switch error {
        case .invalid(let problems): self.init(.badConfiguration, problems)
        case .badTrace(let problems): self.init(.badInput, problems)
        case .unreadable(let path, let reason): self.init(.noInput, "\(path): \(reason)")
        }
    }
}
