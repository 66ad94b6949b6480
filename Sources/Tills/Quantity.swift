import TextFormats

/// Reads the quantities of a column: `2`, `2.0`, `2,0`, `1,200`, `-1`, `(1)`, `2 x` or `2개`.
struct QuantityReader {
    /// Whether a lone point or comma with three digits behind it separates thousands. It does if the column has other
    /// numbers without a point: one with decimals writes them everywhere.
    private var hasThousands = false

    /// - Parameter sample: Texts of the column.
    init(_ sample: some Sequence<String>) {
        var hasPlain = false
        for text in sample {
            let digits = text.filter { $0.isNumber || $0 == "." || $0 == "," }
            guard let mark = digits.lastIndex(where: { !$0.isNumber }) else {
                hasPlain = hasPlain || !digits.isEmpty
                continue
            }
            if digits[mark...].count != 4 { return }
        }
        hasThousands = hasPlain
    }

    /// Nil if the text is no quantity.
    func read(_ bytes: ArraySlice<UInt8>) -> Double? { read(String(decoding: bytes, as: UTF8.self)) }

    func read(_ text: String) -> Double? {
        var plain = text.filter { !$0.isWhitespace && $0 != "'" && $0 != "’" }[...]
        let isInParentheses = plain.hasPrefix("(") && plain.hasSuffix(")")
        if isInParentheses { plain = plain.dropFirst().dropLast() }
        while let first = plain.first, "x×".contains(first) { plain.removeFirst() }
        let isNegative = plain.first.map { "-−–".contains($0) } ?? false
        if isNegative { plain.removeFirst() }
        let number = plain.prefix { $0.wholeNumberValue != nil || $0 == "." || $0 == "," }
        let unit = plain[number.endIndex...]
        let isBehind = unit == "-" || unit == "−"
        guard number.first?.isNumber == true, number.last?.isNumber == true,
            isBehind || unit.count <= 6 && unit.allSatisfy({ $0.isLetter || "×.*".contains($0) })
        else { return nil }
        guard let value = Double(decimal(String(number))), value < 1e9 else { return nil }
        return isNegative || isBehind || isInParentheses ? -value : value
    }

    /// The number with a decimal point and without separators of thousands.
    private func decimal(_ number: String) -> String {
        let marks = number.filter { !$0.isNumber }
        let last = number.lastIndex { !$0.isNumber }
        let isGroup =
            Set(marks).count == 1
            && (marks.count > 1 || hasThousands && last.map { number[$0...].count == 4 } ?? false)
        var text = ""
        for index in number.indices {
            if let digit = number[index].wholeNumberValue {
                text += String(digit)
            } else if index == last, !isGroup {
                text += "."
            }
        }
        return text
    }
}
