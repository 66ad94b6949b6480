import Dispatch
import Platform
import Synchronization

/// Runs a stand in wall-clock time.
///
/// A timer on the stand's serial queue fires shortly before the next event is due. A block on the queue waits for the
/// last moment and then releases all due events. The seed fixes every customer, so the result does not depend on when
/// the timer fires. Late events are released and counted. All calls of the stand and its observers are made on the
/// queue.
package final class LiveDriver: Sendable {
    /// The delays of events, in wall time.
    package struct Lateness: Sendable {
        package var spans = Histogram()
        /// The number of events released at least 100 ms late.
        package var caughtUp = 0
        /// Stand time that is due and not reached.
        package fileprivate(set) var behind = SimulationTime.zero
        package private(set) var lastMinute = LastMinute()

        package init() {}

        fileprivate mutating func record(_ delay: SimulationTime, at second: UInt64) {
            let isLate = delay >= LiveDriver.late
            spans.record(delay)
            if isLate { caughtUp += 1 }
            lastMinute.record(isLate: isLate, at: second)
        }
    }

    /// How many events of the last minute came at least 100 ms late.
    ///
    /// Keep a copy of this instead of the whole ``Lateness``: while a copy of its histogram exists, the driver's next
    /// event copies all of it.
    package struct LastMinute: Sendable {
        /// The counts of each second of wall time, oldest first.
        private var counts: [(second: UInt64, events: Int, late: Int)] = []

        package init() {}

        fileprivate mutating func record(isLate: Bool, at second: UInt64) {
            if counts.last?.second != second {
                counts.removeAll { $0.second + 60 <= second }
                counts.append((second, 0, 0))
            }
            counts[counts.count - 1].events += 1
            if isLate { counts[counts.count - 1].late += 1 }
        }

        /// The share of late events in the last minute; 0 without events.
        package func lateShare(at instant: DispatchTime = .now()) -> Double {
            let recent = counts.filter { $0.second + 60 > instant.second }
            let events = recent.reduce(0) { $0 + $1.events }
            return events == 0 ? 0 : Double(recent.reduce(0) { $0 + $1.late }) / Double(events)
        }
    }

    /// The result of a run.
    package struct Outcome: Sendable {
        package var stand: Stand
        package var lateness: Lateness
        /// The span of stand time that was due at the stop request but not released in time.
        package var behind: SimulationTime
    }

    struct State {
        var stand: Stand
        let wiring: any Wiring
        /// The observers, in the order of connecting.
        var observers: [any FactObserver & Sendable]
        var lateness = Lateness()
        /// How wall time maps to stand time; nil before the start.
        var clock: Clock?
        /// The end of the duration. Stand time stops there, and an event due at this instant does not happen.
        var deadline = DispatchTime.distantFuture
        /// Whether a command in progress keeps events from being released.
        var isHeld = false
        /// Whether an event has happened at the present instant. A command then follows after it.
        var isAfterEvent = false
        /// Whether the queue holds a block that waits for the next event.
        var isWaiting = false
        var timer: (any DispatchSourceTimer)?
        var whenClosed: (@Sendable (Outcome) -> Void)?
    }

    /// A wall instant and its stand time. Stand time advances from there at the present speed.
    struct Clock {
        var stand: SimulationTime
        var wall: DispatchTime
    }

    /// The most events released in one block, so that an overloaded stand still handles signals.
    private static let slice = 20_000
    /// The longest wall time of one block: a single event can announce thousands of facts, and the disk can be slow.
    private static let sliceTime = DispatchTimeInterval.milliseconds(20)
    /// The number of events or facts after which the wall clock is read again.
    static let clockInterval = (events: 64, facts: UInt64(1024))
    /// The longest wait for the next event on the queue.
    private static let shortWait = DispatchTimeInterval.milliseconds(2)
    /// Nanoseconds that a thread may need to wake.
    private static let wakingTime: UInt64 = 100_000
    fileprivate static let late = SimulationTime(nanoseconds: 100_000_000)

    let queue: DispatchQueue
    /// The bits of ``speed``, which only the queue changes.
    private let speedBits: Atomic<UInt64>
    /// Stand seconds per wall second.
    package var speed: Double { Double(bitPattern: speedBits.load(ordering: .relaxed)) }
    /// The stand time at which the stand closes by itself; `never` if it stays open.
    package let horizon: SimulationTime
    private let duration: SimulationTime?
    private let resumesAt: SimulationTime?
    private let atEnd: (@Sendable (SimulationTime) -> Void)?
    private let afterRelease: @Sendable () -> Void
    /// Locked only on the queue, so never contended. The lock shows the compiler that the state has one owner.
    let state: Guarded<State?>
    /// The timer that the queue's thread waits for; nil if the system provides none.
    private let alarm = Alarm()
    /// Whether the run is about to end. Due events then wait for ``holdForClosing(at:isRepeatable:)``.
    private let isEnding = Atomic(false)
    /// The due time of the next event in nanoseconds of `DispatchTime`; the largest number if there is none.
    let due = Atomic(UInt64.max)

    /// - Parameters:
    ///   - stand: A stand before its opening or, with `resumesAt`, a suspended one.
    ///   - wiring: The wiring of its observers.
    ///   - observers: Connected to the wiring.
    ///   - queue: The stand's serial queue. All calls are made there.
    ///   - speed: Stand seconds per wall second, above 0.
    ///   - horizon: The stand time at which the stand closes by itself; `never` if it stays open.
    ///   - duration: The wall time after which the stand closes by itself, even if it is late.
    ///   - resumesAt: The stand time at which a suspended stand resumes.
    ///   - atEnd: Called once, on the queue, in place of closing the stand. The argument is the time of closing, which
    ///     is never later than now.
    ///   - afterRelease: Called on the queue after due events have been released, for flushing what observers gathered.
    package init(
        _ stand: Stand, _ wiring: sending any Wiring, observers: [any FactObserver & Sendable] = [],
        queue: DispatchQueue, speed: Double, horizon: SimulationTime,
        duration: SimulationTime? = nil, resumesAt: SimulationTime? = nil,
        atEnd: (@Sendable (SimulationTime) -> Void)? = nil, afterRelease: @escaping @Sendable () -> Void = {}
    ) {
        self.resumesAt = resumesAt
        self.atEnd = atEnd
        self.afterRelease = afterRelease
        self.duration = duration
        self.queue = queue
        speedBits = Atomic(speed.bitPattern)
        self.horizon = horizon
        for observer in observers { wiring.connect(observer) }
        state = Guarded(State(stand: stand, wiring: wiring, observers: observers))
    }

    /// Whether a due event has waited for the queue for longer than a thread needs to wake. Call it on any thread.
    package var isLate: Bool {
        let due = due.load(ordering: .relaxed)
        return due != .max && DispatchTime.now().uptimeNanoseconds > due + Self.wakingTime
    }

    /// Runs `body` on the stand's queue, between two events. Call it on any thread.
    package func async(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
        alarm?.ring()
    }

    /// Releases no more events, because the run ends with what comes next on the queue. Call it on any thread.
    package func prepareToEnd() { isEnding.store(true, ordering: .relaxed) }

    /// Opens or resumes the stand. `whenClosed` is called once, on the queue.
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

    /// Releases all due events and closes the stand. Call it after ``start(whenClosed:)``.
    package func stop() {
        async { self.close(at: nil) }
    }

    // MARK: - On the queue

    /// Releases all due events and arms the timer for the next one.
    func release() {
        due.store(.max, ordering: .relaxed)
        let end = state.withLock { state -> SimulationTime? in
            guard state != nil, !state!.isHeld, !state!.stand.isPaused, DispatchTime.now() < state!.deadline,
                !isEnding.load(ordering: .relaxed)
            else { return nil }
            let isCaughtUp = releaseDue(&state!, limit: Self.slice)
            let now = standTime(state!)
            // All events before the horizon must have happened. Only a stop request may skip due events.
            let isAtHorizon = now >= horizon && state!.stand.nextTime >= horizon
            // A stand that is over closes now, not later: an order by command may still come before the horizon.
            if isCaughtUp, state!.stand.isOver || isAtHorizon { return min(now, horizon) }
            arm(&state!)
            return nil
        }
        // The code that ends the run flushes the rest.
        guard !isEnding.load(ordering: .relaxed) else { return }
        afterRelease()
        if let end { endByItself(at: end) }
    }

    /// Closes the stand at the stand time reached. The time of pauses is not made up.
    private func durationIsOver() {
        guard let end = state.withLock({ state in state.map { standTime($0) } }) else { return }
        endByItself(at: min(end, horizon))
    }

    private func endByItself(at end: SimulationTime) {
        guard let atEnd else { return close(at: end) }
        if state.withLock({ $0 != nil }) { atEnd(end) }
    }

    /// - Parameter end: See ``holdForClosing(at:isRepeatable:)``.
    private func close(at end: SimulationTime?) {
        let (time, behind): (SimulationTime, SimulationTime)
        // A stand that has already ended can't be held.
        do { (time, behind) = try holdForClosing(at: end, isRepeatable: false) } catch { return }
        _ = perform { stand, out in stand.close(at: stand.isOver ? stand.now : time, out) }
        self.end(behind: behind)
    }

    /// - Returns: Whether all due events have been released.
    private func releaseDue(_ state: inout State, limit: Int) -> Bool {
        let out = FactPublisher(state.wiring)
        let end = min(horizon, standTime(state, at: state.deadline))
        var now = standTime(state)
        var second = DispatchTime.now().second
        var released = 0
        let sliceEnd = DispatchTime.now() + Self.sliceTime
        var factsAtClock = state.stand.factsAnnounced
        while state.stand.nextTime <= now, state.stand.nextTime < end, !state.stand.isOver {
            if released == limit { return false }
            // Events due before the program went down are replayed, not late.
            if state.stand.nextTime >= resumesAt ?? .zero {
                let delay = SimulationTime(seconds: (now - state.stand.nextTime).seconds / speed)
                state.lateness.record(delay, at: second)
            }
            state.stand.step(out)
            state.isAfterEvent = true
            released += 1
            if released % Self.clockInterval.events == 0
                || state.stand.factsAnnounced &- factsAtClock >= Self.clockInterval.facts
            {
                let instant = DispatchTime.now()
                if instant >= sliceEnd { return false }
                now = standTime(state, at: instant)
                second = instant.second
                factsAtClock = state.stand.factsAnnounced
            }
        }
        return true
    }

    func standTime(_ state: State, at instant: DispatchTime = .now()) -> SimulationTime {
        guard let clock = state.clock else { return .zero }
        let now = min(instant, state.deadline)
        // A pause may end after the deadline.
        guard !state.stand.isPaused, now > clock.wall else { return clock.stand }
        let wall = now.uptimeNanoseconds - clock.wall.uptimeNanoseconds
        return clock.stand + SimulationTime(seconds: Double(wall) / 1e9 * speed)
    }

    /// The stand time up to which all events have happened. A late stand is behind ``standTime(_:at:)``.
    private func reached(_ state: State, at instant: DispatchTime = .now()) -> SimulationTime {
        let now = max(state.stand.now, min(standTime(state, at: instant), horizon))
        // Events due at the horizon never happen.
        guard !state.stand.isOver, state.stand.nextTime < horizon else { return now }
        return max(state.stand.now, min(now, state.stand.nextTime - SimulationTime(nanoseconds: 1)))
    }

    /// Arms the timer so that ``release()`` is called when the next event is due.
    ///
    /// A Dispatch timer involves two more threads. A preempted one waits behind all other work of the processor. So the
    /// timer fires early, and a block on the queue waits for the last moment, behind any block enqueued before it.
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

    /// The due time of the next event; nil for a stand that only waits for a command or a signal.
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
    /// Whether the stand has not been started yet.
    package var isYetToStart: Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        return state.withLock { $0 != nil && $0!.clock == nil }
    }

    /// Changes the stand after ``hold()``.
    ///
    /// - Returns: The result of `body`; nil if the stand is not open.
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

    /// Changes the speed from now on.
    ///
    /// A late stand goes on from the time that it has reached, as after a pause. It does not make up for the rest at
    /// the new speed.
    ///
    /// - Parameter speed: Stand seconds per wall second, above 0.
    /// - Returns: The stand time from which on the speed holds; nil if the stand is not open.
    package func setSpeed(_ speed: Double) -> SimulationTime? {
        dispatchPrecondition(condition: .onQueue(queue))
        return state.withLock { state in
            guard state?.clock != nil else { return nil }
            let now = DispatchTime.now()
            let time = reached(state!, at: now)
            state!.clock = Clock(stand: time, wall: now)
            speedBits.store(speed.bitPattern, ordering: .relaxed)
            arm(&state!)
            return time
        }
    }

    /// Ends the run with the stand as it is, and calls `whenClosed`.
    ///
    /// - Parameter behind: The span returned by ``holdForClosing(at:isRepeatable:)``.
    /// - Precondition: The stand has been started.
    package func end(behind: SimulationTime = .zero) {
        dispatchPrecondition(condition: .onQueue(queue))
        let ended = state.withLock { state -> (Outcome, (@Sendable (Outcome) -> Void)?)? in
            guard let last = state else { return nil }
            precondition(last.clock != nil, "end(behind:) was called before start(whenClosed:)")
            state = nil
            due.store(.max, ordering: .relaxed)
            last.timer?.cancel()
            return (Outcome(stand: last.stand, lateness: last.lateness, behind: behind), last.whenClosed)
        }
        if let (outcome, whenClosed) = ended { whenClosed?(outcome) }
    }

    /// Connects an observer to the facts announced from now on.
    package func connect(_ observer: any FactObserver & Sendable) {
        dispatchPrecondition(condition: .onQueue(queue))
        state.withLock { state in
            state?.wiring.connect(observer)
            state?.observers.append(observer)
        }
    }

    /// Calls `body` with the wiring, its observers in the order of connecting, and the number of facts announced so
    /// far. Returns nil if the stand is not open.
    package func lookAtWiring<Result>(
        _ body: (any Wiring, [any FactObserver & Sendable], _ announced: UInt64) -> Result
    ) -> Result? {
        dispatchPrecondition(condition: .onQueue(queue))
        return state.withLock { state in
            state.map { body($0.wiring, $0.observers, $0.stand.factsAnnounced) }
        }
    }

    /// Calls `body` with the stand, the stand time that it has reached and the lateness. Returns nil if the stand is
    /// not open.
    package func look<Result>(_ body: (Stand, SimulationTime, Lateness) -> Result) -> Result? {
        dispatchPrecondition(condition: .onQueue(queue))
        return state.withLock { state in
            guard let state, state.clock != nil else { return nil }
            let now = DispatchTime.now()
            let time = reached(state, at: now)
            var lateness = state.lateness
            // A replay is not late.
            lateness.behind = max(.zero, min(standTime(state, at: now), horizon) - max(time, resumesAt ?? .zero))
            return body(state.stand, time, lateness)
        }
    }
}

extension DispatchTime {
    fileprivate var second: UInt64 { uptimeNanoseconds / 1_000_000_000 }
}
