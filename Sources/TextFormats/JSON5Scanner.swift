/// Reads the tokens of a JSON5 text and collects the problems it finds.
struct JSON5Scanner {
    /// The problems found, at most one for each place, in the order of the text.
    private(set) var problems: [TextProblem] = []
    /// Whether the white space skipped last held a line break.
    private var isAfterLineBreak = false

    private let scalars: [Unicode.Scalar]
    private(set) var position = 0
    /// The positions at which lines begin, in order.
    private let lineStarts: [Int]
    /// Whether what JSON5 adds to JSON is a problem.
    let isStrict: Bool
    private let source: String
    private let firstLine: Int

    init(_ bytes: some Collection<UInt8>, isStrict: Bool, source: String, firstLine: Int) {
        self.isStrict = isStrict
        self.source = source
        self.firstLine = firstLine
        let text = bytes.starts(with: ASCII.byteOrderMark) && !isStrict ? bytes.dropFirst(3) : bytes[...]
        var firstFault: Int?
        scalars = Self.scalars(of: text, firstFault: &firstFault)
        lineStarts = Self.lineStarts(in: scalars)
        if let firstFault {
            let offset = scalars[..<firstFault].reduce(0) { $0 + UTF8.width($1) }
            let byte = text[text.index(text.startIndex, offsetBy: offset)]
            report("expected UTF-8, found the byte 0x\(String(byte, radix: 16, uppercase: true))", at: firstFault)
        }
    }

    /// Decodes UTF-8; a faulty sequence becomes U+FFFD.
    private static func scalars(of text: some Collection<UInt8>, firstFault: inout Int?) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(text.count)
        var bytes = text.makeIterator()
        var decoder = UTF8()
        while true {
            switch decoder.decode(&bytes) {
            case .scalarValue(let scalar): scalars.append(scalar)
            case .emptyInput: return scalars
            case .error:
                if firstFault == nil { firstFault = scalars.count }
                scalars.append("\u{FFFD}")
            }
        }
    }

    /// Lines as editors count them: they end with LF, CR or CR LF, but not with U+2028.
    private static func lineStarts(in scalars: [Unicode.Scalar]) -> [Int] {
        var starts = [0]
        for (index, scalar) in scalars.enumerated() {
            let isCRBeforeLF = scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
            if scalar == "\n" || scalar == "\r" && !isCRBeforeLF { starts.append(index + 1) }
        }
        return starts
    }
}

// MARK: - Moving

extension JSON5Scanner {
    /// The scalar to be read next; nil at the end of the text.
    var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    /// The scalar `distance` after the next one.
    func peek(_ distance: Int) -> Unicode.Scalar? {
        position + distance < scalars.count ? scalars[position + distance] : nil
    }

    mutating func advance(_ count: Int = 1) {
        position = min(position + count, scalars.count)
    }

    /// Steps over all that is left.
    mutating func skipRest() { position = scalars.count }

    /// Goes back to a position visited before.
    mutating func rewind(to position: Int) {
        self.position = position
    }

    /// Steps over `scalar` if it is next.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        advance()
        return true
    }

    /// The text from an earlier position up to here.
    func text(from start: Int) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[start..<position])
        return String(text)
    }
}

// MARK: - Places and problems

extension JSON5Scanner {
    /// The place of the next scalar.
    var place: Place { place(at: position) }

    private func place(at position: Int) -> Place {
        guard firstLine > 0 else { return Place(source: source) }
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= position { low = middle } else { high = middle }
        }
        return Place(source: source, line: firstLine + low, column: position - lineStarts[low] + 1)
    }

    /// Reports a problem at `position`, by default that of the next scalar. Later problems of the same place are
    /// dropped.
    mutating func report(_ message: String, at position: Int? = nil) {
        guard problems.count < JSON5Parser.mostProblems else { return }
        let place = place(at: position ?? self.position)
        guard !problems.contains(where: { $0.place == place }) else { return }
        let later = problems.firstIndex { ($0.place.line, $0.place.column) > (place.line, place.column) }
        problems.insert(TextProblem(place: place, message: message), at: later ?? problems.count)
    }

    /// Reports something that JSON does not allow.
    mutating func reportIfStrict(_ message: String, at position: Int? = nil) {
        if isStrict { report(message, at: position) }
    }

    /// The next word, or the next single character, in the words of a message.
    var found: String {
        guard let next else { return "the end of the text" }
        var count = 1
        if next.startsIdentifier || next.isDigit {
            while count <= String.mostQuoted, let scalar = peek(count), scalar.continuesIdentifier { count += 1 }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[position..<position + count])
        return "\(String(text).inQuotes)"
    }
}

// MARK: - White space and recovery

extension JSON5Scanner {
    /// Skips white space and comments.
    mutating func skipSpace() {
        isAfterLineBreak = false
        while let next {
            if next == "/" && (peek(1) == "/" || peek(1) == "*") {
                skipComment()
            } else if next.isSpaceInJSON5 {
                if !next.isSpaceInJSON { reportIfStrict("expected white space of JSON, found \(found)") }
                if next.endsLine { isAfterLineBreak = true }
                advance()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() {
        let start = position
        let isBlock = peek(1) == "*"
        reportIfStrict("expected no comment, found one")
        advance(2)
        while let next {
            if next.endsLine {
                if !isBlock { return }
                isAfterLineBreak = true
            } else if isBlock && next == "*" && peek(1) == "/" {
                advance(2)
                return
            }
            advance()
        }
        if isBlock { report("expected '*/' to close the comment, found the end of the text", at: start) }
    }

    /// Whether the next scalar is the first of its line and may begin a member or element.
    ///
    /// After a fault, such a line is taken for the next part whose separating comma is missing.
    var isAtLineOfNextPart: Bool {
        guard isAfterLineBreak, let next else { return false }
        return next.startsIdentifier || ["\"", "'", "{", "["].contains(next)
    }

    /// Skips the rest of a faulty member or element and everything nested in it.
    ///
    /// Stops before a comma or closing bracket of the same level, or at the line of the next part.
    mutating func skipPart() {
        var depth = 0
        while let next {
            switch next {
            case ",", "]", "}":
                if depth == 0 { return }
                if next != "," { depth -= 1 }
                advance()
            case "[", "{":
                depth += 1
                advance()
            case "\"", "'": skipString(quote: next)
            default: advance()
            }
            skipSpace()
            if depth == 0 && isAtLineOfNextPart { return }
        }
    }

    private mutating func skipString(quote: Unicode.Scalar) {
        advance()
        while let next, next != "\n", next != "\r" {
            advance(next == "\\" ? 2 : 1)
            if next == quote { return }
        }
    }
}
