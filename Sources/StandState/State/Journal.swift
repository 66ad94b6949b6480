import JuiceStand

/// What a journal's file holds: a header line and records, each line with its checksum.
///
/// A crash may cut the file anywhere, so that it ends within a line: that tail is cut. A line that has its line feed
/// was written whole, so that a wrong checksum is damage, and the change in it may have been acknowledged.
package struct Journal {
    package static let schema = "juicestand.journal/2"
    /// A schema that is still read, also in a file that was begun with it.
    private static let earlierSchema = "juicestand.journal/1"

    let path: String
    let generation: UInt64
    let bytes: [UInt8]
    package private(set) var records: [JournalRecord] = []
    /// Bytes up to the end of the last whole line.
    package private(set) var length = 0
    /// The number that the next change must have; nil if any will do.
    private(set) var next: UInt64?
    /// What is wrong with the line after ``length``; nil if it was only cut.
    package private(set) var damage: StateError?

    /// Bytes after ``length``.
    package var tail: Int { bytes.count - length }
    /// Whether there is a header and nothing else.
    var isEmpty: Bool { length > 0 && records.isEmpty && tail == 0 }

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
    ///   - path: Of the file.
    ///   - next: The number that the next change must have; nil to take any.
    package init(_ bytes: [UInt8], generation: UInt64, source path: String, next: UInt64? = nil) {
        self.bytes = bytes
        self.path = path
        self.generation = generation
        self.next = next
        while damage == nil, let end = bytes[length...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[length..<end]
            do throws(StateError) {
                if length == 0 { try checkHeader(line) } else { try take(line) }
                length = end + 1
            } catch {
                damage = error
            }
        }
    }

    private func checkHeader(_ line: ArraySlice<UInt8>) throws(StateError) {
        let header: Header?
        do {
            header = try ChecksummedLine.text(line).map { try StateCoding.decode(Header.self, from: $0) }
        } catch {
            header = nil
        }
        if let header, ![Self.schema, Self.earlierSchema].contains(header.schema) {
            throw .otherSchema(file: path, found: header.schema, expected: Self.schema)
        }
        guard header?.generation == generation else {
            throw .damaged(place: "\(path): byte 0", reason: "the first line is damaged")
        }
    }

    private mutating func take(_ line: ArraySlice<UInt8>) throws(StateError) {
        guard let record = ChecksummedLine.text(line).flatMap(JournalRecord.init) else {
            throw .damaged(place: "\(path): byte \(length)", reason: "the record is damaged")
        }
        if case .change(let number, _, _, _) = record {
            if let next, next != number {
                throw .damaged(place: path, reason: "the next change must be number \(next), found \(number)")
            }
            next = number + 1
        }
        records.append(record)
    }
}
