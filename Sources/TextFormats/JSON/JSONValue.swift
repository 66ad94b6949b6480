/// A JSON document as a tree. Objects keep the order of their members.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A finite number. An infinite one and a NaN are written as null.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// One key and its value.
    package struct Member: Equatable, Sendable {
        package var key: String
        package var value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The value of the first member with that key; nil if there is none or this is not an object.
    package subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }
}

// MARK: - Values of one kind; nil or empty for any other kind

extension JSONValue {
    package var text: String? { if case .string(let text) = self { text } else { nil } }

    /// A whole number within ±2^53. `7.0` is one, too.
    package var whole: Int? {
        switch self {
        case .integer(let number): number.magnitude <= Figures.most ? Int(number) : nil
        case .number(let number): number.magnitude <= Double(Figures.most) ? Int(exactly: number) : nil
        default: nil
        }
    }

    /// A length or a count: a whole number from 0 to 2^53.
    package var count: Int? { whole.flatMap { $0 >= 0 ? $0 : nil } }

    package var seconds: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    package var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    package var members: [Member] { if case .object(let members) = self { members } else { [] } }
}

// MARK: - From a parsed document

extension JSONValue {
    /// The values of a parsed document without their places; nil if any value in it is invalid.
    ///
    /// A number written as an integer that fits becomes an ``integer(_:)``. Any other becomes a ``number(_:)``.
    package init?(_ node: JSONNode) {
        switch node.value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let value, let text): self = Self.integer(writtenAs: text).map { .integer($0) } ?? .number(value)
        case .string(let value): self = .string(value)
        case .array(let nodes):
            let elements = nodes.compactMap { JSONValue($0) }
            guard elements.count == nodes.count else { return nil }
            self = .array(elements)
        case .object(let nodes):
            let members = nodes.compactMap { member in
                JSONValue(member.node).map { Member(key: member.key, value: $0) }
            }
            guard members.count == nodes.count else { return nil }
            self = .object(members)
        case .invalid: return nil
        }
    }

    /// The value of a text of JSON5; nil if the text is faulty.
    package init?(parsing bytes: some Collection<UInt8>) {
        let (root, problems) = JSON5Parser.parse(bytes, source: "")
        guard problems.isEmpty, let value = root.flatMap({ JSONValue($0) }) else { return nil }
        self = value
    }

    private static func integer(writtenAs text: String) -> Int64? {
        // Most numbers are not hexadecimal, and need no new texts.
        guard text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }) else { return Int64(text) }
        let parts = text.lowercased().split(separator: "0x", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? Int64(parts[0] + parts[1], radix: 16) : nil
    }
}

// MARK: - From values of Swift

extension JSONValue {
    /// A whole number, clamped to 64 bits.
    package static func whole(_ number: some BinaryInteger) -> JSONValue { .integer(Int64(clamping: number)) }

    package static func orNull(_ number: Int?) -> JSONValue { number.map { .whole($0) } ?? .null }
    package static func orNull(_ number: Double?) -> JSONValue { number.map { .number($0) } ?? .null }
    package static func orNull(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    package static func strings(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map { .string($0) }) }
}

// MARK: - Literals

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Keeps the order of the literal and duplicate keys. A key whose value is nil is left out.
    package init(dictionaryLiteral members: (String, JSONValue?)...) {
        self = .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }
}
