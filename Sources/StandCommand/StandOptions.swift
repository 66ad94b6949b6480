import JuiceStand
import StandExperiments

/// The options that `run` and `simulate` share, and the stand they describe.
struct StandOptions {
    static let standardFile = "config/stand.json"

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

    private static let wirings = WiringChoice.allCases.map(\.rawValue).joined(separator: ", ")

    let settings: StandSettings
    let wiring: WiringChoice
    let horizon: SimulationTime?
    let ledger: String?
    let expectations: [Expectation]
    let format: Format

    init(_ options: Options, _ output: Output) throws(CommandFailure) {
        var extra: [StandConfiguration.Override] = []
        for (option, key) in [("--seed", "seed"), ("--wiring", "wiring")] {
            guard let value = try options.value(option) else { continue }
            extra.append(.init(source: "\(option) \(value)", keyPath: key, value: value))
        }
        settings = try Self.readSettings(options, output, extra)
        wiring = WiringChoice(rawValue: settings.wiring)!
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
        for warning in configuration.warnings { output.warn("warning: \(warning)") }
        return configuration.settings
    }

    /// - Parameter path: nil is the standard file, or the built-in copy where that is not there.
    static func read(
        _ path: String?, _ overrides: [StandConfiguration.Override]
    ) throws(CommandFailure) -> StandConfiguration {
        do {
            if path == nil, (try? readFile(standardFile)) == nil {
                let bytes = PackageResources.stand_json
                return try StandConfiguration(bytes, source: "built-in \(standardFile)", overrides: overrides)
            }
            return try StandConfiguration(file: path ?? standardFile, overrides: overrides)
        } catch {
            throw CommandFailure(error)
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
    ///
    /// - Throws: where one names no metric of this stand.
    func judge(_ metrics: [Estimate]) throws(CommandFailure) -> [Verdict] {
        var verdicts: [Verdict] = []
        for expectation in expectations {
            guard let metric = metrics.first(where: { $0.name == expectation.metric }) else {
                let hint = nearest(expectation.metric, among: metrics.map(\.name)).map { "; did you mean \($0)?" } ?? ""
                throw CommandFailure(.usage, "--expect: this stand has no metric \"\(expectation.metric)\"\(hint)")
            }
            verdicts.append(Verdict(expectation, found: metric.mean))
        }
        return verdicts
    }
}

extension CommandFailure {
    init(_ error: ConfigurationError) {
        switch error {
        case .invalid(let problems): self.init(.badConfiguration, messages: problems.map(\.description))
        case .badTrace(let problems): self.init(.badInput, messages: problems.map(\.description))
        case .unreadable(let path, let reason): self.init(.noInput, "\(path): \(reason)")
        }
    }
}
