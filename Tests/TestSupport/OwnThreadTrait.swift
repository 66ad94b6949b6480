import Dispatch
import Testing

/// Has a test, or every test of a suite, run on a thread of its own: for tests that wait from beginning to end.
///
/// See `onItsOwnThread(_:)`, for single stretches of a test.
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

/// Runs the parts of a task on a serial queue, which takes none of the threads that other tasks share.
private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "test")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
