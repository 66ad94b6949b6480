import JuiceStand
import Platform
import StandExperiments
import TextFormats

/// The options that `simulate` and `merge` share: output format, files and expectations.
struct ResultOptions: ~Copyable {
    enum Format: String, CaseIterable {
        case text
        case json
        case csv

        static let option = Option(
            "--format", "text|json|csv", .choice(Format.self), default: "text", "output format")
    }

    private static let outputFile = Option(
        "--output", "FILE", .text,
        "also writes the result to FILE atomically: CSV if the name ends in .csv, else JSON")
    static let report = Option("--report", "FILE.html", .text, "also writes a self-contained page with plots")

    static let all: [any CommandOption] = [Format.option, outputFile, report, verbose]

    static let verbose = Option("--verbose", "prints all metrics, settings and expectations")

    private let format: Format
    private let isVerbose: Bool
    private let path: String?
    private var file: ReplacedFile?
    private var report: ReplacedFile?
    private let expectations: [Expectation]

    /// Opens the files, so that a bad path fails before the simulation starts.
    init(_ options: Options, expectations: [Expectation], shard: Shard? = nil) throws(CommandFailure) {
        let format = options[Format.option]
        let path = options[Self.outputFile]
        let isWhole = shard == nil
        guard isWhole || (!options.has(Self.report) && expectations.isEmpty && format != .csv && !Self.isCSV(path))
        else {
            throw CommandFailure(
                .usage, "a shard writes JSON only; use --report, --expect and CSV with juicestand merge")
        }
        let file = try Self.open(path)
        let report = try Self.open(options[Self.report])
        self.format = format
        isVerbose = options[Self.verbose]
        self.path = path
        self.file = file
        self.report = report
        self.expectations = expectations
    }

    private static func isCSV(_ path: String?) -> Bool { path?.hasSuffix(".csv") ?? false }

    /// - Returns: nil without a path.
    static func open(_ path: String?) throws(CommandFailure) -> ReplacedFile? {
        guard let path else { return nil }
        try refuseInput(path)
        try claim(path)
        do { return try ReplacedFile(path) } catch { throw CommandFailure(.cannotCreate, error) }
    }

    /// - Throws: ``CommandFailure`` if another output of this command is the same file.
    static func claim(_ path: String) throws(CommandFailure) {
        guard !DiskFile.claimOutput(path) else { return }
        throw CommandFailure(.cannotCreate, "\(path): is another output of this command, too; write to two files")
    }

    /// Writes the result to all outputs and returns the exit status.
    consuming func finish(
        _ result: SimulationResult, _ precisions: [Precision], _ output: Output
    ) throws(CommandFailure) -> ExitStatus {
        let told = result.report(expectations, precisions)
        let verdicts = told.verdicts
        // Lazy, because text shows no JSON, and making it takes longer than a short run.
        lazy var json = result.json().pretty() + "\n"
        let isCSV = Self.isCSV(path)
        try Self.write(&file, isCSV ? result.csv().visibleLines : json)
        try Self.write(&report, told.html())
        if result.shard != nil {
            // A shard is printed as JSON in every format, for `merge`.
            if let path, format == .text {
                output.print("\(summary(of: result)): \(path)\n")
            } else {
                output.print(json)
            }
        } else {
            switch format {
            case .text: output.print(told, isVerbose: isVerbose)
            case .json: output.print(json)
            case .csv: output.print(result.csv())
            }
        }
        if format != .text || result.shard != nil {
            for note in result.faults + result.notes { output.warn(note) }
            for verdict in verdicts where !verdict.isMet { output.warn(verdict.message) }
        } else if case let failed = verdicts.count(where: { !$0.isMet }), failed > 0 {
            // The text names them at its top, which may have scrolled away or gone to a file.
            output.warn(
                "\(failed) of \(Columns.counted(verdicts.count, "expectation")) failed, marked with ✗ at the top")
        }
        if result.isPartial { return .interrupted }
        return verdicts.allSatisfy(\.isMet) && result.faults.isEmpty ? .done : .failed
    }

    private func summary(of result: SimulationResult) -> String {
        let done = Columns.grouped(result.runs.reduce(0) { $0 + $1.outcomes.count })
        let all = Columns.counted(result.runs.count * result.replications, "replication")
        let shard = result.shard.map { "\($0)" } ?? ""
        return "shard \(shard), \(done) of \(all)" + (result.isPartial ? ", interrupted: partial, run it again" : "")
    }

    /// - Throws: ``CommandFailure`` if the command has read the file of an output.
    static func refuseInput(_ path: String) throws(CommandFailure) {
        guard DiskFile.isInput(path) else { return }
        throw CommandFailure(.cannotCreate, "\(path): is an input of this command; write to another file")
    }

    /// - Parameter text: Made only if there is a file.
    static func write(_ file: inout ReplacedFile?, _ text: @autoclosure () -> String) throws(CommandFailure) {
        guard let path = file?.path else { return }
        // Some inputs are read after the outputs were opened.
        try refuseInput(path)
        do { try file?.finish(text()) } catch { throw CommandFailure(.inputOutput, error) }
    }
}
