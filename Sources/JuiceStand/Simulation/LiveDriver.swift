import Dispatch
import Platform
import Synchronization

/// Runs a stand in wall-clock time: a timer on the stand's own queue releases whatever is due, and the last moment before
/// that is waited for on the queue itself.
///
/// The seed fixes every customer, so what happens does not depend on when the timer fires; being late is caught up,
/// and counted. Every call of the stand and of its observers is made on one serial queue.
package final class LiveDriver: Sendable {
    /// How late events were released, in wall time.
    package struct Lateness: Sendable {
        package var spans = Histogram()
        /// Events released 100 ms late or more.
        package var caughtUp = 0

        package init() {}
    }

    /// What became of the run.
    package struct Outcome: Sendable {
        package var stand: Stand
        package var lateness: Lateness
        /// Stand time whose events were due when the stand was told to stop and that there was no time left to release.
        package var behind: SimulationTime
    }

    private struct State {
        var stand: Stand
        let wiring: any Wiring
        var lateness = Lateness()
        /// nil before the start.
        var clock: Clock?
        /// When the duration is over; stand time then stands still, and what is due at that instant does not happen.
        var deadline = DispatchTime.distantFuture
        /// Whether nothing is released, because a command is on its way.
        var isHeld = false
        /// Whether an event has happened at the stand's instant, so that a command can only come after it.
        var isAfterEvent = false
        /// Whether the queue has a block that waits in place and releases.
        var isWaiting = false
        var timer: (any DispatchSourceTimer)?
        var whenClosed: (@Sendable (Outcome) -> Void)?
    }

    /// Which stand time it is: that of a wall instant, and from there on at the driver's speed.
    private struct Clock {
        var stand: SimulationTime
        var wall: DispatchTime
    }

    /// Events released before the queue is given back, so that a stand that can't keep up still hears a signal.
    private static let slice = 20_000
    /// The same in wall time: a single event can announce thousands of facts, and a ledger's disk can be slow.
    private static let sliceTime = DispatchTimeInterval.milliseconds(20)
    /// Events or facts after which the wall clock is read again.
    private static let clockInterval = (events: 64, facts: UInt64(1024))
    /// How long the queue may be kept waiting for the next event.
    private static let shortWait = DispatchTimeInterval.milliseconds(2)
    /// Nanoseconds a thread may take to wake.
    private static let wakingTime: UInt64 = 100_000
    private static let late = SimulationTime(nanoseconds: 100_000_000)
    /// How long a stand that is told to stop goes on releasing what is due.
    private static let patience = DispatchTimeInterval.milliseconds(500)

    private let queue: DispatchQueue
    private let speed: Double
    /// Where the stand closes by itself; `never` where it stays open.
    package let horizon: SimulationTime
    private let duration: SimulationTime?
    private let resumesAt: SimulationTime?
    private let atEnd: (@Sendable (SimulationTime) -> Void)?
    private let afterRelease: @Sendable () -> Void
    /// Taken on the queue alone and so never waited for; it lets the compiler see that the state has one owner.
    private let state: Guarded<State?>
    /// What the queue's own thread waits by; nil where it can't.
    private let alarm = Alarm()
    /// When the event that is waited for is due, in nanoseconds of `DispatchTime`; the largest where none is.
    private let due = Atomic(UInt64.max)

    /// - Parameters:
    ///   - stand: A stand that is not open yet, or, with `resumesAt`, one that was suspended.
    ///   - wiring: How its facts reach their observers.
    ///   - queue: The stand's own serial queue, on which everything is called.
    ///   - speed: Stand seconds a wall second, above 0.
    ///   - horizon: Where the stand closes by itself; `never` where it stays open.
    ///   - duration: Wall time after which the stand closes by itself, whether or not it has kept up.
    ///   - resumesAt: The stand time at which an open stand goes on.
    ///   - atEnd: Called once, on the queue, instead of closing the stand by itself: where it is to close, which is
    ///     never later than now.
    ///   - afterRelease: Called on the queue when what was due has happened: the time to hand on what observers have
    ///     gathered.
    package init(
        _ stand: Stand, _ wiring: sending any Wiring, queue: DispatchQueue, speed: Double, horizon: SimulationTime,
        duration: SimulationTime? = nil, resumesAt: SimulationTime? = nil,
        atEnd: (@Sendable (SimulationTime) -> Void)? = nil, afterRelease: @escaping @Sendable () -> Void = {}
    ) {
        self.resumesAt = resumesAt
        self.atEnd = atEnd
        self.afterRelease = afterRelease
        self.duration = duration
        self.queue = queue
        self.speed = speed
        self.horizon = horizon
        state = Guarded(State(stand: stand, wiring: wiring))
    }

    /// Whether an event that is due has been waiting for the queue, longer than its thread takes to wake; from any thread.
    package var isLate: Bool {
        let due = due.load(ordering: .relaxed)
        return due != .max && DispatchTime.now().uptimeNanoseconds > due + Self.wakingTime
    }

    /// Has the stand's own queue do something between two events; from any thread.
    package func async(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
        alarm?.ring()
    }

    /// Opens the stand, or goes on with it; `whenClosed` is called once, on the queue.
    package func start(whenClosed: @escaping @Sendable (Outcome) -> Void) {
        queue.async {
            self.state.withLock { state in
                guard state != nil else { return }
                state!.whenClosed = whenClosed
                let clock = Clock(stand: self.resumesAt ?? .zero, wall: .now())
                state!.clock = clock
                if self.resumesAt == nil { state!.stand.open(FactPublisher(state!.wiring)) }
                state!.isAfterEvent = self.resumesAt != nil && !state!.stand.isPaused
                let timer = DispatchSource.makeTimerSource(flags: .strict, queue: self.queue)
                timer.setEventHandler { @Sendable in self.release() }
                state!.timer = timer
                self.arm(&state!)
                timer.activate()
                if let duration = self.duration {
                    let deadline = clock.wall + .nanoseconds(Int(duration.nanoseconds))
                    state!.deadline = deadline
                    self.queue.asyncAfter(deadline: deadline) { self.durationIsOver() }
                }
            }
            self.afterRelease()
        }
    }

    /// Releases what is due and closes the stand, which has been started.
    package func stop() {
        async { self.close(at: nil) }
    }

    // MARK: - On the queue

    /// Releases what is due, and sees to it that this is called again for what comes next.
    private func release() {
        due.store(.max, ordering: .relaxed)
        let end = state.withLock { state -> SimulationTime? in
            guard state != nil, !state!.isHeld, !state!.stand.isPaused, DispatchTime.now() < state!.deadline else {
                return nil
            }
            let isCaughtUp = releaseDue(&state!, limit: Self.slice)
            let now = standTime(state!)
            // Everything before the horizon must have happened: only who is told to stop may stop short of what is due.
            let isAtHorizon = now >= horizon && state!.stand.nextTime >= horizon
            // An order by hand may still come before the end: it must not carry a stand that is over beyond the present.
            if isCaughtUp, state!.stand.isOver || isAtHorizon { return min(now, horizon) }
            arm(&state!)
            return nil
        }
        afterRelease()
        if let end { endByItself(at: end) }
    }

    /// The stand closes where stand time had come to by then: what it was paused is not caught up.
    private func durationIsOver() {
        guard let end = state.withLock({ state in state.map { standTime($0) } }) else { return }
        endByItself(at: min(end, horizon))
    }

    private func endByItself(at end: SimulationTime) {
        guard let atEnd else { return close(at: end) }
        if state.withLock({ $0 != nil }) { atEnd(end) }
    }

    /// - Parameter end: As ``holdForClosing(at:)`` has it.
    private func close(at end: SimulationTime?) {
        guard let (time, behind) = holdForClosing(at: end) else { return }
        _ = perform { stand, out in stand.close(at: stand.isOver ? stand.now : time, out) }
        self.end(behind: behind)
    }

    /// - Returns: whether everything due has been released.
    private func releaseDue(_ state: inout State, limit: Int) -> Bool {
        let out = FactPublisher(state.wiring)
        let end = min(horizon, standTime(state, at: state.deadline))
        var now = standTime(state)
        var released = 0
        let sliceEnd = DispatchTime.now() + Self.sliceTime
        var factsAtClock = state.stand.factsAnnounced
        while state.stand.nextTime <= now, state.stand.nextTime < end, !state.stand.isOver {
            if released == limit { return false }
            record(now - state.stand.nextTime, &state.lateness)
            state.stand.step(out)
            state.isAfterEvent = true
            released += 1
            if released % Self.clockInterval.events == 0
                || state.stand.factsAnnounced &- factsAtClock >= Self.clockInterval.facts
            {
                if DispatchTime.now() >= sliceEnd { return false }
                now = standTime(state)
                factsAtClock = state.stand.factsAnnounced
            }
        }
        return true
    }

    private func record(_ delay: SimulationTime, _ lateness: inout Lateness) {
        let wall = SimulationTime(seconds: delay.seconds / speed)
        lateness.spans.record(wall)
        if wall >= Self.late { lateness.caughtUp += 1 }
    }

    /// Releases what is due before `end`, as far as there is patience for.
    private func catchUp(_ state: inout State, to end: SimulationTime?) -> (end: SimulationTime, isBehind: Bool) {
        // The wall clock is read once: a stand that can't keep up would never catch the present.
        let end = min(end ?? standTime(state), horizon)
        let deadline = DispatchTime.now() + Self.patience
        let out = FactPublisher(state.wiring)
        while state.stand.nextTime < end, !state.stand.isOver, !state.stand.isPaused, DispatchTime.now() < deadline {
            state.stand.advance(to: end, limit: 16, out)
            state.isAfterEvent = true
        }
        return (end, state.stand.nextTime < end)
    }

    private func standTime(_ state: State, at instant: DispatchTime = .now()) -> SimulationTime {
        guard let clock = state.clock else { return .zero }
        let now = min(instant, state.deadline)
        // A pause may have ended after the deadline.
        guard !state.stand.isPaused, now > clock.wall else { return clock.stand }
        let wall = now.uptimeNanoseconds - clock.wall.uptimeNanoseconds
        return clock.stand + SimulationTime(seconds: Double(wall) / 1e9 * speed)
    }

    /// Sees to it that ``release()`` is called when the next event is due.
    ///
    /// A timer of Dispatch takes two more threads, and one that is preempted by the next waits behind everything else the
    /// processor has to do. So the last moment is waited for on the queue itself, after whatever else is on it by then.
    private func arm(_ state: inout State) {
        guard let due = nextDue(state) else {
            state.timer?.schedule(deadline: .distantFuture)
            return
        }
        self.due.store(due.uptimeNanoseconds, ordering: .relaxed)
        let early = alarm == nil ? due : due - Self.shortWait
        guard early <= .now() else {
            state.timer?.schedule(deadline: early, leeway: .nanoseconds(0))
            return
        }
        guard !state.isWaiting else { return }
        state.isWaiting = true
        queue.async { self.waitAndRelease() }
    }

    private func waitAndRelease() {
        let due = state.withLock { state -> DispatchTime? in
            state?.isWaiting = false
            return state.flatMap { $0.isHeld ? nil : nextDue($0) }
        }
        guard let due else { return }
        alarm?.sleep(until: min(due, .now() + Self.shortWait))
        release()
    }

    /// When the next event is due, at once where something already is; nil for a stand where nothing will happen by itself,
    /// which waits for a command or a signal.
    private func nextDue(_ state: State) -> DispatchTime? {
        guard let clock = state.clock, !state.stand.isPaused else { return nil }
        let due = min(state.stand.isOver ? .zero : state.stand.nextTime, horizon)
        let wall = (Double(max(due, clock.stand).nanoseconds - clock.stand.nanoseconds) / speed).rounded(.up)
        guard due < .never, wall < 0x1p62 else { return nil }
        return DispatchTime(uptimeNanoseconds: clock.wall.uptimeNanoseconds + UInt64(wall))
    }
}

