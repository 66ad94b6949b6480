/// A key of a terminal's keyboard, as far as the display knows it.
package enum Key: Equatable, Sendable {
    case character(Character)
    case enter
    case backspace
    case escape
    case control(Character)
    case up
    case down
    /// A key that means nothing here.
    case other
}

/// Bytes from a terminal into keys.
///
/// A key may come in several bytes and they may come apart; an escape that stands alone is only known by what does not
/// follow it: see ``timeout()``.
package struct KeyReader: Sendable {
    private var bytes: [UInt8] = []

    package init() {}

    /// Whether bytes wait for those behind them.
    package var isWaiting: Bool { !bytes.isEmpty }

    /// The keys that are whole with these bytes.
    package mutating func take(_ more: some Sequence<UInt8>) -> [Key] {
        bytes += more
        var keys: [Key] = []
        while let (key, count) = next() {
            keys.append(key)
            bytes.removeFirst(count)
        }
        return keys
    }

    /// Nothing has come for a moment: what waits is all there is.
    package mutating func timeout() -> [Key] {
        guard let first = bytes.first else { return [] }
        bytes = []
        return [first == 0x1B ? .escape : .other]
    }

    private func next() -> (Key, Int)? {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x1B: return sequence()
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 0x00..<0x20: return (.control(Character(Unicode.Scalar(first | 0x60))), 1)
        case 0x20..<0x7F: return (.character(Character(Unicode.Scalar(first))), 1)
        default: return letter(first)
        }
    }

    /// A character of several bytes in UTF-8.
    private func letter(_ first: UInt8) -> (Key, Int)? {
        let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        guard count > 1, first < 0xF8 else { return (.other, 1) }
        let follow = bytes.dropFirst().prefix(count - 1)
        guard follow.allSatisfy({ $0 & 0xC0 == 0x80 }) else { return (.other, 1) }
        guard follow.count == count - 1 else { return nil }
        guard let text = String(validating: bytes[..<count], as: UTF8.self), let character = text.first else {
            return (.other, count)
        }
        return (.character(character), count)
    }

    /// A control sequence (`ESC [ … final`) or a single shift (`ESC O final`).
    private func sequence() -> (Key, Int)? {
        guard bytes.count > 1 else { return nil }
        guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else {
            // Another escape begins anew; a letter with Alt held down means nothing here.
            return bytes[1] == 0x1B ? (.escape, 1) : (.other, 2)
        }
        let isShift = bytes[1] == UInt8(ascii: "O")
        guard let end = bytes.dropFirst(2).firstIndex(where: { isShift || (0x40...0x7E).contains($0) }) else {
            // Longer than any key's.
            return bytes.count > 32 ? (.other, bytes.count) : nil
        }
        let key: Key =
            switch bytes[end] {
            case UInt8(ascii: "A"): .up
            case UInt8(ascii: "B"): .down
            case UInt8(ascii: "M") where isShift: .enter
            default: .other
            }
        return (key, end + 1)
    }
}
