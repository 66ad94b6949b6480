import JuiceStand
import Platform
import StandService
import StandState
import TextFormats

/// `juicestand repair DIR`: mends a damaged state directory.
enum RepairCommand: Command {
    static let name = "repair"
    static let summary = "mends a damaged state directory, keeping the original"
    static let operands = "DIR"
    static let discussion = """
        A state whose end is cut is mended by `juicestand run` itself. This is for damage inside: what is behind it is
        left out and counted, since each change builds on those before it. The original is copied beside the folder
        before anything is changed. Where the ledger goes on behind the damage, begin a new ledger file.
        """
    static let options: [Option] = []
    static let examples = [Example("juicestand repair /var/lib/juicestand", "a disk has lost some bytes")]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard let folder = options.operands.first, options.operands.count == 1 else {
            throw CommandFailure(.usage, "repair needs one DIR, the folder that --state names, found \(options.found)")
        }
        let repair: StateRepair
        do { repair = try StateRepair(folder) } catch { throw CommandFailure(reading: error) }
        guard let original = repair.original else {
            output.print("\(folder): nothing to mend\n")
            return .done
        }
        for step in repair.steps { output.print("\(step)\n") }
        output.print(
            "\(folder): mended; what is damaged is left out, and \(Columns.counted(repair.changesLost, "whole change")) behind it; the original is in \(original)\n"
        )
        return .done
    }
}
