/// Reads the records of a CSV file (RFC 4180, with a header line) or of JSON Lines.
///
/// A text whose first byte after white space is `{` is JSON Lines. Fields of CSV are separated by commas, semicolons,
/// tabs or vertical bars: by what makes the most columns. A line such as `sep=;` names the separator. Lines of a title
/// may stand above the header.
///
/// The text is read piece by piece, once, with memory for one piece and one record.
package struct DelimitedReader {
    let source: String
    /// The names of the columns: the header of CSV, or the keys of the first objects of JSON Lines. Empty if that line
    /// is missing or faulty.
    package let names: [String]
    /// The first records with the texts of all columns, without faulty and empty ones.
    package let sample: [[String]]
    package let isJSONLines: Bool
    /// The bytes in which the columns are found.
    package let beginning: [UInt8]
    var scanner: RecordScanner
    /// The names of the wanted columns.
    private(set) var columns: [String] = []
    private(set) var keys: [[UInt8]] = []
    /// The positions of the wanted columns in the header.
    private var indices: [Int] = []
    /// The number of fields of the header.
    private var width = 0
    private let recordsBefore: Int

    /// - Parameters:
    ///   - source: The file name in the places of problems.
    ///   - held: The number of bytes at the beginning in which the columns are found.
    ///   - pieces: Gives the next piece of the text, in UTF-8; an empty piece is the end. The text may begin with a
    ///     byte order mark.
    package init(source: String, held: Int = 1 << 18, pieces: @escaping () -> [UInt8]) {
        self.source = source
        var text = PiecedText(pieces)
        while !text.isAtEnd, text.bytes.count < held || !Self.hasLine(text.bytes) { text.readOn(dropping: 0) }
        beginning = text.bytes
        let start = beginning.starts(with: ASCII.byteOrderMark) ? ASCII.byteOrderMark.count : 0
        isJSONLines = beginning[start...].first { $0 > ASCII.space } == ASCII.openBrace
        if isJSONLines {
            (names, sample) = Self.objects(in: beginning[start...])
            recordsBefore = 0
            scanner = RecordScanner(text, from: start)
        } else {
            let layout = CSVLayout(of: text.wholeLines, from: start)
            names = layout.names
            sample = layout.sample
            recordsBefore = layout.recordsBefore
            scanner = RecordScanner(text, from: start, separator: layout.separator)
        }
    }

    /// Whether `bytes` have the end of a line that is not blank.
    private static func hasLine(_ bytes: [UInt8]) -> Bool {
        let start = bytes.firstIndex { $0 > ASCII.space && !ASCII.byteOrderMark.contains($0) } ?? bytes.endIndex
        return bytes[start...].contains { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }
    }

    /// Chooses the fields of the records, and reads the header of CSV. Called once, before the first record.
    ///
    /// - Throws: `TextProblem` if the header is faulty, or if a wanted column is missing or occurs twice.
    package mutating func select(_ columns: [String]) throws(TextProblem) {
        self.columns = columns
        keys = columns.map { Array($0.utf8) }
        if isJSONLines { return }
        for _ in 0..<recordsBefore { _ = scanner.nextRecord() }
        let hasHeader = scanner.nextRecord()
        let place = Place(source: source, line: hasHeader ? scanner.line : 1, column: 1)
        guard hasHeader else { throw TextProblem(place: place, message: "expected a header line, found no text") }
        if let fault = scanner.fault { throw problem(fault, place) }
        width = scanner.fields.count
        for column in columns {
            let found = names.indices.filter { names[$0] == column }
            guard found.count == 1 else {
                let known = names.prefix(20).map(\.inQuotes).joined(separator: ", ")
                let hint = nearest(column, among: names).map { "did you mean \($0.inQuotes)?" } ?? "found \(known)"
                let message: String =
                    found.isEmpty
                    ? "expected a column \(column.inQuotes); \(hint)"
                    : "expected one column \(column.inQuotes), found \(found.count)"
                throw TextProblem(place: place, message: message)
            }
            indices.append(found[0])
        }
    }

    /// Reads the next record, with its fields in the order of the wanted columns.
    ///
    /// - Returns: False at the end of the text.
    /// - Throws: `TextProblem` for a faulty record. The next call goes on after it.
    /// - Complexity: Linear in the number of bytes.
    package mutating func next(_ record: inout DelimitedRecord) throws(TextProblem) -> Bool {
        guard !isJSONLines else { return try nextObject(&record) }
        guard scanner.nextRecord() else { return false }
        record.place.line = scanner.line
        record.bytes = scanner.bytes
        record.start = scanner.start
        if let fault = scanner.fault { throw problem(fault, record.place) }
        let fields = scanner.fields
        record.isEmpty = fields.allSatisfy { $0.start == $0.end }
        // Some programs end each line with a separator.
        guard
            fields.count == width || record.isEmpty
                || fields.count > width && fields[width...].allSatisfy({ $0.start == $0.end })
        else {
            throw TextProblem(
                place: record.place, message: "expected \(width) fields as in the header, found \(fields.count)")
        }
        record.fields.removeAll(keepingCapacity: true)
        for index in indices { record.fields.append(index < fields.count ? fields[index] : nil) }
        return true
    }

    private func problem(_ fault: (message: String, position: Int), _ place: Place) -> TextProblem {
        var record = DelimitedRecord(source: source)
        record.place = place
        record.bytes = scanner.bytes
        record.start = scanner.start
        return TextProblem(place: record.place(at: fault.position), message: fault.message)
    }
}
