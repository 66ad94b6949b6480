import Dispatch

/// Calls an observer on a queue, unless its observation has ended by then.
///
/// What waits is handled in turns: blocks of the queue that take out up to ``callsInTurn`` notifications and make their
/// calls one after the other. At any time there are turns in the queue for all that waits, so whoever posts and then
/// waits for the queue has waited for the call.
///
/// A queue does not tell whether it is concurrent. So a turn that has more than one call to make queues another. On a
/// serial queue that begins later. On a concurrent queue it may begin while the first is running, and then takes over a
/// call that the other has not begun.
final class QueueDelivery<N: Sendable>: Sendable {
    private struct State: ~Copyable {
        var body: (@Sendable (N) -> Void)?
        var waiting = Ring<N>()
        /// The turns that are queued and have not begun.
        var queuedTurns = 0
        /// The threads that are in a turn.
        var callers: [UInt] = []
    }

    private static var callsInTurn: Int { 64 }

    private let queue: DispatchQueue
    private let buffering: NotificationBuffering
    private let state: Locked<State>
    /// What turns have taken out, and not begun to call. Its lock, which posts do not wait for, is taken after the other.
    private let taken = Locked(Ring<N>())

    init(on queue: DispatchQueue, _ buffering: NotificationBuffering, _ body: @escaping @Sendable (N) -> Void) {
        self.queue = queue
        self.buffering = buffering
        state = Locked(State(body: body))
    }

    /// Lets a notification wait for its call, or drops one.
    func post(_ notification: N) {
        // What is dropped is released here, after the lock.
        var dropped: N?
        state.withLock { state in
            guard state.body != nil else { return }
            if buffering.limit < .max, state.waiting.count + taken.withLock({ $0.count }) >= buffering.limit {
                if case .oldest = buffering { return }
                dropped = taken.withLock { $0.popFirst() } ?? state.waiting.popFirst()
            }
            state.waiting.append(notification)
            queueTurns(&state, for: state.waiting.count)
        }
        withExtendedLifetime(dropped) {}
    }

    /// Queues the turns that are missing for a number of calls.
    ///
    /// Under the lock, so that the turn for a notification is in the queue when its post returns.
    private func queueTurns(_ state: inout State, for calls: Int) {
        let turns = (calls + Self.callsInTurn - 1) / Self.callsInTurn
        while state.queuedTurns < turns {
            state.queuedTurns += 1
            queue.async { self.takeTurn() }
        }
    }

    private func takeTurn() {
        let thread = System.thread
        guard let (body, first) = state.withLock({ beginTurn(&$0, thread) }) else { return }
        var next: N? = first
        while let notification = next {
            body(notification)
            next = taken.withLock { $0.popFirst() }
        }
        state.withLock { state in
            if let index = state.callers.lastIndex(of: thread) { state.callers.remove(at: index) }
        }
    }

    /// Takes out what the turn is to call, and returns the first; `nil` if there is nothing to do.
    private func beginTurn(
        _ state: inout State, _ thread: UInt
    ) -> (body: @Sendable (N) -> Void, first: N)? {
        state.queuedTurns -= 1
        guard let body = state.body else { return nil }
        let (first, left) = taken.withLock { taken -> (N?, Int) in
            guard let first = taken.popFirst() ?? state.waiting.popFirst() else { return (nil, 0) }
            while taken.count < Self.callsInTurn - 1, let next = state.waiting.popFirst() {
                taken.append(next)
            }
            return (first, taken.count)
        }
        guard let first else { return nil }
        state.callers.append(thread)
        queueTurns(&state, for: max(left, state.waiting.count))
        return (body, first)
    }

    /// Drops what waits, and the observer.
    func end() {
        // All is released after the locks.
        var body: (@Sendable (N) -> Void)?
        var waiting = Ring<N>()
        var taken = Ring<N>()
        state.withLock { state in
            swap(&state.body, &body)
            swap(&state.waiting, &waiting)
            self.taken.withLock { swap(&$0, &taken) }
        }
    }

    /// Waits until no other thread is in a call.
    func waitForCalls() {
        let own = System.thread
        var pauses = 0
        while state.withLock({ $0.callers.contains { $0 != own } }) { System.pause(&pauses) }
    }
}
