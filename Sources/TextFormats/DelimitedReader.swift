/// Reads the records of a CSV file (RFC 4180, with a header line) or of JSON Lines, one after the other.
///
/// It is JSON Lines when the first byte that is not blank is `{`.
package struct DelimitedReader: Sendable {
    /// Reading ends with this many problems.
    package static let mostProblems = 50

    let bytes: [UInt8]
    let source: String
    /// Where the text begins, after a byte order mark.
    let start: Int
    private let isJSONLines: Bool

    /// - Parameters:
    ///   - bytes: The file in UTF-8; a byte order mark at its start is skipped.
    ///   - source: The name that the places of problems bear.
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
    /// A faulty record is reported and left out; the others are read.
    ///
    /// - Parameters:
    ///   - columns: The names of the columns wanted, in the header of CSV or as keys of JSON Lines.
    ///   - body: Called for each record; what it throws is reported too. The record's fields are in the order of
    ///     `columns`.
    /// - Returns: What is wrong, in the order of the file, at most ``mostProblems``; without a wanted column in the
    ///   header no record is read.
    /// - Complexity: Linear in the number of bytes; memory for one record at a time.
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
