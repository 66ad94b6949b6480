/// What was posted and not consumed yet, for one reader.
final class SequenceBuffer<N: TypedNotification>: Sendable {
    private let state: Locked<SequenceState<N>>

    init(_ buffering: NotificationBuffering) {
        state = Locked(SequenceState(buffering))
    }

    /// Takes a notification in, or drops one.
    func post(_ notification: N) {
        switch state.withLock({ $0.post(notification) }) {
        case .none: break
        case .resume(let reader, let next): reader.resume(returning: next)
        // Released here, after the lock.
        case .drop(let dropped): withExtendedLifetime(dropped) {}
        }
    }

    /// Ends the sequence after what is waiting.
    func finish() {
        state.withLock { $0.finish() }.resume()
    }

    /// Ends the sequence at once.
    func cancel() {
        // What was waiting is released here, after the lock.
        var waiting = Ring<CountedNotification<N>>()
        state.withLock { $0.cancel(&waiting) }.resume()
    }

    /// How many notifications were dropped.
    var missed: Int { state.withLock { $0.missed } }

    func next(isolation actor: isolated (any Actor)?) async -> CountedNotification<N>? {
        // Without a task's handler for cancellation and a continuation, if something is waiting.
        if !Task.isCancelled {
            let (next, senders) = state.withLock { $0.next() }
            if let next {
                for sender in senders { sender.resume(returning: true) }
                return next
            }
        }
        return await withTaskCancellationHandler(
            operation: {
                await Waiter.wait(isolation: actor) { reader in
                    let (isDone, next, senders) = state.withLock { $0.wait(reader) }
                    for sender in senders { sender.resume(returning: true) }
                    if isDone { reader.resume(returning: next) }
                }
            },
            onCancel: { cancel() },
            isolation: actor)
    }
}

/// A task that waits for a value.
///
/// Without the check that it is resumed once: the state machine lets go of what it returns to be resumed.
@safe
struct Waiter<Value: Sendable>: Sendable {
    private let continuation: UnsafeContinuation<Value, Never>

    /// Calls `body` with the current task, and returns what that is resumed with.
    static func wait(isolation actor: isolated (any Actor)?, _ body: (Waiter) -> Void) async -> Value {
        unsafe await withUnsafeContinuation(isolation: actor) { unsafe body(Waiter(continuation: $0)) }
    }

    func resume(returning value: Value) {
        unsafe continuation.resume(returning: value)
    }
}

/// The state machine of a ``SequenceBuffer``: what happens to it returns what is to be done after its lock.
struct SequenceState<N: TypedNotification>: ~Copyable {
    typealias Reader = Waiter<CountedNotification<N>?>
    typealias Sender = Waiter<Bool>

    private enum Phase {
        /// The reader is not there; notifications may wait.
        case buffering
        /// The reader waits, and no notification does.
        case reading(Reader)
        /// No notification is taken in any more.
        case finished
    }

    enum PostAction {
        case none
        case resume(Reader, CountedNotification<N>)
        case drop(N)
    }

    /// Those for whom the end of the sequence is news.
    struct FinishAction {
        var reader: Reader?
        var senders: [Sender]

        func resume() {
            reader?.resume(returning: nil)
            for sender in senders { sender.resume(returning: false) }
        }
    }

    private let buffering: NotificationBuffering
    private var phase = Phase.buffering
    private var waiting = Ring<CountedNotification<N>>()
    /// How many were dropped since the last one that was taken in, if the oldest are kept.
    private var missedAtEnd = 0
    private(set) var missed = 0

    /// The places that were given to senders which have not posted yet.
    private var reserved = 0
    /// Whether senders wait until no more than half of the places are taken.
    private var isThrottling = false
    private var senders: [(number: Int, continuation: Sender)] = []
    private var lastSender = 0

    init(_ buffering: NotificationBuffering) {
        self.buffering = buffering
    }
}

// MARK: - Posting and reading

extension SequenceState {
    mutating func post(_ notification: N) -> PostAction {
        switch phase {
        case .finished:
            return .none
        case .reading(let reader):
            phase = .buffering
            let next = CountedNotification(missed: missedAtEnd, notification: notification)
            missedAtEnd = 0
            return .resume(reader, next)
        case .buffering:
            return buffer(notification)
        }
    }

    private mutating func buffer(_ notification: N) -> PostAction {
        var action = PostAction.none
        if waiting.count == buffering.capacity {
            missed += 1
            if case .oldest = buffering {
                missedAtEnd += 1
                return .none
            }
            if let oldest = waiting.popFirst() {
                // The next one has missed the oldest, and what that had missed.
                if waiting.isEmpty {
                    missedAtEnd += oldest.missed + 1
                } else {
                    waiting.updateFirst { $0.missed += oldest.missed + 1 }
                }
                action = .drop(oldest.notification)
            }
        }
        waiting.append(CountedNotification(missed: missedAtEnd, notification: notification))
        missedAtEnd = 0
        return action
    }

    /// What waits longest, and the senders that get its place.
    mutating func next() -> (next: CountedNotification<N>?, senders: [Sender]) {
        guard let next = waiting.popFirst() else { return (nil, []) }
        return (next, isThrottling ? admitSenders() : [])
    }

