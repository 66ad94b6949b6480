/// Publishes the stand's facts to an observer, as a rule a wiring.
///
/// Every step receives it as an argument, so that a ``Stand`` remains a plain value.
package struct FactPublisher {
    let observer: any FactObserver
    /// The kinds of facts that the observer wants. The stand builds no others.
    let wanted: FactSet

    package init(_ observer: any FactObserver) {
        self.observer = observer
        wanted = observer.wanted
    }
}

extension Stand {
    /// Stamps a fact and hands it on if it is wanted. The sequence number advances in any case, so that observers
    /// change nothing.
    @inline(__always)
    mutating func announce<F: Fact>(_ out: FactPublisher, _ fact: (Stamp) -> F) {
        state.factsAnnounced &+= 1
        if out.wanted.contains(F.kind) {
            fact(Stamp(sequence: state.factsAnnounced, time: state.now)).hand(to: out.observer)
        }
    }
}
