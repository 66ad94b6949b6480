/// A way for facts to reach observers.
///
/// The stand hands each fact to the wiring's own method `hear`, which returns when every observer has heard the fact,
/// also where other threads deliver. So a run is deterministic under every wiring. Each observer hears each fact of the
/// kinds it wants, once, in the order of announcing. Nothing arrives after ``disconnect(_:)``. In which order observers
/// of one fact hear it depends on the mechanism; `juicestand compare` shows which of them keep the order of connecting.
///
/// A wiring wants the kinds of facts that have a connected observer. The stand builds no others.
package protocol Wiring: FactObserver {
    /// Connects `observer` to every kind of fact it wants.
    ///
    /// A requirement, though one default serves all: so each wiring gets code for each fact instead of generic code.
    func connect(_ observer: any FactObserver & Sendable)

    /// Connects `observer` to one kind of fact.
    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type)

    /// Ends every connection of `observer`.
    func disconnect(_ observer: AnyObject)
}
