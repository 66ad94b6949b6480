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

/// Lists the first hundred problems and counts the rest.
struct ProblemList {
    private static let most = 100

    private var problems: [TextProblem] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    /// - Parameter problem: Evaluated only if it may be listed.
    mutating func add(_ problem: @autoclosure () -> TextProblem) {
        count += 1
        // Keeps more than are listed, because they may not come in the order of the file.
        if count <= 10 * Self.most { problems.append(problem()) }
    }

    /// The problems in the order of the file. The last one counts those left out.
    var listed: [TextProblem] {
        let sorted = problems.enumerated().sorted {
            ($0.element.place.line, $0.element.place.column, $0.offset)
                < ($1.element.place.line, $1.element.place.column, $1.offset)
        }.map(\.element)
        guard count > Self.most else { return sorted }
        let place = Place(source: sorted[0].place.source)
        return sorted.prefix(Self.most) + [TextProblem(place: place, message: "\(count - Self.most) more problems")]
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
