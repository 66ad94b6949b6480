/// One observation as its channel keeps it, whatever it observes: where it began.
@usableFromInline
class Observer {
    final let fileID: StaticString
    final let line: UInt32

    init(_ fileID: StaticString, _ line: UInt32) {
        self.fileID = fileID
        self.line = line
    }

    final var place: ObservationPlace { ObservationPlace(fileID, line) }

    /// The pause that goes on; `nil` if calls are made.
    var pause: (any Pause)? { nil }

    /// An observer that takes this one's place during a pause; `nil` if it is such a one.
    func paused(keepingNewest count: Int) -> Observer? { nil }
}

/// One observation of `Value`: what is called.
///
/// The closure is kept exactly as the observer gave it. It is called with a pointer to the value, as a closure of a
/// generic type is; wrapping it in another closure would cost more than the whole rest of a delivery.
@usableFromInline
final class Body<Value>: Observer {
    @usableFromInline let call: @Sendable (Value) -> Void
    private let sender: SenderIdentity?
    private let kept: KeptValues<Value>?

    init(
        _ fileID: StaticString, _ line: UInt, from sender: SenderIdentity? = nil,
        _ call: @escaping @Sendable (Value) -> Void
    ) {
        self.call = call
        self.sender = sender
        kept = nil
        super.init(fileID, UInt32(clamping: line))
    }

    private init(pausing body: Body, keepingNewest count: Int) {
        let kept = KeptValues(body, body.call, count)
        self.kept = kept
        sender = body.sender
        call = { kept.hear($0) }
        super.init(body.fileID, body.line)
    }

    /// Whether it asked for the posts of the sender with this address, or of all; 0 stands for no sender.
    func hears(_ address: UInt) -> Bool { sender == nil || sender?.address == address }

    override var pause: (any Pause)? { kept }

    override func paused(keepingNewest count: Int) -> Observer? {
        kept == nil ? Body(pausing: self, keepingNewest: count) : nil
    }
}
