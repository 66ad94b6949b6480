// MARK: - Content

extension HTTPRequestParser {
    var contentTooLarge: HTTPRefusal {
        HTTPRefusal(
            .contentTooLarge,
            contentLimit == 0 ? "this request takes no content" : "the content must be at most \(contentLimit) bytes")
    }

    /// Takes the available part of the content or of a chunk.
    ///
    /// - Returns: How many of the `left` bytes are still to come.
    mutating func takeContent(_ left: Int) -> Int {
        let taken = min(left, buffer.count - position)
        request.content += buffer[position..<position + taken]
        use(upTo: position + taken)
        return left - taken
    }

    /// The most digits of a chunk's size.
    static let sizeDigits = 16

    /// Reads `SIZE` or `SIZE;extensions`. Extensions are checked and ignored.
    mutating func readChunkSize(_ line: Range<Int>) throws(HTTPRefusal) {
        let bytes = buffer[line]
        let digits = bytes.prefix { HTTPGrammar.hexValue($0) != nil }
        let rest = bytes[digits.endIndex...]
        guard !digits.isEmpty, digits.count <= Self.sizeDigits else {
            throw HTTPRefusal(.badRequest, "the size of a chunk must be a hexadecimal number")
        }
        guard rest.count <= extensionsLeft else { throw HTTPRefusal(.badRequest, "too many chunk extensions") }
        guard HTTPGrammar.areChunkExtensions(rest) else {
            throw HTTPRefusal(.badRequest, "malformed chunk size or chunk extension")
        }
        extensionsLeft -= rest.count
        var size = 0
        for digit in digits {
            size = size << 4 | HTTPGrammar.hexValue(digit)!
            guard size <= contentLimit - request.content.count else { throw contentTooLarge }
        }
        if size == 0 {
            phase = .trailers
            renewBudget()
        } else {
            phase = .chunk(left: size)
        }
    }
}
