import JuiceStand
import Platform
import StandExperiments

/// `juicestand merge FILE…`: merges the results of simulation shards into one result.
enum MergeCommand {
    static let command = Command("merge", ResultOptions.all + [StandOptions.expect], run: run)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard !options.operands.isEmpty else { throw CommandFailure(.usage, "merge needs at least one FILE") }
        let expectations = options[StandOptions.expect]
        var files: [(name: String, bytes: [UInt8])] = []
        for name in options.operands {
            do { files.append((name, try readFile(name))) } catch { throw CommandFailure(.noInput, error) }
        }
        let result: SimulationResult
        do { result = try SimulationResult.merge(files) } catch {
            throw CommandFailure(.badInput, error.problems)
        }
        try StandOptions.check(expectations, among: result.commonNames)
        let results = try ResultOptions(options, expectations: expectations)
        return try results.finish(result, [], output)
    }
}
