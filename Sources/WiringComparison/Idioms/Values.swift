import Dispatch
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

/// A stream for each observer, and a task that takes sales out of it.
final class Streams<Observer: SaleObserver>: OpenIdiom {
    struct Element: Sendable {
        var sale: Sale
        /// Tells a probe that the element was handled. Measurements leave it out.
        var receipt: Receipt?
    }

    private var streams: [(key: Int, continuation: AsyncStream<Element>.Continuation)] = []
    private var lastKey = 0

    func add(_ observer: Observer) -> Int {
        add { stream in
            for await element in stream { withExtendedLifetime(element) { observer.note(element.sale) } }
        }
    }

    /// Begins a task that takes sales in its own way.
    func add(_ take: @escaping @Sendable (AsyncStream<Element>) async -> Void) -> Int {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        Task { await take(stream) }
        lastKey += 1
        streams.append((lastKey, continuation))
        return lastKey
    }

    func remove(_ key: Int) {
        guard let index = streams.firstIndex(where: { $0.key == key }) else { return }
        streams.remove(at: index).continuation.finish()
    }

    func post(_ sale: Sale) { post(Element(sale: sale)) }

    func post(_ element: Element) {
        for stream in streams { stream.continuation.yield(element) }
    }
}

/// Leaves a group when its last reference is released.
final class Receipt: Sendable {
    private let underWay: DispatchGroup

    init(_ underWay: DispatchGroup) {
        underWay.enter()
        self.underWay = underWay
    }

    deinit {
        underWay.leave()
    }
}
