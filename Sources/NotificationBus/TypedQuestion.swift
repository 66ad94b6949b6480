/// A request for something only its answerer knows.
///
/// A question is how a caller gets a value from someone it does not know:
///
/// ```swift
/// struct HowMuchIsLeft: TypedQuestion {
///     typealias Answer = Int
///     var fruit: String
/// }
/// let token = center.answer(HowMuchIsLeft.self) { question in question.fruit == "banana" ? 8 : 0 }
/// let left = try center.ask(HowMuchIsLeft(fruit: "banana"))
/// ```
public protocol TypedQuestion: Sendable {
    /// The type of the answer.
    associatedtype Answer: Sendable
}

/// Why a question was not answered.
public enum AskError: Error, Hashable {
    /// Nobody answers questions of this type.
    case noAnswerer(question: String)
    /// More than one answers questions of this type; none of them was called.
    case severalAnswerers(question: String, count: Int)
}

extension AskError: CustomStringConvertible {
    /// One sentence that names the question.
    public var description: String {
        switch self {
        case .noAnswerer(let question): "nobody answers \(question)"
        case .severalAnswerers(let question, let count): "\(count) answer \(question), where exactly one should"
        }
    }
}

extension TypedNotificationCenter {
    /// Answers questions of a type from now on, until the token is cancelled or released.
    ///
    /// A type is to have one answerer. A second one makes every question fail until one of the two is gone; the first
    /// is not replaced, and none is called.
    ///
    /// `body` is called on the thread of whoever asks, so by several at a time when several ask. ``observations()``
    /// names `fileID` and `line` as the place.
    ///
    /// - Complexity: O(1) amortized.
    @inlinable
    public func answer<Question: TypedQuestion>(
        _ type: Question.Type, fileID: StaticString = #fileID, line: UInt = #line,
        using body: @escaping @Sendable (Question) -> Question.Answer
    ) -> ObservationToken {
        unsafe addAnswerer(Question.self, fileID, line) { exchange in
            let exchange = unsafe exchange.assumingMemoryBound(to: (question: Question, answer: Question.Answer?).self)
            unsafe exchange.pointee.answer = body(exchange.pointee.question)
        }
    }

    @usableFromInline @unsafe
    func addAnswerer(
        _ type: any TypedQuestion.Type, _ fileID: StaticString, _ line: UInt,
        _ body: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
    ) -> ObservationToken {
        let channel = channel(carrying: Channel.key(ofQuestion: type)) {
            unsafe Channel(type, UnsafeMutableRawPointer.self)
        }
        let answerer = unsafe TypedObserver(fileID, line, body)
        return ObservationToken(channel, unsafe channel.insert(answerer, into: channel))
    }

    /// Asks a question and returns the answer, which is found on this thread.
    ///
    /// - Throws: ``AskError`` when nobody answers questions of this type, or more than one does.
    /// - Complexity: O(1). Takes a lock for an instant.
    @inlinable
    public func ask<Question: TypedQuestion>(_ question: Question) throws(AskError) -> Question.Answer {
        var exchange: (question: Question, answer: Question.Answer?) = (question, nil)
        try unsafe withUnsafeMutablePointer(to: &exchange) { exchange throws(AskError) in
            try unsafe ask(Question.self, exchange)
        }
        return unsafe exchange.answer.unsafelyUnwrapped
    }

    /// Has the only answerer read the question at an address and put the answer beside it.
    @usableFromInline @unsafe
    func ask(_ type: any TypedQuestion.Type, _ exchange: UnsafeMutableRawPointer) throws(AskError) {
        let name = { String(reflecting: type) }
        guard let channel = channel(carrying: Channel.key(ofQuestion: type)) else {
            throw .noAnswerer(question: name())
        }
        let frame = unsafe enterPost(to: Unmanaged.passUnretained(channel))
        // Under the lock nobody cancels the answerer, so a cancellation finds it announced.
        let (count, answerer) = unsafe channel.state.withLock { state -> (Int, UnsafeRawPointer?) in
            guard state.live == 1 else { return (state.live, nil) }
            var slot = unsafe ObserverArray(address: channel.observers.relaxedLoad()).slot(0)
            let tombstone = state.tombstone
            while unsafe slot.pointee.relaxedLoad() == tombstone { unsafe slot = slot.advanced(unchecked: 1) }
            unsafe frame.announceWithFence(slot)
            return unsafe (1, Channel.pointer(slot.pointee.relaxedLoad()))
        }
        guard let answerer = unsafe answerer else {
            throw count == 0 ? .noAnswerer(question: name()) : .severalAnswerers(question: name(), count: count)
        }
        let observer = unsafe Unmanaged<TypedObserver<UnsafeMutableRawPointer>>.fromOpaque(answerer)
        unsafe observer._withUnsafeGuaranteedRef { unsafe $0.call(exchange) }
        unsafe channel.leave(frame, isFenced: true)
    }
}
