import JuiceStand
import StandState
import TextFormats

/// `juicestand verify FILE…`: audits a ledger.
enum VerifyCommand {
    private static let state = Option(
        "--state", "DIR", .text, "also replays the journal of this state directory and compares the bytes")
    static let command = Command("verify", [state, Format.option], run: run)

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        let format = options[Format.option]
        guard !options.operands.isEmpty else { throw CommandFailure(.usage, "verify needs at least one FILE") }
        var audit = LedgerAudit()
        for file in options.operands {
            do { try audit.read(file: file) } catch { throw CommandFailure(.noInput, error) }
        }
        let finding = audit.finding
        guard finding.events > 0 else {
            var problem =
                finding.problems.first
                ?? TextProblem(place: Place(source: options.operands[0]), message: "has no events")
            problem.message = "\(problem.message) (is this a ledger?)"
            throw CommandFailure(.badInput, [problem])
        }
        let stateAudit = try options[state].map { folder throws(CommandFailure) in
            do throws(StateError) { return try StateAudit(folder: folder, files: options.operands) } catch {
                throw CommandFailure(reading: error)
            }
        }
        switch format {
        case .json: output.print(json(finding, stateAudit).pretty() + "\n")
        case .text: output.print(text(finding, to: audit.lastTime) + (stateAudit.map(text) ?? ""))
        }
        return finding.problemCount == 0 && stateAudit?.difference == nil ? .done : .failed
    }

    private static func text(_ audit: StateAudit) -> String {
        let note = audit.began.map {
            "! the stand's ledger began with line \($0), which is in none of these files\n"
        }
        let lines = Int(clamping: audit.lines)
        let changes = Int(clamping: audit.changes)
        let verdict: String =
            if let difference = audit.difference {
                "✗ the replayed journal differs: \(difference)"
            } else {
                "✓ the replayed journal agrees: \(Columns.counted(lines, "line")) from event \(audit.first) on, "
                    + "\(Columns.counted(changes, "change")) by command"
            }
        return (note ?? "") + verdict + "\n"
    }

    private static func text(_ finding: LedgerAudit.Finding, to end: String) -> String {
        var lines = finding.problems.map(\.description)
        let more = finding.problemCount - finding.problems.count
        if more > 0 { lines.append("and \(Columns.grouped(more)) more") }
        let verdict: String =
            finding.problemCount == 0 ? "✓ everything adds up" : "✗ \(Columns.counted(finding.problemCount, "problem"))"
        let state = finding.isClosed ? "closed" : "still open"
        let counts = [finding.served, finding.lost, finding.present].map(Columns.grouped)
        lines.append(
            "\(verdict): \(Columns.counted(finding.events, "event")), \(Columns.counted(finding.orders, "order")) "
                + "(\(counts[0]) served, \(counts[1]) lost, \(counts[2]) present), to \(end), \(state)")
        return lines.map { $0 + "\n" }.joined()
    }

    private static func json(_ finding: LedgerAudit.Finding, _ audit: StateAudit?) -> JSONValue {
        [
            "schema": "juicestand.audit/1", "passed": .bool(finding.problemCount == 0 && audit?.difference == nil),
            "events": .whole(finding.events), "orders": .whole(finding.orders), "served": .whole(finding.served),
            "lost": .whole(finding.lost), "present": .whole(finding.present), "closed": .bool(finding.isClosed),
            "problems": .strings(finding.problems.map(\.description)), "state": audit.map(json) ?? .null,
        ]
    }

    private static func json(_ audit: StateAudit) -> JSONValue {
        [
            "first": .whole(audit.first), "lines": .whole(audit.lines), "changes": .whole(audit.changes),
            "began": audit.began.map { .whole($0) } ?? .null, "difference": .orNull(audit.difference),
        ]
    }
}