// MARK: - Commands, on the queue

extension LiveDriver {
    /// Whether the stand is yet to be opened.
    package var isYetToStart: Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        return state.withLock { $0 != nil && $0!.clock == nil }
    }

    /// Stops releasing until ``goOn()``, so that a command can be made to last before it takes effect.
    ///
    /// - Returns: when it takes effect: now, or where a stand that is late has come to. Everything due before has
    ///   happened. nil where the stand is not open.
    package func hold() -> SimulationTime? {
        dispatchPrecondition(condition: .onQueue(queue))
        return state.withLock { state in
            guard state?.clock != nil else { return nil }
            due.store(.max, ordering: .relaxed)
            let earliest = Self.earliest(state!)
            let time = max(earliest, min(standTime(state!), horizon, state!.stand.nextTime))
            // At most what is left of the instant at which something has just happened.
            state!.stand.advance(to: time, FactPublisher(state!.wiring))
            state!.isHeld = true
            return time
        }
    }

    /// Stops releasing for good after what is due by now, or as much of it as there is patience for.
    ///
    /// - Parameter end: Where the stand is to close; nil is now.
    /// - Returns: when it can close, and what was due by then and is not released; nil where the stand is not open.
    package func holdForClosing(at end: SimulationTime? = nil) -> (time: SimulationTime, behind: SimulationTime)? {
        dispatchPrecondition(condition: .onQueue(queue))
        return state.withLock { state in
            guard state?.clock != nil else { return nil }
            due.store(.max, ordering: .relaxed)
            state!.isHeld = true
            let (end, isBehind) = catchUp(&state!, to: end)
            let earliest = Self.earliest(state!)
            guard isBehind, !state!.stand.isOver else {
                return (max(earliest, state!.stand.isOver ? .zero : end), .zero)
            }
            state!.stand.advance(to: earliest, FactPublisher(state!.wiring))
            return (earliest, end - earliest)
        }
    }

    /// Changes the held stand.
    ///
    /// - Returns: what `body` returns; nil where the stand is not open.
    package func perform<Result>(_ body: (inout Stand, FactPublisher) -> Result) -> Result? {
        dispatchPrecondition(condition: .onQueue(queue))
        return state.withLock { state in
            guard state?.clock != nil else { return nil }
            let wasPaused = state!.stand.isPaused
            let before = state!.stand.now
            let result = body(&state!.stand, FactPublisher(state!.wiring))
            if state!.stand.now > before { state!.isAfterEvent = false }
            if state!.stand.isPaused != wasPaused {
                state!.clock = Clock(stand: state!.stand.now, wall: .now())
            }
            return result
        }
    }

    /// Releases what has become due since ``hold()``.
    package func goOn() {
        dispatchPrecondition(condition: .onQueue(queue))
        state.withLock { $0?.isHeld = false }
        release()
    }

    /// Ends the run and calls back, with the stand as it is.
    ///
    /// - Parameter behind: As ``holdForClosing(at:)`` found.
    /// - Precondition: the stand has been started, else nobody would be called back.
    package func end(behind: SimulationTime = .zero) {
        dispatchPrecondition(condition: .onQueue(queue))
        let ended = state.withLock { state -> (Outcome, (@Sendable (Outcome) -> Void)?)? in
            guard let last = state else { return nil }
            precondition(last.clock != nil, "a stand ends that was never started")
            state = nil
            due.store(.max, ordering: .relaxed)
            last.timer?.cancel()
            last.wiring.settle()
            return (Outcome(stand: last.stand, lateness: last.lateness, behind: behind), last.whenClosed)
        }
        if let (outcome, whenClosed) = ended { whenClosed?(outcome) }
    }

    /// Connects another observer, which hears what is announced from now on.
    package func connect(_ observer: sending AnyObject) {
        dispatchPrecondition(condition: .onQueue(queue))
        state.withLock { state in state?.wiring.connect(observer) }
    }

    /// The stand and the stand time of now; nil where it is not open.
    package func look<Result>(_ body: (Stand, SimulationTime, Lateness) -> Result) -> Result? {
        dispatchPrecondition(condition: .onQueue(queue))
        return state.withLock { state in
            guard let state, state.clock != nil else { return nil }
            return body(state.stand, max(state.stand.now, min(standTime(state), horizon)), state.lateness)
        }
    }

    /// The earliest instant a command can come at: after what has happened, since what is due at its instant comes
    /// after it.
    private static func earliest(_ state: State) -> SimulationTime {
        state.isAfterEvent ? state.stand.now + SimulationTime(nanoseconds: 1) : state.stand.now
    }
}
