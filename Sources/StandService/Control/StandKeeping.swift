import Dispatch
import JuiceStand
import Platform
import StandState

/// When to save a snapshot of a running stand. A restart replays only what came after the last one.
package struct SavingRule: Sendable {
    /// Facts after which to save.
    package var facts: UInt64
    /// Seconds after which to save, if anything has happened.
    package var seconds: Double
    /// Bytes of the journal after which to save.
    package var journal: Int

    /// Allows a restart within a second, with at most one snapshot a minute on a quiet stand.
    package static let usual = SavingRule(facts: 100_000, seconds: 60, journal: 4 << 20)
    package static let never = SavingRule(facts: .max, seconds: .infinity, journal: .max)
}

/// Maintains the state of a running stand: journals how far stand time has come, saves snapshots, and writes the
/// missing ledger lines after a failure.
final class StandKeeping: Sendable {
    /// The most facts replayed while the stand waits.
    private static let fewFacts: UInt64 = 10_000

    private struct State {
        /// Facts announced before the last snapshot.
        var facts: UInt64
        /// When a snapshot was last saved or attempted.
        var time: DispatchTime
        /// Consecutive failures to save.
        var failures = 0
        /// The changes since the repair of the ledger started; nil if none is under way.
        var changesWhileMending: [JournalRecord]?
        var isEnding = false
        var isClosed = false
    }

    let folder: StateFolder
    let ledger: LedgerFile?
    private let logger: StandLogger?
    private let rule: SavingRule
    private let mendingQueue = DispatchQueue(label: "mending")
    private let state: Guarded<State>

    init(_ folder: StateFolder, _ resumed: Resumption, _ logger: StandLogger?, _ rule: SavingRule) {
        self.folder = folder
        self.rule = rule
        ledger = resumed.ledger
        self.logger = logger
        state = Guarded(State(facts: resumed.copy.sequence, time: .now()))
    }

    /// Why the state can't be maintained; empty if it can.
    var causes: [String] { folder.causes + (ledger?.causes ?? []) }

    /// Journals how far stand time has come.
    ///
    /// - Parameter isLast: Whether everything must be on the disk before `then` is called.
    func mark(_ time: SimulationTime, isLast: Bool = false, then: @escaping @Sendable () -> Void = {}) {
        let isLedgerDone = DispatchSemaphore(value: 0)
        folder.record([.mark(at: time)], isDurable: isLast || !folder.causes.isEmpty) { _ in
            isLedgerDone.wait()
            then()
        }
        if isLast {
            // While the journal is written, because on a slow disk each takes seconds. If this fails, the next start
            // writes the missing lines by replaying the journal.
            logger?.flush()
            do throws(FileError) { try ledger?.synchronize() } catch {}
        }
        isLedgerDone.signal()
    }

    /// A record that failed may still be in the journal: the ledger waits until that is certain.
    func journalFailed(_ failure: FileError) { if folder.isInDoubt { ledger?.withhold(failure) } }

    /// Prepares for suspension: from now on, only the last records and lines are written. Call it on any thread.
    func prepareToSuspend() {
        state.withLock { $0.isEnding = true }
        folder.stopSaving()
    }

    private var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Called every second, on the stand's queue.
    func tick(_ control: StandControl) {
        guard !isEnding, let now = position(control) else { return }
        control.commit()
        // On a slow disk, marks must not queue up before a change.
        if !now.isPaused || !folder.causes.isEmpty, !folder.isAppending { mark(now.time) }
        let isDue = state.withLock { state in
            let span = Double(DispatchTime.now().uptimeNanoseconds - state.time.uptimeNanoseconds) / 1e9
            // Failed attempts back off, because each starts a new journal.
            if state.failures > 0 { return span > Self.pause(after: state.failures) }
            return now.facts - state.facts >= rule.facts || folder.journalLength > rule.journal
                || (span > rule.seconds && now.facts > state.facts)
        }
        if ledger?.failure != nil {
            mend(control)
        } else if isDue {
            control.save()
        }
    }

    /// Seconds until the next attempt after consecutive failures.
    private static func pause(after failures: Int) -> Double { Double(1 << min(failures, 6)) }

