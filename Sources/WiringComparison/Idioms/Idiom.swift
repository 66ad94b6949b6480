import Dispatch
import NotificationBus
import Synchronization

/// A plain way of reaching observers, as an expert writes it, with no code around it.
///
/// The same code is measured and probed. It is generic over the class of its observers, because a direct call knows
/// that class. Measurements use ``OrderSum`` and ``SharedSum``, probes use ``Listener``.
protocol Idiom<Observer>: AnyObject, SendableMetatype {
    associatedtype Observer: SaleObserver

    func post(_ sale: Sale)

    /// Delivers what waits for the poster's next turn; only tracked properties have something to do here.
    func turn()
}

extension Idiom {
    func turn() {}
}

/// An idiom whose observers come and go while it is in use.
protocol OpenIdiom<Observer>: Idiom {
    /// Ends an observation.
    associatedtype Key

    init()

    func add(_ observer: Observer) -> Key

    func remove(_ key: Key)
}

/// An idiom that knows whether it has observers.
protocol ListIdiom: OpenIdiom {
    var isEmpty: Bool { get }
}

/// Work on an idiom of any wiring.
protocol IdiomVisitor {
    associatedtype Observer: SaleObserver
    associatedtype Result

    /// - Parameter keys: They keep the idiom's observations.
    func visit<Way: Idiom>(_ way: Way, keys: Any) -> Result where Way.Observer == Observer
}

/// The notification that is posted: 48 bytes, like those of the stand.
struct Sale: TypedNotification {
    var sequence: UInt64 = 0
    var time: Int64 = 0
    var order: UInt64
    var juice = 0
    var cups = 1
    var price = 4.5
}

/// An observer, for idioms that call a class or a protocol.
protocol SaleObserver: AnyObject, Sendable {
    /// What the observer does.
    func note(_ sale: Sale)
}

extension SaleObserver {
    /// ``note(_:)`` as a method that callers can't inline. They can't inline the body of a closure either.
    @inline(never)
    func receive(_ sale: Sale) { note(sale) }
}

/// An observer of measurements, whose sum shows whether it heard every post.
protocol Sum: SaleObserver {
    init()
    var value: UInt64 { get }

    /// Waits until the next `count` posts were heard; only ``AwaitedSum`` does.
    func wait(forPosts count: Int)
}

extension Sum {
    func wait(forPosts count: Int) {}
}

/// Adds up orders on one thread at a time.
final class OrderSum: Sum {
    private let total = Atomic<UInt64>(0)

    init() {}

    var value: UInt64 { total.load(ordering: .relaxed) }

    /// A load and a store, as with any variable.
    @inline(__always)
    func note(_ sale: Sale) { total.store(value &+ sale.order, ordering: .relaxed) }
}

/// Adds up orders on any number of threads, in a sum for each poster.
final class SharedSum: Sum {
    init() {}

    /// A sum on a cache line of its own.
    private struct Share: ~Copyable {
        private let before = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let sum = Atomic<UInt64>(0)
        private let after = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    }

    private let even = Share()
    private let odd = Share()

    var value: UInt64 { even.sum.load(ordering: .relaxed) &+ odd.sum.load(ordering: .relaxed) }

    @inline(__always)
    func note(_ sale: Sale) {
        if sale.order & 1 == 0 {
            even.sum.add(sale.order, ordering: .relaxed)
        } else {
            odd.sum.add(sale.order, ordering: .relaxed)
        }
    }
}

/// Adds up orders on any number of threads, for a poster that waits.
final class AwaitedSum: Sum {
    private let sum = SharedSum()
    private let heard = DispatchSemaphore(value: 0)

    init() {}

    var value: UInt64 { sum.value }

    func note(_ sale: Sale) {
        sum.note(sale)
        heard.signal()
    }

    /// A post that was dropped shows in the sum.
    func wait(forPosts count: Int) {
        for _ in 0..<count where heard.wait(timeout: .now() + 20) == .timedOut { return }
    }
}
