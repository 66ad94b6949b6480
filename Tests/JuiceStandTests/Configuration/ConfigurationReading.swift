import JuiceStand
import Testing

/// The settings of a configuration that must be right.
func settings(
    _ text: String, source: String = "stand.json", _ overrides: [(String, String)] = []
) throws(ConfigurationError) -> StandSettings {
    try StandConfiguration(Array(text.utf8), source: source, overrides: overrides.map(override)).settings
}

/// The lines of messages about a configuration that must be wrong; none where it is right.
func problems(_ text: String, source: String = "stand.json", _ overrides: [(String, String)] = []) -> [String] {
    do throws(ConfigurationError) {
        _ = try settings(text, source: source, overrides)
        return []
    } catch {
        switch error {
        case .invalid(let problems): return problems.map { "\($0)" }
        case .badTrace(let problems): return problems.map { "trace \($0)" }
        case .unreadable(let path, let reason): return ["\(path): \(reason)"]
        }
    }
}

/// `--set KEY.PATH=VALUE`.
private func override(_ keyPath: String, _ value: String) -> StandConfiguration.Override {
    .init(source: "--set \(keyPath)=\(value)", keyPath: keyPath, value: value)
}

/// A text in which `▸` marks the places of the expected messages.
struct MarkedText {
    private(set) var text = ""
    /// `LINE:COLUMN` of every mark.
    private(set) var places: [String] = []

    init(_ marked: String) {
        var line = 1
        var column = 1
        for scalar in marked.unicodeScalars {
            if scalar == "▸" {
                places.append("\(line):\(column)")
                continue
            }
            text.unicodeScalars.append(scalar)
            (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
        }
    }
}

/// Checks that `marked` is wrong at its marks, in their order, with these messages, and nowhere else.
func expectProblems(_ marked: String, _ messages: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let marked = MarkedText(marked)
    #expect(marked.places.count == messages.count, "a mark for every message", sourceLocation: sourceLocation)
    let lines = zip(marked.places, messages).map { "stand.json:\($0): \($1)" }
    #expect(problems(marked.text) == lines, sourceLocation: sourceLocation)
}

/// Checks that a configuration has a problem with `message` in it.
func expectProblem(_ text: String, _ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let found = problems(text)
    #expect(found.contains { $0.contains(message) }, "\(found)", sourceLocation: sourceLocation)
}
