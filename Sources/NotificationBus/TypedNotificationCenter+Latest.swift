extension TypedNotificationCenter {
    /// The latest notification of a type that was posted; `nil` before the first, and for types that don't keep it.
    ///
    /// The value is kept from the beginning of its post, before any observer is called, whether or not there are observers.
    /// A type says with ``TypedNotification/keepsLatest`` that it wants to be kept.
    ///
    /// - Complexity: O(1).
    public func latest<N: TypedNotification>(_ type: N.Type) -> N? {
        guard N.keepsLatest, let channel = channel(carrying: type) else { return nil }
        return channel.state.withLock { LatestValue<N>.read($0.latest) }
    }
}
