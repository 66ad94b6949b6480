import JuiceStand
import Platform
import StandExperiments
import TextFormats

/// `juicestand diff A.json B.json`: whether two results of `simulate` differ by more than chance.
enum DiffCommand {
    private static let confidence = Option(
        "--confidence", "P%", .confidence, default: "95%", "of all metrics together")
    static let command = Command(
        "diff", [confidence, Format.option, ResultOptions.report, ResultOptions.verbose], run: run)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard options.operands.count == 2 else {
            throw CommandFailure(.usage, "diff needs two files, A.json and B.json, found \(options.found)")
        }
        let format = options[Format.option]
        var report = try ResultOptions.open(options[ResultOptions.report])
        let results = try readAtOnce(options.operands)
        let difference: ResultDifference
        do { difference = try ResultDifference(results[0], results[1], confidence: options[confidence]) } catch {
            throw CommandFailure(.badInput, error.problems)
        }
        try ResultOptions.write(&report, difference.report().html())
        switch format {
        case .text: output.print(difference.report(), isVerbose: options[ResultOptions.verbose])
        case .json:
            output.print(difference.json().pretty() + "\n")
            for note in difference.notes { output.warn(note) }
        }
        return difference.differs ? .failed : .done
    }

    /// Reads the files in parallel, because reading takes most of the time. If several can't be used, the error names
    /// the first.
    private static func readAtOnce(_ names: [String]) throws(CommandFailure) -> [SimulationResult] {
        let results = inParallel(names.count, jobs: names.count) { place in
            Result { () throws(CommandFailure) in try read(names[place]) }
        }
        var found: [SimulationResult] = []
        for result in results { found.append(try result!.get()) }
        return found
    }

    private static func read(_ name: String) throws(CommandFailure) -> SimulationResult {
        let bytes: [UInt8]
        do { bytes = try readFile(name) } catch { throw CommandFailure(.noInput, error) }
        do { return try SimulationResult(bytes, source: name) } catch {
            throw CommandFailure(.badInput, error.problems)
        }
    }
}
