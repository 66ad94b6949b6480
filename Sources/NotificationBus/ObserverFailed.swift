/// An observer threw an error.
///
/// Posted by the center once for each failing call, on the poster's thread, as soon as the observer has thrown and
/// before the next observer is called. The other observers are called all the same. An observer of `ObserverFailed`
/// that throws is not reported again, which would never end.
public struct ObserverFailed: TypedNotification {
    /// The type of the notification whose observer failed.
    public var notification: any TypedNotification.Type
    /// Where the failing observer began to observe.
    public var place: ObservationPlace
    /// What it threw.
    public var error: any Error
}

extension ObserverFailed: CustomStringConvertible {
    /// One sentence that names the type, the place and the error.
    public var description: String { "the observer of \(notification) from \(place) failed: \(error)" }
}