    /// Has the reader wait unless something is waiting or the sequence has ended.
    mutating func wait(_ reader: Reader) -> (isDone: Bool, next: CountedNotification<N>?, senders: [Sender]) {
        let (next, senders) = self.next()
        if next != nil { return (true, next, senders) }
        switch phase {
        case .finished:
            return (true, nil, [])
        case .reading:
            preconditionFailure("an iterator has one reader at a time")
        case .buffering:
            phase = .reading(reader)
            return (false, nil, [])
        }
    }

    mutating func finish() -> FinishAction {
        var action = FinishAction(reader: nil, senders: senders.map { $0.continuation })
        if case .reading(let reader) = phase { action.reader = reader }
        phase = .finished
        senders = []
        return action
    }

    mutating func cancel(_ dropped: inout Ring<CountedNotification<N>>) -> FinishAction {
        swap(&waiting, &dropped)
        return finish()
    }
}

// MARK: - Sending

extension SequenceState {
    private var hasPlace: Bool { waiting.count + reserved < buffering.limit }

    /// A number for a sender.
    mutating func makeNumber() -> Int {
        lastSender += 1
        return lastSender
    }

    /// Gives a sender a place, or has it wait; `nil` if it waits.
    mutating func reserve(_ number: Int, _ sender: Sender, isCancelled: Bool) -> Bool? {
        if case .finished = phase { return false }
        if isCancelled { return false }
        if !isThrottling && hasPlace {
            reserved += 1
            return true
        }
        isThrottling = true
        senders.append((number, sender))
        return nil
    }

    /// Takes back a place whose sender has posted; returns the senders that get a place.
    mutating func release() -> [Sender] {
        reserved -= 1
        return isThrottling ? admitSenders() : []
    }

    /// Lets senders in, each for a free place, once no more than half of the places are taken.
    private mutating func admitSenders() -> [Sender] {
        guard waiting.count + reserved <= buffering.limit / 2 else { return [] }
        var admitted: [Sender] = []
        while hasPlace && !senders.isEmpty {
            reserved += 1
            admitted.append(senders.removeFirst().continuation)
        }
        isThrottling = !senders.isEmpty
        return admitted
    }

    mutating func removeSender(_ number: Int) -> Sender? {
        guard let index = senders.firstIndex(where: { $0.number == number }) else { return nil }
        return senders.remove(at: index).continuation
    }
}

// MARK: - Waiting for a place

/// A buffer for which ``TypedNotificationCenter/send(_:from:)`` waits.
protocol SuspendingBuffer: AnyObject, Sendable {
    /// Waits for a place; `false` if the reader is gone or the task is cancelled.
    func reserve() async -> Bool
    /// Gives back a place whose sender has posted.
    func release()
}

/// The buffer of an observer.
struct SuspendingReader {
    var key: UInt64
    var sender: SenderIdentity?
    var buffer: any SuspendingBuffer
}

extension SequenceBuffer: SuspendingBuffer {
    func reserve() async -> Bool {
        let number = state.withLock { $0.makeNumber() }
        return await withTaskCancellationHandler {
            await Waiter.wait(isolation: nil) { sender in
                let isCancelled = Task.isCancelled
                let hasPlace = state.withLock { $0.reserve(number, sender, isCancelled: isCancelled) }
                if let hasPlace { sender.resume(returning: hasPlace) }
            }
        } onCancel: {
            state.withLock { $0.removeSender(number) }?.resume(returning: false)
        }
    }

    func release() {
        for sender in state.withLock({ $0.release() }) { sender.resume(returning: true) }
    }
}

extension TypedNotificationCenter {
    /// Waits until every reader with the buffering ``NotificationBuffering/suspending(_:)`` that hears the post has a place
    /// for it, then posts.
    ///
    /// One free place lets one task in. A cancelled task posts without waiting. Nothing is lost in either case.
    ///
    /// - Complexity: that of ``post(_:)``, and O(*n*) in the number of such readers of the type.
    public func send<N: TypedNotification>(_ notification: N, from sender: (any AnyObject & Sendable)? = nil) async {
        var reserved: [any SuspendingBuffer] = []
        let identity = SenderIdentity(of: sender)
        if let channel = channel(carrying: Channel.key(of: N.self)) {
            for buffer in channel.suspendingBuffers(hearing: identity) {
                if await buffer.reserve() { reserved.append(buffer) }
            }
        }
        if let sender { post(notification, from: sender) } else { post(notification) }
        for buffer in reserved { buffer.release() }
    }
}

extension Channel {
    /// The buffers that a post in the name of `sender` has to wait for.
    fileprivate func suspendingBuffers(hearing sender: SenderIdentity?) -> [any SuspendingBuffer] {
        var readers = state.withLock { $0.suspendingReaders }
        if let sender, let branch = unsafe branch(of: sender.address)?.takeUnretainedValue() {
            readers += branch.state.withLock { $0.suspendingReaders }.filter { $0.sender?.address == sender.address }
        }
        return readers.map(\.buffer)
    }
}
