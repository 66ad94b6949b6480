import JuiceStand
import Platform

/// The content of a snapshot: the whole stand at an instant between two events.
package struct StateSnapshot: Codable, Sendable {
    /// The resolved configuration, as JSON.
    package var configuration: String
    /// The fingerprint of the settings. The settings read later have another one if a trace has changed.
    package var fingerprint: String
    package var stand: Stand.Snapshot
    package var cache: IdempotencyCache
    /// The last line of the ledger, if there is one.
    var ledgerLine: String?
    /// The number of the first line of the ledger's first file, if there is one.
    var ledgerBegan: UInt64?
    /// The state of observers and charts; nil in a snapshot of an earlier version.
    package var shown: Shown?
    /// Changes that no snapshot knows yet. They are kept in a file of their own.
    package var newChanges: [DatedChange] = []

    /// The saved state of the stand's observers, and the figures for charts.
    package struct Shown: Codable, Sendable {
        package var observers: StandObservers.Memory
        package var figures: ThinnedSeries<StandFigures>

        package init(_ observers: StandObservers.Memory, _ figures: ThinnedSeries<StandFigures>) {
            self.observers = observers
            self.figures = figures
        }
    }

    private enum CodingKeys: String, CodingKey {
        case configuration, fingerprint, stand, ledgerLine, ledgerBegan
        // The name that earlier versions wrote.
        case cache = "desk"
        case shown
    }

    package static let schema = "juicestand.state/6"

    package init(_ stand: Stand, _ cache: IdempotencyCache, _ shown: Shown?, ledger: LedgerFile?) {
        configuration = stand.settings.resolved().compact()
        fingerprint = stand.settings.fingerprint
        self.stand = stand.snapshot
        self.cache = cache
        self.shown = shown
        ledgerLine = ledger?.line
        ledgerBegan = ledger?.began
    }

    /// The bytes of a snapshot: a line with schema, generation, length, checksum and its place in the run, then the
    /// stand.
    package func file(generation: UInt64) -> [UInt8] {
        var bytes = StateCoding.encode(self)
        let sum = unsafe Fingerprint(bytes.span.bytes).text
        let place = "\(stand.factsAnnounced) \(stand.now.nanoseconds)"
        bytes.insert(contentsOf: "\(Self.schema) \(generation) \(bytes.count) \(sum) \(place)\n".utf8, at: 0)
        return bytes
    }

    /// Reads a snapshot.
    ///
    /// - Parameter source: Where the bytes come from, for error messages.
    /// - Throws: ``StateError`` if it is damaged or of another schema.
    package init(_ bytes: [UInt8], source path: String, generation: UInt64 = 0) throws(StateError) {
        guard let end = bytes.prefix(Header.longest).firstIndex(of: UInt8(ascii: "\n")),
            let header = Header(bytes[..<end])
        else {
            throw .damaged(place: path, reason: "must begin with its schema, found none")
        }
        guard header.schema == Self.schema || Self.earlierSchemas.contains(header.schema) else {
            throw .otherSchema(file: path, found: header.schema, expected: Self.schema)
        }
        let body = bytes[(end + 1)...]
        guard header.generation == generation, header.length == body.count else {
            throw .damaged(place: path, reason: "its length or generation differs from its first line")
        }
        let sum = unsafe Fingerprint(body.span.bytes)
        guard header.sum == sum.text else {
            throw .damaged(place: path, reason: "its checksum must be \(header.sum), found \(sum.text)")
        }
        do {
            self =
                header.schema == Self.schema
                ? try StateCoding.decode(Self.self, from: body) : try Self(earlier: body, header.schema)
        } catch {
            throw .otherSchema(file: path, found: "other members", expected: Self.schema)
        }
    }

    /// The stand as it was saved, with what it had shown.
    ///
    /// - Throws: ``StateError`` if the trace that the stand replays has changed.
    package func makeCopy(file: String) throws(StateError) -> StandCopy {
        let stand = try makeStand(file: file)
        let observers = StandObservers(loggers: [])
        if let shown { observers.begin(with: shown.observers) } else { observers.begin(with: stand) }
        return StandCopy(stand, observers.memory, changes: cache.made)
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

/// The first line of a snapshot.
struct Header {
    /// The most bytes of the line.
    static let longest = 160

    let schema: String
    let generation: UInt64
    let length: Int
    let sum: String
    /// The number of facts before the snapshot, and the time of the last; nil in a snapshot of an earlier version.
    let place: (sequence: UInt64, time: SimulationTime)?

    /// - Returns: nil if the line is not the first line of a snapshot.
    init?(_ line: ArraySlice<UInt8>) {
        let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
        guard let schema = words.first, schema.hasPrefix("juicestand.state/"), [4, 6].contains(words.count),
            let generation = UInt64(words[1]), let length = Int(words[2])
        else { return nil }
        self.schema = schema
        self.generation = generation
        self.length = length
        sum = words[3]
        guard words.count == 6 else {
            place = nil
            return
        }
        guard let sequence = UInt64(words[4]), let nanoseconds = Int64(words[5]) else { return nil }
        place = (sequence, SimulationTime(nanoseconds: nanoseconds))
    }
}
