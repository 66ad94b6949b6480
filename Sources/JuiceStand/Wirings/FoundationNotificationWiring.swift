import Foundation

/// Foundation's notifications: the stand posts a name with a dictionary to a center.
///
/// Couples both sides to Foundation's center, a name and a key, but not to each other. The compiler does not check that
/// both sides use the same names, keys and types.
final class FoundationNotificationWiring: TableWiring, Wiring {
    private let center = NotificationCenter()

    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let token = center.addObserver(forName: .fact(F.kind), object: nil, queue: nil) { notification in
            guard let fact = notification.userInfo?[factKey] as? F else { return }
            fact.hand(to: observer)
        }
        table.append(token, to: F.kind, of: observer)
    }

    override func disconnect(_ observer: AnyObject) {
        for token in table.removeAll(of: observer) { center.removeObserver(token) }
    }

    func hear<F: Fact>(_ fact: F) { center.post(name: .fact(F.kind), object: nil, userInfo: [factKey: fact]) }
}

private let factKey = "fact"

extension Notification.Name {
    private static let facts = FactKind.allCases.map { Notification.Name("juicestand.\($0)") }

    fileprivate static func fact(_ kind: FactKind) -> Notification.Name { facts[kind.rawValue] }
}

extension WiringChoice {
    package static let foundationNotification = WiringChoice(
        "foundation-notification", "Foundation's NotificationCenter: names and userInfo"
    ) { FoundationNotificationWiring() }
}
