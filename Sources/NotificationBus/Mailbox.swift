import Platform

/// What was posted and not consumed yet, for one consumer.
final class Mailbox<N: TypedNotification>: Sendable {
    fileprivate struct State {
        /// A ring: `count` letters from `first` on.
        var letters: [CountedNotification<N>?] = []
        var first = 0
        var count = 0
        var missed = 0
        /// Given up since the last letter that was taken in, where the oldest are kept.
        var missedAtEnd = 0
        var isFinished = false
        var consumer: CheckedContinuation<CountedNotification<N>?, Never>?
    }

    fileprivate enum Step {
        case wait
        case deliver(CountedNotification<N>?)
    }

    private let buffering: NotificationBuffering
    private let state = Guarded(State())

    init(_ buffering: NotificationBuffering) {
        self.buffering = buffering
    }

    var missed: Int { state.withLock { $0.missed } }

    /// Takes a letter in, or gives one up.
    func put(_ notification: N) {
        // What is given up is let go of here, after the lock.
        let (consumer, letter, givenUp) = state.withLock { state in
            state.put(notification, buffering)
        }
        if let consumer { consumer.resume(returning: letter) }
        withExtendedLifetime(givenUp) {}
    }

    /// Ends the sequence after what is waiting.
    func finish() {
        let consumer = state.withLock { state in
            state.isFinished = true
            return state.consumer.take()
        }
        consumer?.resume(returning: nil)
    }

    func next(isolation actor: isolated (any Actor)?) async -> CountedNotification<N>? {
        await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: actor) { continuation in
                    let isCancelled = Task.isCancelled
                    let step = state.withLock { $0.next(continuation, isCancelled) }
                    if case .deliver(let letter) = step { continuation.resume(returning: letter) }
                }
            },
            onCancel: { finish() },
            isolation: actor)
    }
}

extension Mailbox.State {
    mutating func put(
        _ notification: N, _ buffering: NotificationBuffering
    ) -> (CheckedContinuation<CountedNotification<N>?, Never>?, CountedNotification<N>?, N?) {
        guard !isFinished else { return (nil, nil, nil) }
        let letter = CountedNotification(missed: missedAtEnd, notification: notification)
        if let consumer = consumer.take() {
            missedAtEnd = 0
            return (consumer, letter, nil)
        }
        var givenUp: N?
        if count == buffering.limit {
            missed += 1
            if case .oldest = buffering {
                missedAtEnd += 1
                return (nil, nil, nil)
            }
            // The one after the oldest has missed it, and what it had missed.
            let oldest = take()
            givenUp = oldest?.notification
            let inherited = (oldest?.missed ?? 0) + 1
            if count > 0 { letters[first]?.missed += inherited } else { missedAtEnd += inherited }
        }
        append(CountedNotification(missed: missedAtEnd, notification: notification), buffering.limit)
        missedAtEnd = 0
        return (nil, nil, givenUp)
    }

    mutating func next(
        _ continuation: CheckedContinuation<CountedNotification<N>?, Never>, _ isCancelled: Bool
    ) -> Mailbox.Step {
        if isCancelled { return .deliver(nil) }
        if let letter = take() { return .deliver(letter) }
        if isFinished { return .deliver(nil) }
        precondition(consumer == nil, "an iterator has one consumer at a time")
        consumer = continuation
        return .wait
    }

    private mutating func take() -> CountedNotification<N>? {
        guard count > 0 else { return nil }
        let letter = letters[first].take()
        first = (first + 1) % letters.count
        count -= 1
        return letter
    }

    private mutating func append(_ letter: CountedNotification<N>, _ limit: Int) {
        if count == letters.count {
            // The ring grows with the need: a large limit costs nothing until it is used.
            let larger = min(limit, max(8, 2 * count))
            letters = (0..<count).map { letters[(first + $0) % count] }
            letters += Array(repeating: nil, count: larger - count)
            first = 0
        }
        letters[(first + count) % letters.count] = letter
        count += 1
    }
}

/// Finishes a mailbox when the observer that fills it is released, for whatever reason.
final class MailboxFeed<N: TypedNotification>: Sendable {
    let mailbox: Mailbox<N>

    init(_ mailbox: Mailbox<N>) {
        self.mailbox = mailbox
    }

    deinit {
        mailbox.finish()
    }
}
