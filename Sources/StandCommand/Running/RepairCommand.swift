import StandState
import TextFormats

/// `juicestand repair DIR`: repairs a damaged state directory.
enum RepairCommand {
    static let command = Command("repair", run: run)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard let folder = options.operands.first, options.operands.count == 1 else {
            throw CommandFailure(.usage, "repair needs one DIR, the directory given to --state, found \(options.found)")
        }
        let repair: StateRepair
        do { repair = try StateRepair(folder) } catch { throw CommandFailure(reading: error) }
        guard let original = repair.original else {
            output.print("\(folder): nothing to repair\n")
            return .done
        }
        for step in repair.steps { output.print("\(step)\n") }
        output.print(
            "\(folder): repaired; dropped the damaged record and "
                + "\(Columns.counted(repair.changesLost, "later change")); the original is in \(original)\n")
        return .done
    }
}
