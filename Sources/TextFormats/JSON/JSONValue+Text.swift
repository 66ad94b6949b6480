extension JSONValue {
    /// The longest line of ``pretty()``, in Unicode scalars, unless a single value is longer.
    package static let prettyWidth = 100

    /// RFC 8259 JSON on one line, without spaces.
    package func compact() -> String {
        var text = ""
        _ = write(to: &text, comma: ",", colon: ":")
        return text
    }

    /// RFC 8259 JSON, indented by two spaces, without a final line end.
    ///
    /// An array or object that fits into ``prettyWidth`` takes one line.
    package func pretty() -> String {
        var text = ""
        writeLines(to: &text, indentation: 0, used: 0)
        return text
    }

    /// Writes the value on one line. Returns false, and stops, as soon as `text` has more than `most` bytes.
    private func write(
        to text: inout String, comma: String = ", ", colon: String = ": ", most: Int = .max
    ) -> Bool {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += "\(value)"
        case .number(let value): text += Self.number(value)
        case .string(let value):
            guard value.utf8.count <= most else { return false }
            Self.write(value, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += comma }
                guard element.write(to: &text, comma: comma, colon: colon, most: most) else { return false }
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += comma }
                Self.write(member.key, to: &text)
                text += colon
                guard member.value.write(to: &text, comma: comma, colon: colon, most: most) else { return false }
            }
            text += "}"
        }
        return text.utf8.count <= most
    }

    private static func number(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        // `Int64(exactly:)` would need the mathematics library at link time.
        guard value.magnitude < 0x1p53, value == Double(Int64(value)) else { return "\(value)" }
        return "\(Int64(value))"
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        if string.utf8.contains(where: {
            $0 < 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
        }) {
            for scalar in string.unicodeScalars { text += escaped(scalar) }
        } else {
            text += string
        }
        text += "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\u{8}": "\\b"
        case "\u{C}": "\\f"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        // Hidden characters beyond the first plane are tags, which stay: they would need two escapes.
        default: scalar.isHidden && scalar.value <= 0xFFFF ? scalar.escaped : String(scalar)
        }
    }
}

// MARK: - Several lines

extension JSONValue {
    /// - Parameter used: The columns already used on the line, including one for a following comma.
    private func writeLines(to text: inout String, indentation: Int, used: Int) {
        let brackets: (open: String, close: String)
        switch self {
        case .array: brackets = ("[", "]")
        case .object: brackets = ("{", "}")
        default:
            _ = write(to: &text)
            return
        }
        if let line = line(in: Self.prettyWidth - used) {
            text += line
            return
        }
        let inner = indentation + 2
        let margin = "\n" + String(repeating: " ", count: inner)
        text += brackets.open
        let parts =
            elements.map { (name: "", value: $0) }
            + members.map { (name: "\(JSONValue.string($0.key).compact()): ", value: $0.value) }
        for (index, (name, value)) in parts.enumerated() {
            text += (index > 0 ? "," : "") + margin + name
            value.writeLines(to: &text, indentation: inner, used: inner + name.unicodeScalars.count + ",".count)
        }
        text += "\n" + String(repeating: " ", count: indentation) + brackets.close
    }

    /// The value on one line; nil if it has more scalars than `room`.
    ///
    /// Writing stops early, which keeps ``pretty()`` linear in the size of the tree.
    private func line(in room: Int) -> String? {
        var line = ""
        // A scalar has at most four bytes.
        return write(to: &line, most: 4 * max(0, room)) && line.unicodeScalars.count <= room ? line : nil
    }
}
