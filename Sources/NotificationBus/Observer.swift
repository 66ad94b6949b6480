/// One observation as its channel keeps it, whatever it observes: where it began, and whose posts it asked for.
@usableFromInline
class Observer {
    final let fileID: StaticString
    final let line: UInt32
    final let sender: SenderIdentity?

    init(_ fileID: StaticString, _ line: UInt32, _ sender: SenderIdentity?) {
        self.fileID = fileID
        self.line = line
        self.sender = sender
    }

    final var place: ObservationPlace { ObservationPlace(fileID, line) }

    /// Whether it asked for the posts of the sender with this address, or of all; 0 stands for no sender.
    final func hears(_ address: UInt) -> Bool { sender == nil || sender?.address == address }

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
    /// It begins at a multiple of 16 bytes, so that a post finds both its words in one line of the cache.
    @usableFromInline let call: @Sendable (Value) -> Void
    private let kept: KeptValues<Value>?

    init(
        _ fileID: StaticString, _ line: UInt, from sender: SenderIdentity? = nil,
        _ call: @escaping @Sendable (Value) -> Void
    ) {
        self.call = call
        kept = nil
        super.init(fileID, UInt32(clamping: line), sender)
    }

    private init(pausing body: Body, keepingNewest count: Int) {
        let kept = KeptValues(body, body.call, count)
        self.kept = kept
        call = { kept.hear($0) }
        super.init(body.fileID, body.line, body.sender)
    }

    override var pause: (any Pause)? { kept }

    override func paused(keepingNewest count: Int) -> Observer? {
        kept == nil ? Body(pausing: self, keepingNewest: count) : nil
    }
}
