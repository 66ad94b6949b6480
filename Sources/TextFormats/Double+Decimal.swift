extension Double {
    /// The number that a decimal text is: `2`, `0.5`, `-1.5e3`; nil for anything else.
    ///
    /// Unlike `Double.init(_:)` it takes no hexadecimal digits and none of the names of what is no number, which people who
    /// write them into a command line do not mean.
    package init?(decimal text: some StringProtocol) {
        let isDecimal = text.utf8.allSatisfy { byte in
            ASCII.isDigit(byte)
                || [ASCII.point, ASCII.plus, ASCII.minus, UInt8(ascii: "e"), UInt8(ascii: "E")].contains(byte)
        }
        guard isDecimal, let number = Double(String(text)), number.isFinite else { return nil }
        self = number
    }
}
