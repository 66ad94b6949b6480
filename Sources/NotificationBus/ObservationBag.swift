/// Keeps observations for an object, and cancels them when it is released with that object.
///
/// ```swift
/// import NotificationBus
///
/// struct StockChanged: TypedNotification { var level: Int }
///
/// final class Display: Sendable {
///     private let observations = ObservationBag()
///
///     init(_ center: TypedNotificationCenter) {
///         center.observe(StockChanged.self, with: self) { display, change in display.show(change.level) }
///             .store(in: observations)
///     }
///
///     private func show(_ level: Int) { print(level) }
/// }
/// ```
public final class ObservationBag: Sendable {
    private let tokens = Guarded<[ObservationToken]>([])

    /// Creates an empty bag.
    public init() {}

    /// Keeps an observation.
    ///
    /// - Complexity: O(1) amortized.
    public func keep(_ token: ObservationToken) {
        tokens.withLock { $0.append(token) }
    }

    /// Cancels what the bag keeps, and keeps it no longer.
    ///
    /// - Complexity: that of ``ObservationToken/cancel()`` for each observation.
    public func cancelAll() {
        let kept = tokens.withLock { tokens in
            defer { tokens = [] }
            return tokens
        }
        for token in kept { token.cancel() }
    }
}

extension ObservationToken {
    /// Keeps the token in a bag.
    public func store(in bag: ObservationBag) {
        bag.keep(self)
    }
}
