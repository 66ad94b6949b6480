import EmbeddedFiles
import JuiceStand
import Platform
import StandExperiments
import StandService
import StandState
import TextFormats

/// The options that `run` and `simulate` share, and the stand that they describe.
struct StandOptions {
    static let standardFile = "config/stand.json"
    /// The length of a simulation without `--for`.
    static let standardHorizon = SimulationTime(seconds: 8 * 3600)
    private static let mostWarnings = 20

    static let configuration: [Option] = [
        Option(
            "--config", "FILE", "configuration file (default: \(standardFile), or a built-in copy if that is missing)"),
        Option("--set", "KEY.PATH=VALUE", "changes one key of the configuration; repeatable"),
    ]

    static let seed = Option("--seed", "N", "seed of all random streams (default: from the configuration)")

    static let expect = Option(
        "--expect", "'METRIC OP VALUE'", "exits with status 1 unless this holds, such as 'wait.p95<120'; repeatable")

    static let all: [Option] =
        configuration + [
            seed,
            Option(
                "--wiring", "NAME", "how events reach observers: \(wirings.joined(separator: ", "))", choices: wirings),
            Option("--for", "D", "closes after this stand time, such as 90s, 30m, 8h or 2d"),
            Option("--ledger", "FILE", "writes all events to a new file, as JSON Lines"),
            expect,
        ]

    /// The wirings that can run a stand; `compare` has more.
    private static let wirings = WiringChoice.allCases.filter { $0.refusal == nil }.map(\.rawValue)

    let settings: StandSettings
    private let source: Source
    let wiring: WiringChoice
    let horizon: SimulationTime?
    let ledger: String?
    let expectations: [Expectation]

    /// - Parameter present: The stand to go on with, in place of `--config`; nil for a new one.
    init(_ options: Options, _ output: Output, from present: PresentStand? = nil) throws(CommandFailure) {
        if present != nil, options.has("--config") {
            throw CommandFailure(
                .usage,
                "the stand of --state or --socket has its configuration; use --set to change it, and no --config")
        }
        source = Source(path: try options.value("--config"), present: present, overrides: try Self.overrides(options))
        settings = try source.read(output)
        wiring = WiringChoice(rawValue: settings.wiring)!
        if let refusal = wiring.refusal {
            throw CommandFailure(
                options.has("--wiring") ? .usage : .badConfiguration,
                "wiring: \(wiring.rawValue) cannot run a stand, only be compared: \(refusal)")
        }
        horizon = try options.duration("--for")
        ledger = try options.value("--ledger")
        expectations = try Self.readExpectations(options)
        try options.refuseOperands()
    }

    /// The source of a stand's configuration.
    private struct Source: Sendable {
        var path: String?
        /// Its configuration replaces the file.
        var present: PresentStand?
        var overrides: [StandConfiguration.Override]

        /// Reads the settings and prints the configuration's warnings.
        func read(_ output: Output) throws(CommandFailure) -> StandSettings {
            let configuration = try configuration(with: [])
            // The warnings of a running stand have been printed at its start.
            guard present == nil else { return configuration.settings }
            for warning in configuration.warnings.prefix(mostWarnings) { output.warn("warning: \(warning)") }
            let more = configuration.warnings.count - mostWarnings
            if more > 0 { output.warn("warning: and \(Columns.grouped(more)) more") }
            return configuration.settings
        }

        /// - Parameter more: Changed in addition.
        func configuration(with more: [StandConfiguration.Override]) throws(CommandFailure) -> StandConfiguration {
            guard let present else { return try StandOptions.read(path, overrides + more) }
            let text = Array(present.stand.settings.resolved().compact().utf8)
            do { return try StandConfiguration(text, source: present.source, overrides: overrides + more) } catch {
                throw CommandFailure(error)
            }
        }
    }

