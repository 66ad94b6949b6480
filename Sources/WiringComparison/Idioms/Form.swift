import Dispatch

/// A form of a wiring that is measured and probed: the plain one, or one with an option.
package struct Form: Sendable {
    /// The name of the option; empty for the plain form.
    let name: String
    /// The properties that the option gives.
    let properties: [Property]
    /// The number of posts that may wait for an observer. If more are waiting, the oldest are dropped.
    let window: Int
    /// Makes a till. The displays do not observe it yet, unless it is a ``FixedIdiom``. Without displays, makes a till
    /// whose observers can come and go.
    let make: @Sendable ([Display]) -> any Idiom

    init(
        _ name: String = "", _ properties: Property..., window: Int = .max,
        make: @escaping @Sendable ([Display]) -> any Idiom
    ) {
        self.name = name
        self.properties = properties
        self.window = window
        self.make = make
    }

    /// A till with observers; nil if it can't have that number.
    ///
    /// - Returns: the till, and the keys that keep its observations.
    func till(_ displays: [Display]) -> (till: any Idiom, keys: [Any])? {
        let till = make(displays)
        if till is any FixedIdiom { return (till, []) }
        guard displays.count <= till.capacity else { return nil }
        return (till, displays.map { till.observe($0) })
    }

    /// A till with as many observers as it can have, up to three.
    ///
    /// - Returns: the till, and what keeps its observations.
    func crowd(_ makeDisplay: () -> Display) -> (till: any Idiom, kept: [Any]) {
        let displays = (0..<min(3, make([]).capacity)).map { _ in makeDisplay() }
        guard let (till, keys) = till(displays) else { preconditionFailure("no room for \(displays.count) observers") }
        return (till, keys + displays)
    }
}

/// A till whose observers are fixed when it is made, so it is measured and not probed.
protocol FixedIdiom: Idiom where Key == Void {}

extension FixedIdiom {
    package func observe(_ display: Display) { preconditionFailure("the observers of \(Self.self) are fixed") }
    package func cancel(_ key: Void) {}
}

extension DispatchQueue {
    /// The serial queue that observers name, if a form asks for one.
    package static let ofObservers = DispatchQueue(label: "observers")
}
