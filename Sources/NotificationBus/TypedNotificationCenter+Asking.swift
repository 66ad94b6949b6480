/// A question on its way to the one who answers it.
final class Exchange<Question: TypedQuestion> {
    let question: Question
    var answer: Question.Answer?

    init(_ question: Question) {
        self.question = question
    }
}

extension TypedNotificationCenter {
    /// Answers questions of a type from now on, until the token is cancelled or released.
    ///
    /// A type is to have one answerer. A second one makes every question fail until one of the two is gone; the first
    /// is not replaced, and none is called.
    ///
    /// - Parameters:
    ///   - type: The question to answer.
    ///   - fileID: What the diagnostics name as the place.
    ///   - line: The line of that place.
    ///   - body: Called on the thread of whoever asks, so by several at a time when several ask.
    /// - Complexity: O(1).
    public func answer<Question: TypedQuestion>(
        _ type: Question.Type, fileID: StaticString = #fileID, line: UInt = #line,
        using body: @escaping @Sendable (Question) -> Question.Answer
    ) -> ObservationToken {
        let channel = channel(for: Exchange<Question>.self, named: String(reflecting: type))
        let answerer = Body<Exchange<Question>>(fileID, line) { $0.answer = body($0.question) }
        return ObservationToken(channel.insert(answerer))
    }

    /// Asks a question and returns the answer, which is found on this thread.
    ///
    /// - Throws: ``AskError`` when nobody answers questions of this type, or more than one does.
    /// - Complexity: O(1).
    public func ask<Question: TypedQuestion>(_ question: Question) throws(AskError) -> Question.Answer {
        let exchange = Exchange(question)
        var count = 0
        if let channel = channel(carrying: Exchange<Question>.self) {
            unsafe channel.walk(
                by: self, together: { count = $0.live },
                { (body: Body<Exchange<Question>>, _) in
                    if count == 1 { body.call(exchange) }
                })
        }
        if let answer = exchange.answer { return answer }
        let name = String(reflecting: Question.self)
        throw count > 1 ? .severalAnswerers(question: name, count: count) : .noAnswerer(question: name)
    }
}
