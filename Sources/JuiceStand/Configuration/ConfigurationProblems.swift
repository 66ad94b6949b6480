import Platform
import TextFormats

/// Why a configuration cannot be used, with all its problems at once.
package enum ConfigurationError: Error, Equatable, Sendable {
    /// The syntax or a value is wrong.
    case invalid([TextProblem])
    /// The configuration or its trace cannot be read.
    case unreadable(path: String, reason: Message)
    /// Lines of the trace are wrong.
    case badTrace([TextProblem])

    /// One line for each problem, with its place. Never empty.
    package var lines: [Message] {
        switch self {
        case .invalid(let problems), .badTrace(let problems): problems.map(\.line)
        case .unreadable(let path, let reason): ["\(path): \(reason)"]
        }
    }
}

/// Collects the problems found while reading a configuration, so that one run reports them all.
final class ProblemReport {
    private(set) var problems = ProblemList()

    /// Reports the value at `path`. The message says what it must be.
    func add(_ place: Place, _ path: @autoclosure () -> String, _ message: @autoclosure () -> Message) {
        problems.add(Self.problem(place, path(), message()))
    }

    private static func problem(_ place: Place, _ path: String, _ message: Message) -> TextProblem {
        let line: Message = path.isEmpty ? message : "\(path): \(message)"
        return TextProblem(place: place, message: line.mapArguments(\.withControlsEscaped))
    }
}

extension String {
    /// The text on one line, with control characters escaped.
    fileprivate var withControlsEscaped: String {
        var text = ""
        for scalar in unicodeScalars {
            if scalar.properties.generalCategory == .control {
                text += scalar.escaped
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension JSONNode {
    /// The value as an error message shows it.
    var found: Message {
        switch value {
        case .null: Message("null")
        case .bool(let value): "\(value)"
        case .number(_, let text): "\(text)"
        case .string(let text): "\"\(text)\""
        case .array: "an array"
        case .object: "an object"
        case .invalid: "nothing"
        }
    }

    /// Whether this is a syntax error. The parser has already reported it.
    var isInvalid: Bool { value == .invalid }
}
