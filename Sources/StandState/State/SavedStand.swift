import JuiceStand
import Platform

/// Everything that a stand is at one instant between two events: what a snapshot holds.
package struct SavedStand: Codable, Sendable {
    /// Resolved.
    package var configuration: String
    /// Of the settings, so that a trace that has changed since is noticed.
    package var fingerprint: String
    package var stand: Stand.Snapshot
    package var desk: ChangeDesk
    /// The last line of the ledger, where there is one.
    package var ledgerLine: String?

    package static let schema = "juicestand.state/2"

    /// Line feeds of the header and digits of its numbers are short.
    private static let longestHeader = 128

    package init(_ stand: Stand, _ desk: ChangeDesk, ledgerLine: String?) {
        configuration = stand.settings.resolved().compact()
        fingerprint = stand.settings.fingerprint
        self.stand = stand.snapshot
        self.desk = desk
        self.ledgerLine = ledgerLine
    }

    /// The bytes of a snapshot: a line that says what it is, how long and its checksum, and the rest.
    package func file(generation: UInt64) throws -> [UInt8] {
        var bytes = try StateEncoder.encode(self)
        var sum = Fingerprint()
        unsafe sum.combine(bytes.span.bytes)
        bytes.insert(contentsOf: "\(Self.schema) \(generation) \(bytes.count) \(sum.text)\n".utf8, at: 0)
        return bytes
    }

    /// Reads a snapshot.
    ///
    /// - Throws: ``StateError`` where it is not whole, or of another schema.
    package init(file path: String, generation: UInt64) throws(StateError) {
        let bytes: [UInt8]
        do { bytes = try readFile(path) } catch { throw .system(error) }
        guard let end = bytes.prefix(Self.longestHeader).firstIndex(of: UInt8(ascii: "\n")) else {
            throw .damaged(place: path, reason: "must begin with its schema, found none")
        }
        let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ").map(String.init)
        if let schema = words.first, schema != Self.schema, schema.hasPrefix("juicestand.state/") {
            throw .otherSchema(file: path, found: schema, expected: Self.schema)
        }
        let body = bytes[(end + 1)...]
        guard words == [Self.schema, "\(generation)", "\(body.count)", words.last ?? ""] else {
            throw .damaged(place: path, reason: "is not whole: \(body.count) bytes do not agree with its first line")
        }
        var sum = Fingerprint()
        unsafe sum.combine(body.span.bytes)
        guard words.last == sum.text else {
            throw .damaged(place: path, reason: "its checksum must be \(words.last!), found \(sum.text)")
        }
        do { self = try StateDecoder.decode(Self.self, from: body) } catch {
            throw .otherSchema(file: path, found: "one with other members", expected: Self.schema)
        }
    }

    /// The stand as it was saved, with its settings.
    ///
    /// - Throws: ``StateError`` where the orders of a trace are not the same any more.
    package func makeStand(file: String) throws(StateError) -> Stand {
        let settings: StandSettings
        do { settings = try StandConfiguration(Array(configuration.utf8), source: file).settings } catch {
            throw .damaged(place: file, reason: error.lines.joined(separator: "; "))
        }
        guard settings.fingerprint == fingerprint else {
            throw .damaged(place: file, reason: "the real orders that its stand takes have changed since")
        }
        return Stand(settings, resuming: stand)
    }
}
