import Foundation

/// Runs `body` on a thread of its own and waits for it.
///
/// What waits (for a program, a browser, a queue) may not do so on one of the threads that run tests: there are as few
/// as the machine has cores, and others spin on them.
package func onItsOwnThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: .init(catching: body)) }.start()
    }
}

package func onItsOwnThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}
