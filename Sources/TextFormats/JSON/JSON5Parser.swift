/// Reads a JSON5 or JSON document and reports all its syntax errors in one pass.
package struct JSON5Parser {
    /// The syntax that a document may use.
    package enum Dialect: Sendable {
        /// [JSON5](https://spec.json5.org), but without `Infinity` and `NaN`, without control characters other than a
        /// tab in a string, and without an escape that is half of a surrogate pair.
        case json5
        /// [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259) alone, with the restrictions of `json5`. A byte order
        /// mark is an error.
        case json
    }

    /// The greatest depth of nested objects and arrays.
    package static let deepestNesting = 64
    /// The greatest number of problems reported.
    package static let mostProblems = 50

    /// Parses a whole document.
    ///
    /// After an error the parser continues with the next member or element, so that one error does not hide others.
    /// A value it could not read becomes an ``JSONNode/Value/invalid`` node. It accepts any bytes without trapping.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8. JSON5 may begin with a byte order mark.
    ///   - dialect: The syntax that the document may use.
    ///   - source: The file name in the places of problems.
    ///   - firstLine: The number of the first line. Pass 0 if places should name the source alone.
    ///   - mostValues: The most values that the document may have. A value takes about a hundred bytes of memory.
    /// - Returns: The document, or nil if the text holds no value, and up to ``mostProblems`` problems in the order of
    ///   the text. Use the document only if there are no problems.
    /// - Complexity: Linear in the number of bytes.
    package static func parse(
        _ bytes: some Collection<UInt8>, as dialect: Dialect = .json5, source: String, firstLine: Int = 1,
        mostValues: Int = .max
    ) -> (root: JSONNode?, problems: [TextProblem]) {
        let hasMark = dialect == .json5 && bytes.starts(with: ASCII.byteOrderMark)
        var parser = JSON5Parser(
            text: hasMark ? Array(bytes.dropFirst(ASCII.byteOrderMark.count)) : Array(bytes),
            isStrict: dialect == .json, source: source, firstLine: firstLine, mostValues: mostValues)
        return (parser.document(), parser.problems)
    }

    /// The text in UTF-8.
    private(set) var text: [UInt8]
    /// The position of the scalar to be read next.
    var position = 0
    /// Whether syntax that JSON5 adds to JSON is a problem.
    let isStrict: Bool
    /// The problems found, at most one for each place, in the order of the text.
    private var problems: [TextProblem] = []
    private let source: String
    private let firstLine: Int
    /// The place counted last, without the first line.
    private var counted = (position: 0, lines: 0, column: 1)
    /// The values begun so far.
    private var values = 0
    private let mostValues: Int
    /// The closing brackets awaited, outermost first.
    private var awaited: [Unicode.Scalar] = []
    /// Whether the white space skipped last held a line break.
    private var isAfterLineBreak = false
    /// Whether the value, element or member read last is valid.
    private var isSound = false

    private mutating func document() -> JSONNode? {
        repairUTF8()
        skipSpace()
        guard next != nil else { return refuse("expected a value, found the end of the text") }
        let root = value()
        skipSpace()
        if isSound && next != nil { report("expected nothing more after the document, found \(found())") }
        return root
    }

    /// Replaces each faulty sequence by U+FFFD and reports the first.
    private mutating func repairUTF8() {
        var end = 0
        while let scalar = scalar(at: end) { end += UTF8.width(scalar) }
        if end == text.count { return }
        let byte = String(text[end], radix: 16, uppercase: true)
        text = Array(String(decoding: text, as: UTF8.self).utf8)
        report("expected UTF-8, found the byte 0x\(byte)", at: end)
    }

    private mutating func value() -> JSONNode {
        let place = place(at: position)
        var value: JSONNode.Value?
        values += 1
        switch next {
        case _ where values > mostValues:
            report("too many values for one document")
            position = text.count
        case "{": value = container(until: "}", of: "a member", from: place)
        case "[": value = container(until: "]", of: "an element", from: place)
        case "\"", "'": value = string().map { .string($0) }
        case "+", "-", ".": value = number()
        default: value = next?.isDigit == true ? number() : word()
        }
        isSound = value != nil
        return JSONNode(value: value ?? .invalid, place: place)
    }
}

