import Dispatch

// How a live stand is held, for a command or for its end. All of it is called on the stand's queue.

extension LiveDriver {
    /// Why a stand can't be held.
    package enum HoldError: Error {
        /// The stand has not been started or has ended.
        case notOpen
        /// The present instant has more events than the stand can handle in time. A later attempt goes on from there.
        case instantNotOver
    }

    /// The longest time for releasing due events after a stop request, and again for the rest of the present instant.
    private static let timeout = DispatchTimeInterval.milliseconds(500)

    /// Stops releasing events until ``goOn()``, so that a command can be made durable before it takes effect.
    ///
    /// - Returns: The stand time at which the command takes effect: now, or the time a late stand has reached. All
    ///   events due before have happened.
    /// - Throws: ``HoldError``. The stand is then not held.
    package func hold() throws(HoldError) -> SimulationTime {
        dispatchPrecondition(condition: .onQueue(queue))
        return try state.withLock { state throws(HoldError) in
            guard state?.clock != nil else { throw .notOpen }
            due.store(.max, ordering: .relaxed)
            guard endInstant(&state!) else { throw .instantNotOver }
            state!.isHeld = true
            // A command precedes the next due event: so the two have different times, and a time tells their order.
            let next = state!.stand.nextTime - SimulationTime(nanoseconds: 1)
            return max(Self.earliest(state!), min(standTime(state!), horizon, next))
        }
    }

    /// Releases the events due by now, until a timeout, and then stops releasing.
    ///
    /// - Parameters:
    ///   - end: The stand time of closing; nil means now.
    ///   - isRepeatable: Whether the stand must come to the same end again from a journal. All events of the last
    ///     instant must then happen first.
    /// - Returns: The stand time at which the stand can close, and the span of due events that were not released.
    /// - Throws: ``HoldError``. ``HoldError/instantNotOver`` only if the end must be repeatable; the stand is then
    ///   held.
    package func holdForClosing(
        at end: SimulationTime? = nil, isRepeatable: Bool
    ) throws(HoldError) -> (time: SimulationTime, behind: SimulationTime) {
        dispatchPrecondition(condition: .onQueue(queue))
        return try state.withLock { state throws(HoldError) in
            guard state?.clock != nil else { throw .notOpen }
            due.store(.max, ordering: .relaxed)
            state!.isHeld = true
            let (end, isBehind) = catchUp(&state!, to: end)
            guard isBehind, !state!.stand.isOver else {
                return (max(Self.earliest(state!), state!.stand.isOver ? .zero : end), .zero)
            }
            let earliest = Self.earliest(state!)
            if endInstant(&state!) { return (earliest, end - earliest) }
            if isRepeatable { throw .instantNotOver }
            return (state!.stand.now, end - state!.stand.now)
        }
    }

    /// Resumes releasing after ``hold()``.
    package func goOn() {
        dispatchPrecondition(condition: .onQueue(queue))
        state.withLock { $0?.isHeld = false }
        release()
    }

    /// Releases the events due before `end`, until the timeout.
    private func catchUp(_ state: inout State, to end: SimulationTime?) -> (end: SimulationTime, isBehind: Bool) {
        // The wall clock is read once. An overloaded stand would never reach a moving end.
        let end = min(end ?? standTime(state), horizon)
        let deadline = DispatchTime.now() + Self.timeout
        let out = FactPublisher(state.wiring)
        while state.stand.nextTime < end, !state.stand.isOver, !state.stand.isPaused, DispatchTime.now() < deadline {
            state.stand.advance(to: end, limit: 16, out)
            state.isAfterEvent = true
        }
        return (end, state.stand.nextTime < end)
    }

    /// Releases the rest of the instant at which an event has just happened.
    ///
    /// - Returns: False if that took too long, so that some of its events are left.
    private func endInstant(_ state: inout State) -> Bool {
        let deadline = DispatchTime.now() + Self.timeout
        let out = FactPublisher(state.wiring)
        let end = Self.earliest(state)
        while !state.stand.advance(to: end, limit: Self.clockInterval.events, out) {
            if DispatchTime.now() >= deadline { return false }
        }
        return true
    }

    /// The earliest instant for a command. Events due at the instant of a command happen after it, so it must follow
    /// the last event by a nanosecond.
    private static func earliest(_ state: State) -> SimulationTime {
        state.isAfterEvent ? state.stand.now + SimulationTime(nanoseconds: 1) : state.stand.now
    }
}
