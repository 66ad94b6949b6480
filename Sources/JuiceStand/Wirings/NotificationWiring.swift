import NotificationBus

/// Notifications: the stand posts each fact to a center, which delivers it to the observers of its type.
///
/// Couples both sides to the center and the facts' types, but not to each other. Code that holds ``center`` can observe
/// the stand directly. The stand builds only ``wanted`` facts, so such code asks for them with ``alsoAnnounce(_:)``.
package final class NotificationWiring: TableWiring, Wiring {
    /// The center that the stand posts to.
    package let center: TypedNotificationCenter
    /// The kinds of facts for observers that use ``center`` directly.
    private var alsoWanted: FactSet = []

    /// Creates a wiring that posts to `center`, by default a new one.
    package init(center: TypedNotificationCenter = TypedNotificationCenter()) {
        self.center = center
    }

    package func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        table.append(center.observe(type) { fact in fact.hand(to: observer) }, to: F.kind, of: observer)
    }

    package override var wanted: FactSet { super.wanted.union(alsoWanted) }

    /// Posts the fact to ``center``; its observers have been called when this returns.
    package func hear<F: Fact>(_ fact: F) { center.post(fact) }

    /// Adds kinds of facts to ``wanted``, for observers that use ``center`` directly.
    package func alsoAnnounce(_ kinds: FactSet) { alsoWanted.formUnion(kinds) }

    /// The observation of an observer; nil if it is not connected to that kind of fact.
    func identity(of observer: AnyObject, _ kind: FactKind) -> ObservationIdentity? {
        let tokens = table.list(of: kind, ObservationToken.self)?.elements
        return tokens?.first { $0.owner == ObjectIdentifier(observer) }?.element.identity
    }
}

extension WiringChoice {
    package static let notification = WiringChoice(
        "notification", "TypedNotificationCenter: a type for each fact"
    ) { NotificationWiring() }
}
