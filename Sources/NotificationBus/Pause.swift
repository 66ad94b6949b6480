/// A pause of one observation.
protocol Pause: AnyObject, Sendable {
    /// The observer that is called again after the pause.
    var body: Observer { get }
    /// Delivers what was kept, unless the observation was cancelled, and returns how much was dropped.
    func end(isCancelled: () -> Bool) -> Int
}

/// What came during a pause.
///
/// Unchecked because `body` is an observer, whose parts are all immutable and Sendable.
final class KeptValues<Value>: Pause, @unchecked Sendable {
    private struct State {
        var values = Ring<Value>()
        var dropped = 0
        var isOver = false
    }

    let body: Observer
    private let handler: @Sendable (Value) -> Void
    private let limit: Int
    private let state = Guarded(State())

    init(_ body: Observer, _ handler: @escaping @Sendable (Value) -> Void, _ limit: Int) {
        self.body = body
        self.handler = handler
        self.limit = limit
    }

    func hear(_ value: Value) {
        // What is dropped is released here, after the lock.
        let (isOver, dropped) = state.withLock { state -> (Bool, Value?) in
            if state.isOver { return (true, nil) }
            if limit > 0 { state.values.append(value) }
            guard limit == 0 || state.values.count > limit else { return (false, nil) }
            state.dropped += 1
            return (false, state.values.popFirst())
        }
        withExtendedLifetime(dropped) {}
        if isOver { handler(value) }
    }

    func end(isCancelled: () -> Bool) -> Int {
        while true {
            // Having delivered all and calling again is one instant: nothing newer comes before what was kept.
            let value = state.withLock { state in
                let value = state.values.popFirst()
                if value == nil { state.isOver = true }
                return value
            }
            guard let value else { break }
            if !isCancelled() { handler(value) }
        }
        return state.withLock { state in
            defer { state.dropped = 0 }
            return state.dropped
        }
    }
}
