import JuiceStand
import Platform
import StandExperiments

/// `juicestand merge FILE…`: merges the results of simulation shards into one result.
enum MergeCommand: Command {
    static let name = "merge"
    static let summary = "merges the results of simulation shards, or of the stands of a chain"
    static let operands = "FILE…"
    static let discussion = """
        The files come from `simulate --shard I/N --output FILE`, in any order. The merged result equals that of an
        unsharded run, byte for byte. A missing shard, a duplicate or a shard of another experiment is named, and the
        exit status is 65.
        """
    static let options = ResultOptions.all + [StandOptions.expect]
    static let examples = [
        Example("juicestand merge part*.json --format json", "the same result as on one machine"),
        Example(
            "juicestand merge part*.json --report makers.html --expect 'fillRate>0.9'", "with plots and a threshold"),
    ]

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
        try StandOptions.check(expectations.map(\.metric), option: "--expect", among: result.commonNames)
        let results = try ResultOptions(options, expectations: expectations)
        return try results.finish(result, [], output)
    }
}
