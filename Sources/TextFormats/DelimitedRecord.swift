/// One record of a ``DelimitedReader``: the fields asked for, in the order asked for.
package struct DelimitedRecord {
    /// The texts of the fields, nothing trimmed; nil where a record of JSON Lines has no such key or `null`.
    package internal(set) var fields: [String?] = []
    /// Where the record begins.
    package internal(set) var place: Place

    /// Where each field begins, as far from the record's beginning as `bytes` tells, or else in its line.
    var starts: [Int] = []
    /// The CSV file and where the record begins in it; nil for JSON Lines.
    var origin: (bytes: [UInt8], start: Int)?

    /// The text of the field of the wanted column with this index.
    package subscript(index: Int) -> String? { fields[index] }

    /// Where the field of the wanted column with this index begins; the record's place if it has no such field.
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
            } else if byte & 0xC0 != 0x80 {  // Not the continuation of a scalar.
                place.column += 1
            }
        }
        return place
    }
}
