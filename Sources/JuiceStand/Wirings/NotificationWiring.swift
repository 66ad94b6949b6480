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
    package private(set) var wanted: FactSet = []
    private var tokens: [ObjectIdentifier: [ObservationToken]] = [:]

    /// Creates a wiring that posts to `center`, by default a new one.
    package init(center: TypedNotificationCenter = TypedNotificationCenter()) {
        self.center = center
    }

    package func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        let token = center.observe(type) { fact in fact.hand(to: observer) }
        tokens[ObjectIdentifier(observer as AnyObject), default: []].append(token)
        wanted.insert(FactSet(F.kind))
    }

    package func disconnect(_ observer: AnyObject) {
        for token in tokens.removeValue(forKey: ObjectIdentifier(observer)) ?? [] { token.cancel() }
    }

    /// Posts the fact to ``center``; its observers have been called when this returns.
    package func announce<F: Fact>(_ fact: F) { center.post(fact) }

    /// Adds kinds of facts to ``wanted``, for observers that use ``center`` directly.
    package func alsoAnnounce(_ kinds: FactSet) { wanted.formUnion(kinds) }
}
