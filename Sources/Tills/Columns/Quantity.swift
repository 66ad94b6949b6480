/// Reads the quantities of a column: `2`, `2.0`, `2,0`, `1,200`, `-1`, `(1)`, `2 x` or `2개`.
struct QuantityReader {
    /// Whether a lone point or comma with three digits behind it separates thousands. It does if the column also has
    /// numbers without a mark, because a column with decimals has them in every number.
    private var hasThousands = false

    /// - Parameter sample: Texts of the column.
    init(_ sample: [String]) {
        let decimals = sample.compactMap { text -> Int? in
            let digits = text.filter { $0.isNumber || $0 == "." || $0 == "," }
            if digits.isEmpty { return nil }
            return digits.lastIndex { !$0.isNumber }.map { digits[$0...].count - 1 } ?? 0
        }
        hasThousands = decimals.contains(0) && decimals.allSatisfy { $0 == 0 || $0 == 3 }
    }

    /// Reads a quantity. Returns nil for any other text.
    func read(_ text: String) -> Double? {
        var plain = text.filter { !$0.isWhitespace && $0 != "'" && $0 != "’" }[...]
        let isInParentheses = plain.hasPrefix("(") && plain.hasSuffix(")")
        if isInParentheses { plain = plain.dropFirst().dropLast() }
        plain = plain.drop { $0 == "x" || $0 == "×" }
        let isNegative = plain.first.map { "-−–".contains($0) } ?? false
        if isNegative { plain.removeFirst() }
        let number = plain.prefix { $0.wholeNumberValue != nil || $0 == "." || $0 == "," }
        let unit = plain[number.endIndex...]
        let isBehind = unit == "-" || unit == "−"
        guard number.first?.isNumber == true, number.last?.isNumber == true,
            isBehind || unit.count <= 6 && unit.allSatisfy({ $0.isLetter || "×.*".contains($0) }),
            let value = Double(decimal(number)), value < 1e9
        else { return nil }
        return isNegative || isBehind || isInParentheses ? -value : value
    }

    /// The number with a decimal point and without separators of thousands.
    private func decimal(_ number: Substring) -> String {
        let marks = number.filter { !$0.isNumber }
        let last = number.lastIndex { !$0.isNumber } ?? number.endIndex
        let isGroup = Set(marks).count == 1 && (marks.count > 1 || hasThousands && number[last...].count == 4)
        func digits(_ text: Substring) -> String { text.compactMap { $0.wholeNumberValue.map(String.init) }.joined() }
        return digits(number[..<last]) + (isGroup ? "" : ".") + digits(number[last...])
    }
}
