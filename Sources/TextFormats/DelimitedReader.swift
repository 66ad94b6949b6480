/// Reads the records of a CSV file (RFC 4180, with a header line) or of JSON Lines.
///
/// A text whose first byte after white space is `{` is JSON Lines. Fields of CSV are separated by commas, semicolons,
/// tabs or vertical bars: by what the header contains most often.
package struct DelimitedReader {
    /// Reading stops after this many problems unless the caller says otherwise.
    package static let mostProblems = 50

    let source: String
    /// Whether a field of CSV that is not UTF-8 is read as Latin-1. Otherwise it is a problem.
    let acceptsLatin1: Bool
    private let pieces: () -> [UInt8]

    /// - Parameters:
    ///   - source: The file name in the places of problems.
    ///   - acceptsLatin1: Whether a field of CSV that is not UTF-8 is read as Latin-1.
    ///   - pieces: Gives the text piece by piece, in UTF-8; an empty piece is its end. It may begin with a byte order
    ///     mark.
    package init(source: String, acceptsLatin1: Bool = false, pieces: @escaping () -> [UInt8]) {
        self.source = source
        self.acceptsLatin1 = acceptsLatin1
        self.pieces = pieces
    }

    /// Reads a text that is in memory.
    package init(_ bytes: [UInt8], source: String, acceptsLatin1: Bool = false) {
        var rest = bytes
        self.init(source: source, acceptsLatin1: acceptsLatin1) {
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
    ///   - most: Reading stops after this many problems.
    ///   - body: Called for each record, with its fields in the order of `columns`. The problems it throws are
    ///     reported.
    /// - Returns: Up to `most` problems in the order of the file.
    /// - Complexity: Linear in the number of bytes, with memory for one piece and one record at a time.
    package func forEachRecord(
        of columns: [String], most: Int = mostProblems, _ body: (DelimitedRecord) throws(TextProblem) -> Void
    ) -> [TextProblem] {
        var problems: [TextProblem] = []
        forEachRecord(of: columns, body) { problem in
            problems.append(problem)
            return problems.count < most
        }
        return problems
    }

    /// Reads all records in the order of the text, as ``forEachRecord(of:most:_:)``.
    ///
    /// - Parameter report: Called for each problem. Reading stops if it returns false.
    package func forEachRecord(
        of columns: [String], _ body: (DelimitedRecord) throws(TextProblem) -> Void, report: (TextProblem) -> Bool
    ) {
        let (text, start, isJSONLines) = begin()
        if isJSONLines {
            readJSONLines(text, from: start, columns, body, report)
        } else {
            readCSV(text, from: start, columns, body, report)
        }
    }

    /// The names of the columns: the header of CSV, or the keys of the first object of JSON Lines. None if there is no
    /// such line. The text can be read once.
    package func readColumns() -> (names: [String], isJSONLines: Bool) {
        let (text, start, isJSONLines) = begin()
        return (isJSONLines ? keysOfFirstObject(text) : namesInHeader(text, from: start), isJSONLines)
    }

    /// The text, the position after its byte order mark, and whether it is JSON Lines.
    private func begin() -> (text: PiecedText, start: Int, isJSONLines: Bool) {
        var text = PiecedText(pieces)
        let mark = ASCII.byteOrderMark
        while text.bytes.count < mark.count, !text.isAtEnd { text.readOn(dropping: 0) }
        let start = text.bytes.starts(with: mark) ? mark.count : 0
        let blanks = [ASCII.space, ASCII.tab, ASCII.carriageReturn, ASCII.lineFeed]
        // The first line decides about the separator, so it must be held as a whole.
        while !text.isAtEnd, Self.endOfFirstLine(text.bytes[start...]) == nil { text.readOn(dropping: 0) }
        return (text, start, text.bytes[start...].first { !blanks.contains($0) } == ASCII.openBrace)
    }
}
