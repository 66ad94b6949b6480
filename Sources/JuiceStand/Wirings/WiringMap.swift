/// Who heard which facts of a stand during a while, and how long that took.
package struct WiringMap: Sendable {
    /// One kind of fact.
    package struct Entry: Sendable {
        package var kind: FactKind
        /// How often it was posted; a fact without observers is not.
        package var posts: Int
        /// The time of all deliveries together, from the post until every observer had returned.
        package var delivery: Duration
        /// In the order of delivery.
        package var listeners: [Listener]
    }

    /// An observer of one kind of fact.
    package struct Listener: Sendable {
        package var name: String
        /// nil if the wiring does not time calls.
        package var calls: Calls?
    }

    /// The calls of one observer with one kind of fact.
    package struct Calls: Sendable {
        package var count: Int
        package var total: Duration
        package var slowest: Duration
    }

    /// All kinds of facts, in their order.
    package var entries: [Entry]
    /// The facts that happened and had no observer.
    package var unheard: Int

    /// The slowest call of all; nil if no calls were timed.
    package var slowest: (kind: FactKind, name: String, time: Duration)? {
        let calls = entries.flatMap { entry in
            entry.listeners.compactMap { listener in
                listener.calls.flatMap { $0.count > 0 ? (entry.kind, listener.name, $0.slowest) : nil }
            }
        }
        return calls.max { $0.2 < $1.2 }
    }
}

extension FactKind {
    /// The part of the stand that posts it.
    package var poster: String {
        switch group {
        case .alerts, .restock: FactGroup.stock.rawValue
        case .stand, .commands, .orders, .stock: group.rawValue
        }
    }
}