// MARK: - Objects and arrays

extension JSON5Parser {
    /// Reads members or elements, separated by commas, up to the closing bracket.
    ///
    /// Returns nil, and reads nothing, if the nesting is too deep.
    private mutating func container(
        until closer: Unicode.Scalar, of noun: String, from opening: Place
    ) -> JSONNode.Value? {
        guard awaited.count < Self.deepestNesting else {
            return refuse("nested too deep: expected at most \(Self.deepestNesting) levels")
        }
        awaited.append(closer)
        defer { awaited.removeLast() }
        var elements: [JSONNode] = []
        var members: [JSONNode.Member] = []
        advance()
        skipSpace()
        while !take(closer) {
            guard next != nil else {
                report("expected '\(closer)' to close the bracket at \(opening), found the end of the text")
                break
            }
            isSound = false
            if closer == "]" { elements.append(value()) } else { member(of: &members) }
            skipSpace()
            let comma = take(",") ? position - 1 : nil
            if comma == nil, let next, next != closer {
                if isSound { report("expected ',' or '\(closer)' after \(noun), found \(found())") }
                if !recover(closer) { break }
            }
            skipSpace()
            if isStrict, next == closer, let comma {
                report("expected no comma before '\(closer)', found one", at: comma)
            }
        }
        // A copy has no spare room, which makes a tree of many small objects a third smaller. A long list keeps its
        // room, because a copy would double the peak of memory.
        if closer == "]" { return .array(elements.count > 1000 ? elements : elements.map { $0 }) }
        return .object(members.count > 1000 ? members : members.map { $0 })
    }

    private mutating func member(of members: inout [JSONNode.Member]) {
        let keyPlace = place(at: position)
        guard let key = key() else { return }
        skipSpace()
        let hasColon = take(":")
        if !hasColon { report("expected ':' after a key, found \(found())") }
        // `key = value` is a slip of the hand: the value can still be read.
        let hasValue = hasColon || take("=")
        if hasValue { skipSpace() }
        let node = hasValue ? value() : JSONNode(value: .invalid, place: place(at: position))
        members.append(JSONNode.Member(key: key, keyPlace: keyPlace, node: node))
    }

    /// Skips a faulty part, up to the start of the next part or to the closing bracket.
    ///
    /// Every call either advances or stops at a line where a part begins, which the caller then reads. So no text makes
    /// it loop.
    ///
    /// - Returns: False at the closing bracket of an outer level: this level's own bracket is missing.
    private mutating func recover(_ closer: Unicode.Scalar) -> Bool {
        var depth = 0
        while depth > 0 || !isAtLineOfNextPart, let next {
            let isBracket = next == "]" || next == "}"
            if depth == 0 && next == closer { return true }
            if depth == 0 && isBracket && awaited.contains(next) { return false }
            if next == "\"" || next == "'" {
                // The faulty part has been reported.
                let known = problems
                _ = string()
                problems = known
            } else {
                advance()
            }
            if depth == 0 && next == "," { return true }
            if next == "[" || next == "{" { depth += 1 }
            if isBracket { depth = max(0, depth - 1) }
            skipSpace()
        }
        return true
    }

    /// Whether the next scalar is the first of its line and may begin a member or element.
    ///
    /// After a fault, such a line is taken for the next part whose separating comma is missing.
    private var isAtLineOfNextPart: Bool {
        guard isAfterLineBreak, let next else { return false }
        return next.startsIdentifier || "\"'{[".unicodeScalars.contains(next)
    }
}

// MARK: - Moving and reporting

extension JSON5Parser {
    /// The scalar to be read next; nil at the end of the text.
    var next: Unicode.Scalar? { scalar(at: position) }

