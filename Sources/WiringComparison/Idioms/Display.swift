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
    private let isShared: Bool
    private let hear: (@Sendable (Sale) -> Void)?
    // Each sum has cache lines of its own.
    private let before = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    private let even = Atomic<UInt64>(0)
    private let between = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    private let odd = Atomic<UInt64>(0)
    private let after = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    /// - Parameters:
    ///   - isShared: Whether several threads may call it, one with even and one with odd orders.
    ///   - hear: Called with each sale.
    package init(isShared: Bool = false, _ hear: (@Sendable (Sale) -> Void)? = nil) {
        self.isShared = isShared
        self.hear = hear
    }

    /// The sum of the orders that were heard.
    package var total: UInt64 { even.load(ordering: .relaxed) &+ odd.load(ordering: .relaxed) }

    /// A method of a real observer is too long to be inlined into its caller, so this one isn't either.
    @inline(never)
    package func sold(_ sale: Sale) { note(sale) }

    /// The same for the body of a closure, which callers can't inline anyway.
    @inline(__always)
    package func note(_ sale: Sale) {
        if !isShared {
            even.store(even.load(ordering: .relaxed) &+ sale.order, ordering: .relaxed)
        } else if sale.order & 1 == 0 {
            even.add(sale.order, ordering: .relaxed)
        } else {
            odd.add(sale.order, ordering: .relaxed)
        }
        hear?(sale)
    }
}

/// For the tills that call a delegate.
protocol TillDelegate: AnyObject {
    func sold(_ sale: Sale)
}

extension Display: TillDelegate {}
