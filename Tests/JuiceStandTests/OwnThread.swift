import Foundation

/// Runs `body` on a thread of its own and waits for it.
///
/// What waits for tasks may not do so on one of the threads that run them, as tests are.
func onItsOwnThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}
