import Dispatch
import JuiceStand

/// An idiom whose observers read a sequence, each in a task of its own.
protocol SequenceIdiom: Idiom {
    /// Begins a task that passes each sale on.
    func read(_ take: @escaping @Sendable (Sale) async -> Void) -> Subscription
}

extension SequenceIdiom {
    package var isConcurrent: Bool { true }

    package func observe(asynchronously body: @escaping AsyncPostHandler) -> Subscription? {
        read { await body($0.order) }
    }

    package func observe(on queue: DispatchQueue, _ body: @escaping PostHandler) -> Form? {
        let reader = QueueReader(queue)
        return Form(read { await reader.pass($0.order, to: body) }, "an actor on the queue reads", isOption: false)
    }

    /// An error ends the loop and its task, which nobody waits for.
    package func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String? {
        let subscriptions = observers.map { observer in
            read { _ in
                do { try observer() } catch { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            }
        }
        deliver(1)
        return withExtendedLifetime(subscriptions) { nil }
    }
}

/// An actor on a queue, where a task can read a sequence.
actor QueueReader {
    private let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ queue: DispatchQueue) { executor = QueueExecutor(queue) }

    func pass(_ number: UInt64, to body: PostHandler) { body(number) }
}
