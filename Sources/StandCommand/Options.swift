import JuiceStand
import TextFormats

/// An option of a command.
struct Option {
    let name: String
    /// The placeholder of its value in the help text; nil for a flag.
    let value: String?
    let help: String
    /// The values, if the placeholder does not list them.
    let choices: [String]

    init(_ name: String, _ value: String? = nil, _ help: String, choices: [String] = []) {
        self.name = name
        self.value = value
        self.help = help
        self.choices = choices
    }

    static let help = Option("--help", nil, "prints this text")
}

/// A parsed command line.
///
/// Follows POSIX and GNU: `--name VALUE` or `--name=VALUE`, and `--` before operands that begin with a dash. Options
/// and operands may be mixed.
struct Options {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]
    private let command: String
    private let known: [Option]

    /// - Parameters:
    ///   - command: The command's name, for error messages.
    ///   - known: The command's options.
    init(_ arguments: [String], of command: String, _ known: [Option]) throws(CommandFailure) {
        (self.command, self.known) = (command, known)
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
            guard let option = known.first(where: { $0.name == name }) else { throw unknown(name) }
            try take(option, parts.count == 2 ? parts[1] : nil, &left)
        }
    }

    /// Options of earlier versions, each with what to use now.
    private static let removed: [String: String] = [
        "--ledger-rotate": "logrotate rotates the ledger (see config/logrotate/juicestand)",
        "--ledger-keep": "logrotate removes old ledgers with its directive rotate (see config/logrotate/juicestand)",
        "--with": "use --only FRUIT",
        "--category": "use --only CATEGORY",
        "--schema": "use --format schema",
        "--from": "use --state DIR for a stand that is down, --socket PATH for one that runs",
        "--rate": "latency is measured at 1,000 and 10,000 orders a second",
        "--comparison": "juicestand compare prints the comparison",
        "--batches": "use --replications, which gives every metric an interval",
        "--chain": "a result is of one stand; simulate each stand by itself",
    ]

    /// The error for an unknown option: suggests the nearest one, an option with a value of that name such as
    /// `--format json`, or the commands that have it.
    private func unknown(_ name: String) -> CommandFailure {
        func complaint(_ hint: String) -> CommandFailure { CommandFailure(.usage, "unknown option \(name); \(hint)") }
        if name == "--config", known.contains(where: { $0.name == "--write" }) {
            return complaint("--config is a file to read; use --write to write a configuration")
        }
        if let instead = Self.removed[name] {
            return CommandFailure(.usage, "\(name) was removed; \(instead)")
        }
        let owners = Program.commands.filter { $0.options.contains { $0.name == name } }.map { $0.name }
        guard owners.isEmpty else { return complaint("it is an option of \(owners.joined(separator: ", "))") }
        if let option = nearest(name, among: known.map(\.name) + [Option.help.name]) {
            return complaint("did you mean \(option)?")
        }
        let word = String(name.drop { $0 == "-" })
        for option in known {
            guard case .words(let values) = option.suggestion, let value = nearest(word, among: values) else {
                continue
            }
            return complaint("did you mean \(option.name) \(value)?")
        }
        return complaint("see juicestand \(command) --help")
    }

    /// - Throws: ``CommandFailure`` if there is an operand.
    func refuseOperands() throws(CommandFailure) {
        guard let operand = operands.first else { return }
        let isFile = operand.hasSuffix(".json") && known.contains { $0.name == "--config" }
        let hint = isFile ? "did you mean --config \(operand)?" : "see juicestand \(command) --help"
        throw CommandFailure(.usage, "unexpected operand \"\(operand)\"; \(hint)")
    }

    /// Whether `argument` is a negative number. It then counts as an operand, and the command can reject it with a
    /// better message.
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

    /// The operands as an error message quotes them.
    var found: String { operands.isEmpty ? "none" : operands.map { "\"\($0)\"" }.joined(separator: " ") }

    func has(_ name: String) -> Bool { values[name] != nil }

    /// All values, in the order given.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The value; nil if the option is absent.
    func value(_ name: String) throws(CommandFailure) -> String? {
        let all = all(name)
        guard all.count <= 1 else {
            throw CommandFailure(.usage, "\(name) must be given once, found \(all.count) times")
        }
        return all.first
    }

    /// A duration above 0, or from 0 with `allowsZero`; nil if the option is absent.
    ///
    /// - Parameter orElse: Other valid values, for the error message.
    func duration(
        _ name: String, allowsZero: Bool = false, orElse: String = ""
    ) throws(CommandFailure) -> SimulationTime? {
        guard let text = try value(name) else { return nil }
        let nanoseconds = DurationText.nanoseconds(unitOptional: text)
        guard let nanoseconds, nanoseconds > 0 || (allowsZero && nanoseconds == 0) else {
            let range = allowsZero ? "of at most 292 years" : "above 0 and of at most 292 years"
            throw CommandFailure(
                .usage,
                "\(name) must be a duration \(range), such as 250ms, 30s, 5m, 8h or 2d\(orElse), found \"\(text)\"")
        }
        return SimulationTime(nanoseconds: nanoseconds)
    }

    /// The value of `--confidence`, such as `95%` or `0.95`.
    func confidence() throws(CommandFailure) -> Double {
        guard let text = try value("--confidence") else { return 0.95 }
        guard let share = Self.share(text)?.value, (0.5...0.9999).contains(share) else {
            throw CommandFailure(
                .usage, "--confidence must be from 50% to 99.99%, such as 95% or 0.95, found \"\(text)\"")
        }
        return share
    }

    /// A number, or the share that a percentage is: `0.3` and `30%`.
    static func share(_ text: String) -> (value: Double, isPercent: Bool)? {
        let isPercent = text.hasSuffix("%")
        return Double(decimal: isPercent ? String(text.dropLast()) : text).map {
            (isPercent ? $0 / 100 : $0, isPercent)
        }
    }

    /// Comma-separated words; nil if the option is absent.
    func list(_ name: String) throws(CommandFailure) -> [String]? {
        try value(name)?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// A whole number in `range`; nil if the option is absent.
    func whole(_ name: String, _ range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        try value(name).map { text throws(CommandFailure) in try Self.whole(name, text, range) }
    }

    /// A whole number in `range`.
    ///
    /// - Parameter name: The option or operand that error messages name.
    static func whole(_ name: String, _ text: String, _ range: ClosedRange<Int>) throws(CommandFailure) -> Int {
        guard let number = Int(text), range.contains(number) else {
            let (least, most) = (Columns.grouped(range.lowerBound), Columns.grouped(range.upperBound))
            throw CommandFailure(.usage, "\(name) must be a whole number from \(least) to \(most), found \"\(text)\"")
        }
        return number
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, default fallback: Choice
    ) throws(CommandFailure) -> Choice where Choice.RawValue == String {
        guard let text = try value(name) else { return fallback }
        guard let choice = Choice(rawValue: text) else {
            throw Self.unknown(String(name.drop { $0 == "-" }), text, in: name, among: Choice.allCases.map(\.rawValue))
        }
        return choice
    }

    /// The error for a value that is not in `names`; suggests the nearest one.
    ///
    /// - Parameter kind: What `text` was meant to name, such as `wiring`.
    static func unknown(_ kind: String, _ text: String, in option: String, among names: [String]) -> CommandFailure {
        let known = names.joined(separator: ", ")
        return CommandFailure(
            .usage, "\(option): unknown \(kind) \"\(text)\"\(hint(text, among: names)) (known: \(known))")
    }
}

/// The output format of a command.
enum Format: String, CaseIterable {
    case text
    case json

    static let option = Option("--format", "text|json", "output format (default: text)")
}
