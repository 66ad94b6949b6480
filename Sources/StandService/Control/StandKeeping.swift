import Dispatch
import JuiceStand
import Platform
import StandState

/// When a stand is saved between its start and its end: what a restart has to do over again is what came later.
package struct SavingRule: Sendable {
    /// Facts after which it is saved.
    package var facts: UInt64
    /// Seconds after which it is saved if anything has happened.
    package var seconds: Double
    /// Bytes of the journal after which it is saved.
    package var journal: Int

    /// A restart within a second, and a snapshot a minute at most on a quiet stand.
    package static let usual = SavingRule(facts: 100_000, seconds: 60, journal: 4 << 20)
    package static let never = SavingRule(facts: .max, seconds: .infinity, journal: .max)
}

/// Keeps a running stand's state up: says now and then how far stand time has come, saves the stand, and sees to
/// what could not be written.
final class StandKeeping: Sendable {
    /// Facts that are replayed while the stand stands still for it.
    private static let fewFacts: UInt64 = 10_000

    private struct State {
        /// What had been announced when the stand was last saved.
        var facts: UInt64
        /// When it was last saved, or that was last tried.
        var time: DispatchTime
        /// Times in a row that it could not be saved.
        var failures = 0
        /// The changes since missing lines are being written; nil while none are.
        var changesWhileMending: [JournalRecord]?
        var hasEnded = false
    }

    let folder: StateFolder
    let ledger: LedgerFile?
    private let logger: StandLogger?
    private let menu: Menu
    private let rule: SavingRule
    private let mendingQueue = DispatchQueue(label: "mending")
    private let state: Guarded<State>

    init(_ folder: StateFolder, _ resumed: Resumption, _ logger: StandLogger?, _ rule: SavingRule) {
        self.folder = folder
        self.rule = rule
        ledger = resumed.ledger
        self.logger = logger
        menu = resumed.stand.settings.menu
        state = Guarded(State(facts: resumed.factsSaved, time: .now()))
    }

    /// What keeps the stand from lasting; empty where nothing does.
    var causes: [String] { folder.causes + (ledger?.causes ?? []) }

    /// Records how far stand time has come.
    ///
    /// - Parameter isLast: Whether everything must be on the disk before `then`.
    func mark(_ time: SimulationTime, isLast: Bool = false, then: @escaping @Sendable () -> Void = {}) {
        if isLast { logger?.flush() }
        let files = isLast ? ledger?.unsynchronized ?? [] : []
        folder.append([.mark(at: time)], isDurable: isLast || !folder.causes.isEmpty) { _ in
            // Where it fails the journal can make it good.
            do throws(FileError) { try DiskFile.synchronize(files) } catch {}
            then()
        }
    }

    /// What the journal could not take may be found in it all the same: the ledger waits until that is sure.
    func journalFailed(_ failure: FileError) {
        if folder.isInDoubt { ledger?.withhold(failure) }
    }

    /// Called every second, on the stand's queue.
    func tick(_ control: StandControl) {
        guard let (time, isPaused, facts) = look(control) else { return }
        control.commit()
        if !isPaused || !folder.causes.isEmpty { mark(time) }
        let isDue = state.withLock { state in
            let span = Double(DispatchTime.now().uptimeNanoseconds - state.time.uptimeNanoseconds) / 1e9
            // Every try begins a journal of its own.
            if state.failures > 0 { return span > Self.pause(after: state.failures) }
            return facts - state.facts >= rule.facts || folder.journalLength > rule.journal
                || (span > rule.seconds && facts > state.facts)
        }
        if ledger?.failure != nil {
            mend(control)
        } else if isDue {
            control.save()
        }
    }

    /// Seconds to the next try after so many that failed.
    private static func pause(after failures: Int) -> Double { Double(1 << min(failures, 6)) }

    private func look(_ control: StandControl) -> (time: SimulationTime, isPaused: Bool, facts: UInt64)? {
        control.driver.look { stand, time, _ in (time, stand.isPaused, stand.factsAnnounced) }
    }

