import Dispatch
import Platform
import Testing

/// Runs a test, or every test of a suite, on a thread of its own: for tests that block.
///
/// See `onItsOwnThread(_:)` for parts of a test.
package struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        raisePriority()
        try await withOwnThread {
            await Turns.shared.take()
            defer { Turns.shared.giveBack() }
            try await function()
        }
    }

    /// Between two tests of a suite its task goes through the shared pool. With a priority of its own it does not wait
    /// there behind hundreds of tests that compute.
    private func raisePriority() {
        guard #available(macOS 26, *) else { return }
        unsafe withUnsafeCurrentTask { unsafe $0?.escalatePriority(to: .high) }
    }
}

/// Runs `body` and the tasks in it on a thread of their own, so that they do not wait for the tests in the shared pool.
package func withOwnThread(_ body: @Sendable () async throws -> Void) async throws {
    try await withTaskExecutorPreference(OwnThread()) { try await body() }
}

extension Trait where Self == OwnThreadTrait {
    package static var onItsOwnThread: OwnThreadTrait { OwnThreadTrait() }
}

/// Lets a few of these tests run at a time. All at once, each with a program and a deadline, they would starve each other.
///
/// No actor: its calls would wait for the shared pool.
private final class Turns: Sendable {
    private struct State {
        var free = 10
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    static let shared = Turns()

    private let state = Guarded(State())

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}

/// Runs the jobs of a task on a serial queue instead of the shared pool.
private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "test")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
