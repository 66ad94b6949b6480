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
    private let handler: @Sendable (Value) -> Void
    private let sender: SenderIdentity?
    private let kept: KeptValues<Value>?

    init(
        _ fileID: StaticString, _ line: UInt, from sender: SenderIdentity? = nil,
        _ handler: @escaping @Sendable (Value) -> Void
    ) {
        self.handler = handler
        self.sender = sender
        kept = nil
        if let sender {
            call = { if PostingThread.currentSender == sender.address { handler($0) } }
        } else {
            call = handler
        }
        super.init(fileID, UInt32(clamping: line))
    }

    private init(pausing body: Body, keepingNewest count: Int) {
        let kept = KeptValues(body, body.handler, count)
        let sender = body.sender?.address
        handler = body.handler
        self.sender = body.sender
        self.kept = kept
        call = { if sender == nil || PostingThread.currentSender == sender { kept.hear($0) } }
        super.init(body.fileID, body.line)
    }

    override var pause: (any Pause)? { kept }

    override func paused(keepingNewest count: Int) -> Observer? {
        kept == nil ? Body(pausing: self, keepingNewest: count) : nil
    }
}
