import Synchronization

/// One closure that can be replaced.
final class OneClosure<Observer: SaleObserver>: Idiom {
    private var handler: ((Sale) -> Void)?

    init(_ observer: Observer) {
        handler = { observer.note($0) }
    }

    @inline(__always)
    func post(_ sale: Sale) { handler?(sale) }
}

/// One closure that stays: it is handed over when the poster is made.
final class ConstantClosure<Observer: SaleObserver>: Idiom {
    private let handler: (Sale) -> Void

    init(_ observer: Observer) {
        handler = { observer.note($0) }
    }

    @inline(__always)
    func post(_ sale: Sale) { handler(sale) }
}

final class ClosureList<Observer: SaleObserver>: ListIdiom {
    private struct Entry {
        var key: Int
        var handler: (Sale) -> Void
    }

    private var entries: [Entry] = []
    private var lastKey = 0

    func add(_ observer: Observer) -> Int {
        lastKey += 1
        entries.append(Entry(key: lastKey) { observer.note($0) })
        return lastKey
    }

    func remove(_ key: Int) {
        entries.removeAll { $0.key == key }
    }

    var isEmpty: Bool { entries.isEmpty }

    @inline(__always)
    func post(_ sale: Sale) {
        for entry in entries { entry.handler(sale) }
    }
}

/// An array of closures under a lock, which is released before they are called.
final class LockedClosureList<Observer: SaleObserver>: ListIdiom {
    private struct Entry {
        var key: Int
        var handler: @Sendable (Sale) -> Void
    }

    private struct State {
        var entries: [Entry] = []
        var lastKey = 0
    }

    private let state = Mutex(State())

    func add(_ observer: Observer) -> Int {
        state.withLock {
            $0.lastKey += 1
            $0.entries.append(Entry(key: $0.lastKey) { observer.note($0) })
            return $0.lastKey
        }
    }

    func remove(_ key: Int) {
        // What a closure captured is released after unlocking: its deinit may come back here.
        let removed = state.withLock { state in
            let index = state.entries.firstIndex { $0.key == key }
            return index.map { state.entries.remove(at: $0) }
        }
        withExtendedLifetime(removed) {}
    }

    var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

    @inline(__always)
    func post(_ sale: Sale) {
        for entry in state.withLock({ $0.entries }) { entry.handler(sale) }
    }
}

/// An array of boxes under a lock. A box is the observation: whoever has it can cancel.
final class LockedBoxList<Observer: SaleObserver>: ListIdiom {
    final class Box: Sendable {
        let handler: @Sendable (Sale) -> Void
        init(_ handler: @escaping @Sendable (Sale) -> Void) { self.handler = handler }
    }

    private let boxes = Mutex<[Box]>([])

    func add(_ observer: Observer) -> Box {
        let box = Box { observer.note($0) }
        boxes.withLock { $0.append(box) }
        return box
    }

    func remove(_ box: Box) {
        boxes.withLock { $0.removeAll { $0 === box } }
    }

    var isEmpty: Bool { boxes.withLock { $0.isEmpty } }

    @inline(__always)
    func post(_ sale: Sale) {
        for box in boxes.withLock({ $0 }) { box.handler(sale) }
    }
}

/// A subject with subscriptions, as Combine has it, without demand: every subscriber takes whatever comes.
final class SaleSubject<Observer: SaleObserver>: ListIdiom {
    private final class Subscription: Sendable {
        let handler: @Sendable (Sale) -> Void
        let isCancelled = Atomic(false)
        init(_ handler: @escaping @Sendable (Sale) -> Void) { self.handler = handler }
    }

    /// Cancels when it is released.
    final class Cancellable {
        private var end: (() -> Void)?
        init(_ end: @escaping () -> Void) { self.end = end }
        deinit { cancel() }

        func cancel() {
            end?()
            end = nil
        }
    }

    private let subscriptions = Mutex<[Subscription]>([])

    func add(_ observer: Observer) -> Cancellable {
        let subscription = Subscription { observer.note($0) }
        subscriptions.withLock { $0.append(subscription) }
        return Cancellable { [weak self] in
            subscription.isCancelled.store(true, ordering: .releasing)
            self?.subscriptions.withLock { $0.removeAll { $0 === subscription } }
        }
    }

    func remove(_ cancellable: Cancellable) { cancellable.cancel() }

    var isEmpty: Bool { subscriptions.withLock { $0.isEmpty } }

    @inline(__always)
    func post(_ sale: Sale) {
        for subscription in subscriptions.withLock({ $0 }) where !subscription.isCancelled.load(ordering: .acquiring) {
            subscription.handler(sale)
        }
    }
}
