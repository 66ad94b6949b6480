import JuiceStand
import Platform
import StandService
import StandState
import TextFormats

/// `juicestand repair DIR`: repairs a damaged state directory.
enum RepairCommand: Command {
    static let name = "repair"
    static let summary = "repairs a damaged state directory and keeps the original"
    static let operands = "DIR"
    static let discussion = """
        `juicestand run` repairs a journal with a truncated end by itself. Use this command for damage inside a file.
        The damaged record and all later changes are dropped, because each change depends on the ones before it. The
        output counts them. The original directory is copied first. If the ledger continues past the damage, start a
        new ledger file.
        """
    static let options: [any CommandOption] = []
    static let examples = [Example("juicestand repair /var/lib/juicestand", "after disk damage")]

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
