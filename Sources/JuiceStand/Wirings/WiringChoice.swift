import NotificationBus

/// The wirings there are: the one list that commands, configuration, tests and the comparison take them from.
///
/// One more is a file of its own and a case here.
package enum WiringChoice: String, CaseIterable, Sendable {
    case direct
    case delegate
    case multicastDelegate = "multicast-delegate"
    case closure
    case notification
    case foundationNotification = "foundation-notification"
    case foundationMessage = "foundation-message"
    case foundationMessageMain = "foundation-message-main"
    case observation
    case asyncStream = "async-stream"

    /// When observers are called.
    package enum Delivery: Sendable {
        /// Before the poster goes on.
        case atOnce
        /// On the poster's thread, when it has finished what it is doing: in ``Wiring/settle()``.
        case nextTurn
        /// On other threads, whenever they get to it.
        case later
    }

    package var delivery: Delivery {
        switch self {
        case .direct, .delegate, .multicastDelegate, .closure, .notification, .foundationNotification,
            .foundationMessageMain:
            .atOnce
        case .observation: .nextTurn
        case .foundationMessage, .asyncStream: .later
        }
    }

    /// Why a stand can't be run under it; nil where it can.
    package var refusal: String? {
        switch self {
        case .foundationMessageMain:
            "its messages can be posted from the main actor alone, and a stand runs on a queue of its own"
        default: nil
        }
    }

    /// How it reaches observers, in a few words.
    package var mechanism: String {
        switch self {
        case .direct: "a call for each observer, by its class"
        case .delegate: "one weak delegate, which passes facts on by hand"
        case .multicastDelegate: "a list of weak delegates"
        case .closure: "a list of closures"
        case .notification: "TypedNotificationCenter: a type for each fact"
        case .foundationNotification: "Foundation's NotificationCenter: names and userInfo"
        case .foundationMessage: "Foundation's AsyncMessage: typed, delivered later"
        case .foundationMessageMain: "Foundation's MainActorMessage: typed, main actor alone"
        case .observation: "@Observable property, tracking armed again after each change"
        case .asyncStream: "an AsyncStream and a task for each observer"
        }
    }

    /// The mechanism as it is: where it delivers later, so does this.
    package func makeBareWiring() -> any Wiring {
        switch self {
        case .direct: DirectWiring()
        case .delegate: DelegateWiring()
        case .multicastDelegate: MulticastDelegateWiring()
        case .closure: ClosureWiring()
        case .notification: NotificationWiring()
        case .foundationNotification: FoundationNotificationWiring()
        case .foundationMessage: FoundationMessageWiring()
        case .foundationMessageMain: FoundationMainMessageWiring()
        case .observation: ObservationWiring()
        case .asyncStream: AsyncStreamWiring()
        }
    }

    /// A wiring for a stand whose ledger must not depend on threads: one that delivers later settles after every fact.
    package func makeWiring() -> any Wiring {
        delivery == .atOnce ? makeBareWiring() : SettledWiring(makeBareWiring())
    }
}