    /// The scalar at a position; nil at the end of the text or at a fault in its UTF-8.
    @inline(__always)
    func scalar(at index: Int) -> Unicode.Scalar? {
        guard index < text.count else { return nil }
        return text[index] < 0x80 ? Unicode.Scalar(text[index]) : decoded(at: index)
    }

    private func decoded(at index: Int) -> Unicode.Scalar? {
        var decoder = UTF8()
        var rest = text[index...].makeIterator()
        return if case .scalarValue(let scalar) = decoder.decode(&rest) { scalar } else { nil }
    }

    mutating func advance() {
        if let next { position += UTF8.width(next) }
    }

    /// Steps over `scalar` if it is next.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        advance()
        return true
    }

    /// The text from an earlier position up to here.
    func text(from start: Int) -> String { String(decoding: text[start..<position], as: UTF8.self) }

    /// The end of the scalars from `start` on that may stand in a word.
    func endOfWord(at start: Int) -> Int {
        var end = start
        while let scalar = scalar(at: end), scalar.continuesIdentifier { end += UTF8.width(scalar) }
        return end
    }

    /// The next word, or the next single character, in the words of a message.
    func found() -> String {
        guard let next else { return "the end of the text" }
        let isWord = next.startsIdentifier || next.isDigit
        let end = isWord ? endOfWord(at: position) : position + UTF8.width(next)
        return String(decoding: text[position..<end], as: UTF8.self).inQuotes
    }

    /// Skips white space and comments.
    private mutating func skipSpace() {
        isAfterLineBreak = false
        while let next {
            if next == "/", let second = scalar(at: position + 1), second == "/" || second == "*" {
                skipComment(isBlock: second == "*")
            } else if next.isSpaceInJSON5 {
                if isStrict && !" \t\n\r".unicodeScalars.contains(next) {
                    report("expected white space of JSON, found \(found())")
                }
                if next.endsLine { isAfterLineBreak = true }
                advance()
                while position < text.count, text[position] == ASCII.space { position += 1 }
            } else {
                return
            }
        }
    }

    private mutating func skipComment(isBlock: Bool) {
        let start = position
        if isStrict { report("expected no comment, found one") }
        position += 2
        while let next, isBlock || !next.endsLine {
            if next.endsLine { isAfterLineBreak = true }
            advance()
            if isBlock && next == "*" && take("/") { return }
        }
        if isBlock { report("expected '*/' to close the comment, found the end of the text", at: start) }
    }

    /// The place of a scalar. Lines are those of editors: they end with LF, CR or CR LF, but not with U+2028.
    ///
    /// - Complexity: Linear in the distance from the place counted last; for a position before it, in the position.
    private mutating func place(at position: Int) -> Place {
        guard firstLine > 0 else { return Place(source: source) }
        if position < counted.position { counted = (0, 0, 1) }
        for index in counted.position..<position {
            let isReturn = text[index] == ASCII.carriageReturn && scalar(at: index + 1) != "\n"
            if isReturn || text[index] == ASCII.lineFeed {
                counted.lines += 1
                counted.column = 1
            } else if text[index] & 0xC0 != 0x80 {
                counted.column += 1
            }
        }
        counted.position = position
        return Place(source: source, line: firstLine + counted.lines, column: counted.column)
    }

    /// Reports a problem at `position`, by default that of the next scalar. Later problems of the same place are
    /// dropped.
    mutating func report(_ message: String, at position: Int? = nil) {
        guard problems.count < Self.mostProblems else { return }
        let place = place(at: position ?? self.position)
        guard !problems.contains(where: { $0.place == place }) else { return }
        let later = problems.firstIndex { ($0.place.line, $0.place.column) > (place.line, place.column) }
        problems.insert(TextProblem(place: place, message: message), at: later ?? problems.count)
    }

    /// Reports a problem and returns nil in place of what it prevents.
    mutating func refuse<Part>(_ message: String, at position: Int? = nil) -> Part? {
        report(message, at: position)
        return nil
    }
}
