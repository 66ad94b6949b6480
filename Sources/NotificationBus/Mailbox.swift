/// Takes in the notifications of an observer that is called elsewhere than on the poster's thread.
///
/// A class, because a reference to a protocol's type would make every token larger. Unchecked, because the compiler
/// checks final classes only. It has no mutable state of its own.
class Mailbox: @unchecked Sendable {
    /// Takes a ``Posted`` notification in, or drops it.
    func post(_ posted: any AnyObject & Sendable) {}
    /// Drops what waits, and lets no further call begin.
    func cancel() {}
    /// Takes nothing in any more: the observer was released.
    func finish() { cancel() }
    /// Waits until no other thread is in a call.
    func waitForCalls() {}
    /// Waits for a place; `false` if none is needed, the reader is gone or the task is cancelled.
    func reserve() async -> Bool { false }
    /// Gives back a place whose sender has posted.
    func release() {}
}

/// An observation whose notifications go to a mailbox.
final class ForwardingObserver<Value: Sendable>: TypedObserver<Value> {
    private let mailbox: Mailbox

    init(_ fileID: StaticString, _ line: UInt, from sender: SenderIdentity?, to mailbox: Mailbox) {
        self.mailbox = mailbox
        super.init(fileID, line, from: sender) { mailbox.post(Posted($0)) }
    }

    deinit { mailbox.finish() }

    override func mailbox(hearing sender: UInt) -> Mailbox? { hears(sender) ? mailbox : nil }
}

extension TypedNotificationCenter {
    /// Waits until every reader with the buffering ``NotificationBuffering/suspending(_:)`` that hears the post has a
    /// place for it, then posts.
    ///
    /// One free place lets one task in. A cancelled task posts without waiting. Nothing is lost in either case.
    ///
    /// - Complexity: that of ``post(_:)``, and O(*n*) in the number of observers of the type.
    public func send<N: TypedNotification>(_ notification: N, from sender: (any AnyObject & Sendable)? = nil) async {
        var reserved: [Mailbox] = []
        for mailbox in mailboxes(of: N.self, hearing: sender) {
            if await mailbox.reserve() { reserved.append(mailbox) }
        }
        if let sender { post(notification, from: sender) } else { post(notification) }
        for mailbox in reserved { mailbox.release() }
    }

    private func mailboxes<N: TypedNotification>(of type: N.Type, hearing sender: AnyObject?) -> [Mailbox] {
        let sender = sender.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0
        return (sender == 0 ? [0] : [0, sender]).flatMap { address in
            let channel = channel(carrying: Channel.key(of: type, from: address))
            return channel?.mapObservers { observer, _ in observer.mailbox(hearing: sender) } ?? []
        }
    }
}
