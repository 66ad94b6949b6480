final class Cup { var full = true }
func f(_ handlers: [@Sendable (Cup) -> Void], _ c: Cup) {
    Task.detached { for handler in handlers { handler(c) } }
    // error: passing closure as a 'sending' parameter risks causing data races between code in the current task and concurrent execution of the closure
    _ = c
}
