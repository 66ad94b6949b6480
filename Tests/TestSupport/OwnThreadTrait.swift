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
        await Turns.shared.take()
        defer { Task { await Turns.shared.giveBack() } }
        try await withOwnThread(function)
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
private actor Turns {
    static let shared = Turns()

    private var free = 10
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func giveBack() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
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