    /// The stand that `--config` and `--set` describe.
    ///
    /// - Parameter file: Replaces `--config`.
    static func readSettings(
        _ options: Options, _ output: Output, file: String? = nil
    ) throws(CommandFailure) -> StandSettings {
        let path: String? = if let file { file } else { try options.value("--config") }
        return try Source(path: path, overrides: try overrides(options)).read(output)
    }

    /// The same stand with more keys changed. Warnings are not repeated.
    func settings(varying overrides: [StandConfiguration.Override]) throws(CommandFailure) -> StandSettings {
        try source.configuration(with: overrides).settings
    }

    /// Reads the configuration again, for a reload.
    var reread: @Sendable () throws(ConfigurationError) -> StandSettings {
        { [source] () throws(ConfigurationError) in try Self.load(source.path, source.overrides).settings }
    }

    /// The values of `--set`.
    static func sets(_ options: Options) throws(CommandFailure) -> [StandConfiguration.Override] {
        var overrides: [StandConfiguration.Override] = []
        for text in options.all("--set") {
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                throw CommandFailure(.usage, "--set needs KEY.PATH=VALUE, found \"\(text)\"")
            }
            overrides.append(
                .init(
                    source: "--set \(text)", keyPath: String(text[..<equals]),
                    value: String(text[text.index(after: equals)...])))
        }
        return overrides
    }

    /// The values of `--set`, `--seed` and `--wiring`.
    private static func overrides(_ options: Options) throws(CommandFailure) -> [StandConfiguration.Override] {
        var overrides = try sets(options)
        if let seed = try options.whole("--seed", 0...Int.max) {
            overrides.append(.init(source: "--seed \(seed)", keyPath: "seed", value: "\(seed)"))
        }
        if let wiring = try options.value("--wiring") {
            guard WiringChoice(rawValue: wiring) != nil else {
                throw Options.unknown("wiring", wiring, in: "--wiring", among: wirings)
            }
            overrides.append(.init(source: "--wiring", keyPath: "wiring", value: wiring))
        }
        return overrides
    }

    /// - Parameter path: nil is the standard file, or the built-in copy if that is missing.
    static func read(
        _ path: String?, _ overrides: [StandConfiguration.Override]
    ) throws(CommandFailure) -> StandConfiguration {
        do { return try load(path, overrides) } catch { throw CommandFailure(error) }
    }

    private static func load(
        _ path: String?, _ overrides: [StandConfiguration.Override]
    ) throws(ConfigurationError) -> StandConfiguration {
        if path == nil, !isThere(standardFile) {
            let bytes = EmbeddedFile("stand.json").bytes
            return try StandConfiguration(bytes, source: "built-in \(standardFile)", overrides: overrides)
        }
        return try StandConfiguration(file: path ?? standardFile, overrides: overrides)
    }

    private static func isThere(_ path: String) -> Bool {
        do { _ = try readFile(path) } catch { return !error.isMissing }
        return true
    }

    /// Refuses unknown metrics before anything runs.
    static func check(_ metrics: [String], option: String, among names: [String]) throws(CommandFailure) {
        for metric in metrics where !names.contains(metric) {
            throw CommandFailure(.usage, "\(option): unknown metric \"\(metric)\"\(hint(metric, among: names))")
        }
    }

    static func readExpectations(_ options: Options) throws(CommandFailure) -> [Expectation] {
        var expectations: [Expectation] = []
        let operators = Expectation.Comparison.allCases.map(\.rawValue).joined(separator: " ")
        for text in options.all("--expect") {
            guard let expectation = Expectation(text) else {
                throw CommandFailure(
                    .usage,
                    "--expect needs a metric, one of \(operators) and a plain number (times in seconds), such as "
                        + "'wait.p95<120', found \"\(text)\"")
            }
            expectations.append(expectation)
        }
        return expectations
    }

    /// A verdict on each expectation.
    func judge(_ metrics: [Estimate]) -> [Verdict] {
        expectations.map { expectation in
            Verdict(expectation, found: metrics.first { $0.name == expectation.metric })
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
