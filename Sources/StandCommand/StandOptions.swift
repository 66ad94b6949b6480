import JuiceStand
import Platform
import StandExperiments
import StandService
import StandState
import TextFormats

/// The options that `run` and `simulate` share, and the stand they describe.
struct StandOptions {
    static let standardFile = "config/stand.json"
    private static let mostWarnings = 20

    static let configuration: [Option] = [
        Option("--config", "FILE", "the stand (default: \(standardFile), without that file a built-in copy)"),
        Option("--set", "KEY.PATH=VALUE", "changes one key of the configuration; may be repeated"),
    ]

    static let expect = Option(
        "--expect", "'METRIC OP VALUE'", "exit status 1 unless it holds, such as 'wait.p95<120'; may be repeated")

    static let all: [Option] =
        configuration + [
            Option("--seed", "N", "seed of all random streams (default: the configuration's)"),
            Option("--wiring", "NAME", "how facts reach observers: " + wirings.joined(separator: ", ")),
            Option("--for", "D", "closes after so much stand time, such as 90s, 30m, 8h or 2d"),
            Option("--ledger", "FILE", "writes every event to a new file, as JSON Lines"),
            expect,
        ]

    /// Those that a stand can be run under; `compare` has more.
    private static let wirings = WiringChoice.allCases.filter { $0.refusal == nil }.map(\.rawValue)

    let settings: StandSettings
    private let source: Source
    let wiring: WiringChoice
    let horizon: SimulationTime?
    let ledger: String?
    let expectations: [Expectation]

    init(_ options: Options, _ output: Output) throws(CommandFailure) {
        var extra: [StandConfiguration.Override] = []
        if let seed = try options.whole("--seed", 0...Int.max) {
            extra.append(.init(source: "--seed \(seed)", keyPath: "seed", value: "\(seed)"))
        }
        if let wiring = try options.value("--wiring") {
            guard WiringChoice(rawValue: wiring) != nil else {
                throw Options.unknown("--wiring", wiring, among: Self.wirings)
            }
            extra.append(.init(source: "--wiring", keyPath: "wiring", value: wiring))
        }
        source = Source(path: try options.value("--config"), overrides: try Self.overrides(options) + extra)
        settings = try source.read(output)
        wiring = WiringChoice(rawValue: settings.wiring)!
        if let refusal = wiring.refusal {
            throw CommandFailure(
                options.has("--wiring") ? .usage : .badConfiguration,
                "wiring: \(wiring.rawValue) can be compared and not run: \(refusal)")
        }
        horizon = try options.duration("--for")
        ledger = try options.value("--ledger")
        expectations = try Self.readExpectations(options)
        try options.refuseOperands()
    }

    /// Where a stand's configuration comes from.
    private struct Source: Sendable {
        var path: String?
        var overrides: [StandConfiguration.Override]

        /// Strange but usable things are warned about.
        func read(_ output: Output) throws(CommandFailure) -> StandSettings {
            let configuration = try StandOptions.read(path, overrides)
            for warning in configuration.warnings.prefix(mostWarnings) { output.warn("warning: \(warning)") }
            let more = configuration.warnings.count - mostWarnings
            if more > 0 { output.warn("warning: and \(Columns.grouped(more)) more") }
            return configuration.settings
        }
    }

    /// The stand that `--config` and `--set` describe.
    ///
    /// - Parameter file: In place of `--config`.
    static func readSettings(
        _ options: Options, _ output: Output, file: String? = nil, extra: [StandConfiguration.Override] = []
    ) throws(CommandFailure) -> StandSettings {
        let path: String? = if let file { file } else { try options.value("--config") }
        return try Source(path: path, overrides: try overrides(options) + extra).read(output)
    }

    /// The same stand with more keys changed, without a second warning of what was warned about.
    func settings(varying overrides: [StandConfiguration.Override]) throws(CommandFailure) -> StandSettings {
        try Self.read(source.path, source.overrides + overrides).settings
    }

    /// Reads the configuration again, which may have changed.
    var reread: @Sendable () throws(ConfigurationError) -> StandSettings {
        { [source] () throws(ConfigurationError) in try Self.load(source.path, source.overrides).settings }
    }

    private static func overrides(_ options: Options) throws(CommandFailure) -> [StandConfiguration.Override] {
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

    /// - Parameter path: nil is the standard file, or the built-in copy where that is not there.
    static func read(
        _ path: String?, _ overrides: [StandConfiguration.Override]
    ) throws(CommandFailure) -> StandConfiguration {
        do { return try load(path, overrides) } catch { throw CommandFailure(error) }
    }

    private static func load(
        _ path: String?, _ overrides: [StandConfiguration.Override]
    ) throws(ConfigurationError) -> StandConfiguration {
        if path == nil, !isThere(standardFile) {
            let bytes = PackageResources.stand_json
            return try StandConfiguration(bytes, source: "built-in \(standardFile)", overrides: overrides)
        }
        return try StandConfiguration(file: path ?? standardFile, overrides: overrides)
    }

    private static func isThere(_ path: String) -> Bool {
        do { _ = try readFile(path) } catch { return !error.isMissing }
        return true
    }

    /// Refuses metrics that there are not, before anything is run.
    static func check(_ metrics: [String], option: String, among names: [String]) throws(CommandFailure) {
        for metric in metrics where !names.contains(metric) {
            let hint = nearest(metric, among: names).map { "; did you mean \($0)?" } ?? ""
            throw CommandFailure(.usage, "\(option): this stand has no metric \"\(metric)\"\(hint)")
        }
    }

    static func readExpectations(_ options: Options) throws(CommandFailure) -> [Expectation] {
        var expectations: [Expectation] = []
        for text in options.all("--expect") {
            guard let expectation = Expectation(text) else {
                throw CommandFailure(
                    .usage,
                    "--expect needs a metric, an operator and a number, such as 'wait.p95<120', found \"\(text)\"")
            }
            expectations.append(expectation)
        }
        return expectations
    }

    /// How the expectations came out.
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
            case .foreignLedger: .cannotCreate
            case .otherStand: .badConfiguration
            case .system: .cannotCreate
            }
        self.init(status, messages: "\(error)".split(separator: "\n").map(String.init))
    }

    /// What keeps a state from being read, that is not to be made where it is missing.
    init(reading error: StateError) {
        if case .system = error { self.init(.noInput, "\(error)") } else { self.init(error) }
    }

    init(_ error: ConfigurationError) {
        switch error {
        case .invalid(let problems): self.init(.badConfiguration, located: problems)
        case .badTrace(let problems): self.init(.badInput, located: problems)
        case .unreadable(let path, let reason): self.init(.noInput, "\(path): \(reason)")
        }
    }
}
