import NotificationBus

extension WiringChoice {
    package static let notification = WiringChoice(
        "notification", "TypedNotificationCenter: a type for each fact"
    ) { NotificationWiring() }
}

/// Notifications: the stand posts each fact to a center, which delivers it to the observers of its type.
///
/// Couples both sides to the center and the facts' types, but not to each other. Code that holds ``center`` can observe
/// the stand directly. The stand builds only ``wanted`` facts, so such code asks for them with ``alsoAnnounce(_:)``.
package final class NotificationWiring: Wiring {
    /// The center that the stand posts to.
    package let center: TypedNotificationCenter
    private var tokens = Connections<ObservationToken>()
    /// What observers want that use ``center`` directly.
    private var alsoWanted: FactSet = []

    /// Creates a wiring that posts to `center`, by default a new one.
    package init(center: TypedNotificationCenter = TypedNotificationCenter()) {
        self.center = center
    }

    package func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        tokens.append(center.observe(type) { fact in fact.hand(to: observer) }, to: F.kind, of: observer)
    }

    /// Ends the observations, whose tokens are released.
    package func disconnect(_ observer: AnyObject) { tokens.removeAll(of: observer) }

    package var wanted: FactSet { tokens.wanted.union(alsoWanted) }

    /// Posts the fact to ``center``; its observers have been called when this returns.
    package func hear<F: Fact>(_ fact: F) { center.post(fact) }

    /// Adds kinds of facts to ``wanted``, for observers that use ``center`` directly.
    package func alsoAnnounce(_ kinds: FactSet) { alsoWanted.formUnion(kinds) }

    /// The observation of an observer; nil if it is not connected to that kind of fact.
    func identity(of observer: AnyObject, _ kind: FactKind) -> ObservationIdentity? {
        tokens.link(of: observer, to: kind)?.identity
    }
}
