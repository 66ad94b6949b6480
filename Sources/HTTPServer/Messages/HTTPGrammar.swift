/// Character sets of RFC 9110, RFC 9112 and RFC 3986.
package enum HTTPGrammar {
    package static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    package static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

    package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    package static func hexValue(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte) - 0x30
        case 0x41...0x46: Int(byte) - 0x37
        case 0x61...0x66: Int(byte) - 0x57
        default: nil
        }
    }

    /// Whether the byte may stand in a token, such as a method or a field's name.
    package static func isToken(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || isOne(of: "!#$%&'*+-.^_`|~", byte)
    }

    /// Whether all bytes may stand in a path or a query, and every percent sign has two hexadecimal digits.
    package static func areOfTarget(_ bytes: ArraySlice<UInt8>) -> Bool {
        var digitsOwed = 0
        for byte in bytes {
            if digitsOwed > 0 {
                guard hexValue(byte) != nil else { return false }
                digitsOwed -= 1
            } else if byte == UInt8(ascii: "%") {
                digitsOwed = 2
            } else {
                guard isLetter(byte) || isDigit(byte) || isOne(of: "/-._~?:@!$&'()*+,;=", byte) else { return false }
            }
        }
        return digitsOwed == 0
    }

    /// Whether the bytes are a name, an IPv4 address or a bracketed IPv6 address, with or without a port. An empty host
    /// is valid too: the client names none.
    package static func areOfHost(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")), end > rest.startIndex + 1,
                rest[(rest.startIndex + 1)..<end].allSatisfy({ hexValue($0) != nil || isOne(of: ":.", $0) })
            else { return false }
            rest = rest[(end + 1)...]
        } else {
            // No comma, though RFC 3986 has it: that may be two fields that a proxy joined.
            let name = rest.prefix { isLetter($0) || isDigit($0) || isOne(of: "-._~%!$&'()*+;=", $0) }
            guard areOfTarget(name) else { return false }
            rest = rest[name.endIndex...]
        }
        guard let colon = rest.first else { return true }
        return colon == UInt8(ascii: ":") && rest.startIndex > bytes.startIndex && rest.count <= 6
            && rest.dropFirst().allSatisfy(isDigit)
    }

    /// Whether the bytes between a chunk's size and its line end are chunk extensions: `;name`, `;name=token` or
    /// `;name="quoted"`, any number of them, with optional spaces around the semicolon and the equals sign.
    static func areChunkExtensions(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        func skipSpace() { rest = rest.drop(while: isSpace) }
        func takeToken() -> Bool {
            let end = rest.firstIndex { !isToken($0) } ?? rest.endIndex
            defer { rest = rest[end...] }
            return end > rest.startIndex
        }
        while !rest.isEmpty {
            skipSpace()
            guard rest.popFirst() == UInt8(ascii: ";") else { return false }
            skipSpace()
            guard takeToken() else { return false }
            let end = rest
            skipSpace()
            guard rest.first == UInt8(ascii: "=") else {
                rest = end
                continue
            }
            rest.removeFirst()
            skipSpace()
            guard rest.first == UInt8(ascii: "\"") ? takeQuoted(&rest) : takeToken() else { return false }
        }
        return true
    }

    /// Removes a quoted string, in which a backslash quotes the next byte.
    private static func takeQuoted(_ rest: inout ArraySlice<UInt8>) -> Bool {
        rest.removeFirst()
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return true }
            if byte == UInt8(ascii: "\\"), rest.popFirst() == nil { return false }
        }
        return false
    }

    /// The value of digits, at most the largest `UInt64`; nil for other text.
    package static func count(_ text: String) -> UInt64? {
        guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { return nil }
        return UInt64(text) ?? .max
    }

    /// Text without its percent-encoding; nil if that is not UTF-8.
    package static func decoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
                return nil
            }
            bytes.append(UInt8(high << 4 | low))
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isOne(of set: StaticString, _ byte: UInt8) -> Bool {
        unsafe UnsafeBufferPointer(start: set.utf8Start, count: set.utf8CodeUnitCount).contains(byte)
    }
}

extension Collection<UInt8> {
    /// The text with its ASCII letters in lower case. Unicode's lowercasing would also turn other characters, such as
    /// the kelvin sign, into ASCII letters.
    package func lowercasedASCII() -> String {
        unsafe String(unsafeUninitializedCapacity: count) { lowered in
            var place = 0
            for byte in self {
                unsafe lowered[place] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
                place += 1
            }
            return place
        }
    }
}
