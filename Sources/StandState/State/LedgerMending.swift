import JuiceStand
import Platform

/// Writes the lines that a ledger is missing, by replaying the state.
package final class LedgerMending: Sendable {
    private let ledger: LedgerFile
    private let replay: Guarded<Replay>

    /// - Parameter made: The number of the last change that the stand has made; later ones in the journal may be
    ///   refused.
    /// - Returns: nil if the state can't be read now.
    package init?(_ folder: String, _ ledger: LedgerFile, made: UInt64) {
        guard let found = try? FoundState.read(folder), var replay = try? Replay(found, folder: folder) else {
            return nil
        }
        replay.forgetChanges(after: made)
        self.replay = Guarded(replay)
        self.ledger = ledger
    }

    /// Writes the missing lines up to line `sequence`, with the changes up to `number`.
    ///
    /// - Parameters:
    ///   - changes: Records that may have been written after the state was read.
    ///   - isWanted: Asked every few thousand steps; false ends the mending for good.
    /// - Returns: Whether all lines are written now.
    package func goOn(
        toFact sequence: UInt64, change number: UInt64, learning changes: [JournalRecord], while isWanted: () -> Bool
    ) -> Bool {
        replay.withLock { replay in
            replay.learn(changes)
            do {
                let isReached = try replay.run(change: number, fact: sequence) { lines in
                    guard isWanted() else { throw CancellationError() }
                    try ledger.mend(lines)
                }
                return isReached && replay.stand.factsAnnounced == sequence
            } catch {
                return false
            }
        }
    }
}
