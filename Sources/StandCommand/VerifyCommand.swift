import JuiceStand
import Platform
import StandService
import StandState
import TextFormats
import WiringComparison

/// `juicestand verify FILE…`: audits a ledger.
enum VerifyCommand: Command {
    static let name = "verify"
    static let summary = "audits a ledger: sequence, conservation of every fruit, every order accounted for"
    static let operands = "FILE…"
    static let discussion = """
        Rotated files are given in order; the first may start later than the stand did. Exit status 1 means the
        audit failed.
        """
    static let options = [
        Option("--state", "FOLDER", "also does over again what the state tells of, and compares it to the byte"),
        Format.option,
    ]
    static let examples = [
        Example("juicestand verify day.jsonl", "does everything add up?"),
        Example("juicestand verify day.jsonl.* day.jsonl", "a ledger that was rotated"),
        Example("juicestand verify --state /var/lib/juicestand day.jsonl", "is it what its state says?"),
    ]

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        let format: Format = try options.choice("--format", default: .text)
        guard !options.operands.isEmpty else { throw CommandFailure(.usage, "verify needs at least one FILE") }
        var audit = LedgerAudit()
        for file in options.operands {
            do { try audit.read(file: file) } catch {
                throw CommandFailure(.noInput, "\(error.path): \(error.reason)")
            }
        }
        let finding = audit.finding
        guard finding.events > 0 else {
            let reason =
                finding.problems.first.map { "\($0)" } ?? "\(options.operands[0]): must hold events, found none"
            throw CommandFailure(.badInput, "\(reason) (is it a ledger?)")
        }
        let told = try state(options)
        switch format {
        case .json: output.print(json(finding, told).pretty() + "\n")
        case .text: output.print(text(finding) + (told.map(text) ?? ""))
        }
        return finding.problemCount == 0 && told?.difference == nil ? .done : .failed
    }

    private static func state(_ options: Options) throws(CommandFailure) -> StateAudit? {
        guard let folder = try options.value("--state") else { return nil }
        do { return try StateAudit(folder: folder, files: options.operands) } catch {
            throw CommandFailure(reading: error)
        }
    }

    private static func text(_ audit: StateAudit) -> String {
        if let difference = audit.difference { return "✗ the state tells otherwise: \(difference)\n" }
        return
            "✓ the state tells the same: \(Columns.counted(Int(clamping: audit.lines), "line")) from \(audit.first) on, with "
            + "\(Columns.counted(Int(clamping: audit.changes), "change")) by hand\n"
    }

    private static func text(_ finding: LedgerAudit.Finding) -> String {
        var lines = finding.problems.map(\.description)
        if finding.problemCount > finding.problems.count {
            lines.append("and \(Columns.grouped(finding.problemCount - finding.problems.count)) more")
        }
        let verdict =
            finding.problemCount == 0
            ? "✓ everything adds up"
            : "✗ \(Columns.counted(finding.problemCount, "problem"))"
        lines.append(
            "\(verdict): \(Columns.counted(finding.events, "event")), \(Columns.counted(finding.orders, "order")) "
                + "(\(Columns.grouped(finding.served)) served, \(Columns.grouped(finding.lost)) lost, \(Columns.grouped(finding.present)) present), "
                + "to \(finding.lastTime) s\(finding.isClosed ? ", closed" : ", still open")")
        return lines.map { $0 + "\n" }.joined()
    }

    private static func json(_ finding: LedgerAudit.Finding, _ audit: StateAudit?) -> JSONValue {
        [
            "schema": "juicestand.audit/1",
            "passed": .bool(finding.problemCount == 0 && audit?.difference == nil),
            "events": .integer(Int64(finding.events)), "orders": .integer(Int64(finding.orders)),
            "served": .integer(Int64(finding.served)), "lost": .integer(Int64(finding.lost)),
            "present": .integer(Int64(finding.present)), "closed": .bool(finding.isClosed),
            "problems": .array(finding.problems.map { .string($0.description) }),
            "state": audit.map(json) ?? .null,
        ]
    }

    private static func json(_ audit: StateAudit) -> JSONValue {
        [
            "first": .integer(Int64(clamping: audit.first)), "lines": .integer(Int64(clamping: audit.lines)),
            "changes": .integer(Int64(clamping: audit.changes)),
            "difference": audit.difference.map { .string($0) } ?? .null,
        ]
    }
}
