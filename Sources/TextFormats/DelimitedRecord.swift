/// One record of a ``DelimitedReader``, with the wanted fields in the wanted order.
package struct DelimitedRecord {
    /// The start of the record.
    package internal(set) var place: Place
    /// Whether all fields of the record are empty, the others than the wanted ones included.
    package internal(set) var isEmpty = false

    /// The bytes of a field.
    struct Field {
        var range: Range<Int>
        /// Whether the bytes stand in `own` because the file writes them otherwise.
        var isOwn = false
        var isNull = false
    }

    /// Nil if a record of JSON Lines lacks the key.
    var fields: [Field?] = []
    /// The part of the file that has the record, and the record's position in it.
    var bytes: [UInt8] = []
    var start = 0
    var own: [UInt8] = []
    /// The columns of the fields if the parser read the record.
    var columns: [Int]?

    init(place: Place) { self.place = place }

    mutating func removeFields() {
        fields.removeAll(keepingCapacity: true)
        own.removeAll(keepingCapacity: true)
        columns = nil
    }

    /// The number of wanted fields.
    package var count: Int { fields.count }

    /// The wanted column with this index in UTF-8, without white space around it; empty if the record lacks that field.
    /// Bytes that are not UTF-8 are read as Latin-1, in which every byte is one character.
    package func bytes(_ index: Int) -> ArraySlice<UInt8> {
        guard let field = fields[index] else { return [] }
        let buffer = field.isOwn ? own : bytes
        var start = field.range.lowerBound
        var end = field.range.upperBound
        while start < end, buffer[start] <= ASCII.space { start += 1 }
        while start < end, buffer[end - 1] <= ASCII.space { end -= 1 }
        let isASCII = !buffer[start..<end].contains { $0 >= 0x80 }
        guard isASCII || String(validating: buffer[start..<end], as: UTF8.self) != nil else {
            return Array(Self.text(buffer[start..<end]).utf8)[...]
        }
        return buffer[start..<end]
    }

    /// The text of the wanted column with this index, untrimmed; nil if the record lacks that field.
    package subscript(index: Int) -> String? {
        guard let field = fields[index], !field.isNull else { return nil }
        return Self.text(field.isOwn ? own[field.range] : bytes[field.range])
    }

    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// The start of the wanted column with this index; the record's own place if it lacks that field.
    ///
    /// - Complexity: Linear in the length of the record.
    package func place(of index: Int) -> Place {
        var place = place
        if let columns {
            place.column += columns[index]
            return place
        }
        guard let field = fields[index], !field.isOwn else { return place }
        let first = field.range.lowerBound
        return self.place(at: first > start && bytes[first - 1] == ASCII.quote ? first - 1 : first)
    }

    /// The place of a byte of the record.
    func place(at end: Int) -> Place {
        var place = place
        for position in start..<end {
            let byte = bytes[position]
            let isCRBeforeLF = byte == ASCII.carriageReturn && bytes[position + 1] == ASCII.lineFeed
            if byte == ASCII.lineFeed || byte == ASCII.carriageReturn && !isCRBeforeLF {
                place.line += 1
                place.column = 1
            } else if byte & 0xC0 != 0x80 {  // Not a continuation byte.
                place.column += 1
            }
        }
        return place
    }
}
