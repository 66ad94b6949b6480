import JuiceStand

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
            guard argument.hasPrefix("-"), argument != "-" else {
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
        values[option.name, default: []].append(value)
    }

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
    func duration(_ name: String, allowsZero: Bool = false) throws(CommandFailure) -> SimulationTime? {
        guard let text = try value(name) else { return nil }
        let nanoseconds =
            DurationText.nanoseconds(text) ?? Double(text).flatMap { DurationText.nanoseconds(seconds: $0) }
        guard let nanoseconds, nanoseconds > 0 || (allowsZero && nanoseconds == 0) else {
            throw CommandFailure(
                .usage, "\(name) must be a duration such as 250ms, 30s, 5m, 8h or 2d, found \"\(text)\"")
        }
        return SimulationTime(nanoseconds: nanoseconds)
    }

    /// A whole number from 1 to `most`.
    func count(_ name: String, default fallback: Int, most: Int = 1_000_000) throws(CommandFailure) -> Int {
        guard let text = try value(name) else { return fallback }
        guard let number = Int(text), (1...most).contains(number) else {
            throw CommandFailure(
                .usage, "\(name) must be a whole number from 1 to \(Columns.grouped(most)), found \"\(text)\"")
        }
        return number
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, default fallback: Choice
    ) throws(CommandFailure) -> Choice where Choice.RawValue == String {
        guard let text = try value(name) else { return fallback }
        guard let choice = Choice(rawValue: text) else {
            let list = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(.usage, "\(name) must be one of \(list), found \"\(text)\"")
        }
        return choice
    }
}

/// How results are printed.
enum Format: String, CaseIterable {
    case text
    case json

    static let option = Option("--format", "text|json", "how results are printed (default: text)")
}
