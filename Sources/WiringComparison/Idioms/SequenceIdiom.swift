import Dispatch
import JuiceStand

/// An idiom whose observers read a sequence, each in a task of its own.
protocol SequenceIdiom: Idiom {}

extension SequenceIdiom {
    package var isConcurrent: Bool { true }

    /// An error ends the loop and its task, which nobody waits for.
    package func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String? {
        let subscriptions = observers.map { observer in
            subscribe(asynchronously: { _ in
                do { try observer() } catch { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            })
        }
        deliver(1)
        return withExtendedLifetime(subscriptions) { nil }
    }
}
