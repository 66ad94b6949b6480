import JuiceStand
import TextFormats

/// What a journal's file holds.
///
/// A file is a line that says what it is and then records, each with its checksum. A file may end anywhere, since a
/// machine can stop at any instant: what is not whole at the end is a tail to be cut. Something that is not whole with
/// something whole behind it is damage.
package struct Journal {
    package static let schema = "juicestand.journal/1"

    package private(set) var records: [JournalRecord] = []
    /// Bytes up to the end of the last whole record.
    package private(set) var length = 0
    /// Bytes of a tail that is not whole.
    package private(set) var tail = 0
    /// Whether the file ends within a line, as what was being written when the machine stopped does.
    package private(set) var isCut = false

    /// Whether there is a header and nothing else.
    package var isEmpty: Bool { length > 0 && records.isEmpty && tail == 0 }

    /// The first line of a file.
    package static func header(generation: UInt64) -> [UInt8] {
        ChecksummedLine.bytes(
            JSONValue.object([
                .init(key: "schema", value: .string(schema)),
                .init(key: "generation", value: .integer(Int64(generation))),
            ]).compact())
    }

    /// Reads the whole of a file.
    ///
    /// - Parameter source: Its name in messages.
    /// - Throws: ``StateError`` where it is damaged or of another schema.
    package init(_ bytes: [UInt8], generation: UInt64, source: String) throws(StateError) {
        var line = 0
        var start = 0
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            line += 1
            let whole = bytes[start...end]
            if line == 1 {
                guard try Self.isHeader(whole, generation, source) else { break }
            } else {
                guard let record = ChecksummedLine.text(whole.dropLast()).flatMap(JournalRecord.init) else { break }
                records.append(record)
            }
            start = end + 1
        }
        length = start
        tail = bytes.count - start
        isCut = tail > 0 && bytes.last != UInt8(ascii: "\n")
        if let place = Self.firstWhole(bytes[start...]) {
            throw .damaged(
                place: "\(source): byte \(start)",
                reason: "a record is damaged, and there are whole ones from byte \(place) on")
        }
    }

    private static func isHeader(
        _ line: ArraySlice<UInt8>, _ generation: UInt64, _ source: String
    ) throws(StateError) -> Bool {
        if line.elementsEqual(header(generation: generation)) { return true }
        guard let text = ChecksummedLine.text(line.dropLast()), let root = JSON5Parser.parse(text, source: source).root,
            case .object(let members)? = JSONValue(root), case .string(let found)? = members.first?.value,
            members.first?.key == "schema", found != schema
        else { return false }
        throw .otherSchema(file: source, found: found, expected: schema)
    }

    /// Where the first whole line begins.
    private static func firstWhole(_ bytes: ArraySlice<UInt8>) -> Int? {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if ChecksummedLine.text(bytes[start..<end]) != nil { return start }
            start = end + 1
        }
        return nil
    }
}
