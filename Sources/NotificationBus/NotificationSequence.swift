/// How many notifications wait for a consumer that is slow, and which are given up when there are more.
public enum NotificationBuffering: Sendable, Hashable {
    /// The newest so many are kept; the oldest is given up.
    case newest(Int)
    /// The oldest so many are kept; what comes when they are full is given up.
    case oldest(Int)

    var limit: Int {
        switch self {
        case .newest(let limit), .oldest(let limit): limit
        }
    }
}

/// The notifications of one type as an asynchronous sequence.
///
/// Each iterator observes on its own from the moment it is made, in the order of the posts, with a buffer of its own; so there
/// may be any number of consumers. Posting never waits for them. Iteration ends when its task is cancelled or when the center
/// goes away and everything before has been consumed.
///
/// The standard library's operators apply: `center.notifications(of: LowStock.self, buffering: .newest(64)).filter { … }`.
public struct NotificationSequence<N: TypedNotification>: AsyncSequence, Sendable {
    /// What a consumer gets, one at a time.
    public typealias Element = N
    /// Notifications never fail.
    public typealias Failure = Never

    let center: TypedNotificationCenter
    let buffering: NotificationBuffering
    let priority: ObserverPriority
    let fileID: StaticString
    let line: UInt

    /// Begins to observe.
    ///
    /// - Complexity: O(1) amortized.
    public func makeAsyncIterator() -> Iterator {
        Iterator(self)
    }

    /// The same notifications, each with the number of those before it that were given up.
    public var countingMissed: Counting { Counting(base: self) }

    /// What one consumer has yet to consume.
    public struct Iterator: AsyncIteratorProtocol {
        private let mailbox: Mailbox<N>
        private let token: ObservationToken

        init(_ sequence: NotificationSequence<N>) {
            let mailbox = Mailbox<N>(sequence.buffering)
            let feed = MailboxFeed(mailbox)
            self.mailbox = mailbox
            token = sequence.center.observe(
                N.self, priority: sequence.priority, fileID: sequence.fileID, line: sequence.line
            ) { feed.mailbox.put($0) }
        }

        /// How many notifications this consumer has missed so far because its buffer was full.
        ///
        /// - Complexity: O(1).
        public var missed: Int { mailbox.missed }

        /// The next notification; `nil` once the task is cancelled, or the center gone and the buffer empty.
        ///
        /// - Complexity: O(1).
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> N? {
            await mailbox.next(isolation: actor)?.notification
        }

        func nextCounted(isolation actor: isolated (any Actor)?) async -> CountedNotification<N>? {
            await mailbox.next(isolation: actor)
        }
    }

    /// Notifications with the number of those that were missed.
    public struct Counting: AsyncSequence, Sendable {
        /// What a consumer gets, one at a time.
        public typealias Element = CountedNotification<N>
        /// Notifications never fail.
        public typealias Failure = Never

        let base: NotificationSequence<N>

        /// Begins to observe.
        ///
        /// - Complexity: O(1) amortized.
        public func makeAsyncIterator() -> Iterator {
            Iterator(base: base.makeAsyncIterator())
        }

        /// What one consumer has yet to consume.
        public struct Iterator: AsyncIteratorProtocol {
            var base: NotificationSequence<N>.Iterator

            /// The next notification, as ``NotificationSequence/Iterator/next(isolation:)``.
            ///
            /// - Complexity: O(1).
            public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> CountedNotification<
                N
            >? {
                await base.nextCounted(isolation: actor)
            }
        }
    }
}

/// A notification, and how many a consumer missed right before it.
public struct CountedNotification<N: TypedNotification>: Sendable {
    /// How many were given up between the one consumed before and this one.
    public var missed: Int
    /// The notification itself.
    public var notification: N

    /// Creates the pair.
    public init(missed: Int, notification: N) {
        self.missed = missed
        self.notification = notification
    }
}

extension CountedNotification: Equatable where N: Equatable {}

extension TypedNotificationCenter {
    /// The notifications of a type posted from now on, for `for await`.
    ///
    /// - Parameters:
    ///   - type: The notification to observe.
    ///   - buffering: How many may wait, at least 1, and which are given up beyond that.
    ///   - priority: Where each iterator stands in the order of delivery.
    ///   - fileID: What the diagnostics name as the place of the observation.
    ///   - line: The line of that place.
    /// - Complexity: O(1); the observation begins with each iterator.
    public func notifications<N: TypedNotification>(
        of type: N.Type, buffering: NotificationBuffering, priority: ObserverPriority = .normal,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<N> {
        precondition(buffering.limit > 0, "a buffer holds at least 1 notification, not \(buffering.limit)")
        return NotificationSequence(
            center: self, buffering: buffering, priority: priority, fileID: fileID, line: line)
    }
}
