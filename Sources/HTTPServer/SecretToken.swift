import TextFormats

/// The secret that allows changes: 160 random bits as 40 hexadecimal digits, so that a link with it fits 80 columns.
package struct SecretToken: Sendable, Equatable {
    package let text: String

    /// A new token, from the system's random source.
    package init() {
        var generator = SystemRandomNumberGenerator()
        text = (0..<5).map { _ in Columns.zeroPadded(generator.next() as UInt32, 8, radix: 16) }.joined()
    }

    /// A saved token; nil if the text is not 40 hexadecimal digits, or 64 as in earlier versions.
    package init?(_ text: String) {
        guard [40, 64].contains(text.utf8.count), text.utf8.allSatisfy({ HTTPGrammar.hexValue($0) != nil }) else {
            return nil
        }
        self.text = text
    }

    /// Whether an attempt is the token, in a time that does not depend on how much of it is right.
    ///
    /// - Complexity: Linear in the length of the token, whatever `attempt` is.
    package func matches(_ attempt: some Collection<UInt8>) -> Bool {
        var difference = UInt8(attempt.count == text.utf8.count ? 0 : 1)
        var rest = attempt.makeIterator()
        for byte in text.utf8 { difference |= byte ^ (rest.next() ?? 0) }
        return difference == 0
    }
}
