/// Reads the records of a CSV file (RFC 4180, with a header line) or of JSON Lines.
///
/// A text whose first byte after white space is `{` is JSON Lines.
package struct DelimitedReader: Sendable {
    /// Reading stops after this many problems.
    package static let mostProblems = 50

    let bytes: [UInt8]
    let source: String
    /// The start of the text, after a byte order mark.
    let start: Int
    private let isJSONLines: Bool

    /// - Parameters:
    ///   - bytes: The file in UTF-8. It may begin with a byte order mark.
    ///   - source: The file name in the places of problems.
    package init(_ bytes: [UInt8], source: String) {
        self.bytes = bytes
        self.source = source
        let start = bytes.starts(with: ASCII.byteOrderMark) ? ASCII.byteOrderMark.count : 0
        self.start = start
        let blanks = [ASCII.space, ASCII.tab, ASCII.carriageReturn, ASCII.lineFeed]
        isJSONLines = bytes[start...].first { !blanks.contains($0) } == ASCII.openBrace
    }

    /// Reads all records in the order of the file.
    ///
    /// A faulty record is reported and skipped. If a wanted column is missing in the header, no record is read.
    ///
    /// - Parameters:
    ///   - columns: The wanted columns: names in the header of CSV, or keys of JSON Lines.
    ///   - body: Called for each record, with its fields in the order of `columns`. The problems it throws are reported.
    /// - Returns: Up to ``mostProblems`` problems in the order of the file.
    /// - Complexity: Linear in the number of bytes, with memory for one record at a time.
    package func forEachRecord(
        of columns: [String], _ body: (DelimitedRecord) throws(TextProblem) -> Void
    ) -> [TextProblem] {
        var problems: [TextProblem] = []
        if isJSONLines {
            readJSONLines(columns, problems: &problems, body)
        } else {
            readCSV(columns, problems: &problems, body)
        }
        return Array(problems.prefix(Self.mostProblems))
    }
}
