import EmbeddedFiles
import StandClient
import TextFormats

/// The text about a command that its declaration does not have.
///
/// `commands.txt` has the pages of all commands, two blank lines apart. A page begins with usage and summary; its
/// examples are pairs of lines, of which the first begins with `#`.
struct HelpPage {
    /// The name of the command and its operands, such as `order JUICE [CUPS]`.
    let usage: String
    /// One line for the list of commands.
    let summary: String
    /// Paragraphs between the usage line and the options.
    let discussion: String
    /// Complete command lines that work.
    let examples: [(purpose: String, line: String)]

    private static let pages = EmbeddedFile("commands.txt").text.split(separator: "\n\n\n")

    init(_ command: String) {
        guard let page = Self.pages.first(where: { $0.prefix { $0 != " " && $0 != ":" } == command }) else {
            preconditionFailure("commands.txt has no page \(command)")
        }
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let head = lines[0].split(separator: ": ", maxSplits: 1)
        let body = lines.dropFirst().prefix { !$0.hasPrefix("# ") }
        let rest = lines.dropFirst(1 + body.count)
        usage = String(head[0])
        summary = String(head[1])
        discussion = body.joined(separator: "\n").trimmed.replacing("{groups of events}", with: Self.groupsOfEvents)
        examples = zip(rest, rest.dropFirst()).filter { $0.0.hasPrefix("# ") }.map { purpose, line in
            (String(purpose.dropFirst(2)), String(line))
        }
    }

    /// The operands as the usage line shows them, such as `JUICE [CUPS]`; empty if the command takes none.
    var operands: String { String(usage.drop { $0 != " " }.dropFirst()) }

    private static var groupsOfEvents: String {
        LedgerEvent.groups.map { "  \(Columns.left($0, 9))\($1.joined(separator: ", "))" }.joined(separator: "\n")
    }
}
