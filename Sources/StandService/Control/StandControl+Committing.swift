import Dispatch
import JuiceStand
import NotificationBus

// How changes are made to last, and then made.
//
// While changes are on their way to the disk the stand is held at the instant at which they will take effect: nothing
// of it can have happened that a crash would not repeat.

extension StandControl {
    /// Takes a change; it is answered when it lasts.
    func submit(_ change: StandChange, _ key: String?, reply: @escaping Reply<ChangeAnswer>) {
        queue.async {
            if let error = change.invalidity { return reply(.failure(error)) }
            if let key, key.utf8.isEmpty || key.utf8.count > ChangeDesk.longestKey {
                return reply(
                    .failure(
                        .invalid("an idempotency key has 1 to \(ChangeDesk.longestKey) bytes, found \(key.utf8.count)"))
                )
            }
            if let known = self.desk.withLock({ $0.answer(to: change, key: key) }) { return reply(known) }
            let refusal = self.queueing.withLock { state -> ControlError? in
                if state.hasEnded { return .closed }
                if state.isSuspending { return .stopping }
                state.waiting.append(Request(change: change, key: key, reply: reply))
                return nil
            }
            if let refusal { return reply(.failure(refusal)) }
            self.commit()
        }
    }

    /// Closes the stand, at `end` or, where that is nil, now; as ``stop(key:reply:)``, for the program itself.
    func close(at end: SimulationTime? = nil) {
        queue.async {
            self.queueing.withLock { state in
                guard !state.hasEnded, !state.isSuspending else { return }
                state.closing = .some(end)
                state.waiting.append(Request(change: .stop, key: nil, reply: { _ in }))
            }
            self.commit()
        }
    }

    /// Ends the run: a stand with a state goes on at the next start, every other closes.
    package func end() {
        if keeping == nil { close() } else { suspend() }
    }

    /// Ends the run without closing the stand, once all that was done lasts; the next start goes on.
    package func suspend() {
        queue.async {
            let (refused, isFree) = self.queueing.withLock { state -> ([Request], Bool) in
                guard !state.hasEnded, !state.isSuspending else { return ([], false) }
                state.isSuspending = true
                defer { state.waiting = [] }
                return (state.waiting, !state.isCommitting)
            }
            for request in refused { request.reply(.failure(.stopping)) }
            // A stand that is not open yet opens and ends.
            if isFree, !self.driver.isYetToStart { self.endSuspended() }
        }
    }

    private func endSuspended() {
        let isFirst = queueing.withLock { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
        guard isFirst else { return }
        guard let keeping, let time = driver.hold() else { return driver.end() }
        keeping.mark(max(time, driver.look { _, now, _ in now } ?? time), isLast: true) {
            self.queue.async { self.driver.end() }
        }
    }

    /// Has a ledger go on in the file that its name stands for now, and the state know where that begins.
    func reopen(_ ledger: LedgerFile, then: @escaping @Sendable () -> Void) {
        queue.async {
            if let keeping = self.keeping {
                keeping.flush()
                // Waited for, so that no line comes in between.
                let isWritten = DispatchSemaphore(value: 0)
                keeping.folder.append([.ledgerBegins(sequence: ledger.last + 1)], isDurable: false) { _ in
                    isWritten.signal()
                }
                isWritten.wait()
            }
            then()
        }
    }

    /// Saves the stand before anything else is changed; called now and then, on the queue.
    func save() {
        dispatchPrecondition(condition: .onQueue(queue))
        let isFree = queueing.withLock { state in
            guard !state.hasEnded else { return false }
            state.isToBeSaved = state.isCommitting
            return !state.isCommitting
        }
        guard isFree else { return }
        let desk = desk.withLock { $0 }
        _ = driver.look { stand, _, _ in keeping?.save(stand, desk) }
    }

    /// The stand is open: makes what has been waiting for that.
    func begin() {
        queue.async {
            if self.queueing.withLock({ $0.isSuspending }) { return self.endSuspended() }
            self.commit()
        }
    }

    /// Makes what waits, unless that is being done.
    private func commit() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !driver.isYetToStart else { return }
        let batch = queueing.withLock { state -> [Request] in
            guard !state.isCommitting, !state.waiting.isEmpty else { return [] }
            state.isCommitting = true
            defer { state.waiting = [] }
            return state.waiting
        }
        guard !batch.isEmpty else { return }
        let isClosing = batch.contains { $0.change == .stop }
        let end = queueing.withLock { $0.closing } ?? nil
        let held = isClosing ? driver.holdForClosing(at: end) : driver.hold().map { ($0, .zero) }
        guard let (time, behind) = held else { return refuse(batch, .closed, hasEnded: true) }
        guard let keeping else { return make(batch, at: time, behind: behind) }
        let made = desk.withLock { $0.made }
        let records = batch.enumerated().map { index, request in
            JournalRecord.change(
                number: made + UInt64(index) + 1, at: time, request.change, key: request.key)
        }
        keeping.folder.append(records, isDurable: true) { failure in
            self.queue.async {
                if let failure {
                    keeping.journalFailed(failure)
                    self.refuse(batch, .diskFailing("\(failure.path): \(failure.reason)"))
                } else {
                    self.make(batch, at: time, behind: behind)
                }
            }
        }
    }

    /// They last: makes them and answers.
    private func make(_ batch: [Request], at time: SimulationTime, behind: SimulationTime) {
        var answers: [Result<ChangeAnswer, ControlError>] = []
        let isClosed = driver.perform { stand, out in
            for request in batch {
                answers.append(
                    desk.withLock { desk in
                        desk.make(request.change, key: request.key, in: &stand, at: time, out)
                    })
            }
            return stand.isClosed
        }
        publish()
        for (request, answer) in zip(batch, answers) { request.reply(answer) }
        finish(closed: isClosed ?? true, behind: behind)
    }

    private func refuse(_ batch: [Request], _ error: ControlError, hasEnded: Bool = false) {
        for request in batch { request.reply(.failure(error)) }
        finish(closed: hasEnded, behind: .zero)
    }

    private func finish(closed: Bool, behind: SimulationTime) {
        let (late, isSuspending, isToBeSaved) = queueing.withLock { state -> ([Request], Bool, Bool) in
            state.isCommitting = false
            state.hasEnded = state.hasEnded || closed
            defer {
                if closed { state.waiting = [] }
                state.isToBeSaved = false
            }
            return (closed ? state.waiting : [], state.isSuspending, state.isToBeSaved)
        }
        for request in late { request.reply(.failure(.closed)) }
        if closed { return driver.end(behind: behind) }
        if isSuspending { return endSuspended() }
        if isToBeSaved { save() }
        driver.goOn()
        commit()
    }
}
