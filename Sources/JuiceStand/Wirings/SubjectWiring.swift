import Synchronization

/// Subjects: the stand sends each fact to its subscriptions, and each of them passes it on until it is cancelled.
///
/// Observers may come and go on any thread. After ``disconnect(_:)`` no further call begins, even in a post under way.
final class SubjectWiring: LockedTableWiring, Wiring {
    private class Cancellable {
        final let isCancelled = Atomic(false)
    }

    private final class Subscription<F: Fact>: Cancellable {
        let receive: @Sendable (F) -> Void
        init(_ receive: @escaping @Sendable (F) -> Void) { self.receive = receive }
    }

    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let subscription = Subscription<F> { fact in fact.hand(to: observer) }
        table.withLock { $0.append(subscription, to: F.kind, of: observer) }
    }

    override func disconnect(_ observer: AnyObject) {
        for case let subscription as Cancellable in table.withLock({ $0.removeAll(of: observer) }) {
            subscription.isCancelled.store(true, ordering: .releasing)
        }
    }

    func hear<F: Fact>(_ fact: F) {
        for (_, subscription) in elements(of: F.kind, Subscription<F>.self)
        where !subscription.isCancelled.load(ordering: .acquiring) {
            subscription.receive(fact)
        }
    }
}

extension WiringChoice {
    package static let subject = WiringChoice("subject", "a subject with subscriptions, as in Combine") {
        SubjectWiring()
    }
}
