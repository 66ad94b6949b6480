/// One observation as its channel keeps it, whatever it observes: where it began.
@usableFromInline
class Observer {
    final let fileID: StaticString
    final let line: UInt32

    init(_ fileID: StaticString, _ line: UInt) {
        self.fileID = fileID
        self.line = UInt32(clamping: line)
    }

    final var place: ObservationPlace { ObservationPlace(fileID, line) }
}

/// One observation of `Value`: what is called.
///
/// The closure is kept exactly as the observer gave it. It is called with a pointer to the value, as a closure of a
/// generic type is; wrapping it in another closure would cost more than the whole rest of a delivery.
@usableFromInline
final class Body<Value>: Observer {
    @usableFromInline let call: @Sendable (Value) -> Void

    init(_ fileID: StaticString, _ line: UInt, _ call: @escaping @Sendable (Value) -> Void) {
        self.call = call
        super.init(fileID, line)
    }
}
