import Dispatch
import JuiceStand
import Platform
import StandState

// How changes become durable and then take effect.
//
// While changes are on their way to the disk, the stand is held at the instant at which they take effect. So nothing
// happens that a replay after a crash would not repeat.

extension StandControl {
    /// Submits a change. The reply comes once the change is durable.
    ///
    /// - Parameter key: An idempotency key: a change that was made with it is answered again, and not made again.
    package func submit<Answer>(
        _ submitted: Change<Answer>, key: String? = nil, reply answer: @escaping Reply<Answer> = { _ in }
    ) {
        let change = submitted.request
        let reply: Reply<ChangeAnswer> = { answer(submitted.result($0)) }
        driver.async {
            if let error = change.invalidity { return reply(.failure(error)) }
            // The bytes of an HTTP field are the scalars of its text.
            if let length = key?.unicodeScalars.count, !(1...IdempotencyCache.longestKey).contains(length) {
                let most = IdempotencyCache.longestKey
                return reply(.failure(.invalid("an idempotency key has 1 to \(most) bytes, found \(length)")))
            }
            if let known = self.cache.withLock({ $0.answer(to: change, key: key) }) { return reply(known) }
            let refusal = self.queueing.withLock { state -> ControlError? in
                if state.isSuspending { return .stopping }
                if state.hasEnded { return .closed }
                state.waiting.append(Request(change: change, key: key, reply: reply))
                return nil
            }
            if let refusal { return reply(.failure(refusal)) }
            self.commit()
        }
    }

    /// The answer to an earlier change with this key; nil for a new key.
    func known<Answer>(_ change: Change<Answer>, key: String?) -> Result<Answer, ControlError>? {
        cache.withLock { $0.answer(to: change.request, key: key) }.map { change.result($0) }
    }

    /// Closes the stand at `end`; nil is now. Like the change ``Change/stop``, but for the program itself.
    ///
    /// If that can't be made durable, the stand is held at its end until it can.
    func close(at end: SimulationTime? = nil) {
        driver.prepareToEnd()
        driver.async {
            self.queueing.withLock { state in
                guard !state.hasEnded, !state.isSuspending, state.closing == nil else { return }
                state.closing = Closing(end: end)
            }
            self.commit()
        }
    }

    /// Ends the run: a stand with a state is suspended, any other closes.
    package func end() { if keeping == nil { close() } else { suspend() } }

    /// Ends the run without closing the stand, once everything is durable. The next start resumes.
    package func suspend() {
        driver.prepareToEnd()
        keeping?.prepareToSuspend()
        driver.async {
            let (refused, isFree) = self.queueing.withLock { state -> ([Request], Bool) in
                guard !state.hasEnded, !state.isSuspending else { return ([], false) }
                state.isSuspending = true
                defer { state.waiting = [] }
                return (state.waiting, !state.isCommitting)
            }
            for request in refused { request.reply(.failure(.stopping)) }
            // A stand that is not open yet opens first.
            if isFree, !self.driver.isYetToStart { self.endSuspended() }
        }
    }

    private func endSuspended() {
        guard !queueing.exchange(\.hasEnded, for: true) else { return }
        guard let keeping else { return driver.end() }
        let time: SimulationTime
        // If the present instant can't be finished in time, the restart resumes before it, as after a crash.
        do { time = try driver.hold() } catch { return driver.end() }
        keeping.mark(max(time, driver.look { _, now, _ in now } ?? time), isLast: true) {
            self.driver.async { self.driver.end() }
        }
    }

    /// Journals how far stand time has come; saves a snapshot or repairs the ledger if that is due. Called every
    /// second.
    package func maintain() { queue.async { self.keeping?.tick(self) } }

    /// Saves a snapshot before the next changes. Called on the queue.
    func save() {
        dispatchPrecondition(condition: .onQueue(queue))
        let isFree = queueing.withLock { state in
            guard !state.hasEnded else { return false }
            state.isToBeSaved = state.isCommitting
            return !state.isCommitting
        }
        guard isFree else { return }
        let cache = cache.withLock { $0 }
        _ = driver.look { stand, time, _ in keeping?.save(stand, observers, past, cache, at: time) }
    }