    /// Saves the stand between two changes, unless something is missing that it would build on.
    func save(_ stand: Stand, _ desk: ChangeDesk) {
        logger?.flush()
        guard ledger?.failure == nil, !folder.isInDoubt else { return }
        let files = ledger?.unsynchronized ?? []
        let saved = SavedStand(stand, desk, ledgerLine: ledger?.line)
        let facts = stand.factsAnnounced
        _ = folder.save(saved, after: files) { [self] failure in
            if failure == nil { ledger?.didSynchronize(files) }
            state.withLock {
                $0.time = .now()
                $0.failures = failure == nil ? 0 : $0.failures + 1
                if failure == nil { $0.facts = facts }
            }
        }
    }
}

// MARK: - Lines that could not be written

extension StandKeeping {
    /// Where the live stand is.
    private struct Position {
        var facts: UInt64
        var changes: UInt64
    }

    /// Takes hold of the ledger's end, for who writes there besides the stand's own logger.
    ///
    /// - Returns: whether it was free.
    private func beginMending() -> Bool {
        state.withLock { state in
            guard state.changesWhileMending == nil else { return false }
            state.changesWhileMending = []
            return true
        }
    }

    private func endMending() {
        state.withLock { $0.changesWhileMending = nil }
    }

    /// The journal has taken changes, which are made next.
    func didAppend(_ records: [JournalRecord]) {
        state.withLock { $0.changesWhileMending? += records }
    }

    /// Takes the lines that are missing when there is room for them again: what could not be written is replayed from
    /// the last snapshot.
    private func mend(_ control: StandControl) {
        guard beginMending() else { return }
        guard !folder.isInDoubt, let position = position(control) else { return endMending() }
        mendingQueue.async {
            guard
                let mending = LedgerMending(
                    self.folder.path, self.ledger!, self.menu, made: position.changes)
            else {
                return self.endMending()
            }
            self.mend(control, mending, to: position)
        }
    }

    private func position(_ control: StandControl) -> Position? {
        control.driver.look { stand, _, _ in
            Position(facts: stand.factsAnnounced, changes: control.desk.withLock { $0.made })
        }
    }

    /// On a queue of its own as far as the stand has come, then, when little is left, on the stand's.
    private func mend(_ control: StandControl, _ mending: LedgerMending, to position: Position) {
        guard goOn(mending, to: position) else { return endMending() }
        control.queue.async {
            // What may yet be found in the journal must not be written as if it had not been made.
            guard !self.folder.isInDoubt, let now = self.position(control) else { return self.endMending() }
            guard now.facts - position.facts < Self.fewFacts else {
                return self.mendingQueue.async { self.mend(control, mending, to: now) }
            }
            self.logger?.flush()
            if self.goOn(mending, to: now) { self.ledger?.endMending() }
            self.endMending()
        }
    }

    /// Stops what is still being written, lets go of the state, and so of the ledger.
    ///
    /// What is missing then, the next start writes.
    func close() {
        state.withLock { $0.hasEnded = true }
        mendingQueue.sync {}
        folder.close()
    }

    private func goOn(_ mending: LedgerMending, to position: Position) -> Bool {
        let changes = state.withLock { state in
            defer { state.changesWhileMending = [] }
            return state.changesWhileMending ?? []
        }
        return mending.goOn(toFact: position.facts, change: position.changes, learning: changes) {
            !state.withLock { $0.hasEnded }
        }
    }

    /// Has the ledger go on in the file that its name stands for now, and the state know where that begins; called on
    /// the stand's queue, so that no line comes in between.
    ///
    /// - Parameter then: Told why it goes on in the file of before; nil where it does not.
    func reopen(_ ledger: LedgerFile, _ control: StandControl, then: @escaping @Sendable (FileError?) -> Void) {
        guard !control.queueing.withLock({ $0.hasEnded }) else { return }
        // Missing lines that are being written must not come in between either.
        guard beginMending() else {
            return control.queue.asyncAfter(deadline: .now() + Self.patience) {
                self.reopen(ledger, control, then: then)
            }
        }
        defer { endMending() }
        logger?.flush()
        let failure = Guarded<FileError?>(nil)
        let isWritten = DispatchSemaphore(value: 0)
        folder.append([.ledgerBegins(sequence: ledger.last + 1)], isDurable: true) { reason in
            failure.withLock { $0 = reason }
            isWritten.signal()
        }
        isWritten.wait()
        // Without that a later start could not know which lines are in the old file.
        then(failure.withLock { $0 } ?? ledger.reopen())
    }

    /// Between two looks at whether the ledger's end is free.
    private static let patience = DispatchTimeInterval.milliseconds(20)
}
