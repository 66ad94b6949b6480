// MARK: - Content

extension HTTPRequestParser {
    var contentTooLarge: HTTPRefusal {
        HTTPRefusal(
            .contentTooLarge,
            contentLimit == 0 ? "this request takes no content" : "the content must be at most \(contentLimit) bytes")
    }

    /// Takes the available part of the content or of a chunk.
    ///
    /// - Returns: False if more is to come.
    mutating func takeContent() -> Bool {
        let left: Int
        switch phase {
        case .content(let count), .chunk(let count): left = count
        default: return false
        }
        let taken = min(left, buffer.count - position)
        request.content += buffer[position..<position + taken]
        use(upTo: position + taken)
        if case .chunk = phase {
            phase = taken == left ? .chunkEnd : .chunk(left: left - taken)
        } else {
            phase = taken == left ? .complete : .content(left: left - taken)
        }
        return taken == left
    }

    /// The line before a chunk: its size, with or without extensions.
    mutating func chunkSizeLine() throws(HTTPRefusal) -> Range<Int>? {
        // The digits of a size and what is left for extensions.
        try line(
            atMost: Self.sizeDigits + extensionsLeft,
            else: HTTPRefusal(.badRequest, "the size line of a chunk is too long"))
    }

    private static let sizeDigits = 16

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
            headLeft = limits.head
            fieldsLeft = limits.fields
        } else {
            phase = .chunk(left: size)
        }
    }
}
