/// Reads the records of a CSV file (RFC 4180, with a header line) or of JSON Lines.
///
/// A text whose first byte after white space is `{` is JSON Lines.
package struct DelimitedReader {
    /// Reading stops after this many problems.
    package static let mostProblems = 50

    let source: String
    private let pieces: () -> [UInt8]

    /// - Parameters:
    ///   - source: The file name in the places of problems.
    ///   - pieces: Gives the text piece by piece, in UTF-8; an empty piece is its end. It may begin with a byte order mark.
    package init(source: String, pieces: @escaping () -> [UInt8]) {
        self.source = source
        self.pieces = pieces
    }

    /// Reads a text that is in memory.
    package init(_ bytes: [UInt8], source: String) {
        var rest = bytes
        self.init(source: source) {
            defer { rest = [] }
            return rest
        }
    }

    /// Reads all records in the order of the text. It can be read once.
    ///
    /// A faulty record is reported and skipped. If a wanted column is missing in the header, no record is read.
    ///
    /// - Parameters:
    ///   - columns: The wanted columns: names in the header of CSV, or keys of JSON Lines.
    ///   - body: Called for each record, with its fields in the order of `columns`. The problems it throws are reported.
    /// - Returns: Up to ``mostProblems`` problems in the order of the file.
    /// - Complexity: Linear in the number of bytes, with memory for one piece and one record at a time.
    package func forEachRecord(
        of columns: [String], _ body: (DelimitedRecord) throws(TextProblem) -> Void
    ) -> [TextProblem] {
        var problems: [TextProblem] = []
        var text = PiecedText(pieces)
        let mark = ASCII.byteOrderMark
        while text.bytes.count < mark.count, !text.isAtEnd { text.readOn(dropping: 0) }
        let start = text.bytes.starts(with: mark) ? mark.count : 0
        let blanks = [ASCII.space, ASCII.tab, ASCII.carriageReturn, ASCII.lineFeed]
        while !text.isAtEnd, text.bytes[start...].allSatisfy(blanks.contains) { text.readOn(dropping: 0) }
        if text.bytes[start...].first(where: { !blanks.contains($0) }) == ASCII.openBrace {
            readJSONLines(text, from: start, columns, problems: &problems, body)
        } else {
            readCSV(text, from: start, columns, problems: &problems, body)
        }
        return Array(problems.prefix(Self.mostProblems))
    }
}
