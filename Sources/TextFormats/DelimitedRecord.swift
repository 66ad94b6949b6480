/// One record of a ``DelimitedReader``, with the wanted fields in the wanted order.
package struct DelimitedRecord {
    /// The texts of the fields, untrimmed; nil if a record of JSON Lines lacks the key or has `null`.
    package internal(set) var fields: [String?] = []
    /// The start of the record.
    package internal(set) var place: Place

    /// The start of each field: its position in the CSV file, or its column in the line of JSON Lines.
    var starts: [Int] = []
    /// The CSV file and the record's position in it; nil for JSON Lines.
    var origin: (bytes: [UInt8], start: Int)?

    /// The text of the wanted column with this index.
    package subscript(index: Int) -> String? { fields[index] }

    /// The start of the wanted column with this index; the record's own place if it lacks that field.
    ///
    /// - Complexity: Linear in the length of the record.
    package func place(of index: Int) -> Place {
        var place = place
        guard let (bytes, start) = origin else {
            place.column += starts[index]
            return place
        }
        let end = starts[index]
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
