/// Who heard which facts of a stand during a while, and how long that took.
package struct WiringMap: Sendable {
    /// One kind of fact.
    package struct Entry: Sendable {
        package var kind: FactKind
        /// How often it was posted; a fact without observers is not.
        package var posts: Int
        /// The observers of the kind, in the order of connecting.
        package var listeners: [Listener]

        /// The time of all deliveries together, from the post until every observer had returned; nil if calls were not
        /// timed.
        package var delivery: Duration? {
            let calls = listeners.compactMap(\.calls)
            return calls.isEmpty ? nil : calls.reduce(.zero) { $0 + $1.total }
        }
    }

    /// An observer of one kind of fact.
    package struct Listener: Sendable {
        package var name: String
        /// The timed calls; nil if the wiring does not time calls.
        package var calls: Calls?

        init(_ observer: any FactObserver, calls: Calls?) {
            name = (observer as? any CustomStringConvertible)?.description ?? "\(type(of: observer))"
            self.calls = calls
        }
    }

    /// The calls of one observer with one kind of fact.
    package struct Calls: Sendable {
        package private(set) var count = 0
        package private(set) var total = Duration.zero
        package private(set) var slowest = Duration.zero

        mutating func add(_ duration: Duration) {
            count += 1
            total += duration
            slowest = max(slowest, duration)
        }
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
