import JuiceStand

/// The content of a journal's file: a header line and records, each line with its checksum.
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
    /// The damage of the line after ``length``; nil if the line was only cut.
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
    ///   - path: The path of the file, for error messages.
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
        // A header that can't be decoded is damaged, as one with a wrong checksum is.
        let header = try? ChecksummedLine.text(line).map { try StateCoding.decode(Header.self, from: $0) }
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

/// A line of the journal.
package enum JournalRecord: Codable, Equatable, Sendable {
    /// The `number`th change since the opening, and when it takes effect.
    case change(number: UInt64, at: SimulationTime, making: StandChange, key: String?)
    /// Stand time had come to this instant.
    case mark(at: SimulationTime)
    /// The ledger's file begins with line `sequence`; the lines before it are in earlier files.
    case ledgerBegins(sequence: UInt64)

    /// The record with its checksum and a line feed.
    package var line: [UInt8] { ChecksummedLine.bytes(StateCoding.encode(self)) }

    /// The record in a line's text; nil if there is none.
    package init?(_ text: ArraySlice<UInt8>) {
        // A record that is not in the present format may be in that of an earlier version.
        let present = try? StateCoding.decode(JournalRecord.self, from: text)
        guard let record = present ?? JournalRecord.earlier(text) else { return nil }
        switch record {
        case .change(let number, let time, let change, _):
            guard number > 0, time >= .zero, change.invalidity == nil else { return nil }
        case .mark(let time): guard time >= .zero else { return nil }
        case .ledgerBegins: break
        }
        self = record
    }
}

/// A line of text after its checksum, which tells whether the line is as it was written.
///
/// `0123456789abcdef TEXT` and a line feed; the checksum is the ``Fingerprint`` of the text.
package enum ChecksummedLine {
    private static let digits = 16

    package static func bytes(_ text: [UInt8]) -> [UInt8] {
        Array("\(unsafe Fingerprint(text.span.bytes).text) ".utf8) + text + [UInt8(ascii: "\n")]
    }

    /// The text of a line without its line feed; nil if the line is damaged.
    package static func text(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.count > digits, line[line.startIndex + digits] == UInt8(ascii: " ") else { return nil }
        let text = line[(line.startIndex + digits + 1)...]
        return line.prefix(digits).elementsEqual(unsafe Fingerprint(text.span.bytes).text.utf8) ? text : nil
    }
}

extension Fingerprint {
    init(_ bytes: RawSpan) {
        self.init()
        combine(bytes)
    }
}
