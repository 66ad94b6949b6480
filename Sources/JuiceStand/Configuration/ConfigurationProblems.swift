import TextFormats

/// Why a configuration cannot be used, with all its problems at once.
package enum ConfigurationError: Error, Equatable, Sendable {
    /// The syntax or a value is wrong.
    case invalid([TextProblem])
    /// The configuration or its trace cannot be read.
    case unreadable(path: String, reason: String)
    /// Lines of the trace are wrong.
    case badTrace([TextProblem])
}

/// Collects the problems found while reading a configuration, so that one run reports them all.
final class ProblemReport {
    private(set) var problems: [TextProblem] = []

    /// Reports the value at `path`. The message says what it must be.
    func add(_ place: Place, _ path: String, _ message: String) {
        let line = path.isEmpty ? message : "\(path): \(message)"
        problems.append(TextProblem(place: place, message: line.withControlsEscaped))
    }

    /// The problems in the order of the file.
    var sorted: [TextProblem] {
        problems.enumerated().sorted {
            ($0.element.place.line, $0.element.place.column, $0.offset)
                < ($1.element.place.line, $1.element.place.column, $1.offset)
        }.map(\.element)
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
    var found: String {
        switch value {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(_, let text): text
        case .string(let text): "\"\(text)\""
        case .array: "an array"
        case .object: "an object"
        case .invalid: "nothing"
        }
    }

    /// Whether this is a syntax error. The parser has already reported it.
    var isInvalid: Bool { value == .invalid }
}
