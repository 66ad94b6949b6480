import JuiceStand
import TextFormats

/// An option of a command. Help, completions, the manual page and error messages derive from its declaration.
protocol CommandOption: Sendable {
    var name: String { get }
    /// Stands for the value in the help text; nil for a flag.
    var placeholder: String? { get }
    /// One line, with the default.
    var help: String { get }
    /// The completions of the value in a shell; nil for a flag.
    var suggestion: Suggestion? { get }

    /// - Parameter texts: The values given, at least one.
    func read(_ texts: [String]) throws(CommandFailure) -> any Sendable
}

/// The declaration of an option with values of a type.
struct Option<Value: Sendable>: CommandOption {
    let name: String
    let placeholder: String?
    let help: String
    /// The value of an absent option.
    let standard: Value
    private let choices: [String]
    private let value: @Sendable (_ texts: [String]) throws(CommandFailure) -> Value

    var suggestion: Suggestion? {
        guard let placeholder else { return nil }
        return choices.isEmpty ? Suggestion(placeholder: placeholder) : .words(choices)
    }

    func read(_ texts: [String]) throws(CommandFailure) -> any Sendable { try value(texts) }
}

extension Option {
    /// An option that may be absent.
    ///
    /// - Parameters:
    ///   - fallback: The default in the help; nil if the help names none.
    ///   - rest: Follows the default in the help.
    init<One>(
        _ name: String, _ placeholder: String, _ form: OptionForm<One>, without fallback: String? = nil, _ help: String,
        _ rest: String = ""
    ) where Value == One? {
        self.init(
            name: name, placeholder: placeholder, help: help + (fallback.map { " (default: \($0))" } ?? "") + rest,
            standard: nil, choices: form.choices
        ) { texts throws(CommandFailure) in try form.readOne(name, texts) }
    }

    /// An option with a default.
    ///
    /// - Parameters:
    ///   - text: The default as a user would write it.
    ///   - told: The default in the help, if it is not `text`.
    init(
        _ name: String, _ placeholder: String, _ form: OptionForm<Value>, default text: String, told: String? = nil,
        _ help: String, _ rest: String = ""
    ) {
        guard let standard = try? form.read(name, text) else {
            preconditionFailure("\(name) can't read its default \(text)")
        }
        self.init(
            name: name, placeholder: placeholder, help: "\(help) (default: \(told ?? text))\(rest)",
            standard: standard, choices: form.choices
        ) { texts throws(CommandFailure) in try form.readOne(name, texts) }
    }

    /// An option that may be given several times.
    init<One>(repeatable name: String, _ placeholder: String, _ form: OptionForm<One>, _ help: String)
    where Value == [One] {
        self.init(name: name, placeholder: placeholder, help: help, standard: [], choices: form.choices) {
            texts throws(CommandFailure) in try texts.map { text throws(CommandFailure) in try form.read(name, text) }
        }
    }
}

extension Option where Value == Bool {
    /// An option without a value.
    init(_ name: String, _ help: String) {
        self.init(name: name, placeholder: nil, help: help, standard: false, choices: []) { _ in true }
    }
}

/// How a value of an option is read.
struct OptionForm<Value: Sendable>: Sendable {
    /// The values that a shell offers, if the placeholder does not list them.
    var choices: [String] = []
    /// - Parameters:
    ///   - name: The option or operand, for error messages.
    let read: @Sendable (_ name: String, _ text: String) throws(CommandFailure) -> Value

    fileprivate func readOne(_ name: String, _ texts: [String]) throws(CommandFailure) -> Value {
        guard texts.count == 1 else {
            throw CommandFailure(.usage, "\(name) must be given once, found \(texts.count) times")
        }
        return try read(name, texts[0])
    }
}

// MARK: - Forms

