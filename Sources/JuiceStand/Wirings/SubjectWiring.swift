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
    /// Whether an observer has left.
    private final class Mark: Sendable {
        let isSet = Atomic(false)
    }

    private struct Subscription<F: Fact> {
        let end: Mark
        let receive: @Sendable (F) -> Void
    }

    private struct State {
        var subscriptions = FactTable()
        var ends: [ObjectIdentifier: Mark] = [:]
    }

    private let state = Guarded(State())

    var wanted: FactSet { state.withLock { $0.subscriptions.wanted } }

    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let owner = observer
        state.withLock {
            let end = $0.ends[ObjectIdentifier(owner)] ?? Mark()
            $0.ends[ObjectIdentifier(owner)] = end
            $0.subscriptions.append(
                Subscription<F>(end: end) { fact in fact.hand(to: observer) }, of: type, owner: owner)
        }
    }

    func disconnect(_ observer: AnyObject) {
        state.withLock {
            $0.subscriptions.removeAll(of: observer)
            $0.ends.removeValue(forKey: ObjectIdentifier(observer))?.isSet.store(true, ordering: .releasing)
        }
    }

    func hear<F: Fact>(_ fact: F) {
        let list = state.withLock { $0.subscriptions.list(of: F.self, Subscription<F>.self)?.elements }
        for (_, subscription) in list ?? [] where !subscription.end.isSet.load(ordering: .acquiring) {
            subscription.receive(fact)
        }
    }
}
