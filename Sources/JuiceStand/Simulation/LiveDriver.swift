import Dispatch
import NotificationBus

/// Runs a stand in wall-clock time: a timer on the stand's own queue releases whatever is due.
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
        var opened: DispatchTime?
        /// Whether it was to stop before it was opened; it then closes at once.
        var isToStop = false
        var timer: (any DispatchSourceTimer)?
        var whenClosed: (@Sendable (Outcome) -> Void)?
    }

    /// Events released before the queue is given back, so that a stand that can't keep up still hears a signal.
    private static let slice = 20_000
    private static let late = SimulationTime(nanoseconds: 100_000_000)
    /// How long a stand that is told to stop goes on releasing what is due.
    private static let patience = DispatchTimeInterval.milliseconds(500)

    private let queue: DispatchQueue
    private let speed: Double
    private let horizon: SimulationTime
    private let duration: SimulationTime?
    private let afterRelease: @Sendable () -> Void
    /// Taken on the queue alone and so never waited for; it lets the compiler see that the state has one owner.
    private let state: Guarded<State?>

    /// - Parameters:
    ///   - stand: A stand that is not open yet.
    ///   - wiring: How its facts reach their observers.
    ///   - queue: The stand's own serial queue, on which everything is called.
    ///   - speed: Stand seconds a wall second, above 0.
    ///   - horizon: Where the stand closes by itself; `never` where it stays open.
    ///   - duration: Wall time after which the stand closes by itself, whether or not it has kept up.
    ///   - afterRelease: Called on the queue when what was due has happened: the time to hand on what observers have
    ///     gathered.
    package init(
        _ stand: Stand, _ wiring: sending any Wiring, queue: DispatchQueue, speed: Double, horizon: SimulationTime,
        duration: SimulationTime? = nil, afterRelease: @escaping @Sendable () -> Void = {}
    ) {
        self.afterRelease = afterRelease
        self.duration = duration
        self.queue = queue
        self.speed = speed
        self.horizon = horizon
        state = Guarded(State(stand: stand, wiring: wiring))
    }

    /// Opens the stand; `whenClosed` is called once, on the queue.
    package func start(whenClosed: @escaping @Sendable (Outcome) -> Void) {
        queue.async {
            self.state.withLock { state in
                guard state != nil else { return }
                state!.whenClosed = whenClosed
                state!.opened = .now()
                state!.stand.open(Outlet(state!.wiring))
                let timer = DispatchSource.makeTimerSource(flags: .strict, queue: self.queue)
                timer.setEventHandler { @Sendable in self.release() }
                state!.timer = timer
                self.arm(state!)
                timer.activate()
                if let duration = self.duration {
                    let end = SimulationTime(seconds: duration.seconds * self.speed)
                    let deadline = state!.opened! + .nanoseconds(Int(duration.nanoseconds))
                    self.queue.asyncAfter(deadline: deadline) { self.finish(at: end) }
                }
            }
            self.afterRelease()
            if self.state.withLock({ $0?.isToStop ?? false }) { self.finish(at: nil) }
        }
    }

    /// Releases what is due and closes the stand.
    package func stop() {
        queue.async {
            let isOpen = self.state.withLock { state in
                state?.isToStop = true
                return state?.opened != nil
            }
            if isOpen { self.finish(at: nil) }
        }
    }

    /// Reads the stand between two events; nil once it is closed.
    package func read<Result: Sendable>(_ body: @escaping @Sendable (Stand, Lateness) -> Result) -> Result? {
        queue.sync { state.withLock { $0.map { body($0.stand, $0.lateness) } } }
    }

    // MARK: - On the queue

    /// The timer fired: releases what is due, and arms the timer for what comes next.
    private func release() {
        let isOver = state.withLock { state -> Bool in
            guard state != nil else { return false }
            let isCaughtUp = releaseDue(&state!, limit: Self.slice)
            // Everything before the horizon must have happened: only who is told to stop may stop short of what is due.
            let isAtHorizon = standTime(state!) >= horizon && state!.stand.nextTime >= horizon
            if isCaughtUp, state!.stand.isOver || isAtHorizon { return true }
            arm(state!)
            return false
        }
        afterRelease()
        if isOver { finish(at: horizon) }
    }

    /// - Returns: whether everything due has been released.
    private func releaseDue(_ state: inout State, limit: Int) -> Bool {
        let out = Outlet(state.wiring)
        var now = standTime(state)
        var released = 0
        while state.stand.nextTime <= now, state.stand.nextTime < horizon, !state.stand.isOver {
            if released == limit { return false }
            record(now - state.stand.nextTime, &state.lateness)
            state.stand.step(out)
            released += 1
            if released % 64 == 0 { now = standTime(state) }
        }
        return true
    }

    private func record(_ delay: SimulationTime, _ lateness: inout Lateness) {
        let wall = SimulationTime(seconds: delay.seconds / speed)
        lateness.spans.record(wall)
        if wall >= Self.late { lateness.caughtUp += 1 }
    }

    /// Releases what is due and closes the stand.
    ///
    /// - Parameter end: where the stand closes; nil is now. A stand that does not get there in time closes where it is.
    private func finish(at end: SimulationTime?) {
        let closed = state.withLock { state -> (Outcome, (@Sendable (Outcome) -> Void)?)? in
            guard var last = state else { return nil }
            state = nil
            last.timer?.cancel()
            // The wall clock is read once: a stand that can't keep up would never catch the present.
            let end = min(end ?? standTime(last), horizon)
            let deadline = DispatchTime.now() + Self.patience
            let out = Outlet(last.wiring)
            while last.stand.nextTime < end, !last.stand.isOver, DispatchTime.now() < deadline {
                last.stand.advance(to: end, limit: 256, out)
            }
            let isBehind = last.stand.nextTime < end
            let time = last.stand.isOver || isBehind ? last.stand.now : max(end, last.stand.now)
            last.stand.close(at: time, out)
            last.wiring.settle()
            let behind = isBehind && !last.stand.isOver ? end - time : .zero
            return (Outcome(stand: last.stand, lateness: last.lateness, behind: behind), last.whenClosed)
        }
        if let (outcome, whenClosed) = closed { whenClosed?(outcome) }
    }

    private func standTime(_ state: State) -> SimulationTime {
        guard let opened = state.opened else { return .zero }
        let wall = DispatchTime.now().uptimeNanoseconds - opened.uptimeNanoseconds
        return SimulationTime(seconds: Double(wall) / 1e9 * speed)
    }

    /// Due at once where something already is; a stand where nothing will happen by itself waits for a command or a
    /// signal.
    private func arm(_ state: State) {
        guard let opened = state.opened else { return }
        let due = min(state.stand.isOver ? .zero : state.stand.nextTime, horizon)
        guard due < .never else {
            state.timer?.schedule(deadline: .distantFuture)
            return
        }
        let wall = (Double(due.nanoseconds) / speed).rounded(.up)
        guard wall < 0x1p62 else {
            state.timer?.schedule(deadline: .distantFuture)
            return
        }
        state.timer?.schedule(
            deadline: DispatchTime(uptimeNanoseconds: opened.uptimeNanoseconds + UInt64(wall)), leeway: .nanoseconds(0))
    }
}
