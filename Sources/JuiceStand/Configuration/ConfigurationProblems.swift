import TextFormats

/// Why a configuration could not be used: everything that is wrong with it, at once.
package enum ConfigurationError: Error, Equatable, Sendable {
    /// The text or a value is wrong.
    case invalid([TextProblem])
    /// A file can't be read: the configuration itself or a trace.
    case unreadable(path: String, reason: String)
    /// A trace holds what can't be understood.
    case badTrace([TextProblem])
}

/// Collects what is wrong while a configuration is read, so that one run reports it all.
final class ProblemReport {
    private(set) var problems: [TextProblem] = []

    /// Notes that the value at `path` is wrong; `message` says what it must be.
    func add(_ place: Place, _ path: String, _ message: String) {
        let line = path.isEmpty ? message : "\(path): \(message)"
        problems.append(TextProblem(place: place, message: line.withControlsEscaped))
    }

    /// In the order of the file.
    var sorted: [TextProblem] {
        problems.enumerated().sorted {
            ($0.element.place.line, $0.element.place.column, $0.offset)
                < ($1.element.place.line, $1.element.place.column, $1.offset)
        }.map(\.element)
    }
}

extension String {
    /// One line, whatever it quotes.
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
    /// The value in the words of an error message.
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

    /// Whether a syntax error stood here, which has been reported already.
    var isInvalid: Bool { value == .invalid }
}
