import Platform
import Synchronization

/// Called with the number of each post.
package typealias PostHandler = @Sendable (UInt64) -> Void

/// One way of reaching observers, as an expert writes it. The same code is measured, probed and shown.
///
/// A till is the listing of its file, which begins with the poster, and its conformance to this protocol says how the
/// comparison uses it. The defaults are those of a mechanism that can only observe, cancel and post.
package protocol Idiom: AnyObject, SendableMetatype {
    /// Identifies an observation, for ``cancel(_:)``.
    associatedtype Key

    func observe(_ display: Display) -> Key

    func cancel(_ key: Key)

    func post(_ sale: Sale)

    /// Whether other threads deliver, in their own time.
    var isConcurrent: Bool { get }

    /// Delivers what the poster's own thread has left to do.
    ///
    /// - Returns: whether something was left.
    @discardableResult
    func turn() -> Bool

    /// A second till on the same mechanism; nil if tills share no mechanism.
    func makeAnother() -> (any Idiom)?

    // MARK: Loops that are measured. Requirements, so that each till gets code of its own instead of generic code.

    /// Posts the orders `first`, `first + step`, …, and takes a turn after each.
    func post(_ count: Int, from first: UInt64, by step: UInt64)

    /// Observes and cancels, `count` times.
    func observeAndCancel(_ display: Display, _ count: Int)

    // MARK: Abilities that a mechanism may have

    /// How many observers there can be at a time.
    var capacity: Int { get }

    /// Whether observing holds the display weakly, so that its owner must hold it.
    var holdsWeakly: Bool { get }

    /// Whether somebody observes; nil if the poster can't tell.
    var isHeard: Bool? { get }

    /// The observers as the mechanism names them; nil if it names none.
    var observersListed: [String]? { get }

    /// Observes, and first gets the current value; nil if the mechanism keeps none. A property that the poster might
    /// have beside it is not the mechanism's.
    func observeFromNow(_ display: Display) -> Key?

    /// Observes with a handler that may suspend; nil if the mechanism awaits no handler.
    func observe(asynchronously handle: @escaping @Sendable (Sale) async -> Void) -> Key?

    /// The number of dropped posts that the mechanism reported to the poster.
    var dropped: Int { get }

    /// Observes with a closure that captures `owner`, which keeps the key.
    func observeCapturingSelf(_ display: Display, _ owner: Captured)

    /// Posts to observers that may throw, in order.
    ///
    /// - Returns: The name of the party that is told of an error; nil if no party is told.
    func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String?
}

extension Idiom {
    package var isConcurrent: Bool { false }

    package func turn() -> Bool { false }

    @inline(__always)
    package func post(_ count: Int, from first: UInt64, by step: UInt64) {
        var order = first
        for _ in 0..<count {
            post(Sale(order: order))
            turn()
            order &+= step
        }
    }

    @inline(__always)
    package func observeAndCancel(_ display: Display, _ count: Int) {
        for _ in 0..<count { cancel(observe(display)) }
    }

    package func makeAnother() -> (any Idiom)? { nil }
    package var capacity: Int { .max }
    package var holdsWeakly: Bool { false }
    package var isHeard: Bool? { nil }
    package var observersListed: [String]? { nil }

    package func observeFromNow(_ display: Display) -> Key? { nil }
    package func observe(asynchronously handle: @escaping @Sendable (Sale) async -> Void) -> Key? { nil }
    package var dropped: Int { 0 }

    package func observeCapturingSelf(_ display: Display, _ owner: Captured) {
        owner.kept.value = observe(Display { sale in withExtendedLifetime(owner) { display.note(sale) } })
    }

    package func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String? {
        // A loop over functions, as the language has it: an error leaves the loop and reaches the poster.
        do { for observer in observers { try observer() } } catch { return "the poster" }
        return nil
    }

    // MARK: As the probes use it: each post is a number

    package func subscribe(_ display: Display) -> Subscription {
        let held = holdsWeakly ? display : nil
        return subscription(observe(display), holding: held)
    }

    package func subscribe(_ body: @escaping PostHandler) -> Subscription { subscribe(Display { body($0.order) }) }

    /// As ``observeFromNow(_:)``.
    package func subscribeFromNow(_ body: @escaping PostHandler) -> Subscription? {
        observeFromNow(Display { body($0.order) }).map { subscription($0) }
    }

    /// As ``observe(asynchronously:)``.
    func subscribe(asynchronously body: @escaping @Sendable (UInt64) async -> Void) -> Subscription? {
        observe(asynchronously: { await body($0.order) }).map { subscription($0) }
    }

    private func subscription(_ key: Key, holding held: Display? = nil) -> Subscription {
        Subscription { withExtendedLifetime(held) { self.cancel(key) } }
    }

    package func post(_ number: UInt64) { post(Sale(order: number)) }

    /// Returns when every post so far was delivered.
    package func settle() {
        repeat {
            turn()
            if isConcurrent { _ = isIdle(after: .seconds(10)) }
        } while turn()
    }

    /// Posts each number when the one before was delivered.
    package func deliver(_ numbers: UInt64...) {
        for number in numbers {
            post(number)
            settle()
        }
    }
}

/// An observation as its owner holds it.
///
/// Unchecked, because probes pass it between threads on purpose to see whether the mechanism stands that.
package final class Subscription: @unchecked Sendable {
    private var end: (() -> Void)?

    /// - Parameter end: Ends the observation, and retains what the observer would retain.
    package init(_ end: @escaping () -> Void) {
        self.end = end
    }

    package func cancel() {
        let end = end
        self.end = nil
        end?()
    }
}

/// A place for a value that a closure needs before it exists, or that threads share without a lock.
///
/// It protects nothing: a probe wants to see whether the mechanism does.
package final class Slot<Value>: @unchecked Sendable {
    package var value: Value

    package init(_ value: Value) {
        self.value = value
    }
}

/// Calls a closure when it is released.
package final class Captured: Sendable {
    private let whenReleased: @Sendable () -> Void
    /// The key of an observation whose closure captures this object.
    package let kept = Slot<Any?>(nil)

    package init(_ whenReleased: @escaping @Sendable () -> Void) { self.whenReleased = whenReleased }
    deinit { whenReleased() }
}
