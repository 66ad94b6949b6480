import Platform

/// What an observation that is called elsewhere than on the poster's thread needs to be ended from anywhere.
protocol Relay: AnyObject, Sendable {
    /// Lets no further call begin.
    func end()
    /// Waits until no other thread is in a call.
    func waitForCalls()
}

/// Calls an observer later, unless its observation has ended by then.
final class LaterCalls<N: Sendable>: Relay {
    private struct State {
        var body: (@Sendable (N) -> Void)?
        var threads: [UInt] = []
    }

    private let state: Guarded<State>

    init(_ body: @escaping @Sendable (N) -> Void) {
        state = Guarded(State(body: body))
    }

    /// Makes the call that a post asked for.
    func call(_ notification: N) {
        let thread = System.thread
        let body = state.withLock { state in
            if state.body != nil { state.threads.append(thread) }
            return state.body
        }
        guard let body else { return }
        body(notification)
        state.withLock { state in
            if let index = state.threads.lastIndex(of: thread) { state.threads.remove(at: index) }
        }
    }

    func end() {
        let body = state.withLock { $0.body.take() }
        withExtendedLifetime(body) {}
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
