import JuiceStand
import Platform

/// Writes the lines that a ledger is missing, by replaying the state.
package final class LedgerMending: Sendable {
    private let replay: Guarded<Replay>
    private let logger: StandLogger
    private let sink: MissingLines

    /// - Parameter made: The number of the last change that the stand has made; later ones in the journal may be
    ///   refused.
    /// - Returns: nil if the state can't be read now.
    package init?(_ folder: String, _ ledger: LedgerFile, _ menu: Menu, made: UInt64) {
        do throws(StateError) {
            guard let found = try FoundState.read(folder) else { return nil }
            var replay = try Replay(found, folder: folder)
            replay.forgetChanges(after: made)
            sink = MissingLines(ledger, after: replay.stand.factsAnnounced)
            self.replay = Guarded(replay)
        } catch {
            return nil
        }
        logger = StandLogger(.ledger, menu: menu, sink: sink, flushAt: 1 << 16)
    }

    /// Writes what is missing up to a line and a change.
    ///
    /// - Parameters:
    ///   - changes: Those that may have come after the state was read.
    ///   - isWanted: Asked every few thousand events; false ends the mending for good.
    /// - Returns: whether all lines are written now.
    package func goOn(
        toFact sequence: UInt64, change number: UInt64, learning changes: [JournalRecord], while isWanted: () -> Bool
    ) -> Bool {
        replay.withLock { replay in
            replay.learn(changes)
            let wiring = WiringChoice.closure.makeWiring()
            wiring.connect(logger)
            func isWell() -> Bool { sink.failure == nil && isWanted() }
            replay.makeChanges(upTo: number, FactPublisher(wiring), while: isWell)
            guard isWell(), replay.advance(toFact: sequence, FactPublisher(wiring), while: isWell) else { return false }
            logger.flush()
            return isWell() && replay.stand.factsAnnounced == sequence
        }
    }

    /// Passes on the lines that the ledger does not have.
    private final class MissingLines: LineSink {
        private struct State {
            var next: UInt64
            var failure: FileError?
        }

        private let ledger: LedgerFile
        private let state: Guarded<State>

        init(_ ledger: LedgerFile, after sequence: UInt64) {
            self.ledger = ledger
            state = Guarded(State(next: sequence + 1))
        }

        var failure: FileError? { state.withLock { $0.failure } }

        func write(_ lines: RawSpan) {
            state.withLock { state in
                guard state.failure == nil else { return }
                var bytes = unsafe lines.withUnsafeBytes { unsafe Array($0) }[...]
                let count = UInt64(bytes.count { $0 == UInt8(ascii: "\n") })
                let last = ledger.last
                for _ in state.next..<min(max(last + 1, state.next), state.next + count) {
                    bytes = bytes[(bytes.firstIndex(of: UInt8(ascii: "\n"))! + 1)...]
                }
                state.next += count
                if !bytes.isEmpty { state.failure = unsafe ledger.mend(bytes.span.bytes) }
            }
        }
    }
}
