import JuiceStand

/// A line of text after its checksum, which tells whether the line is as it was written.
///
/// `0123456789abcdef TEXT` and a line feed; the checksum is the ``Fingerprint`` of the text.
package enum ChecksummedLine {
    private static let digits = 16

    package static func bytes(_ text: [UInt8]) -> [UInt8] {
        Array("\(unsafe Fingerprint(text.span.bytes).text) ".utf8) + text + [UInt8(ascii: "\n")]
    }

    /// The text of a line without its line feed; nil if the line is damaged.
    package static func text(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.count > digits, line[line.startIndex + digits] == UInt8(ascii: " ") else { return nil }
        let text = line[(line.startIndex + digits + 1)...]
        return line.prefix(digits).elementsEqual(unsafe Fingerprint(text.span.bytes).text.utf8) ? text : nil
    }
}

extension Fingerprint {
    init(_ bytes: RawSpan) {
        self.init()
        combine(bytes)
    }
}
