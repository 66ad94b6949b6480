/// The separator, the header and the first records of a CSV file, found in its beginning.
struct CSVLayout {
    private(set) var separator = ASCII.comma
    /// The number of records before the header: lines of a title, or a line that names the separator.
    private(set) var recordsBefore = 0
    private(set) var names: [String] = []
    /// The first records with the texts of all columns, without faulty and empty ones.
    private(set) var sample: [[String]] = []

    private static let separators = [ASCII.comma, UInt8(ascii: ";"), ASCII.tab, UInt8(ascii: "|")]
    static let mostRows = 1000
    private static let mostTitles = 30

    /// - Parameters:
    ///   - beginning: The first lines of the file.
    ///   - start: The position after a byte order mark.
    init(of beginning: ArraySlice<UInt8>, from start: Int) {
        let named = Self.namedSeparator(DelimitedRecord.text(beginning[start...].prefix(8)))
        let first = named == nil ? 0 : 1
        var best = (hasHeader: false, weight: -1)
        // The first of equally good separators wins, so that a header of one column has commas.
        for separator in named.map({ [$0] }) ?? Self.separators {
            let rows = Self.rows(of: Array(beginning), from: start, separator)
            let width = Self.usualWidth(rows.dropFirst(first))
            let header = rows.indices.dropFirst(first).prefix(Self.mostTitles).first {
                rows[$0].count == width && width > 1 && Self.isHeader(rows[$0])
            }
            let usualRows = rows.count { $0.count == width }
            let found = (hasHeader: header != nil, weight: usualRows * max(width - 1, 0))
            let isBetter = found.hasHeader == best.hasHeader ? found.weight > best.weight : found.hasHeader
            guard isBetter else { continue }
            best = found
            self.separator = separator
            recordsBefore = header ?? min(first, max(rows.count - 1, 0))
            names = rows.isEmpty ? [] : rows[recordsBefore]
            let records = rows.dropFirst(recordsBefore + 1)
            sample = records.filter { record in record.count >= names.count && record.contains { $0 != "" } }
        }
    }

    /// The texts of the first records. A faulty record has no texts.
    private static func rows(of bytes: [UInt8], from start: Int, _ separator: UInt8) -> [[String]] {
        var scanner = RecordScanner(PiecedText(bytes), from: start, separator: separator)
        var rows: [[String]] = []
        while rows.count < mostRows, scanner.nextRecord() {
            let fields = scanner.fault == nil ? scanner.fields : []
            rows.append(fields.map { DelimitedRecord.text(DelimitedRecord.text(of: $0, in: bytes)) })
        }
        return rows
    }

    /// The separator of a first line such as `sep=;`, which spreadsheets write.
    private static func namedSeparator(_ line: String) -> UInt8? {
        let text = line.lowercased().filter { $0 != "\"" }
        guard text.hasPrefix("sep="), let mark = text.utf8.dropFirst(4).first, separators.contains(mark) else {
            return nil
        }
        return mark
    }

    /// The most frequent number of fields in a row; of equally frequent numbers, the largest.
    private static func usualWidth(_ rows: ArraySlice<[String]>) -> Int {
        let counts = Dictionary(grouping: rows, by: \.count).mapValues(\.count)
        return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
    }

    /// Whether a row can be a header: most fields are filled, and none is a number or a date.
    private static func isHeader(_ row: [String]) -> Bool {
        let filled = row.filter { text in text.contains { !$0.isWhitespace } }
        guard filled.count > 1, filled.count * 2 > row.count else { return false }
        return filled.allSatisfy { text in
            text.contains { $0.isLetter || $0 == "#" } && TimeFormat(guessedFrom: text) == nil
        }
    }
}
