import JuiceStand
import Platform

/// What a snapshot holds: the whole stand at an instant between two events.
package struct SavedStand: Codable, Sendable {
    /// Resolved.
    package var configuration: String
    /// Of the settings. It differs if a trace has changed since.
    package var fingerprint: String
    package var stand: Stand.Snapshot
    package var cache: IdempotencyCache
    /// The last line of the ledger, if there is one.
    var ledgerLine: String?
    /// The number of the first line of the ledger's first file, if there is one.
    var ledgerBegan: UInt64?

    private enum CodingKeys: String, CodingKey {
        case configuration, fingerprint, stand, ledgerLine, ledgerBegan
        // The name in the files of before.
        case cache = "desk"
    }

    package static let schema = "juicestand.state/3"

    /// Bytes of the first line.
    private static let longestHeader = 128

    package init(_ stand: Stand, _ cache: IdempotencyCache, ledger: LedgerFile?) {
        configuration = stand.settings.resolved().compact()
        fingerprint = stand.settings.fingerprint
        self.stand = stand.snapshot
        self.cache = cache
        ledgerLine = ledger?.line
        ledgerBegan = ledger?.began
    }

    /// The bytes of a snapshot: a line with schema, generation, length and checksum, then the stand.
    package func file(generation: UInt64) throws -> [UInt8] {
        var bytes = try StateEncoder.encode(self)
        let sum = unsafe Fingerprint(bytes.span.bytes)
        bytes.insert(contentsOf: "\(Self.schema) \(generation) \(bytes.count) \(sum.text)\n".utf8, at: 0)
        return bytes
    }

    /// Reads a snapshot.
    ///
    /// - Throws: ``StateError`` if it is damaged or of another schema.
    package init(file path: String, generation: UInt64) throws(StateError) {
        try self.init(StateFiles.read(path), source: path, generation: generation)
    }

    /// Reads a snapshot.
    ///
    /// - Parameter source: Where the bytes come from, for error messages.
    /// - Throws: ``StateError`` if it is damaged or of another schema.
    package init(_ bytes: [UInt8], source path: String, generation: UInt64 = 0) throws(StateError) {
        guard let end = bytes.prefix(Self.longestHeader).firstIndex(of: UInt8(ascii: "\n")) else {
            throw .damaged(place: path, reason: "must begin with its schema, found none")
        }
        let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ").map(String.init)
        if let schema = words.first, schema != Self.schema, schema.hasPrefix("juicestand.state/") {
            throw .otherSchema(file: path, found: schema, expected: Self.schema)
        }
        let body = bytes[(end + 1)...]
        guard words == [Self.schema, "\(generation)", "\(body.count)", words.last ?? ""] else {
            throw .damaged(place: path, reason: "its length or generation differs from its first line")
        }
        let sum = unsafe Fingerprint(body.span.bytes)
        guard words.last == sum.text else {
            throw .damaged(place: path, reason: "its checksum must be \(words.last!), found \(sum.text)")
        }
        do { self = try StateDecoder.decode(Self.self, from: body) } catch {
            throw .otherSchema(file: path, found: "other members", expected: Self.schema)
        }
    }

    /// The stand as it was saved, with its settings.
    ///
    /// - Throws: ``StateError`` if the trace that the stand replays has changed.
    package func makeStand(file: String) throws(StateError) -> Stand {
        let settings: StandSettings
        do { settings = try StandConfiguration(Array(configuration.utf8), source: file).settings } catch {
            throw .damaged(place: file, reason: error.lines.joined(separator: "; "))
        }
        guard settings.fingerprint == fingerprint else {
            throw .damaged(place: file, reason: "the trace that the stand replays has changed since")
        }
        return Stand(settings, resuming: stand)
    }
}
