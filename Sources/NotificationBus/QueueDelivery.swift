import Dispatch
import ThreadLocalFrame

/// Calls an observer on a queue, unless its observation has ended by then.
///
/// What waits is handled in turns: blocks of the queue that make up to ``callsInTurn`` calls one after the other. At
/// any time there are turns in the queue for all that waits, so whoever posts and then waits for the queue has waited
/// for the call.
///
/// A queue does not tell whether it is concurrent. So a turn that leaves something waiting queues another. On a serial
/// queue that begins later. On a concurrent queue it may begin while the first is running, and then takes over a call
/// that the other has not begun. Unchecked like the class it inherits from: what changes is reached under its lock, and
/// the rest is constant.
final class QueueDelivery: Mailbox, @unchecked Sendable {
    private struct State: ~Copyable {
        /// Calls the observer with a ``Posted`` notification.
        var body: (@Sendable (AnyObject) -> Void)?
        var waiting: NotificationBuffer
        /// The turns that are queued and have not begun.
        var queuedTurns = 0
        /// The threads that are in a turn.
        var callers: [UInt] = []
    }

    private static let callsInTurn = 64

    private let queue: DispatchQueue
    private let state: Locked<State>

    init(on queue: DispatchQueue, _ buffering: NotificationBuffering, _ body: @escaping @Sendable (AnyObject) -> Void) {
        if case .suspending = buffering { preconditionFailure("a queue cannot suspend a poster; a sequence can") }
        self.queue = queue
        state = Locked(State(body: body, waiting: NotificationBuffer(buffering)))
    }

    override func post(_ posted: any AnyObject & Sendable) {
        let dropped = state.withLock { state -> AnyObject? in
            guard state.body != nil else { return nil }
            defer { queueTurns(&state) }
            return state.waiting.append(posted)
        }
        withExtendedLifetime(dropped) {}
    }

    /// Queues the turns that are missing for what waits.
    ///
    /// Under the lock, so that the turn for a notification is in the queue when its post returns.
    private func queueTurns(_ state: inout State) {
        while state.queuedTurns * Self.callsInTurn < state.waiting.count {
            state.queuedTurns += 1
            queue.async { self.takeTurn() }
        }
    }

    private func takeTurn() {
        let thread = notificationbus_thread()
        state.withLock { state in
            state.queuedTurns -= 1
            state.callers.append(thread)
        }
        for _ in 0..<Self.callsInTurn {
            let call = state.withLock { state -> (body: @Sendable (AnyObject) -> Void, posted: AnyObject)? in
                guard let body = state.body, let next = state.waiting.popFirst() else { return nil }
                queueTurns(&state)
                return (body, next)
            }
            guard let call else { break }
            call.body(call.posted)
        }
        state.withLock { state in
            if let index = state.callers.lastIndex(of: thread) { state.callers.remove(at: index) }
        }
    }

    override func cancel() {
        let ended = state.withLock { state in
            defer { state.body = nil }
            return (state.body, state.waiting.removeAll())
        }
        withExtendedLifetime(ended) {}
    }

    override func waitForCalls() {
        let own = notificationbus_thread()
        var pauses = 0
        while state.withLock({ $0.callers.contains { $0 != own } }) { System.pause(&pauses) }
    }
}