extension OptionForm {
    /// - Parameters:
    ///   - expected: What is said of a wrong text after the name of the option, such as `must be a number`.
    ///   - value: Returns nil for a wrong text.
    static func reading(_ expected: String, _ value: @escaping @Sendable (_ text: String) -> Value?) -> OptionForm {
        OptionForm { name, text throws(CommandFailure) in
            if let value = value(text) { return value }
            throw CommandFailure(.usage, "\(name) \(expected), found \"\(text)\"")
        }
    }

    /// Values between commas, in the order of the text.
    static func list<Element>(_ element: OptionForm<Element>) -> OptionForm where Value == [Element] {
        OptionForm { name, text throws(CommandFailure) in
            try text.commaSeparated.map { text throws(CommandFailure) in try element.read(name, text) }
        }
    }
}

extension OptionForm where Value == String {
    static var text: OptionForm { OptionForm { _, text in text } }
}

extension String {
    var commaSeparated: [String] { split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
}

extension OptionForm where Value == Int {
    /// How many replications run at a time.
    static var jobs: OptionForm { whole(1...1_000_000) }

    static func whole(_ range: ClosedRange<Int>) -> OptionForm {
        let least = Columns.grouped(range.lowerBound)
        let most = Columns.grouped(range.upperBound)
        return .reading("must be a whole number from \(least) to \(most)") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension OptionForm where Value == SimulationTime {
    static var duration: OptionForm { duration() }

    /// A duration above 0, or from 0 with `allowsZero`.
    ///
    /// - Parameter orElse: Other valid values, for the error message.
    static func duration(allowsZero: Bool = false, orElse: String = "") -> OptionForm {
        let range = allowsZero ? "of at most 292 years" : "above 0 and of at most 292 years"
        return .reading("must be a duration \(range), such as 250ms, 30s, 5m, 8h or 2d\(orElse)") { text in
            let nanoseconds = DurationText.nanoseconds(unitOptional: text)
            guard let nanoseconds, nanoseconds > 0 || (allowsZero && nanoseconds == 0) else { return nil }
            return SimulationTime(nanoseconds: nanoseconds)
        }
    }
}

extension OptionForm where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// - Parameters:
    ///   - kind: What a value names; nil if the name of the option says it.
    ///   - names: The values that a shell and an error message offer; nil for all, which the placeholder lists.
    static func choice(_ type: Value.Type, _ kind: String? = nil, among names: [String]? = nil) -> OptionForm {
        OptionForm(choices: names ?? []) { name, text throws(CommandFailure) in
            if let choice = Value(rawValue: text) { return choice }
            let known = names ?? Value.allCases.map(\.rawValue)
            throw Options.unknown(kind ?? String(name.drop { $0 == "-" }), text, in: name, among: known)
        }
    }
}

extension OptionForm where Value == Double {
    /// A share such as `0.3` or `30%`.
    static func share(_ expected: String, where isValid: @escaping @Sendable (Double) -> Bool) -> OptionForm {
        .reading(expected) { text in shareOrNumber(text).flatMap { isValid($0.value) ? $0.value : nil } }
    }

    /// `95%` or `0.95`.
    static var confidence: OptionForm {
        share("must be from 50% to 99.99%, such as 95% or 0.95") { (0.5...0.9999).contains($0) }
    }
}

/// A number, or the share that a percentage is: `0.3` and `30%`.
func shareOrNumber(_ text: String) -> (value: Double, isPercent: Bool)? {
    let isPercent = text.hasSuffix("%")
    return Double(decimal: isPercent ? String(text.dropLast()) : text).map { (isPercent ? $0 / 100 : $0, isPercent) }
}

extension Options {
    /// The error for a value that is not in `names`; suggests the nearest one.
    ///
    /// - Parameter kind: What `text` was meant to name, such as `wiring`.
    static func unknown(_ kind: String, _ text: String, in option: String, among names: [String]) -> CommandFailure {
        let known = names.joined(separator: ", ")
        return CommandFailure(
            .usage, "\(option): unknown \(kind) \"\(text)\"\(hint(text, among: names)) (known: \(known))")
    }
}
