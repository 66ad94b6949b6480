import Dispatch
import Testing

/// Runs a test, or every test of a suite, on a thread of its own: for tests that block.
///
/// See `onItsOwnThread(_:)` for parts of a test.
package struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(OwnThread()) { try await function() }
    }
}

extension Trait where Self == OwnThreadTrait {
    package static var onItsOwnThread: OwnThreadTrait { OwnThreadTrait() }
}

/// Runs the jobs of a task on a serial queue instead of the shared pool.
private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "test")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