    /// Called once the stand is open: commits the changes that waited for that.
    func begin() {
        driver.async {
            if self.queueing.withLock({ $0.isSuspending }) { return self.endSuspended() }
            self.commit()
        }
    }

    /// Commits the waiting changes, unless a commit is under way. Also retries an end that could not be made durable.
    func commit() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !driver.isYetToStart else { return }
        let (batch, end) = queueing.withLock { state -> ([Request], SimulationTime?) in
            guard !state.isCommitting, !state.hasEnded else { return ([], nil) }
            var batch = state.waiting
            if state.closing != nil { batch.append(Request(change: .stop, key: nil, reply: { _ in })) }
            state.isCommitting = !batch.isEmpty
            return (batch, state.closing?.end)
        }
        guard !batch.isEmpty else { return }
        let isClosing = batch.contains { $0.change == .stop }
        holdTime()
        let (time, behind): (SimulationTime, SimulationTime)
        do throws(LiveDriver.HoldError) {
            (time, behind) =
                isClosing
                ? try driver.holdForClosing(at: end, isRepeatable: keeping != nil) : (try driver.hold(), .zero)
        } catch {
            publish(isGoingOn: true)
            switch error {
            case .notOpen: return finish(closed: true)
            // The next attempt comes after what else waits for the queue, such as a signal.
            case .instantNotOver: return driver.async { self.finish(closed: false) }
            }
        }
        queueing.withLock { $0.waiting = [] }
        if batch.contains(where: { $0.change.isOrder }) { keepOrders() }
        guard let keeping else { return complete(batch, at: time, behind: behind) }
        let made = cache.withLock { $0.made }
        let records = batch.enumerated().map { index, request in
            JournalRecord.change(number: made + UInt64(index) + 1, at: time, making: request.change, key: request.key)
        }
        keeping.folder.record(records, isDurable: true) { failure in
            self.driver.async {
                if let failure {
                    keeping.journalFailed(failure)
                    let cause = "\(failure.path): \(failure.reason)"
                    self.refuse(batch, keeping.folder.isInDoubt ? .inDoubt(cause) : .diskFailing(cause))
                } else {
                    keeping.didAppend(records)
                    self.complete(batch, at: time, behind: behind)
                }
            }
        }
    }

    /// Makes the changes, which are durable now, and replies.
    private func complete(_ batch: [Request], at time: SimulationTime, behind: SimulationTime) {
        var answers: [Result<ChangeAnswer, ControlError>] = []
        let isClosed = driver.perform { stand, out in
            for request in batch {
                answers.append(
                    cache.withLock { cache in
                        if cache.answer(to: request.change, key: request.key) == nil {
                            past.note(DatedChange(number: cache.made + 1, at: time, request.change))
                        }
                        return cache.carryOut(request.change, key: request.key, in: &stand, at: time, out)
                    })
            }
            return stand.isClosed
        }
        publish(isGoingOn: true)
        for (request, answer) in zip(batch, answers) { request.reply(answer) }
        finish(closed: isClosed ?? true, behind: behind)
    }

    private func refuse(_ batch: [Request], _ error: ControlError) {
        for request in batch { request.reply(.failure(error)) }
        // The events due before a refused close have happened.
        publish(isGoingOn: true)
        finish(closed: false, isRefused: true)
    }

    private func finish(closed: Bool, isRefused: Bool = false, behind: SimulationTime = .zero) {
        let (late, next) = queueing.withLock { state -> ([Request], Queueing) in
            state.isCommitting = false
            state.hasEnded = state.hasEnded || closed
            let next = state
            if closed { state.waiting = [] }
            state.isToBeSaved = false
            return (closed ? next.waiting : [], next)
        }
        for request in late { request.reply(.failure(.closed)) }
        if closed { return driver.end(behind: behind) }
        if next.isSuspending { return endSuspended() }
        if next.isToBeSaved { save() }
        if next.closing == nil {
            driver.goOn()
            commit()
        } else if !isRefused {
            commit()
        }
    }
}

extension Change {
    /// The answer; `keyReused` if it answers another kind of change, whose key was used again.
    fileprivate func result(_ result: Result<ChangeAnswer, ControlError>) -> Result<Answer, ControlError> {
        result.flatMap { found in answer(found).map { .success($0) } ?? .failure(.keyReused) }
    }
}
