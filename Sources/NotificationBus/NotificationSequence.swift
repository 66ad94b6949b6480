/// The notifications of one type as an asynchronous sequence.
///
/// Each iterator begins to observe when it is made and has a buffer of its own, so there may be any number of
/// consumers. It gets notifications in the order of the posts. Posting never waits for it. Iteration ends when its task
/// is cancelled. It also ends when the center is gone and the buffer is empty; the sequence does not keep its center.
///
/// The standard library's operators apply: `center.notifications(of: LowStock.self).filter { … }`.
public struct NotificationSequence<N: TypedNotification>: AsyncSequence, Sendable {
    public typealias Element = N
    public typealias Failure = Never

    let buffering: NotificationBuffering
    /// Begins an observation that fills a buffer; `nil` if the center is gone.
    let begin: @Sendable (SequenceBuffer) -> ObservationToken?

    /// Begins to observe.
    ///
    /// - Complexity: O(1) amortized.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// One consumer's place in the sequence. It observes for as long as it exists.
    public struct Iterator: AsyncIteratorProtocol {
        private let buffer: SequenceBuffer
        private let token: ObservationToken?

        init(_ sequence: NotificationSequence<N>) {
            buffer = SequenceBuffer(sequence.buffering)
            token = sequence.begin(buffer)
            if token == nil { buffer.finish() }
        }

        /// How many notifications were dropped so far because the buffer was full.
        public var missed: Int { buffer.missed }

        /// The next notification; `nil` once the task is cancelled, or the center is gone and the buffer empty.
        ///
        /// One task at a time may wait.
        ///
        /// - Complexity: O(1).
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> N? {
            await buffer.next(isolation: actor).map { unsafe Posted<N>.cast($0).notification }
        }
    }
}

extension TypedNotificationCenter {
    /// The notifications of a type posted from now on, for `for await`.
    ///
    /// `buffering` says how many may wait, at least 1, and which are dropped beyond that. The other parameters are
    /// those of an observer. An observation begins with each iterator.
    ///
    /// - Complexity: O(1).
    public func notifications<N: TypedNotification>(
        of type: N.Type, from sender: AnyObject? = nil, buffering: NotificationBuffering = .newest(64),
        replayingLatest: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) -> NotificationSequence<N> {
        buffering.check()
        let sender = sender.map { SenderIdentity($0) }
        return NotificationSequence(buffering: buffering) { [weak self] buffer in
            self?.begin(ForwardingObserver<N>(fileID, line, from: sender, to: buffer), replayingLatest)
        }
    }
}
