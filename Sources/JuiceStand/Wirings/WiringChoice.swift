/// A wiring that commands, configuration, tests and the comparison can choose.
///
/// A new wiring is one file, which declares its choice, and one entry in ``allCases``. Stands can then run under it. A
/// test asks for its idiom in the comparison: a file in `Idioms` of `WiringComparison`, with an entry in `Profile.all`.
package struct WiringChoice: Sendable {
    /// When observers are called.
    package enum Delivery: Sendable {
        /// Before the poster goes on.
        case atOnce
        /// On the poster's thread, in its next turn. A stand takes that turn after each fact.
        case nextTurn
        /// On other threads, whenever they get to it. A stand waits for them after each fact.
        case later
    }

    /// The name in commands and configurations.
    package let rawValue: String
    /// How it reaches observers, in a few words.
    package let mechanism: String
    package let delivery: Delivery
    /// Why no stand can run under it; nil if one can.
    package let refusal: String?
    private let make: @Sendable () -> any Wiring

    init(
        _ name: String, _ mechanism: String, _ delivery: Delivery = .atOnce, refusal: String? = nil,
        make: @escaping @Sendable () -> any Wiring
    ) {
        rawValue = name
        self.mechanism = mechanism
        self.delivery = delivery
        self.refusal = refusal
        self.make = make
    }

    /// A wiring for a stand.
    ///
    /// - Precondition: ``refusal`` is nil.
    package func makeWiring() -> any Wiring { make() }
}

extension WiringChoice: CaseIterable {
    /// Every wiring, in the order in which users see them.
    package static let allCases: [WiringChoice] = [
        .direct, .delegate, .multicastDelegate, .closure, .closureLocked, .boxesLocked, .subject, .notification,
        .foundationNotification, .foundationMessage, .foundationMessages, .foundationMessageMain, .observation,
        .observations, .asyncStream, .keyPath,
    ]
}

extension WiringChoice: RawRepresentable, Hashable {
    /// - Returns: nil if no wiring has that name.
    package init?(rawValue: String) {
        guard let choice = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = choice
    }

    package static func == (a: WiringChoice, b: WiringChoice) -> Bool { a.rawValue == b.rawValue }
    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension WiringChoice: CustomStringConvertible {
    package var description: String { rawValue }
}
