import Foundation

/// Runs `body` on a thread of its own and waits for it.
///
/// A test that blocks (on a program, a browser, a queue) must not hold a thread of the shared pool, which has only as
/// many as the machine has cores.
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
