import Synchronization

/// What every till posts: 48 bytes, like the facts of the stand.
package struct Sale: Sendable {
    package var sequence: UInt64 = 0
    package var time: Int64 = 0
    package var order: UInt64
    package var juice = 0
    package var cups = 1
    package var price = 4.5
}

/// What every till posts to.
package final class Display: Sendable {
    private let hear: (@Sendable (Sale) -> Void)?
    private let sum = Atomic<UInt64>(0)

    /// - Parameter hear: Called with each sale, on any thread. Without it the display adds up orders, on one thread at a
    ///   time, which is the least work that can be checked.
    package init(_ hear: (@Sendable (Sale) -> Void)? = nil) { self.hear = hear }

    /// The sum of the orders of a display that adds up.
    package var total: UInt64 { sum.load(ordering: .relaxed) }

    /// A method of a real observer is too long to be inlined into its caller, so this one isn't either.
    @inline(never)
    package func sold(_ sale: Sale) { note(sale) }

    /// The same for the body of a closure, which callers can't inline anyway.
    @inline(__always)
    package func note(_ sale: Sale) {
        guard hear == nil else { return pass(sale.order, at: sale.time) }
        sum.store(total &+ sale.order, ordering: .relaxed)
    }

    /// Apart from ``note(_:)``, so that displays that add up have one test in its place, and given the two members that
    /// posters set, so that these displays need not copy the sale.
    @inline(never)
    private func pass(_ order: UInt64, at time: Int64) { hear?(Sale(time: time, order: order)) }
}

/// For the tills that call a delegate.
protocol TillDelegate: AnyObject {
    func sold(_ sale: Sale)
}

extension Display: TillDelegate {}
