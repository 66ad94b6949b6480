import Platform

extension WiringChoice {
    package static let subject = WiringChoice("subject", "a subject with subscriptions, as in Combine") {
        SubjectWiring()
    }
}

/// Subjects: the stand sends each fact to its subscriptions, and each of them passes it on until it is cancelled.
///
/// Observers may come and go on any thread. After ``disconnect(_:)`` no further call begins, even in a post under way.
final class SubjectWiring: Wiring {
    private final class Subscription<F: Fact>: Sendable {
        /// A closure by itself would be wrapped anew by every access to the generic lock.
        private struct Handler {
            var call: (@Sendable (F) -> Void)?
        }

        private let handler: Guarded<Handler>
        init(_ call: @escaping @Sendable (F) -> Void) { handler = Guarded(Handler(call: call)) }
        func receive(_ fact: F) { handler.withLock { $0 }.call?(fact) }
        func cancel() { handler.withLock { $0.call = nil } }
    }

    private struct State {
        var subscriptions = FactTable()
        var cancels: [ObjectIdentifier: [() -> Void]] = [:]
    }

    private let state = Guarded(State())

    var wanted: FactSet { state.withLock { $0.subscriptions.wanted } }

    func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        let subscription = Subscription<F> { fact in fact.hand(to: observer) }
        state.withLock {
            $0.subscriptions.append(subscription, of: type, owner: observer as AnyObject)
            $0.cancels[ObjectIdentifier(observer as AnyObject), default: []].append(subscription.cancel)
        }
    }

    func disconnect(_ observer: AnyObject) {
        let cancels = state.withLock {
            $0.subscriptions.removeAll(of: observer)
            return $0.cancels.removeValue(forKey: ObjectIdentifier(observer))
        }
        for cancel in cancels ?? [] { cancel() }
    }

    func announce<F: Fact>(_ fact: F) {
        let list = state.withLock { $0.subscriptions.list(of: F.self, Subscription<F>.self)?.elements }
        for (_, subscription) in list ?? [] { subscription.receive(fact) }
    }
}
