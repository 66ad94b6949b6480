import Dispatch
import JuiceStand
import Observation

final class TrackedPropertySpecimen: IdiomSpecimen {
    let idiom = TrackedProperty<Listener>()

    func observeFromNow(_ body: @escaping PostHandler) -> LateSubscription? {
        body(idiom.till.sale.order)
        return (observe(body), "it read the property")
    }

    func makeAnotherPoster() -> any Specimen { TrackedPropertySpecimen() }
}

/// An asynchronous sequence, which each observer reads in a task of its own.
protocol SequenceSpecimen: IdiomSpecimen {
    /// Takes a number and returns whether to go on.
    typealias Taking = @Sendable (UInt64) async -> Bool

    /// Begins a task that passes each number on.
    func read(_ take: @escaping Taking) -> Subscription
}

extension SequenceSpecimen {
    package var isConcurrent: Bool { true }

    package func observe(asynchronously body: @escaping AsyncPostHandler) -> Subscription? {
        read {
            await body($0)
            return true
        }
    }

    package func observe(on queue: DispatchQueue, _ body: @escaping PostHandler) -> Subscription? {
        let reader = QueueReader(queue)
        return observe(asynchronously: { await reader.pass($0, to: body) })
    }

    /// An error ends the loop and its task, which nobody waits for.
    package func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String? {
        let subscriptions = observers.map { observer in
            read { _ in
                do { try observer() } catch { return false }
                return true
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

final class StreamsSpecimen: SequenceSpecimen {
    let idiom = Streams<Listener>()

    func read(_ take: @escaping Taking) -> Subscription {
        let (key, stream) = idiom.open()
        Task { for await sale in stream where await !take(sale.order) { break } }
        return Subscription { [idiom] in idiom.remove(key) }
    }

    func makeAnotherPoster() -> any Specimen { StreamsSpecimen() }
}

final class ObservedValuesSpecimen: SequenceSpecimen {
    let idiom = ObservedValues<Listener>()

    func observeFromNow(_ body: @escaping PostHandler) -> LateSubscription? {
        let subscription = begin {
            body($0)
            return true
        }
        return (subscription, "it is the first value of the sequence")
    }

    func read(_ take: @escaping Taking) -> Subscription {
        let begun = DispatchSemaphore(value: 0)
        let isFirst = Slot(true)
        let subscription = begin { number in
            defer { isFirst.value = false }
            if isFirst.value { begun.signal() }
            return isFirst.value ? true : await take(number)
        }
        begun.wait()
        return subscription
    }

    /// Begins a task that passes each number on, the current one first.
    private func begin(_ take: @escaping Taking) -> Subscription {
        let task = Task { [till = idiom.till] in
            for await sale in await till.sales() where await !take(sale.order) { break }
        }
        return Subscription { task.cancel() }
    }

    func makeAnotherPoster() -> any Specimen { ObservedValuesSpecimen() }
}
