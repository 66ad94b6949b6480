extension TypedNotificationCenter {
    /// The latest notification of a type that was posted; `nil` before the first, and for types that don't keep it.
    ///
    /// The value is kept from the beginning of its post, before any observer is called, whether or not there are observers.
    /// A type says with ``TypedNotification/keepsLatest`` that it wants to be kept.
    ///
    /// - Complexity: O(1).
    public func latest<N: TypedNotification>(_ type: N.Type) -> N? {
        guard N.keepsLatest, let channel = channel(carrying: type) else { return nil }
        return channel.withLatest(of: type) { unsafe $0.entry?.value } ?? nil
    }

    /// Tells `observer` the latest value and all that is posted meanwhile, then adds it to the others.
    func catchUp<N: TypedNotification>(
        _ channel: Channel, _ priority: ObserverPriority, _ sender: AnyObject?, _ body: @Sendable (N) -> Void,
        _ observer: Body<N>
    ) -> (key: UInt64, count: Int) {
        let wanted = sender.map { ObjectIdentifier($0) }
        let latecomer = Latecomer<N>()
        channel.withLatest(of: N.self) { $0.admit(latecomer) }
        while true {
            // `insert` calls this under the lock, which makes joining and having caught up one instant.
            let isDue = { (_: inout Channel.State) in
                unsafe channel.latest(of: N.self)?._withUnsafeGuaranteedRef { $0.dismiss(latecomer) } ?? true
            }
            if let result = channel.insert(observer, priority, if: isDue) { return result }
            if latecomer.ownPosts >= PostingThread.deepest { diagnoseRecursion(of: channel.name) }
            let waiting = channel.state.withLock { _ in
                let waiting = latecomer.waiting
                latecomer.waiting = []
                return waiting
            }
            for entry in waiting where wanted == nil || entry.sender?.identifies(wanted) == true { body(entry.value) }
        }
    }
}
