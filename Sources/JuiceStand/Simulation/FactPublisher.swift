/// Publishes the stand's facts to a wiring.
///
/// Every step receives it as an argument, so that a ``Stand`` remains a plain value.
package struct FactPublisher {
    let sink: any FactSink
    /// The kinds of facts that have observers. The stand builds no others.
    let wanted: FactSet

    package init(_ wiring: any Wiring) {
        self.init(wiring, wanted: wiring.wanted)
    }

    package init(_ sink: any FactSink, wanted: FactSet) {
        self.sink = sink
        self.wanted = wanted
    }
}

extension Stand {
    /// Stamps a fact and announces it if it has observers. The sequence number advances in any case, so that observers
    /// change nothing.
    @inline(__always)
    mutating func announce<F: Fact>(_ out: FactPublisher, _ make: (Stamp) -> F) {
        state.factsAnnounced &+= 1
        if out.wanted.contains(F.kind) {
            make(Stamp(sequence: state.factsAnnounced, time: state.now)).announce(to: out.sink)
        }
    }
}
