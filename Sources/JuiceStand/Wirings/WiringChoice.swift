/// The wirings there are: the one list that commands, configuration and tests take them from.
package enum WiringChoice: String, CaseIterable, Sendable {
    case delegate
    case closure
    case notification

    package func makeWiring() -> any Wiring {
        switch self {
        case .delegate: DelegateWiring()
        case .closure: ClosureWiring()
        case .notification: NotificationWiring()
        }
    }
}
