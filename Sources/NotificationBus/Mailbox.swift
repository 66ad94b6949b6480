/// What was posted and not consumed yet, for one consumer.
final class Mailbox<N: TypedNotification>: Sendable {
    fileprivate struct State {
        var letters = Ring<CountedNotification<N>>()
        /// How many were dropped since the last letter that was taken in, if the oldest are kept.
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

    /// Takes a letter in, or drops one.
    func put(_ notification: N) {
        // What is dropped is released here, after the lock.
        let (consumer, letter, dropped) = state.withLock { state in
            state.put(notification, buffering)
        }
        if let consumer { consumer.resume(returning: letter) }
        withExtendedLifetime(dropped) {}
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
        var dropped: N?
        if letters.count == buffering.limit {
            if case .oldest = buffering {
                missedAtEnd += 1
                return (nil, nil, nil)
            }
            // The letter after the oldest has missed it, and what it had missed.
            let oldest = letters.popFirst()
            dropped = oldest?.notification
            let inherited = (oldest?.missed ?? 0) + 1
            if letters.count > 0 { letters.first.missed += inherited } else { missedAtEnd += inherited }
        }
        letters.append(CountedNotification(missed: missedAtEnd, notification: notification))
        missedAtEnd = 0
        return (nil, nil, dropped)
    }

    mutating func next(
        _ continuation: CheckedContinuation<CountedNotification<N>?, Never>, _ isCancelled: Bool
    ) -> Mailbox.Step {
        if isCancelled { return .deliver(nil) }
        if let letter = letters.popFirst() { return .deliver(letter) }
        if isFinished { return .deliver(nil) }
        precondition(consumer == nil, "an iterator has one consumer at a time")
        consumer = continuation
        return .wait
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
