import TextFormats

/// The quantity of a till's line: `2`, `2.0`, `2,0` or `-1`.
struct Quantity {
    let value: Double

    init?(_ text: String) {
        // The usual form, without the cost of the others.
        if let whole = Int(text), whole >= 0, whole < 1_000_000_000 {
            value = Double(whole)
            return
        }
        let plain = text.filter { !$0.isWhitespace }
        let isNegative = plain.hasPrefix("-") || plain.hasPrefix("−") || (plain.hasPrefix("(") && plain.hasSuffix(")"))
        var number = ""
        for character in plain where !"-−()x×".contains(character) { number.append(character == "," ? "." : character) }
        guard plain.count <= number.count + 2, let value = Double(number), value.isFinite, value < 1e9,
            number.first?.isNumber == true
        else { return nil }
        self.value = isNegative ? -value : value
    }
}
