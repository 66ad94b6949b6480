import JuiceStand
import TextFormats

/// What a journal's file holds: a header line and records, each line with its checksum.
///
/// A crash may cut the file anywhere, so that it ends within a line: that tail is cut. A line that has its line feed
/// was written whole, so that a wrong checksum is damage, and the change in it may have been acknowledged.
package struct Journal {
    package static let schema = "juicestand.journal/1"

    package private(set) var records: [JournalRecord] = []
    /// Bytes up to the end of the last whole line.
    package private(set) var length = 0
    /// Bytes of the line that the file ends within.
    package private(set) var tail = 0

    /// Whether there is a header and nothing else.
    package var isEmpty: Bool { length > 0 && records.isEmpty && tail == 0 }

    /// The first line of a file.
    package static func header(generation: UInt64) -> [UInt8] {
        let header: JSONValue = ["schema": .string(schema), "generation": .whole(generation)]
        return ChecksummedLine.bytes(header.compact())
    }

    /// Reads the whole of a file.
    ///
    /// - Parameter source: The file's name in messages.
    /// - Throws: ``StateError`` if it is damaged or of another schema.
    package init(_ bytes: [UInt8], generation: UInt64, source: String) throws(StateError) {
        while let end = bytes[length...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[length..<end]
            if length == 0 {
                try Self.checkHeader(line, generation, source)
            } else {
                guard let record = ChecksummedLine.text(line).flatMap(JournalRecord.init) else {
                    throw .damaged(place: "\(source): byte \(length)", reason: "the record is damaged")
                }
                records.append(record)
            }
            length = end + 1
        }
        tail = bytes.count - length
    }

    private static func checkHeader(
        _ line: ArraySlice<UInt8>, _ generation: UInt64, _ source: String
    ) throws(StateError) {
        if line.elementsEqual(header(generation: generation).dropLast()) { return }
        guard let text = ChecksummedLine.text(line), let first = JSONValue(parsing: text)?.members.first,
            first.key == "schema", let found = first.value.text, found != schema
        else { throw .damaged(place: "\(source): byte 0", reason: "the first line is damaged") }
        throw .otherSchema(file: source, found: found, expected: schema)
    }
}
