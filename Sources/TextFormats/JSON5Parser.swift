/// Reads a JSON5 or JSON document and reports all its syntax errors in one pass.
package struct JSON5Parser {
    /// What a document may contain.
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

    private var scanner: JSON5Scanner
    /// How many more values the document may have.
    private var valuesLeft: Int
    /// The closing brackets awaited, outermost first.
    private var awaited: [Unicode.Scalar] = []

    /// Parses a whole document.
    ///
    /// After an error the parser continues with the next member or element, so that one error does not hide others.
    /// A value it could not read becomes an ``JSONNode/Value/invalid`` node. It accepts any bytes without trapping.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8. JSON5 may begin with a byte order mark.
    ///   - dialect: What the document may contain.
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
        let scanner = JSON5Scanner(bytes, isStrict: dialect == .json, source: source, firstLine: firstLine)
        var parser = JSON5Parser(scanner: scanner, valuesLeft: mostValues)
        let root = parser.document()
        return (root, parser.scanner.problems)
    }

    private mutating func document() -> JSONNode? {
        scanner.skipSpace()
        guard scanner.next != nil else {
            scanner.report("expected a value, found the end of the text")
            return nil
        }
        let root = value()
        scanner.skipSpace()
        if root.value != .invalid && scanner.next != nil {
            scanner.report("expected nothing more after the document, found \(scanner.found)")
        }
        return root
    }

    private mutating func value() -> JSONNode {
        let place = scanner.place
        guard valuesLeft > 0 else {
            scanner.report("too many values for one document")
            scanner.skipRest()
            return JSONNode(value: .invalid, place: place)
        }
        valuesLeft -= 1
        return JSONNode(value: content(), place: place)
    }

    private mutating func content() -> JSONNode.Value {
        switch scanner.next {
        case "{": object()
        case "[": array()
        case "\"", "'": scanner.string().map { .string($0) } ?? .invalid
        case "+", "-", ".": scanner.number()
        case let next? where next.isDigit: scanner.number()
        default: scanner.word()
        }
    }
}

// MARK: - Objects and arrays

extension JSON5Parser {
    private mutating func array() -> JSONNode.Value {
        var elements: [JSONNode] = []
        return nest(in: "]", of: "an element") { parser in
            let node = parser.value()
            elements.append(node)
            return node.value != .invalid
        } ? .array(elements) : .invalid
    }

    private mutating func object() -> JSONNode.Value {
        var members: [JSONNode.Member] = []
        return nest(in: "}", of: "a member") { parser in
            let keyPlace = parser.scanner.place
            guard let key = parser.scanner.key() else { return false }
            let node = parser.memberValue()
            members.append(JSONNode.Member(key: key, keyPlace: keyPlace, node: node))
            return node.value != .invalid
        } ? .object(members) : .invalid
    }

    private mutating func memberValue() -> JSONNode {
        scanner.skipSpace()
        if !scanner.take(":") {
            scanner.report("expected ':' after a key, found \(scanner.found)")
            // `key = value` is a slip of the hand: the value can still be read.
            guard scanner.take("=") else { return JSONNode(value: .invalid, place: scanner.place) }
        }
        scanner.skipSpace()
        return value()
    }

    /// Reads members or elements, separated by commas, up to the closing bracket.
    ///
    /// - Parameter part: Reads one member or element. It returns false if it reported a problem; it may then have
    ///   stopped early.
    /// - Returns: False if the nesting is too deep. Nothing has been read then.
    private mutating func nest(in closer: Unicode.Scalar, of noun: String, part: (inout JSON5Parser) -> Bool) -> Bool {
        guard awaited.count < Self.deepestNesting else {
            scanner.report("nested too deep: expected at most \(Self.deepestNesting) levels")
            return false
        }
        awaited.append(closer)
        defer { awaited.removeLast() }
        let opening = scanner.place
        scanner.advance()
        var comma: Int?
        while true {
            scanner.skipSpace()
            if scanner.next == closer, let comma {
                scanner.reportIfStrict("expected no comma before '\(closer)', found one", at: comma)
            }
            if scanner.take(closer) { return true }
            comma = nil
            var isSound = true
            if scanner.next != nil {
                isSound = part(&self)
                scanner.skipSpace()
                let end = scanner.position
                if scanner.take(",") {
                    comma = end
                    continue
                }
                if scanner.next == closer { continue }
            }
            guard scanner.next != nil else {
                scanner.report("expected '\(closer)' to close the bracket at \(opening), found the end of the text")
                return true
            }
            if isSound {
                scanner.report("expected ',' or '\(closer)' after \(noun), found \(scanner.found)")
            }
            guard recover(closer) else { return true }
        }
    }

    /// Skips a faulty part, up to the start of the next part or to the closing bracket.
    ///
    /// Every call either advances or stops at a line where a part begins, which the caller then reads. So no text makes
    /// it loop.
    ///
    /// - Returns: False at the closing bracket of an outer level: this level's own bracket is missing.
    private mutating func recover(_ closer: Unicode.Scalar) -> Bool {
        while true {
            if scanner.isAtLineOfNextPart { return true }
            scanner.skipPart()
            switch scanner.next {
            case ",":
                scanner.advance()
                return true
            case .some(let other) where other != closer && (other == "]" || other == "}"):
                if awaited.contains(other) { return false }
                scanner.advance()
                scanner.skipSpace()
            default: return true
            }
        }
    }
}
