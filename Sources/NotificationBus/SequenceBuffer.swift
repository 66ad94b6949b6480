import Synchronization

/// The posted notifications that one reader has not consumed yet. Unchecked like the class it inherits from: mutable
/// state is reached under its lock, and the rest is constant.
class SequenceBuffer: Mailbox, @unchecked Sendable {
    private let buffering: NotificationBuffering
    private let state: Locked<SequenceState>
    /// Gives each sender that waits a number.
    private static let lastSender = Atomic(0)

    init(_ buffering: NotificationBuffering) {
        self.buffering = buffering
        state = Locked(SequenceState(NotificationBuffer(buffering)))
    }

    override func post(_ posted: any AnyObject & Sendable) { state.withLock { $0.post(posted) }.perform() }
    override func finish() { state.withLock { $0.finish() }.perform() }
    override func cancel() { state.withLock { $0.cancel() }.perform() }
    override func release() { state.withLock { $0.release() }.perform() }

    /// How many notifications were dropped.
    var missed: Int { state.withLock { $0.waiting.missed } }

    func next(isolation actor: isolated (any Actor)?) async -> NotificationBuffer.Element? {
        // The fast path if a notification waits: no cancellation handler, no continuation.
        if !Task.isCancelled {
            let action = state.withLock { $0.next() }
            action.perform()
            if let next = action.next { return next }
        }
        return await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: actor) { reader in
                    state.withLock { $0.wait(reader) }.perform()
                }
            },
            onCancel: { cancel() },
            isolation: actor)
    }

    override func reserve() async -> Bool {
        guard case .suspending = buffering else { return false }
        let number = Self.lastSender.wrappingAdd(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { sender in
                // Under the lock, so that a cancellation finds the sender, or the sender finds the cancellation.
                state.withLock { $0.reserve(number, sender, isCancelled: Task.isCancelled) }.perform()
            }
        } onCancel: {
            state.withLock { $0.removeSender(number) }.perform()
        }
    }
}

/// The state machine of a ``SequenceBuffer``: each event returns the action to perform once the lock is released.
struct SequenceState: ~Copyable {
    typealias Reader = CheckedContinuation<NotificationBuffer.Element?, Never>
    typealias Sender = CheckedContinuation<Bool, Never>

    private enum Phase {
        /// The reader is not there; notifications may wait.
        case buffering
        /// The reader waits, and no notification does.
        case reading(Reader)
        /// No notification is taken in any more.
        case finished
    }

    /// The tasks to resume, each with its value, and what to release after the lock.
    struct Action {
        var reader: Reader?
        var next: NotificationBuffer.Element?
        var senders: [Sender] = []
        /// Whether the senders have a place each.
        var isAdmitted = true
        var dropped: AnyObject?
        var removed: [NotificationBuffer.Element] = []

        func perform() {
            reader?.resume(returning: next)
            for sender in senders { sender.resume(returning: isAdmitted) }
            withExtendedLifetime((dropped, removed)) {}
        }
    }

    private var phase = Phase.buffering
    private var isFinished: Bool { if case .finished = phase { true } else { false } }
    private(set) var waiting: NotificationBuffer

    /// The places that were given to senders which have not posted yet.
    private var reserved = 0
    /// Whether senders wait until no more than half of the places are taken.
    private var isThrottling = false
    private var senders: [(number: Int, continuation: Sender)] = []

    init(_ waiting: consuming NotificationBuffer) {
        self.waiting = waiting
    }
}

// MARK: - Posting and reading

extension SequenceState {
    mutating func post(_ posted: any AnyObject & Sendable) -> Action {
        if isFinished { return Action() }
        let dropped = waiting.append(posted)
        guard case .reading(let reader) = phase else { return Action(dropped: dropped) }
        phase = .buffering
        return Action(reader: reader, next: waiting.popFirst())
    }

    /// The oldest notification, and the senders that get its place.
    mutating func next() -> Action {
        guard let next = waiting.popFirst() else { return Action() }
        return Action(next: next, senders: admitSenders())
    }

    /// Has the reader wait unless something is waiting or the sequence has ended.
    mutating func wait(_ reader: Reader) -> Action {
        var action = next()
        switch phase {
        case .buffering where action.next == nil:
            phase = .reading(reader)
        case .reading:
            preconditionFailure("an iterator has one reader at a time")
        default:
            action.reader = reader
        }
        return action
    }

    mutating func finish() -> Action {
        var action = Action(senders: senders.map(\.continuation), isAdmitted: false)
        if case .reading(let reader) = phase { action.reader = reader }
        phase = .finished
        senders = []
        return action
    }

    mutating func cancel() -> Action {
        var action = finish()
        action.removed = waiting.removeAll()
        return action
    }
}

// MARK: - Sending

extension SequenceState {
    private var taken: Int { waiting.count + reserved }

    /// Gives a sender a place, or has it wait.
    mutating func reserve(_ number: Int, _ sender: Sender, isCancelled: Bool) -> Action {
        if isCancelled || isFinished { return Action(senders: [sender], isAdmitted: false) }
        if isThrottling || taken >= waiting.buffering.limit {
            isThrottling = true
            senders.append((number, sender))
            return Action()
        }
        reserved += 1
        return Action(senders: [sender])
    }

    /// Takes back a place whose sender has posted.
    mutating func release() -> Action {
        reserved -= 1
        return Action(senders: admitSenders())
    }

    /// Lets senders that wait in, each for a free place, once no more than half of the places are taken.
    private mutating func admitSenders() -> [Sender] {
        guard isThrottling && taken <= waiting.buffering.limit / 2 else { return [] }
        let admitted = senders.prefix(waiting.buffering.limit - taken).map(\.continuation)
        senders.removeFirst(admitted.count)
        reserved += admitted.count
        isThrottling = !senders.isEmpty
        return admitted
    }

    mutating func removeSender(_ number: Int) -> Action {
        guard let index = senders.firstIndex(where: { $0.number == number }) else { return Action() }
        return Action(senders: [senders.remove(at: index).continuation], isAdmitted: false)
    }
}
