import JuiceStand
import StandExperiments
import TextFormats

/// Parameter sweeps: the keys of `--vary` and all combinations of their values.
enum Sweep {
    /// A larger sweep is most likely a mistake.
    private static let mostSettings = 10_000

    /// The keys with their values.
    ///
    /// - Parameters:
    ///   - options: The value of each option: `KEY.PATH=A,B,C` or `KEY.PATH=A..B/STEP`.
    ///   - option: The name of the option.
    static func axes(_ options: [String], option: String) throws(CommandFailure) -> [Grid.Axis] {
        var axes: [Grid.Axis] = []
        for text in options {
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                throw CommandFailure(.usage, "\(option) needs KEY.PATH=A,B,C or KEY.PATH=A..B, found \"\(text)\"")
            }
            let keyPath = String(text[..<equals])
            let list = text[text.index(after: equals)...]
            let range = try range(list, option: option)
            let values = range ?? split(list)
            guard values.allSatisfy({ !$0.isEmpty }) else {
                throw CommandFailure(.usage, "\(option) must not have an empty value, found \"\(text)\"")
            }
            if range == nil, let value = repeated(in: values) {
                throw CommandFailure(.usage, "\(option) \(keyPath) has the value \(value) twice; give each value once")
            }
            guard !axes.contains(where: { $0.keyPath == keyPath }) else {
                throw CommandFailure(.usage, "\(option) \(keyPath) is given twice; give all values in one list")
            }
            axes.append(Grid.Axis(keyPath: keyPath, values: values))
        }
        return axes
    }

    /// A value that equals an earlier one, such as `1.0` after `1`, as JSON; nil if all differ.
    private static func repeated(in values: [String]) -> String? {
        var seen: Set<String> = []
        return values.lazy.map { JSONValue(setting: $0).compact() }.first { !seen.insert($0).inserted }
    }

    /// The numbers from A to B of `A..B` or `A..B/STEP`; nil if the text is no range of numbers.
    private static func range(_ text: Substring, option: String) throws(CommandFailure) -> [String]? {
        guard let dots = text.firstRange(of: "..") else { return nil }
        let rest = text[dots.upperBound...].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = [String(text[..<dots.lowerBound])] + rest.map(String.init)
        let numbers = parts.compactMap { Double(decimal: $0) }
        guard numbers.count == parts.count else { return nil }
        let decimals = parts.map(Self.decimals).max() ?? 0
        // Whole multiples of the last decimal, so that steps do not add up rounding errors.
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let (from, to) = ((numbers[0] * scale).rounded(), (numbers[1] * scale).rounded())
        let step = ((numbers.count > 2 ? numbers[2] : 1) * scale).rounded()
        guard step > 0, from <= to, (to - from) / step < 1e6, max(abs(from), abs(to)) < 0x1p53 else {
            throw CommandFailure(
                .usage,
                "\(option) needs a range of at most 1,000,000 numbers that rises by a step above 0, such as 1..9 or "
                    + "0.5..2/0.25, found \"\(text)\"")
        }
        return stride(from: from, through: to, by: step).map {
            decimals == 0 ? "\(Int($0))" : JSONValue.number($0 / scale).compact()
        }
    }

    /// The decimals of a number such as `0.25` or `5e-2`.
    private static func decimals(of number: String) -> Int {
        let parts = number.split { "eE".contains($0) }
        let fraction = parts[0].split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count ?? 0
        let exponent = parts.count > 1 ? Double(parts[1]) ?? 0 : 0
        // Beyond the 308 of the largest power of ten, no range is left.
        return Int(min(308, max(0, Double(fraction) - exponent)))
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
    /// - Parameter options: The value of each `--vary`.
    /// - Throws: all configuration errors of all combinations, each once. An error that does not depend on the value of
    ///   its key is reported for the first value.
    static func settings(
        _ options: [String], of stand: StandOptions
    ) throws(CommandFailure) -> [Experiment.Setting] {
        guard let grid = Grid(try axes(options, option: "--vary")), grid.count <= mostSettings else {
            throw CommandFailure(.usage, "--vary must make at most \(Columns.grouped(mostSettings)) settings")
        }
        guard !grid.axes.isEmpty else { return [.init(set: [], settings: stand.settings)] }
        var settings: [Experiment.Setting] = []
        var failure: CommandFailure?
        var messages: Set<String> = []
        for index in 0..<grid.count {
            let combination = grid.overrides(index, option: "--vary")
            do {
                let set = combination.map { JSONValue.Member(key: $0.keyPath, value: JSONValue(setting: $0.value)) }
                settings.append(.init(set: set, settings: try stand.settings(varying: combination)))
            } catch {
                let new = error.problems.filter { !messages.contains($0.message) }
                messages.formUnion(new.map(\.message))
                failure = CommandFailure(failure?.status ?? error.status, (failure?.problems ?? []) + new)
            }
        }
        if let failure { throw failure }
        return settings
    }
}

extension Grid {
    /// The values of one combination.
    ///
    /// - Parameter option: The name of the option, for error messages.
    func overrides(_ index: Int, option: String) -> [StandConfiguration.Override] {
        zip(axes, place(of: index)).map { axis, place in
            let value = axis.values[place]
            return .init(source: "\(option) \(axis.keyPath)=\(value)", keyPath: axis.keyPath, value: value)
        }
    }
}
