/// A text that is read piece by piece, so that a large file is never in memory as a whole.
struct PiecedText {
    /// The part of the text that is held.
    private(set) var bytes: [UInt8] = []
    /// Whether the text ends with ``bytes``.
    private(set) var isAtEnd = false
    private let next: () -> [UInt8]

    /// - Parameter next: Gives the next piece; an empty piece is the end of the text.
    init(_ next: @escaping () -> [UInt8]) {
        self.next = next
    }

    /// A text that is held as a whole.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        isAtEnd = true
        next = { [] }
    }

    /// The held bytes up to their last line feed; at the end of the text, all of them.
    var wholeLines: ArraySlice<UInt8> {
        isAtEnd ? bytes[...] : bytes[..<(bytes.lastIndex(of: ASCII.lineFeed) ?? bytes.count)]
    }

    /// Drops `count` bytes from the beginning of ``bytes``, and reads on.
    ///
    /// - Complexity: Linear in the length of a record that is read with several calls: each at least doubles the held
    ///   bytes.
    mutating func readOn(dropping count: Int) {
        bytes.removeFirst(count)
        let enough = max(1, 2 * bytes.count)
        while !isAtEnd, bytes.count < enough {
            let piece = next()
            isAtEnd = piece.isEmpty
            bytes += piece
        }
    }
}
