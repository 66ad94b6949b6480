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
