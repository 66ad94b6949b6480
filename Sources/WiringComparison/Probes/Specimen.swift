import Dispatch

/// Called with the number of each post.
package typealias PostHandler = @Sendable (UInt64) -> Void
package typealias AsyncPostHandler = @Sendable (UInt64) async -> Void
/// A subscription that began with the current value, and how it got that.
package typealias LateSubscription = (subscription: Subscription, way: String)

/// One way of reaching observers, as the probes use it: each post is a number.
///
/// The defaults are those of a mechanism that can only observe and post.
package protocol Specimen: AnyObject {
    /// Calls `body` with every post until the subscription is cancelled.
    func observe(_ body: @escaping PostHandler) -> Subscription

    func post(_ number: UInt64)

    /// Returns when every post so far was delivered.
    func settle()

    /// How many observers there can be at a time.
    var capacity: Int { get }

    /// Whether other threads deliver, in their own time.
    var isConcurrent: Bool { get }

    /// Observes, and first gets the current value; nil if the mechanism keeps none. A property that the poster might
    /// have beside it is not the mechanism's.
    func observeFromNow(_ body: @escaping PostHandler) -> LateSubscription?

    /// Observes with a handler that may suspend; nil if the mechanism awaits no handler.
    func observe(asynchronously body: @escaping AsyncPostHandler) -> Subscription?

    /// Observes on a serial queue that the observer names; nil if the mechanism can't.
    func observe(on queue: DispatchQueue, _ body: @escaping PostHandler) -> Subscription?

    /// Makes an object that observes, captures itself and keeps what `observe` returned.
    func observeCapturingSelf(_ body: @escaping PostHandler, whenReleased: @escaping @Sendable () -> Void)

    /// Makes an object that observes by a form that holds it weakly, and releases it; nil if there is no such form.
    func observeHeldWeakly(whenReleased: @escaping @Sendable () -> Void) -> Subscription?

    /// Cancels and waits for a call that is running; nil if the mechanism has no such form.
    func observeWithWaitingCancel(_ body: @escaping PostHandler) -> Subscription?

    /// Posts to observers that may throw, in order.
    ///
    /// - Returns: Who learns of an error; nil if nobody does.
    func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String?

    /// A poster that was made later. It shares with this one only what the mechanism itself shares.
    func makeAnotherPoster() -> any Specimen

    /// The observers as the mechanism names them; nil if it names none.
    func observersListed() -> [String]?

    /// Posts without observers. Returns who can tell; nil if nobody can.
    func postUnheard() -> String?
}

extension Specimen {
    /// Posts each number when the one before was delivered.
    func deliver(_ numbers: UInt64...) {
        for number in numbers {
            post(number)
            settle()
        }
    }

    package var capacity: Int { .max }

    package var isConcurrent: Bool { false }

    package func settle() {
        if isConcurrent { _ = isIdle(after: .seconds(10)) }
    }

    package func observeFromNow(_ body: @escaping PostHandler) -> LateSubscription? { nil }

    package func observe(asynchronously body: @escaping AsyncPostHandler) -> Subscription? { nil }

    package func observe(on queue: DispatchQueue, _ body: @escaping PostHandler) -> Subscription? { nil }

    package func observeCapturingSelf(_ body: @escaping PostHandler, whenReleased: @escaping @Sendable () -> Void) {
        let keeper = Listener(body, whenReleased: whenReleased)
        keeper.kept.value = observe { number in keeper.note(Sale(order: number)) }
    }

    package func observeHeldWeakly(whenReleased: @escaping @Sendable () -> Void) -> Subscription? { nil }

    package func observeWithWaitingCancel(_ body: @escaping PostHandler) -> Subscription? { nil }

    package func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String? {
        // A loop over functions, as the language has it: an error leaves the loop and reaches the poster.
        do { for observer in observers { try observer() } } catch { return "the poster" }
        return nil
    }

    package func observersListed() -> [String]? { nil }

    package func postUnheard() -> String? { nil }
}

/// Passes the number of each sale to a closure.
final class Listener: SaleObserver {
    private let body: PostHandler
    private let whenReleased: @Sendable () -> Void
    /// The token of the listener's own observation.
    let kept = Slot<Any?>(nil)

    init(_ body: @escaping PostHandler, whenReleased: @escaping @Sendable () -> Void = {}) {
        self.body = body
        self.whenReleased = whenReleased
    }

    deinit { whenReleased() }

    func note(_ sale: Sale) { body(sale.order) }
}

/// An observation as its owner holds it.
///
/// Unchecked, because probes pass it between threads on purpose to see whether the mechanism stands that.
package final class Subscription: @unchecked Sendable {
    private var end: (() -> Void)?

    /// - Parameter end: Ends the observation, and holds what the observer would hold.
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
