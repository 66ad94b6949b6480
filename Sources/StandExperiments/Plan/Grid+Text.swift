import TextFormats

extension Grid.Axis {
    /// Reads `KEY.PATH=A,B,C`, `KEY.PATH=A..B` or `KEY.PATH=A..B/STEP`.
    ///
    /// - Throws: `TextProblem`, whose message follows the name of an option.
    package init(_ text: String) throws(TextProblem) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw TextProblem("needs KEY.PATH=A,B,C or KEY.PATH=A..B, found \"\(text)\"")
        }
        let list = text[text.index(after: equals)...]
        let range = try Self.range(list)
        keyPath = String(text[..<equals])
        values = range ?? Self.split(list)
        guard values.allSatisfy({ !$0.isEmpty }) else {
            throw TextProblem("must not have an empty value, found \"\(text)\"")
        }
        if range == nil, let value = Self.repeated(in: values) {
            throw TextProblem("\(keyPath) has the value \(value) twice; give each value once")
        }
    }

    /// A value that equals an earlier one, such as `1.0` after `1`, as JSON; nil if all differ.
    private static func repeated(in values: [String]) -> String? {
        var seen: Set<String> = []
        return values.lazy.map { JSONValue(setting: $0).compact() }.first { !seen.insert($0).inserted }
    }

    /// The numbers from A to B of `A..B` or `A..B/STEP`; nil if the text is no range of numbers.
    private static func range(_ text: Substring) throws(TextProblem) -> [String]? {
        guard let dots = text.firstRange(of: "..") else { return nil }
        let rest = text[dots.upperBound...].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = [String(text[..<dots.lowerBound])] + rest.map(String.init)
        let numbers = parts.compactMap { Double(decimal: $0) }
        guard numbers.count == parts.count else { return nil }
        let decimals = parts.map(Self.decimals).max() ?? 0
        // Whole multiples of the last decimal, so that steps do not add up rounding errors.
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let from = (numbers[0] * scale).rounded()
        let to = (numbers[1] * scale).rounded()
        let step = ((numbers.count > 2 ? numbers[2] : 1) * scale).rounded()
        guard step > 0, from <= to, (to - from) / step < 1e6, max(abs(from), abs(to)) < 0x1p53 else {
            throw TextProblem(
                "needs a range of at most 1,000,000 numbers that rises by a step above 0, such as 1..9 or 0.5..2/0.25, "
                    + "found \"\(text)\"")
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
        // The largest power of ten is 1e308. With more decimals, every range is refused.
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
}
