import Dispatch

/// Ends an observation that is called elsewhere than on the poster's thread.
protocol Relay: AnyObject, Sendable {
    /// Lets no further call begin.
    func end()
    /// Waits until no other thread is in a call.
    func waitForCalls()
}

/// Calls an observer on a queue, unless its observation has ended by then.
final class LaterCalls<N: Sendable>: Relay {
    private struct State {
        var body: (@Sendable (N) -> Void)?
        var waiting = Ring<N>()
        var threads: [UInt] = []
    }

    private let queue: DispatchQueue
    private let buffering: NotificationBuffering
    private let state: Guarded<State>

    init(on queue: DispatchQueue, _ buffering: NotificationBuffering, _ body: @escaping @Sendable (N) -> Void) {
        self.queue = queue
        self.buffering = buffering
        state = Guarded(State(body: body))
    }

    /// Asks for a call, or drops one. The queue gets one block for each notification that waits.
    func call(_ notification: N) {
        // What is dropped is released here, after the lock.
        let (isMore, dropped): (Bool, N?) = state.withLock { state in
            guard state.body != nil else { return (false, nil) }
            var dropped: N?
            let isFull = state.waiting.count == buffering.limit
            if isFull {
                if case .oldest = buffering { return (false, nil) }
                dropped = state.waiting.popFirst()
            }
            state.waiting.append(notification)
            return (!isFull, dropped)
        }
        withExtendedLifetime(dropped) {}
        if isMore { queue.async { self.callNext() } }
    }

    private func callNext() {
        let thread = System.thread
        let (body, notification) = state.withLock { state in
            let notification = state.waiting.popFirst()
            if notification != nil { state.threads.append(thread) }
            return (state.body, notification)
        }
        guard let body, let notification else { return }
        body(notification)
        state.withLock { state in
            if let index = state.threads.lastIndex(of: thread) { state.threads.remove(at: index) }
        }
    }

    func end() {
        let (body, waiting) = state.withLock { state in
            defer { state.waiting = Ring() }
            return (state.body.take(), state.waiting)
        }
        withExtendedLifetime((body, waiting)) {}
    }

    func waitForCalls() {
        let own = System.thread
        var pauses = 0
        while state.withLock({ $0.threads.contains { $0 != own } }) { System.pause(&pauses) }
    }
}

/// Ends a relay when the observer that feeds it is released, for whatever reason.
final class RelayFeed<N: Sendable>: Sendable {
    let calls: LaterCalls<N>

    init(_ calls: LaterCalls<N>) {
        self.calls = calls
    }

    deinit {
        calls.end()
    }
}

/// Ends the task that calls an observer.
final class TaskRelay: Relay {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) {
        self.task = task
    }

    func end() {
        task.cancel()
    }

    func waitForCalls() {}
}
