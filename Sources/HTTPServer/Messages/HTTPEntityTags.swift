/// The value of `If-Match` or `If-None-Match` (RFC 9110, 13.1).
package enum HTTPEntityTags: Equatable, Sendable {
    /// `*`, which matches everything that exists.
    case any
    case list([Tag])

    /// One tag: `"7"`, or `W/"7"` if it is weak.
    package struct Tag: Equatable, Sendable {
        /// Without its quotation marks.
        package var value: String
        package var isWeak: Bool
    }

    /// Reads the value of a field; nil if it is malformed.
    package init?(_ text: String) {
        if text == "*" {
            self = .any
            return
        }
        var tags: [Tag] = []
        var rest = Array(text.utf8)[...]
        func isSeparator(_ byte: UInt8) -> Bool { HTTPGrammar.isSpace(byte) || byte == UInt8(ascii: ",") }
        rest = rest.drop(while: isSeparator)
        while !rest.isEmpty {
            let isWeak = rest.starts(with: "W/".utf8)
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.popFirst() == UInt8(ascii: "\""), let end = rest.firstIndex(of: UInt8(ascii: "\"")),
                rest[..<end].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
            else { return nil }
            tags.append(Tag(value: String(decoding: rest[..<end], as: UTF8.self), isWeak: isWeak))
            rest = rest[(end + 1)...].drop(while: HTTPGrammar.isSpace)
            guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
            rest = rest.drop(while: isSeparator)
        }
        guard !tags.isEmpty else { return nil }
        self = .list(tags)
    }

    /// Whether a representation with this tag is among them, also if theirs is weak: how `If-None-Match` compares.
    package func contains(_ value: String) -> Bool {
        switch self {
        case .any: true
        case .list(let tags): tags.contains { $0.value == value }
        }
    }
}
