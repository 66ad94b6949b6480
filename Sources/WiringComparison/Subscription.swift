/// An observation as whoever began it holds it.
///
/// Probes hand it to other threads on purpose, to see whether the mechanism can take that: so it vouches for itself.
package final class Subscription: @unchecked Sendable {
    private var end: (() -> Void)?

    /// - Parameter end: ends the observation, and holds what the observer would hold.
    package init(_ end: @escaping () -> Void) {
        self.end = end
    }

    package func cancel() {
        let end = end
        self.end = nil
        end?()
    }
}

/// A place for something that a closure needs before it is there, and for something that is shared to see what happens.
///
/// It guards nothing: what is raced for in a probe is the mechanism's to protect.
package final class Slot<Value>: @unchecked Sendable {
    package var value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
