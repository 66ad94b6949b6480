import JuiceStand
import Platform

/// Compares a ledger with the state that wrote it, by replaying the journal.
///
/// The replay begins with the oldest snapshot. If that is the first one, the whole ledger is compared.
package struct StateAudit: Sendable {
    /// The number of the first line compared; one more than the last line if none was.
    package private(set) var first: UInt64
    /// Lines compared.
    package private(set) var lines: UInt64
    /// Changes replayed, also those that were refused.
    package private(set) var changes: UInt64
    /// The number of the line that the stand's ledger began with; nil if the files begin with it, too.
    package private(set) var began: UInt64?
    /// The first difference; nil if there is none.
    package private(set) var difference: String?

    /// - Parameters:
    ///   - folder: The state, which is only read.
    ///   - files: The ledger, older files first.
    /// - Throws: ``StateError`` if either can't be read.
    package init(folder: String, files: [String]) throws(StateError) {
        guard let found = try FoundState.read(folder, from: .oldest) else {
            throw .damaged(place: folder, reason: "holds no state")
        }
        var replay = try Replay(found, folder: folder)
        let made = replay.cache.made
        let (readings, comparison) = try StateError.unified {
            let readings = try files.map { try LedgerReading($0) }
            return (readings, try LedgerComparison(readings, after: replay.stand.factsAnnounced))
        }
        if let line = found.saved.ledgerBegan, readings.first?.first ?? 1 > line { began = line }
        var compared = comparison
        do throws(StateError) {
            let isReached = try StateError.unified {
                try replay.run(fact: comparison.last) { try compared.compare($0) }
            }
            let end = replay.stand.factsAnnounced
            if !isReached || replay.stand.isClosed && comparison.last < end {
                difference =
                    "the ledger ends with line \(comparison.last), "
                    + "but the \(isReached ? "stand closed" : "state") with line \(end)"
            }
        } catch .foreignLedger(let place, let reason) {
            difference = "\(place): \(reason)"
        } catch {
            difference = "\(error)"
        }
        first = comparison.first
        lines = compared.lines
        changes = replay.cache.made - made
    }
}

/// Compares the lines of a replay with those of a ledger, byte for byte.
private struct LedgerComparison {
    /// The number of the first line that is compared.
    let first: UInt64
    /// The number of the last line that the ledger has.
    let last: UInt64
    /// How many lines were equal.
    private(set) var lines: UInt64 = 0
    /// The files that are not compared to their ends, in order; each has a line.
    private var files: ArraySlice<LedgerReading>
    /// Where the next line begins in the first of them.
    private var offset: Int

    /// - Parameters:
    ///   - files: The ledger's files, in order. Lines before the first of them are not compared.
    ///   - sequence: The number of the line before the first of the replay.
    init(_ files: [LedgerReading], after sequence: UInt64) throws(FileError) {
        self.files = files.filter { $0.last ?? 0 > sequence }[...]
        last = files.compactMap(\.last).max() ?? sequence
        first = max(sequence + 1, self.files.first?.first ?? last + 1)
        offset = try self.files.first?.offset(of: sequence + 1) ?? 0
    }

    /// - Throws: ``StateError`` or ``FileError``.
    mutating func compare(_ replayed: LedgerLines) throws {
        var replayed = replayed
        replayed.remove(through: first - 1)
        while !replayed.bytes.isEmpty, let file = files.first {
            if offset == file.length {
                try beginNextFile(at: replayed.first)
                continue
            }
            let count = min(replayed.bytes.count, file.length - offset)
            var there = try file.file.read(at: offset, count: count)[...]
            while !there.isEmpty, case let number = replayed.first, let line = replayed.next() {
                guard there.starts(with: line) else {
                    throw StateError.foreignLedger(line, number: number, in: file.file, at: offset)
                }
                there = there.dropFirst(line.count)
                offset += line.count
                lines += 1
            }
        }
    }

    private mutating func beginNextFile(at number: UInt64) throws(StateError) {
        let ended = files.removeFirst().file.path
        offset = 0
        guard let first = files.first?.first, first > number else { return }
        throw .foreignLedger(
            place: ended, reason: "line \(number) is missing, the next file begins with line \(first)")
    }
}
