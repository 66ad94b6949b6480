/// What was posted and not consumed yet, for one consumer.
final class Mailbox<N: TypedNotification>: Sendable {
    fileprivate struct State {
        var letters = Ring<CountedNotification<N>>()
        /// How many were dropped since the last letter that was taken in, if the oldest are kept.
        var missedAtEnd = 0
        var missed = 0
        var isFinished = false
        var consumer: CheckedContinuation<CountedNotification<N>?, Never>?
        /// Posters that wait for room.
        var posters: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var lastPoster = 0
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
        let (consumer, posters) = state.withLock { state in
            state.isFinished = true
            return (state.consumer.take(), state.releasePosters())
        }
        consumer?.resume(returning: nil)
        for poster in posters { poster.resume() }
    }

    /// How many notifications were dropped.
    var missed: Int { state.withLock { $0.missed } }

    func next(isolation actor: isolated (any Actor)?) async -> CountedNotification<N>? {
        await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: actor) { continuation in
                    let isCancelled = Task.isCancelled
                    let (step, posters) = state.withLock { state in
                        let step = state.next(continuation, isCancelled)
                        return (step, state.letters.count < buffering.limit ? state.releasePosters() : [])
                    }
                    for poster in posters { poster.resume() }
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
        if letters.count == buffering.capacity {
            missed += 1
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

// MARK: - Room

/// A buffer for which an asynchronous poster waits.
protocol Suspending: AnyObject, Sendable {
    /// Waits until there is room, the reader is gone or the task is cancelled.
    func waitForRoom() async
}

extension Mailbox: Suspending {
    func waitForRoom() async {
        let number = state.withLock { state in
            state.lastPoster += 1
            return state.lastPoster
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRoom = state.withLock { state in
                    if state.isFinished || state.letters.count < buffering.limit || Task.isCancelled { return true }
                    state.posters.append((number, continuation))
                    return false
                }
                if isRoom { continuation.resume() }
            }
        } onCancel: {
            let poster = state.withLock { state in
                state.posters.firstIndex { $0.number == number }.map { state.posters.remove(at: $0).continuation }
            }
            poster?.resume()
        }
    }
}

extension Mailbox.State {
    fileprivate mutating func releasePosters() -> [CheckedContinuation<Void, Never>] {
        defer { posters = [] }
        return posters.map(\.continuation)
    }
}

extension TypedNotificationCenter {
    /// Waits until every reader with the buffering ``NotificationBuffering/suspending(_:)`` has room, then posts.
    ///
    /// Several tasks that send at once may exceed the limit by their number. A cancelled task posts without waiting.
    /// Nothing is lost in either case.
    ///
    /// - Complexity: that of ``post(_:)``, and O(*n*) in the number of such readers of the type.
    public func send<N: TypedNotification>(_ notification: N) async {
        let buffers = channel(carrying: N.self)?.state.withLock { state in
            state.suspending.removeAll { $0.buffer == nil }
            return state.suspending.compactMap(\.buffer)
        }
        for buffer in buffers ?? [] { await buffer.waitForRoom() }
        post(notification)
    }

    /// Has ``send(_:)`` wait for a mailbox if its buffering says so.
    func admit<N: TypedNotification>(_ mailbox: Mailbox<N>, _ buffering: NotificationBuffering) {
        guard case .suspending = buffering else { return }
        channel(for: N.self).state.withLock { $0.suspending.append(Channel.WeakBuffer(buffer: mailbox)) }
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
