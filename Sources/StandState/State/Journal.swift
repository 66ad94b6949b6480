import JuiceStand

/// What a journal's file holds: a header line and records, each line with its checksum.
///
/// A crash may cut the file anywhere, so that it ends within a line: that tail is cut. A line that has its line feed
/// was written whole, so that a wrong checksum is damage, and the change in it may have been acknowledged.
package struct Journal {
    package static let schema = "juicestand.journal/2"
    /// A schema that is still read, also in a file that was begun with it.
    private static let earlierSchema = "juicestand.journal/1"

    package private(set) var records: [JournalRecord] = []
    /// Bytes up to the end of the last whole line.
    package private(set) var length = 0
    /// Bytes after that.
    package private(set) var tail = 0
    /// The number that the next change must have; nil if any will do.
    package private(set) var next: UInt64?
    /// What is wrong with the line after ``length``; nil if it was only cut.
    package private(set) var damage: StateError?

    /// Whether there is a header and nothing else.
    package var isEmpty: Bool { length > 0 && records.isEmpty && tail == 0 }

    private struct Header: Codable {
        var schema: String
        var generation: UInt64
    }

    /// The first line of a file.
    package static func header(generation: UInt64) -> [UInt8] {
        ChecksummedLine.bytes(StateCoding.encode(Header(schema: schema, generation: generation)))
    }

    /// Reads a file up to its end or to the first damage.
    ///
    /// - Parameters:
    ///   - source: The file's name in messages.
    ///   - next: The number that the next change must have; nil to take any.
    package init(_ bytes: [UInt8], generation: UInt64, source: String, next: UInt64? = nil) {
        self.next = next
        while damage == nil, let end = bytes[length...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[length..<end]
            do throws(StateError) {
                if length == 0 {
                    try Self.checkHeader(line, generation, source)
                } else {
                    try take(line, source)
                }
                length = end + 1
            } catch {
                damage = error
            }
        }
        tail = bytes.count - length
    }

    private static func checkHeader(
        _ line: ArraySlice<UInt8>, _ generation: UInt64, _ source: String
    ) throws(StateError) {
        let header: Header?
        do {
            header = try ChecksummedLine.text(line).map { try StateCoding.decode(Header.self, from: $0) }
        } catch {
            header = nil
        }
        if let header, ![schema, earlierSchema].contains(header.schema) {
            throw .otherSchema(file: source, found: header.schema, expected: schema)
        }
        guard header?.generation == generation else {
            throw .damaged(place: "\(source): byte 0", reason: "the first line is damaged")
        }
    }

    private mutating func take(_ line: ArraySlice<UInt8>, _ source: String) throws(StateError) {
        guard let record = ChecksummedLine.text(line).flatMap(JournalRecord.init) else {
            throw .damaged(place: "\(source): byte \(length)", reason: "the record is damaged")
        }
        if case .change(let number, _, _, _) = record {
            if let next, next != number {
                throw .damaged(place: source, reason: "the next change must be number \(next), found \(number)")
            }
            next = number + 1
        }
        records.append(record)
    }
}
