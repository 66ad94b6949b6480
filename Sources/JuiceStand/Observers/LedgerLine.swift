import TextFormats

/// Parses a ledger line in the form that the stand writes: JSON without spaces, nested at most once.
///
/// An audit reads millions of lines, and the JSON5 parser takes ten times as long.
struct LedgerLine {
    private(set) var members: [(key: String, value: JSONNode.Value)] = []
    private let bytes: ArraySlice<UInt8>
    private var place: Int

    /// nil if the line has another form.
    init?(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
        members.reserveCapacity(8)
        guard let members = object(isOuter: true), place == bytes.endIndex else { return nil }
        self.members = members
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard place < bytes.endIndex, bytes[place] == byte else { return false }
        place += 1
        return true
    }

    private mutating func object(isOuter: Bool) -> [(key: String, value: JSONNode.Value)]? {
        guard take(UInt8(ascii: "{")) else { return nil }
        var members: [(key: String, value: JSONNode.Value)] = []
        if take(UInt8(ascii: "}")) { return members }
        repeat {
            guard let key = text(), take(UInt8(ascii: ":")), let value = value(isOuter: isOuter),
                !members.contains(where: { $0.key == key })
            else { return nil }
            members.append((key, value))
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}")) ? members : nil
    }

    private mutating func value(isOuter: Bool) -> JSONNode.Value? {
        guard place < bytes.endIndex else { return nil }
        switch bytes[place] {
        case UInt8(ascii: "\""): return text().map { .string($0) }
        case UInt8(ascii: "{") where isOuter:
            return object(isOuter: false).map { members in
                let nowhere = Place(source: "")
                return .object(
                    members.map {
                        JSONNode.Member(key: $0.key, keyPlace: nowhere, node: JSONNode(value: $0.value, place: nowhere))
                    })
            }
        default: return number()
        }
    }

    /// A text without escapes; the JSON5 parser reads the others.
    private mutating func text() -> String? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = place
        while place < bytes.endIndex, bytes[place] != UInt8(ascii: "\"") {
            guard bytes[place] >= 0x20, bytes[place] != UInt8(ascii: "\\"), bytes[place] != 0x7f else { return nil }
            place += 1
        }
        let content = bytes[start..<place]
        guard take(UInt8(ascii: "\"")) else { return nil }
        return String(validating: content, as: UTF8.self)
    }

    /// A decimal number without sign or exponent.
    private mutating func number() -> JSONNode.Value? {
        let start = place
        var whole: UInt64 = 0
        while place < bytes.endIndex, ASCII.isDigit(bytes[place]) {
            guard place - start < 18 else { return nil }
            whole = whole * 10 + UInt64(bytes[place] - UInt8(ascii: "0"))
            place += 1
        }
        guard place > start, bytes[start] != UInt8(ascii: "0") || place == start + 1 else { return nil }
        var value = Double(whole)
        if take(UInt8(ascii: ".")) {
            let point = place
            while place < bytes.endIndex, ASCII.isDigit(bytes[place]) { place += 1 }
            guard place > point, let exact = Double(String(decoding: bytes[start..<place], as: UTF8.self)) else {
                return nil
            }
            value = exact
        }
        // The JSON5 parser reads exponents.
        if place < bytes.endIndex, bytes[place] | 0x20 == UInt8(ascii: "e") { return nil }
        return .number(value, text: String(decoding: bytes[start..<place], as: UTF8.self))
    }
}
