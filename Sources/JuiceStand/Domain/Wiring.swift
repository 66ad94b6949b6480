/// A way for facts to reach observers.
///
/// To the stand it is the ``FactSink``. The contract is the same for every wiring that settles after each fact: each
/// observer hears each fact of the kinds it is connected to, once, in the order of announcing; once
/// ``disconnect(_:)`` has settled, nothing more arrives. In which order observers of one fact hear it depends on the
/// mechanism; `juicestand compare` shows which of them keep the order of connecting.
package protocol Wiring: FactSink {
    /// The kinds of facts that somebody is connected to; the stand builds no others.
    var wanted: FactSet { get }

    /// Connects `observer` to every kind of fact it conforms to an observer protocol of.
    ///
    /// A requirement, though one default serves all: so each wiring gets code for each fact instead of generic code.
    func connect(_ observer: AnyObject)

    /// Connects `observer` to one kind of fact.
    func connect<F: Fact>(_ observer: F.Observer, to type: F.Type)

    /// Ends every connection of `observer`.
    func disconnect(_ observer: AnyObject)

    /// Returns when everything announced so far has been heard; at once for a synchronous wiring.
    func settle()
}

extension Wiring {
    package func settle() {}
}
