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
        let sequence = replay.stand.factsAnnounced
        let made = replay.cache.made
        let (readings, comparison) = try StateError.unified {
            let readings = try files.map { try LedgerReading($0) }
            return (readings, try LedgerComparison(readings, after: sequence))
        }
        if let line = found.saved.ledgerBegan, readings.first?.first ?? 1 > line { began = line }
        let isReached = replay.run(writingTo: comparison, through: comparison.last) { comparison.difference == nil }
        first = comparison.first
        lines = comparison.compared
        changes = replay.cache.made - made
        difference =
            switch comparison.difference {
            case .foreignLedger(let place, let reason)?: "\(place): \(reason)"
            case let error?: "\(error)"
            case nil: nil
            }
        if difference == nil, !isReached {
            difference =
                "the ledger ends with line \(comparison.last), "
                + "but the state with line \(replay.stand.factsAnnounced)"
        }
        if difference == nil, replay.stand.isClosed, comparison.last < replay.stand.factsAnnounced {
            difference =
                "the ledger ends with line \(comparison.last), "
                + "but the stand closed with line \(replay.stand.factsAnnounced)"
        }
    }
}
