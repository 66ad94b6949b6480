// Direct calls and delegates.

/// One observer in a stored property, known by its class.
final class DirectCall<Observer: SaleObserver>: Idiom {
    private let observer: Observer

    init(_ observer: Observer) {
        self.observer = observer
    }

    @inline(__always)
    func post(_ sale: Sale) { observer.receive(sale) }
}

/// Observers of one class, stored when the poster is made.
final class DirectCalls<Observer: SaleObserver>: Idiom {
    private let observers: ContiguousArray<Observer>

    init(_ observers: [Observer]) {
        self.observers = ContiguousArray(observers)
    }

    @inline(__always)
    func post(_ sale: Sale) {
        // By index: a loop over the elements would retain each of them.
        for index in observers.indices { observers[index].receive(sale) }
    }
}

final class WeakDelegate<Observer: SaleObserver>: OpenIdiom {
    private weak var delegate: (any SaleObserver)?

    func add(_ observer: Observer) -> Observer {
        delegate = observer
        return observer
    }

    func remove(_ observer: Observer) {
        if delegate === observer { delegate = nil }
    }

    /// The class of the delegate.
    var listed: [String] { delegate.map { ["\(type(of: $0))"] } ?? [] }

    @inline(__always)
    func post(_ sale: Sale) { delegate?.note(sale) }
}

/// One delegate that outlives its poster.
final class UnownedDelegate<Observer: SaleObserver>: Idiom {
    private unowned let delegate: any SaleObserver

    init(_ observer: Observer) {
        delegate = observer
    }

    @inline(__always)
    func post(_ sale: Sale) { delegate.note(sale) }
}

final class WeakDelegates<Observer: SaleObserver>: OpenIdiom {
    private struct Entry {
        weak var delegate: (any SaleObserver)?
    }

    private var entries: [Entry] = []

    func add(_ observer: Observer) -> Observer {
        entries.append(Entry(delegate: observer))
        return observer
    }

    func remove(_ observer: Observer) {
        entries.removeAll { $0.delegate == nil || $0.delegate === observer }
    }

    /// The classes of the delegates.
    var listed: [String] { entries.compactMap(\.delegate).map { "\(type(of: $0))" } }

    @inline(__always)
    func post(_ sale: Sale) {
        for entry in entries { entry.delegate?.note(sale) }
    }
}

/// A list of boxes, each with a weak delegate: a loop does not copy the weak references.
final class WeakBoxes<Observer: SaleObserver>: Idiom {
    private final class Box {
        weak var delegate: (any SaleObserver)?
        init(_ delegate: any SaleObserver) { self.delegate = delegate }
    }

    private var boxes: [Box] = []

    func add(_ observer: Observer) -> Observer {
        boxes.append(Box(observer))
        return observer
    }

    @inline(__always)
    func post(_ sale: Sale) {
        for box in boxes { box.delegate?.note(sale) }
    }
}
