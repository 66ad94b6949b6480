import TextFormats

/// Why a configuration cannot be used, with all its problems at once.
package enum ConfigurationError: Error, Equatable, Sendable {
    /// The syntax or a value is wrong.
    case invalid([TextProblem])
    /// The configuration or its trace cannot be read.
    case unreadable(path: String, reason: String)
    /// Lines of the trace are wrong.
    case badTrace([TextProblem])

    /// One line for each problem, with its place. Never empty.
    package var lines: [String] {
        switch self {
        case .invalid(let problems), .badTrace(let problems): problems.map(\.description)
        case .unreadable(let path, let reason): ["\(path): \(reason)"]
        }
    }
}

/// Collects the problems found while reading a configuration, so that one run reports them all.
final class ProblemReport {
    private(set) var problems = ProblemList()

    /// Reports the value at `path`. The message says what it must be.
    func add(_ place: Place, _ path: @autoclosure () -> String, _ message: @autoclosure () -> String) {
        problems.add(Self.problem(place, path(), message()))
    }

    private static func problem(_ place: Place, _ path: String, _ message: String) -> TextProblem {
        let line = path.isEmpty ? message : "\(path): \(message)"
        return TextProblem(place: place, message: line.withControlsEscaped)
    }
}

extension String {
    /// The text on one line, with control characters escaped.
    fileprivate var withControlsEscaped: String {
        unicodeScalars.map { $0.properties.generalCategory == .control ? $0.escaped : String($0) }.joined()
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
