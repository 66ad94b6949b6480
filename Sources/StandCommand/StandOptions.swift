import JuiceStand
import StandExperiments

/// The options that `run` and `simulate` share, and the stand they describe.
struct StandOptions {
    static let standardFile = "config/stand.json"
    private static let mostWarnings = 20

    static let configuration: [Option] = [
        Option("--config", "FILE", "the stand (default: \(standardFile), without that file a built-in copy)"),
        Option("--set", "KEY.PATH=VALUE", "changes one key of the configuration; may be repeated"),
    ]

    static let all: [Option] =
        configuration + [
            Option("--seed", "N", "seed of all random streams (default: the configuration's)"),
            Option("--wiring", "NAME", "how facts reach observers: " + wirings),
            Option("--for", "D", "closes after so much stand time, such as 90s, 30m, 8h or 2d"),
            Option("--ledger", "FILE", "writes every event to a new file, as JSON Lines"),
            Option(
                "--expect", "'METRIC OP VALUE'",
                "exit status 1 unless it holds, such as 'wait.p95<120'; may be repeated"),
            Format.option,
        ]

    private static let wirings = WiringChoice.allCases.filter { $0.refusal == nil }.map(\.rawValue)
        .joined(separator: ", ")

    let settings: StandSettings
    let wiring: WiringChoice
    let horizon: SimulationTime?
    let ledger: String?
    let expectations: [Expectation]
    let format: Format

    init(_ options: Options, _ output: Output) throws(CommandFailure) {
        var extra: [StandConfiguration.Override] = []
        if let seed = try options.value("--seed") {
            guard Int(seed).map({ $0 >= 0 }) ?? false else {
                throw CommandFailure(.usage, "--seed must be a whole number from 0 to \(Int.max), found \"\(seed)\"")
            }
            extra.append(.init(source: "--seed \(seed)", keyPath: "seed", value: seed))
        }
        if options.has("--wiring") {
            let wiring: WiringChoice = try options.choice("--wiring", default: .notification)
            extra.append(.init(source: "--wiring", keyPath: "wiring", value: wiring.rawValue))
        }
        settings = try Self.readSettings(options, output, extra)
        wiring = WiringChoice(rawValue: settings.wiring)!
        if let refusal = wiring.refusal {
            throw CommandFailure(
                options.has("--wiring") ? .usage : .badConfiguration,
                "wiring: \(wiring.rawValue) can be compared and not run: \(refusal)")
        }
        horizon = try options.duration("--for")
        ledger = try options.value("--ledger")
        format = try options.choice("--format", default: .text)
        expectations = try Self.readExpectations(options)
        guard options.operands.isEmpty else {
            throw CommandFailure(.usage, "\"\(options.operands[0])\" is not expected here; see --help")
        }
    }

    /// The stand that `--config` and `--set` describe; strange but usable things are warned about.
    static func readSettings(
        _ options: Options, _ output: Output, _ extra: [StandConfiguration.Override] = []
    ) throws(CommandFailure) -> StandSettings {
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
        let configuration = try read(try options.value("--config"), overrides + extra)
        for warning in configuration.warnings.prefix(mostWarnings) { output.warn("warning: \(warning)") }
        let more = configuration.warnings.count - mostWarnings
        if more > 0 { output.warn("warning: and \(Columns.grouped(more)) more") }
        return configuration.settings
    }

    /// - Parameter path: nil is the standard file, or the built-in copy where that is not there.
    static func read(
        _ path: String?, _ overrides: [StandConfiguration.Override]
    ) throws(CommandFailure) -> StandConfiguration {
        do {
            if path == nil, !isThere(standardFile) {
                let bytes = PackageResources.stand_json
                return try StandConfiguration(bytes, source: "built-in \(standardFile)", overrides: overrides)
            }
            return try StandConfiguration(file: path ?? standardFile, overrides: overrides)
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func isThere(_ path: String) -> Bool {
        do { _ = try readFile(path) } catch { return !error.isMissing }
        return true
    }

    /// Refuses an expectation of a metric that this stand does not have, before anything is run.
    ///
    /// - Parameter also: Names of metrics beside those of the stand.
    func checkExpectations(also: [String]) throws(CommandFailure) {
        guard !expectations.isEmpty else { return }
        let names = Stand(settings).metrics(at: .zero).map(\.name) + also
        for expectation in expectations where !names.contains(expectation.metric) {
            let hint = nearest(expectation.metric, among: names).map { "; did you mean \($0)?" } ?? ""
            throw CommandFailure(.usage, "--expect: this stand has no metric \"\(expectation.metric)\"\(hint)")
        }
    }

    private static func readExpectations(_ options: Options) throws(CommandFailure) -> [Expectation] {
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
            Verdict(expectation, found: metrics.first { $0.name == expectation.metric }?.mean)
        }
    }
}

extension CommandFailure {
    init(_ error: ConfigurationError) {
        switch error {
        case .invalid(let problems): self.init(.badConfiguration, located: problems)
        case .badTrace(let problems): self.init(.badInput, located: problems)
        case .unreadable(let path, let reason): self.init(.noInput, "\(path): \(reason)")
        }
    }
}
