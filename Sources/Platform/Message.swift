/// A text for people that can be told in another language: an English template and what stands in its blanks.
///
/// It is written as a string literal: `"must be at least \(least), found \(node.found)"` has the template `must be at
/// least {1}, found {2}`, which is the key of its translation. What stands in a blank may be a message, too.
package struct Message: Sendable {
    fileprivate enum Argument: Sendable {
        case text(String)
        case message(Message)
    }

    /// The English text, with `{1}`, `{2}` … for the blanks.
    private var template: String
    private var arguments: [Argument]

    /// A template and what stands in its blanks; or a text without blanks.
    package init(_ template: String, _ arguments: String...) {
        self.template = template
        self.arguments = arguments.map(Argument.text)
    }

    /// The message that a template makes of a text in English; nil if it makes no such text.
    package init?(_ text: String, of template: String) {
        var pieces = template.split(separator: /\{\d+\}/, omittingEmptySubsequences: false)
        let (first, last) = (pieces.removeFirst(), pieces.popLast())
        guard text.hasPrefix(first) else { return nil }
        var rest = text.dropFirst(first.count)
        self.init(template)
        guard let last else {
            if rest.isEmpty { return } else { return nil }
        }
        guard rest.hasSuffix(last) else { return nil }
        rest = rest.dropLast(last.count)
        var (found, isDouble): ([Argument], Bool) = ([], false)
        func take(_ part: Substring) {
            // The second of two blanks side by side is another possibility, a hint or empty.
            let cut = isDouble ? part.firstRange(of: #/ or |[,;] /#)?.lowerBound ?? part.endIndex : part.endIndex
            found.append(.text(String(part[..<cut])))
            if isDouble { found.append(.text(String(part[cut...]))) }
            isDouble = false
        }
        for piece in pieces {
            guard !piece.isEmpty else {
                isDouble = true
                continue
            }
            guard let end = rest.firstRange(of: piece) else { return nil }
            take(rest[..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        take(rest)
        arguments = found
    }

    /// The text with the templates that `translated` gives instead of the English ones.
    package func text(_ translated: (String) -> String) -> String {
        Self.fill(translated(template)[...]) { blank in
            guard let number = Int(blank), arguments.indices.contains(number - 1) else { return nil }
            return switch arguments[number - 1] {
            case .text(let text): text
            case .message(let message): message.text(translated)
            }
        }
    }

    /// The template with its blanks filled in.
    ///
    /// - Parameter value: What stands in a blank such as `{1}`; nil leaves the blank as it is.
    package static func fill(_ template: Substring, _ value: (Substring) -> String?) -> String {
        var rest = template
        var text = ""
        while let start = rest.firstIndex(of: "{") {
            text += rest[..<start]
            rest = rest[start...]
            if let end = rest.firstIndex(of: "}"), let value = value(rest[..<end].dropFirst()) {
                text += value
                rest = rest[end...].dropFirst()
            } else {
                text += "{"
                rest = rest.dropFirst()
            }
        }
        return text + rest
    }

    package static func + (first: Message, second: Message) -> Message {
        var whole = first
        whole.template += fill(second.template[...]) { blank in Int(blank).map { "{\($0 + first.arguments.count)}" } }
        whole.arguments += second.arguments
        return whole
    }

    /// The message with what stands in its blanks changed, such as escaped.
    package func mapArguments(_ change: (String) -> String) -> Message {
        var changed = self
        changed.arguments = arguments.map { argument in
            switch argument {
            case .text(let text): .text(change(text))
            case .message(let message): .message(message.mapArguments(change))
            }
        }
        return changed
    }
}

extension Message: CustomStringConvertible {
    /// The text in English.
    package var description: String { text { $0 } }
}

extension Message: Equatable {
    /// Whether the texts are equal, wherever their blanks are.
    package static func == (first: Message, second: Message) -> Bool { first.description == second.description }
}

extension Message: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(text) }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.message }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var message = Message("")

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { message.template += literal }

        package mutating func appendInterpolation(_ value: some Any) { append(.text("\(value)")) }

        package mutating func appendInterpolation(_ inner: Message) { append(.message(inner)) }

        private mutating func append(_ argument: Argument) {
            message.arguments.append(argument)
            message.template += "{\(message.arguments.count)}"
        }
    }
}
