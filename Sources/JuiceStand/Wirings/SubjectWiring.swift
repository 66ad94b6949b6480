import Platform
import Synchronization

extension WiringChoice {
    package static let subject = WiringChoice("subject", "a subject with subscriptions, as in Combine") {
        SubjectWiring()
    }
}

/// Subjects: the stand sends each fact to its subscriptions, and each of them passes it on until it is cancelled.
///
/// Observers may come and go on any thread. After ``disconnect(_:)`` no further call begins, even in a post under way.
final class SubjectWiring: Wiring {
    private class Cancellable {
        final let isCancelled = Atomic(false)
    }

    private final class Subscription<F: Fact>: Cancellable {
        let receive: @Sendable (F) -> Void
        init(_ receive: @escaping @Sendable (F) -> Void) { self.receive = receive }
    }

    private let subscriptions = Guarded(FactTable())

    var wanted: FactSet { subscriptions.withLock { $0.wanted } }

    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let subscription = Subscription<F> { fact in fact.hand(to: observer) }
        subscriptions.withLock { $0.append(subscription, to: F.kind, of: observer) }
    }

    func disconnect(_ observer: AnyObject) {
        for case let subscription as Cancellable in subscriptions.withLock({ $0.removeAll(of: observer) }) {
            subscription.isCancelled.store(true, ordering: .releasing)
        }
    }

    func hear<F: Fact>(_ fact: F) {
        let list = subscriptions.withLock { $0.list(of: F.kind, Subscription<F>.self)?.elements }
        for (_, subscription) in list ?? [] where !subscription.isCancelled.load(ordering: .acquiring) {
            subscription.receive(fact)
        }
    }
}
