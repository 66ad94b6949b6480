/// The separator and the header of a CSV file, found in its beginning.
struct CSVLayout {
    private(set) var separator = ASCII.comma
    /// The records before the header: lines of a title, or one that names the separator.
    private(set) var recordsBefore = 0
    private(set) var names: [String] = []

    private static let separators = [ASCII.comma, UInt8(ascii: ";"), ASCII.tab, UInt8(ascii: "|")]
    private static let mostRows = 60
    private static let mostTitles = 30

    init() {}

    /// - Parameter start: The position after a byte order mark.
    init(of text: PiecedText, from start: Int) {
        var held = text.bytes
        if !text.isAtEnd, let end = held.lastIndex(of: ASCII.lineFeed) { held.removeSubrange(end...) }
        let named = Self.namedSeparator(held[start...].prefix(8))
        var best = (hasHeader: false, weight: -1)
        // The first of equal ones, so that a header of one column has commas.
        for separator in named.map({ [$0] }) ?? Self.separators {
            let rows = Self.rows(of: PiecedText(held), from: start, separator)
            let first = named == nil ? 0 : 1
            let width = Self.usualWidth(rows.dropFirst(first))
            let header = rows.indices.dropFirst(first).prefix(Self.mostTitles).first {
                rows[$0].count == width && width > 1 && Self.isHeader(rows[$0])
            }
            let found = (hasHeader: header != nil, weight: rows.count { $0.count == width } * max(width - 1, 0))
            guard found.hasHeader == best.hasHeader ? found.weight > best.weight : found.hasHeader else { continue }
            best = found
            self.separator = separator
            recordsBefore = header ?? min(first, max(rows.count - 1, 0))
            names = rows.isEmpty ? [] : rows[recordsBefore]
        }
    }

    /// The texts of the first records; none of a faulty one.
    private static func rows(of text: PiecedText, from start: Int, _ separator: UInt8) -> [[String]] {
        var scanner = CSVScanner(text, from: start, separator: separator)
        var rows: [[String]] = []
        while rows.count < mostRows, scanner.next() {
            let fields = scanner.fault == nil ? scanner.fields : []
            rows.append(fields.map { DelimitedRecord.text(scanner.bytes(of: $0)) })
        }
        return rows
    }

    /// The separator of a first line such as `sep=;`, which spreadsheets write.
    private static func namedSeparator(_ line: ArraySlice<UInt8>) -> UInt8? {
        let text = line.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }.filter { $0 != ASCII.quote }
        guard text.starts(with: Array("sep=".utf8)), text.count > 4, separators.contains(text[4]) else { return nil }
        return text[4]
    }

    /// The number of fields that most rows have; the larger of equally frequent ones.
    private static func usualWidth(_ rows: ArraySlice<[String]>) -> Int {
        var counts: [Int: Int] = [:]
        for row in rows { counts[row.count, default: 0] += 1 }
        return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
    }

    /// Whether a row can be a header: most fields are filled, and none is a number or a date.
    private static func isHeader(_ row: [String]) -> Bool {
        let filled = row.filter { $0.contains { !$0.isWhitespace } }
        return filled.count > 1 && filled.count * 2 > row.count
            && filled.allSatisfy { $0.contains { $0.isLetter || $0 == "#" } && TimeFormat(guessedFrom: $0) == nil }
    }
}
