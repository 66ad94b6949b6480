import JuiceStand
import StandExperiments
import TextFormats

/// A parameter sweep: the keys of `--vary` and all combinations of their values.
struct Sweep {
    private struct Axis {
        var keyPath: String
        var values: [String]
    }

    /// A larger sweep is most likely a mistake.
    private static let mostSettings = 10_000

    private var axes: [Axis] = []

    /// - Parameter options: The value of each `--vary`.
    init(_ options: [String]) throws(CommandFailure) {
        var settings = 1
        for text in options {
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                throw CommandFailure(.usage, "--vary needs KEY.PATH=A,B,C, found \"\(text)\"")
            }
            let keyPath = String(text[..<equals])
            let values = Self.split(text[text.index(after: equals)...])
            guard values.allSatisfy({ !$0.isEmpty }) else {
                throw CommandFailure(.usage, "--vary must not have an empty value, found \"\(text)\"")
            }
            guard !axes.contains(where: { $0.keyPath == keyPath }) else {
                throw CommandFailure(.usage, "--vary \(keyPath) is given twice; give all values in one list")
            }
            settings *= values.count
            guard settings <= Self.mostSettings else {
                throw CommandFailure(.usage, "--vary must make at most \(Columns.grouped(Self.mostSettings)) settings")
            }
            axes.append(Axis(keyPath: keyPath, values: values))
        }
    }

    /// Splits at commas outside brackets and quotes.
    private static func split(_ text: Substring) -> [String] {
        var parts = [""]
        var depth = 0
        var quote: Character?
        var isEscaped = false
        for character in text {
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil }
            } else {
                switch character {
                case "\"": quote = character
                case "[", "{": depth += 1
                case "]", "}": depth -= 1
                case "," where depth <= 0:
                    parts.append("")
                    continue
                default: break
                }
            }
            parts[parts.count - 1].append(character)
        }
        return parts
    }

    /// All combinations, the last key varying fastest. Without `--vary`, the stand itself.
    ///
    /// - Throws: all configuration errors of all combinations, each once.
    func settings(of stand: StandOptions) throws(CommandFailure) -> [Experiment.Setting] {
        guard !axes.isEmpty else { return [.init(set: [], settings: stand.settings)] }
        var combinations: [[StandConfiguration.Override]] = [[]]
        for axis in axes {
            combinations = combinations.flatMap { combination in
                axis.values.map {
                    combination + [.init(source: "--vary \(axis.keyPath)=\($0)", keyPath: axis.keyPath, value: $0)]
                }
            }
        }
        var settings: [Experiment.Setting] = []
        var failure: CommandFailure?
        for combination in combinations {
            do {
                let set = combination.map { JSONValue.Member(key: $0.keyPath, value: Self.value($0.value)) }
                settings.append(.init(set: set, settings: try stand.settings(varying: combination)))
            } catch {
                let known = failure?.messages ?? []
                if failure == nil { failure = error }
                failure?.messages = known + error.messages.filter { !known.contains($0) }
            }
        }
        if let failure { throw failure }
        return settings
    }

    /// Reads a value as `--set` does: as JSON if it parses, else as a string.
    private static func value(_ text: String) -> JSONValue {
        let parsed = JSON5Parser.parse(text.utf8, source: "--vary")
        guard parsed.problems.isEmpty, let value = parsed.root.flatMap({ JSONValue($0) }) else { return .string(text) }
        return value
    }
}
