/// One record of a ``DelimitedReader``, with the wanted fields in the wanted order.
package struct DelimitedRecord {
    /// The start of the record.
    package internal(set) var place: Place
    /// Whether all fields of the record are empty, also those of columns that are not wanted.
    package internal(set) var isEmpty = false

    /// The position of a field in ``bytes``, without its quotes.
    struct Field {
        var start: Int
        var end: Int
        /// Whether each quote in it is written twice.
        var hasDoubledQuotes = false
    }

    /// The wanted fields. A field is nil if a record of JSON Lines lacks the key, or has null.
    var fields: [Field?] = []
    /// The bytes that hold the record, from ``start`` on.
    var bytes: [UInt8] = []
    var start = 0
    /// The columns in which the fields begin, if ``bytes`` hold only the texts of the fields.
    var columns: [Int]?

    package init(source: String) { place = Place(source: source, line: 0, column: 1) }

    /// The wanted column with this index in UTF-8, without white space around it; empty if the record lacks that field.
    /// Bytes that are not UTF-8 are read as Latin-1, in which every byte is one character.
    package func bytes(_ index: Int) -> ArraySlice<UInt8> {
        let text = raw(index).trimmed
        let isASCII = !text.contains { $0 >= 0x80 }
        return isASCII || String(validating: text, as: UTF8.self) != nil ? text : Array(Self.text(text).utf8)[...]
    }

    /// The text of the wanted column with this index, untrimmed; nil if the record lacks that field.
    package subscript(index: Int) -> String? { fields[index] == nil ? nil : Self.text(raw(index)) }

    private func raw(_ index: Int) -> ArraySlice<UInt8> { fields[index].map { Self.text(of: $0, in: bytes) } ?? [] }

    /// The bytes of a field of CSV. A doubled quote becomes a single one.
    static func text(of field: Field, in bytes: [UInt8]) -> ArraySlice<UInt8> {
        let text = bytes[field.start..<field.end]
        guard field.hasDoubledQuotes else { return text }
        var isSecond = false
        return text.filter { byte in
            isSecond = byte == ASCII.quote && !isSecond
            return byte != ASCII.quote || isSecond
        }[...]
    }

    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// The start of the wanted column with this index; the record's own place if it lacks that field.
    ///
    /// - Complexity: Linear in the length of the record.
    package func place(of index: Int) -> Place {
        guard let first = fields[index]?.start else { return place }
        if let columns {
            var place = place
            place.column += columns[index]
            return place
        }
        return self.place(at: first > start && bytes[first - 1] == ASCII.quote ? first - 1 : first)
    }

    /// The place of a byte of the record.
    func place(at position: Int) -> Place {
        var place = place
        let lines = Self.text(bytes[start..<position]).split(omittingEmptySubsequences: false) {
            $0 == "\n" || $0 == "\r\n" || $0 == "\r"
        }
        place.line += lines.count - 1
        place.column += lines.last?.unicodeScalars.count ?? 0
        return place
    }
}
