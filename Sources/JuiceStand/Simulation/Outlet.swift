/// Where the stand's facts go, and which of them anybody wants.
///
/// Handed to every step instead of being kept, so that the state of a stand is a plain value.
package struct Outlet {
    let sink: any FactSink
    let wanted: FactSet

    package init(_ wiring: any Wiring) {
        sink = wiring
        wanted = wiring.wanted
    }
}
