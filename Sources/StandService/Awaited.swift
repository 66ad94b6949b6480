import Dispatch
import Platform

/// Calls `ask`, and blocks until `ask` has passed an answer to its closure, on any thread.
package func awaited<Answer: Sendable>(_ ask: (@escaping @Sendable (Answer) -> Void) -> Void) -> Answer {
    let last = Guarded<Answer?>(nil)
    let isAnswered = DispatchSemaphore(value: 0)
    ask { answer in
        last.withLock { $0 = answer }
        isAnswered.signal()
    }
    isAnswered.wait()
    return last.withLock { $0! }
}
