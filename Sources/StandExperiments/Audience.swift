import JuiceStand

/// Who hears of a replication.
package struct Audience {
    package var wiring: any Wiring
    /// Called with the stand when the replication is over; says what was heard wrongly, nil where nothing was. Keeps
    /// observers alive until then.
    package var end: (Stand) -> String?

    package init(_ wiring: any Wiring, end: @escaping (Stand) -> String? = { _ in nil }) {
        self.wiring = wiring
        self.end = end
    }

    /// Nobody: no fact is even built.
    package static var nobody: Audience { Audience(WiringChoice.closure.makeWiring()) }
}