    /// How far the live stand is.
    private struct Position {
        var time: SimulationTime
        var isPaused: Bool
        var facts: UInt64
        var changes: UInt64
    }

    private func position(_ control: StandControl) -> Position? {
        control.driver.look { stand, time, _ in
            let changes = control.cache.withLock { $0.made }
            return Position(time: time, isPaused: stand.isPaused, facts: stand.factsAnnounced, changes: changes)
        }
    }

    /// Saves a snapshot between two changes, unless a write it depends on is missing.
    func save(
        _ stand: Stand, _ observers: StandObservers, _ past: Past, _ cache: IdempotencyCache, at time: SimulationTime
    ) {
        guard !isEnding else { return }
        logger?.flush()
        guard ledger?.failure == nil, !folder.isInDoubt else { return }
        let (shown, changes) = past.unsaved(observers)
        var saved = StateSnapshot(stand, cache, shown, ledger: ledger)
        saved.newChanges = changes
        let facts = stand.factsAnnounced
        _ = folder.save(saved, at: time, after: ledger) { [self] failure in
            if failure == nil { past.didSave(changes) }
            state.withLock {
                $0.time = .now()
                $0.failures = failure == nil ? 0 : $0.failures + 1
                if failure == nil { $0.facts = facts }
            }
        }
    }
}

// MARK: - Repairing the ledger

extension StandKeeping {
    /// Reserves the end of the ledger for a writer other than the stand's logger.
    ///
    /// - Returns: Whether it was free.
    private func beginMending() -> Bool {
        state.withLock { state in
            guard state.changesWhileMending == nil else { return false }
            state.changesWhileMending = []
            return true
        }
    }

    private func endMending() { state.withLock { $0.changesWhileMending = nil } }

    /// Called when changes are in the journal, before they are made.
    func didAppend(_ records: [JournalRecord]) { state.withLock { $0.changesWhileMending? += records } }

    /// Writes the missing lines once writes succeed, by replaying the journal from the last snapshot.
    private func mend(_ control: StandControl) {
        guard beginMending() else { return }
        guard !folder.isInDoubt, let position = position(control) else { return endMending() }
        mendingQueue.async {
            guard let mending = LedgerMending(self.folder.path, self.ledger!, made: position.changes) else {
                return self.endMending()
            }
            self.mend(control, mending, to: position)
        }
    }

    /// Catches up on a queue of its own; the rest, once it is short, on the stand's queue.
    private func mend(_ control: StandControl, _ mending: LedgerMending, to position: Position) {
        guard goOn(mending, to: position) else { return endMending() }
        control.queue.async {
            // A record in doubt may still turn out to be in the journal.
            guard !self.folder.isInDoubt, let now = self.position(control) else { return self.endMending() }
            guard now.facts - position.facts < Self.fewFacts else {
                return self.mendingQueue.async { self.mend(control, mending, to: now) }
            }
            self.logger?.flush()
            if self.goOn(mending, to: now) { self.ledger?.endMending() }
            self.endMending()
        }
    }

    /// Stops a repair under way, and unlocks state and ledger.
    ///
    /// The next start writes what is still missing.
    func close() {
        state.withLock { $0.isEnding = true }
        mendingQueue.sync {}
        state.withLock { $0.isClosed = true }
        folder.close()
        ledger?.unlock()
    }

    private func goOn(_ mending: LedgerMending, to position: Position) -> Bool {
        let changes = state.exchange(\.changesWhileMending, for: []) ?? []
        return mending.goOn(toFact: position.facts, change: position.changes, learning: changes) {
            !isEnding
        }
    }

    /// Journals the number of the first line in the ledger's new file. The files before it must be on the disk.
    ///
    /// Without the record, the next start looks for these files beside the new one.
    func record(ledgerBegins sequence: UInt64, then: @escaping @Sendable (FileError?) -> Void) {
        state.withLock { state in
            // Another process may use the folder already.
            guard !state.isClosed else { return }
            folder.record([.ledgerBegins(sequence: sequence)], isDurable: true, then: then)
        }
    }
}
