import JuiceStand

/// The observers of one replication.
package struct Audience {
    package var wiring: any Wiring
    /// Called with the stand after the replication. It returns what the observers saw wrong, or nil. It keeps them
    /// alive until then.
    package var end: (Stand) -> String?

    package init(_ wiring: any Wiring, end: @escaping (Stand) -> String? = { _ in nil }) {
        self.wiring = wiring
        self.end = end
    }

    /// No observers. The stand builds no facts then.
    package static var nobody: Audience { Audience(WiringChoice.closure.makeWiring()) }
}
