import Synchronization

/// Starts an observer with the latest value: once, and before anything posted later.
///
/// Whoever comes first makes the call: the thread that observes, or one that posts already.
final class Replay<N: TypedNotification>: Sendable {
    private let body: @Sendable (N) -> Void
    private let latest = Guarded<N?>(nil)
    private let isPending = Atomic(false)

    init(_ body: @escaping @Sendable (N) -> Void) {
        self.body = body
    }

    /// Sets the value to start with; called before any thread can deliver.
    func prepare(_ value: N?) {
        guard let value else { return }
        latest.withLock { $0 = value }
        isPending.store(true, ordering: .releasing)
    }

    /// Delivers the value to start with unless that was done before.
    func start() {
        guard isPending.load(ordering: .acquiring), isPending.exchange(false, ordering: .acquiringAndReleasing)
        else { return }
        if let value = latest.withLock({ $0.take() }) { body(value) }
    }

    /// Delivers what was posted.
    func receive(_ notification: N) {
        start()
        body(notification)
    }
}
