extension JSONValue {
    /// The longest line of ``pretty()``, in Unicode scalars, unless a single value is longer.
    package static let prettyWidth = 100

    /// RFC 8259 JSON on one line, without spaces.
    package func compact() -> String {
        var text = ""
        write(to: &text, style: .compact)
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

    /// The separators within a line.
    private struct Style {
        var comma: String
        var colon: String

        static let compact = Style(comma: ",", colon: ":")
        static let spaced = Style(comma: ", ", colon: ": ")
    }

    private func write(to text: inout String, style: Style) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += "\(value)"
        case .number(let value): text += Self.number(value)
        case .string(let value): Self.write(value, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += style.comma }
                element.write(to: &text, style: style)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += style.comma }
                Self.write(member.key, to: &text)
                text += style.colon
                member.value.write(to: &text, style: style)
            }
            text += "}"
        }
    }

    private static func number(_ value: Double) -> String {
        precondition(value.isFinite, "JSON cannot represent \(value)")
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
        guard isContainer, !fits(in: Self.prettyWidth - used) else {
            return write(to: &text, style: .spaced)
        }
        let inner = indentation + 2
        let margin = "\n" + String(repeating: " ", count: inner)
        let end = "\n" + String(repeating: " ", count: indentation)
        switch self {
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                text += index > 0 ? "," + margin : margin
                element.writeLines(to: &text, indentation: inner, used: inner + 1)
            }
            text += end + "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                text += index > 0 ? "," + margin : margin
                var key = ""
                Self.write(member.key, to: &key)
                text += key + ": "
                member.value.writeLines(
                    to: &text, indentation: inner, used: inner + key.unicodeScalars.count + ": ,".count)
            }
            text += end + "}"
        default: write(to: &text, style: .spaced)
        }
    }

    private var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    private func fits(in room: Int) -> Bool {
        var room = room
        return takes(from: &room)
    }

    /// Subtracts the width of the value on one line. Returns false as soon as `room` is exceeded.
    ///
    /// Stopping early keeps ``pretty()`` linear in the size of the tree.
    private func takes(from room: inout Int) -> Bool {
        switch self {
        case .array(let elements):
            room -= 2
            for (index, element) in elements.enumerated() {
                if index > 0 { room -= 2 }
                guard room >= 0, element.takes(from: &room) else { return false }
            }
        case .object(let members):
            room -= 2
            for (index, member) in members.enumerated() {
                room -= index > 0 ? 4 : 2
                guard JSONValue.string(member.key).takes(from: &room), member.value.takes(from: &room) else {
                    return false
                }
            }
        case .string(let value) where value.utf8.count > 4 * max(0, room): return false
        default:
            var text = ""
            write(to: &text, style: .spaced)
            room -= text.unicodeScalars.count
        }
        return room >= 0
    }
}
