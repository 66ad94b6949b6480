import JuiceStand
import TextFormats

/// One option a command takes.
struct Option {
    let name: String
    /// What stands for its value in the help; nil for a flag.
    let value: String?
    let help: String

    init(_ name: String, _ value: String? = nil, _ help: String) {
        self.name = name
        self.value = value
        self.help = help
    }
}

/// A command line, taken apart by the conventions of POSIX and GNU: `--name VALUE`, `--name=VALUE`, `--` before
/// operands that begin with a dash. Options and operands may be mixed.
struct Options {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]

    init(_ arguments: [String], _ known: [Option]) throws(CommandFailure) {
        var left = arguments[...]
        while let argument = left.popFirst() {
            guard argument.hasPrefix("-"), argument != "-", !Self.isNumber(argument) else {
                operands.append(argument)
                continue
            }
            if argument == "--" {
                operands += left
                break
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0]
            guard let option = known.first(where: { $0.name == name }) else {
                let hint = nearest(name, among: known.map(\.name)).map { "; did you mean \($0)?" } ?? ""
                throw CommandFailure(.usage, "\(name) is not an option here\(hint)")
            }
            try take(option, parts.count == 2 ? parts[1] : nil, &left)
        }
    }

    /// Whether it is a negative number, which no option is called: the command says what it wants in its place.
    private static func isNumber(_ argument: String) -> Bool {
        argument.dropFirst().first.map { $0.isNumber || $0 == "." } ?? false
    }

    private mutating func take(
        _ option: Option, _ attached: String?, _ left: inout ArraySlice<String>
    ) throws(CommandFailure) {
        guard let placeholder = option.value else {
            guard attached == nil else { throw CommandFailure(.usage, "\(option.name) takes no value") }
            values[option.name, default: []].append("")
            return
        }
        guard let value = attached ?? left.popFirst() else {
            throw CommandFailure(.usage, "\(option.name) needs a value: \(option.name) \(placeholder)")
        }
        guard !value.isEmpty else {
            throw CommandFailure(.usage, "\(option.name) must not be empty: \(option.name) \(placeholder)")
        }
        values[option.name, default: []].append(value)
    }

    /// The operands in the words of an error message.
    var found: String { operands.isEmpty ? "none" : operands.map { "\"\($0)\"" }.joined(separator: " ") }

    func has(_ name: String) -> Bool { values[name] != nil }

    /// All values in the order given.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The value; nil where the option is absent.
    func value(_ name: String) throws(CommandFailure) -> String? {
        let all = all(name)
        guard all.count <= 1 else { throw CommandFailure(.usage, "\(name) is given \(all.count) times") }
        return all.first
    }

    /// A span of time above 0, or from 0 where `allowsZero`.
    ///
    /// - Parameter orElse: What would also be right, in the words of a message.
    func duration(
        _ name: String, allowsZero: Bool = false, orElse: String = ""
    ) throws(CommandFailure) -> SimulationTime? {
        guard let text = try value(name) else { return nil }
        let nanoseconds =
            DurationText.nanoseconds(text) ?? Double(decimal: text).flatMap { DurationText.nanoseconds(seconds: $0) }
        guard let nanoseconds, nanoseconds > 0 || (allowsZero && nanoseconds == 0) else {
            let range = allowsZero ? "of at most 292 years" : "above 0 and of at most 292 years"
            throw CommandFailure(
                .usage,
                "\(name) must be a duration \(range), such as 250ms, 30s, 5m, 8h or 2d\(orElse), found \"\(text)\"")
        }
        return SimulationTime(nanoseconds: nanoseconds)
    }

    /// A whole number of `range`; nil where the option is absent.
    func whole(_ name: String, _ range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        try value(name).map { text throws(CommandFailure) in try Self.whole(name, text, range) }
    }

    /// A whole number of `range`.
    ///
    /// - Parameter name: What messages call it.
    static func whole(_ name: String, _ text: String, _ range: ClosedRange<Int>) throws(CommandFailure) -> Int {
        guard let number = Int(text), range.contains(number) else {
            let (least, most) = (Columns.grouped(range.lowerBound), Columns.grouped(range.upperBound))
            throw CommandFailure(
                .usage, "\(name) must be a whole number from \(least) to \(most), found \"\(text)\"")
        }
        return number
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, default fallback: Choice
    ) throws(CommandFailure) -> Choice where Choice.RawValue == String {
        guard let text = try value(name) else { return fallback }
        guard let choice = Choice(rawValue: text) else {
            throw Self.unknown(name, text, among: Choice.allCases.map(\.rawValue))
        }
        return choice
    }

    /// That a value is none of the names there are, and which of them may have been meant.
    static func unknown(_ name: String, _ text: String, among names: [String]) -> CommandFailure {
        let hint = nearest(text, among: names).map { "; did you mean \($0)?" } ?? ""
        return CommandFailure(
            .usage, "\(name) must be one of \(names.joined(separator: ", ")), found \"\(text)\"\(hint)")
    }
}

/// How results are printed.
enum Format: String, CaseIterable {
    case text
    case json

    static let option = Option("--format", "text|json", "how results are printed (default: text)")
}
