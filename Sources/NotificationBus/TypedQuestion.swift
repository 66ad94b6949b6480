/// A request for something only its answerer knows.
///
/// Posting gives nothing back; a question is how a caller gets a value from someone it does not know:
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
    /// What comes back to the one who asks.
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
