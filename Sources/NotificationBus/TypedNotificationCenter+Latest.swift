extension TypedNotificationCenter {
    /// The latest notification of a type that was posted; `nil` before the first, and for types that do not keep it.
    ///
    /// A post stores the value before it calls any observer, and also if there is none. A type asks for this with
    /// ``TypedNotification/keepsLatest``.
    ///
    /// - Complexity: O(1). Takes a lock for an instant.
    public func latest<N: TypedNotification>(_ type: N.Type) -> N? {
        guard N.keepsLatest, let channel = channel(carrying: type) else { return nil }
        return channel.withLatest(of: type) { unsafe $0.entry?.value } ?? nil
    }

    /// Gives `body` the latest value and what is posted meanwhile, then adds `observer` to the others.
    func catchUp<N: TypedNotification>(
        _ channel: Channel, _ priority: ObserverPriority, _ sender: SenderIdentity?, _ body: @Sendable (N) -> Void,
        _ observer: Body<N>
    ) -> (channel: Channel, key: UInt64) {
        let latecomer = Latecomer<N>()
        channel.withLatest(of: N.self) { $0.admit(latecomer) }
        while true {
            // `insert` calls this under the lock, which makes joining and having caught up one instant.
            let isDue = {
                unsafe channel.latest(of: N.self)?._withUnsafeGuaranteedRef { $0.dismiss(latecomer) } ?? true
            }
            if let added = channel.insert(observer, priority, from: sender, if: isDue) { return added }
            if latecomer.ownPosts >= PostingThread.deepest { diagnoseRecursion(of: channel.name) }
            let waiting = channel.state.withLock { _ in
                let waiting = latecomer.waiting
                latecomer.waiting = []
                return waiting
            }
            for entry in waiting where sender == nil || entry.sender?.address == sender?.address { body(entry.value) }
        }
    }
}
