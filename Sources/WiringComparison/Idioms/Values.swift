import Dispatch
import JuiceStand
import Observation
import Synchronization

/// A poster whose property is tracked.
@Observable
final class TrackedTill {
    var sale = Sale(order: 0)
}

/// A tracked property: each observer reads it again on the poster's next turn and tracks it anew.
final class TrackedProperty<Observer: SaleObserver>: OpenIdiom {
    final class Tracker {
        private let till: TrackedTill
        private let observer: Observer
        /// The system sets it from any thread.
        private let isChanged = Flag()

        private final class Flag: Sendable {
            let isSet = Atomic(false)
        }

        init(_ till: TrackedTill, _ observer: Observer) {
            self.till = till
            self.observer = observer
            _ = read()
        }

        /// Passes a changed value on; false if there is none.
        func readAgain() -> Bool {
            guard isChanged.isSet.exchange(false, ordering: .acquiringAndReleasing) else { return false }
            observer.note(read())
            return true
        }

        private func read() -> Sale {
            withObservationTracking {
                till.sale
            } onChange: { [isChanged] in
                isChanged.isSet.store(true, ordering: .releasing)
            }
        }
    }

    let till = TrackedTill()
    private var trackers: [Weak] = []

    private struct Weak {
        weak var tracker: Tracker?
    }

    func add(_ observer: Observer) -> Tracker {
        let tracker = Tracker(till, observer)
        trackers.append(Weak(tracker: tracker))
        return tracker
    }

    func remove(_ tracker: Tracker) {
        trackers.removeAll { $0.tracker == nil || $0.tracker === tracker }
    }

    func post(_ sale: Sale) { till.sale = sale }

    func turn() {
        var isChanged = true
        while isChanged {
            isChanged = false
            for entry in trackers where entry.tracker?.readAgain() == true { isChanged = true }
        }
    }
}

/// The values of a tracked property as a sequence, which a task reads. The sequence has the latest value alone.
///
/// It must be made where the property is set, else it misses changes. So an actor has both.
final class ObservedValues<Observer: SaleObserver>: OpenIdiom {
    actor Owner {
        private let executor = QueueExecutor(DispatchQueue(label: "till"))
        private let till = TrackedTill()

        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

        func sales() -> Observations<Sale, Never> { Observations { self.till.sale } }

        nonisolated func set(_ sale: Sale) {
            executor.queue.sync { assumeIsolated { $0.till.sale = sale } }
        }
    }

    let till = Owner()

    func add(_ observer: Observer) -> Task<Void, Never> {
        let begun = DispatchSemaphore(value: 0)
        let task = Task { [till] in
            var isFirst = true
            for await sale in await till.sales() {
                // The first is the value from before. A task begins in its own time, so it is waited for.
                if isFirst { begun.signal() } else { observer.note(sale) }
                isFirst = false
            }
        }
        begun.wait()
        return task
    }

    func remove(_ task: Task<Void, Never>) { task.cancel() }

    func post(_ sale: Sale) { till.set(sale) }
}

/// A stream for each observer, and a task that takes sales out of it.
final class Streams<Observer: SaleObserver>: OpenIdiom {
    private struct State {
        var streams: [(key: Int, continuation: AsyncStream<Sale>.Continuation)] = []
        var lastKey = 0
    }

    private let state = Mutex(State())

    func add(_ observer: Observer) -> Int {
        let (key, stream) = open()
        Task { for await sale in stream { observer.note(sale) } }
        return key
    }

    func open() -> (key: Int, stream: AsyncStream<Sale>) {
        let (stream, continuation) = AsyncStream.makeStream(of: Sale.self)
        let key = state.withLock {
            $0.lastKey += 1
            $0.streams.append(($0.lastKey, continuation))
            return $0.lastKey
        }
        return (key, stream)
    }

    func remove(_ key: Int) {
        let removed = state.withLock { state in
            state.streams.firstIndex { $0.key == key }.map { state.streams.remove(at: $0) }
        }
        removed?.continuation.finish()
    }

    func post(_ sale: Sale) {
        for stream in state.withLock({ $0.streams }) { stream.continuation.yield(sale) }
    }
}
