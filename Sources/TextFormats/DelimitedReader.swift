/// Reads the records of a CSV file (RFC 4180, with a header line) or of JSON Lines.
///
/// A text whose first byte after white space is `{` is JSON Lines. Fields of CSV are separated by commas, semicolons,
/// tabs or vertical bars: by what makes the most columns. A line such as `sep=;` names the separator. Lines of a title
/// may stand above the header.
package struct DelimitedReader {
    /// Reading stops after this many problems unless the caller says otherwise.
    package static let mostProblems = 50
    let source: String
    /// The names of the columns: the header of CSV, or the keys of the first objects of JSON Lines. None if the text
    /// has no such line, or a faulty one.
    package let names: [String]
    package let isJSONLines: Bool
    /// The text with at least its beginning held, and the position after its byte order mark.
    let text: PiecedText
    let start: Int
    let layout: CSVLayout

    /// - Parameters:
    ///   - source: The file name in the places of problems.
    ///   - held: The columns are found in so many bytes, or in the whole text if it is shorter.
    ///   - pieces: Gives the text piece by piece, in UTF-8; an empty piece is its end. It may begin with a byte order
    ///     mark.
    package init(source: String, held: Int = 1 << 18, pieces: @escaping () -> [UInt8]) {
        self.source = source
        var text = PiecedText(pieces)
        while !text.isAtEnd, text.bytes.count < held || !Self.hasLine(text.bytes) { text.readOn(dropping: 0) }
        start = text.bytes.starts(with: ASCII.byteOrderMark) ? ASCII.byteOrderMark.count : 0
        isJSONLines = text.bytes[start...].first { $0 > ASCII.space } == ASCII.openBrace
        self.text = text
        if isJSONLines {
            layout = CSVLayout()
            names = Self.keys(of: text.bytes[start...], source)
        } else {
            layout = CSVLayout(of: text, from: start)
            names = layout.names
        }
    }

    /// Reads a text that is in memory.
    package init(_ bytes: [UInt8], source: String) {
        var rest = bytes
        self.init(source: source) {
            defer { rest = [] }
            return rest
        }
    }

    /// Whether a line that is not blank ends in `bytes`.
    private static func hasLine(_ bytes: [UInt8]) -> Bool {
        let start = bytes.firstIndex { $0 > ASCII.space && !ASCII.byteOrderMark.contains($0) } ?? bytes.endIndex
        return bytes[start...].contains { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }
    }

    /// The bytes in which the columns are found.
    package var beginning: [UInt8] { text.bytes }

    /// A reader of the whole records of ``beginning`` alone.
    package var sample: DelimitedReader {
        var bytes = text.bytes
        if !text.isAtEnd, let end = bytes.lastIndex(of: ASCII.lineFeed) { bytes.removeSubrange(end...) }
        return DelimitedReader(bytes, source: source)
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
        if isJSONLines {
            readJSONLines(columns, body, report)
        } else {
            readCSV(columns, body, report)
        }
    }
}
