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

    /// Reports the value at `path`. The message says what it must be. Control characters are escaped, so that it is one
    /// line.
    func add(_ place: Place, _ path: String, _ message: String) {
        let line = (path.isEmpty ? "" : "\(path): ") + message
        let scalars = line.unicodeScalars.map { $0.properties.generalCategory == .control ? $0.escaped : String($0) }
        problems.add(TextProblem(place: place, message: scalars.joined()))
    }
}
