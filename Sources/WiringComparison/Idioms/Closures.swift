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

final class ClosureList<Observer: SaleObserver>: OpenIdiom {
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
final class LockedClosureList<Observer: SaleObserver>: OpenIdiom {
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
