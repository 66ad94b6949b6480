import NotificationBus

extension WiringChoice {
    package static let notification = WiringChoice(
        "notification", "TypedNotificationCenter: a type for each fact"
    ) { NotificationWiring() }
}

/// Notifications: the stand posts each fact to a center, and whoever observes its type hears it.
///
/// Couples both sides to the center and to the facts' types, and neither to the other. Whoever holds ``center`` can
/// observe the stand without the stand's knowledge; facts nobody was connected to here are not built, so such an
/// observer asks for them with ``alsoAnnounce(_:)``.
public final class NotificationWiring: Wiring {
    public let center: TypedNotificationCenter
    public private(set) var wanted: FactSet = []
    private var tokens: [ObjectIdentifier: [ObservationToken]] = [:]

    public init(center: TypedNotificationCenter = TypedNotificationCenter()) {
        self.center = center
    }

    public func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        let token = center.observe(type) { fact in fact.hand(to: observer) }
        tokens[ObjectIdentifier(observer as AnyObject), default: []].append(token)
        wanted.insert(FactSet(F.kind))
    }

    public func disconnect(_ observer: AnyObject) {
        for token in tokens.removeValue(forKey: ObjectIdentifier(observer)) ?? [] { token.cancel() }
    }

    public func announce<F: Fact>(_ fact: F) {
        center.post(fact)
    }

    /// Has facts of these kinds posted even though nobody is connected to them.
    public func alsoAnnounce(_ kinds: FactSet) {
        wanted.formUnion(kinds)
    }
}
