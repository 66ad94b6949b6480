/// A text that is read piece by piece, so that a large file never stands in memory as a whole.
struct PiecedText {
    /// The part of the text that is held.
    private(set) var bytes: [UInt8] = []
    /// Whether the text ends with ``bytes``.
    private(set) var isAtEnd = false
    private let next: () -> [UInt8]

    /// - Parameter next: Gives the next piece; an empty one is the end of the text.
    init(_ next: @escaping () -> [UInt8]) {
        self.next = next
    }

    /// A text that is held as a whole.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        isAtEnd = true
        next = { [] }
    }

    /// The held bytes without a line that may go on.
    var wholeLines: ArraySlice<UInt8> {
        isAtEnd ? bytes[...] : bytes[..<(bytes.lastIndex(of: ASCII.lineFeed) ?? bytes.count)]
    }

    /// Drops `count` bytes from the beginning of ``bytes``, and reads on.
    ///
    /// - Complexity: What is held at least doubles, so that reading on until a long record is whole stays linear.
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
