import JuiceStand
import TextFormats

/// A parsed command line, whose options have the values that their declarations read.
///
/// Follows POSIX and GNU: `--name VALUE` or `--name=VALUE`, and `--` before operands that begin with a dash. Options
/// and operands may be mixed.
struct Options {
    private(set) var operands: [String] = []
    private var values: [String: any Sendable] = [:]
    private let command: String
    private let known: [any CommandOption]

    /// - Parameters:
    ///   - command: The command, whose options the arguments may have.
    ///   - others: Commands that error messages may name.
    /// - Throws: ``CommandFailure`` for an unknown option, for a value that its option can't read, and for an
    ///   operand of a command that takes none.
    init(_ arguments: [String], of command: Command, among others: [Command]) throws(CommandFailure) {
        self.command = command.name
        known = command.options
        var texts: [String: [String]] = [:]
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
            guard let option = known.first(where: { $0.name == name }) else { throw unknown(name, among: others) }
            texts[name, default: []].append(try Self.text(of: option, parts.count == 2 ? parts[1] : nil, &left))
        }
        for option in known {
            guard let texts = texts[option.name] else { continue }
            values[option.name] = try option.read(texts)
        }
        if let operand = operands.first, command.page.operands.isEmpty { throw unexpected(operand) }
    }

    /// The value of an option; its default if the option is absent or no option of the command.
    subscript<Value>(option: Option<Value>) -> Value {
        guard let value = values[option.name] else { return option.standard }
        guard let value = value as? Value else { preconditionFailure("\(option.name) is of another type") }
        return value
    }

    /// Whether the command line has the option.
    func has(_ option: any CommandOption) -> Bool { values[option.name] != nil }

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
    private func unknown(_ name: String, among commands: [Command]) -> CommandFailure {
        func complaint(_ hint: String) -> CommandFailure { CommandFailure(.usage, "unknown option \(name); \(hint)") }
        if name == "--config", known.contains(where: { $0.name == "--write" }) {
            return complaint("--config is a file to read; use --write to write a configuration")
        }
        if name == "--for", known.contains(where: { $0.name == "--in" }) {
            return complaint("did you mean --in, the time to look ahead?")
        }
        if let instead = Self.removed[name] {
            return CommandFailure(.usage, "\(name) was removed; \(instead)")
        }
        let owners = commands.filter { $0.options.contains { $0.name == name } }.map { $0.name }
        guard owners.isEmpty else { return complaint("it is an option of \(owners.joined(separator: ", "))") }
        if let option = nearest(name, among: known.map(\.name) + [Self.help.name]) {
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

    /// The error for an operand of a command that takes none.
    private func unexpected(_ operand: String) -> CommandFailure {
        let isFile = operand.hasSuffix(".json") && known.contains { $0.name == "--config" }
        let hint = isFile ? "did you mean --config \(operand)?" : "see juicestand \(command) --help"
        return CommandFailure(.usage, "unexpected operand \"\(operand)\"; \(hint)")
    }

    /// Whether `argument` is a negative number. It then counts as an operand, and the command can reject it with a
    /// better message.
    private static func isNumber(_ argument: String) -> Bool {
        argument.dropFirst().first.map { $0.isNumber || $0 == "." } ?? false
    }

    /// The text of a value, attached with `=` or the next argument; empty for a flag.
    private static func text(
        of option: any CommandOption, _ attached: String?, _ left: inout ArraySlice<String>
    ) throws(CommandFailure) -> String {
        guard let placeholder = option.placeholder else {
            guard attached == nil else { throw CommandFailure(.usage, "\(option.name) takes no value") }
            return ""
        }
        guard let value = attached ?? left.popFirst() else {
            throw CommandFailure(.usage, "\(option.name) needs a value: \(option.name) \(placeholder)")
        }
        guard !value.isEmpty else {
            throw CommandFailure(.usage, "\(option.name) must not be empty: \(option.name) \(placeholder)")
        }
        return value
    }

    /// The operands as an error message quotes them.
    var found: String { operands.isEmpty ? "none" : operands.map { "\"\($0)\"" }.joined(separator: " ") }

    static let help = Option("--help", "prints this text")
}

/// The output format of a command.
enum Format: String, CaseIterable {
    case text
    case json

    static let option = Option("--format", "text|json", .choice(Format.self), default: "text", "output format")
}
