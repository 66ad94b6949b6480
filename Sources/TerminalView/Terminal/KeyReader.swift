/// A key of a terminal's keyboard.
package enum Key: Equatable, Sendable {
    case character(Character)
    case enter
    case backspace
    case escape
    case control(Character)
    case up
    case down
    case pageUp
    case pageDown
    case home
    case end
    /// The mouse wheel, over that row of the screen.
    case wheel(isUp: Bool, row: Int)
    /// A key without a meaning here.
    case other
}

/// Turns bytes from a terminal into keys.
///
/// A key may have several bytes, and they may arrive separately. Only a pause tells the key Esc from the start of a
/// sequence: see ``timeout()``.
package struct KeyReader: Sendable {
    private var bytes: [UInt8] = []

    package init() {}

    /// Whether the start of a sequence waits for the rest.
    package var isWaiting: Bool { !bytes.isEmpty }

    /// The keys that these bytes complete.
    package mutating func take(_ more: some Sequence<UInt8>) -> [Key] {
        bytes += more
        var keys: [Key] = []
        while let (key, count) = next() {
            keys.append(key)
            bytes.removeFirst(count)
        }
        return keys
    }

    /// Takes the waiting bytes as complete. Call it after a pause.
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
            // Another escape starts a new sequence. Alt with a letter has no meaning here.
            return bytes[1] == 0x1B ? (.escape, 1) : (.other, 2)
        }
        let isShift = bytes[1] == UInt8(ascii: "O")
        guard let end = bytes.dropFirst(2).firstIndex(where: { isShift || (0x40...0x7E).contains($0) }) else {
            // No key has a longer sequence.
            return bytes.count > 32 ? (.other, bytes.count) : nil
        }
        if bytes[2] == UInt8(ascii: "M"), !isShift {
            // A mouse in its old format: three more bytes.
            return bytes.count < 6 ? nil : (.other, 6)
        }
        if bytes[2] == UInt8(ascii: "<") { return (mouse(bytes[3..<end]), end + 1) }
        let key: Key =
            switch bytes[end] {
            case UInt8(ascii: "A"): .up
            case UInt8(ascii: "B"): .down
            case UInt8(ascii: "H"): .home
            case UInt8(ascii: "F"): .end
            case UInt8(ascii: "M") where isShift: .enter
            case UInt8(ascii: "~"): Self.numbered[String(decoding: bytes[2..<end], as: UTF8.self)] ?? .other
            default: .other
            }
        return (key, end + 1)
    }

    /// The keys of `ESC [ number ~`.
    private static let numbered: [String: Key] = [
        "1": .home, "4": .end, "5": .pageUp, "6": .pageDown, "7": .home, "8": .end,
    ]

    /// A mouse event in the format of mode 1006: button, column and row. Only the wheel has a meaning here.
    private func mouse(_ parameters: ArraySlice<UInt8>) -> Key {
        let numbers = parameters.split(separator: UInt8(ascii: ";")).map { Int(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 3, let button = numbers[0], let row = numbers[2] else { return .other }
        // Shift, Alt and Control add 4, 8 and 16.
        switch button & ~0b11100 {
        case 64: return .wheel(isUp: true, row: row - 1)
        case 65: return .wheel(isUp: false, row: row - 1)
        default: return .other
        }
    }
}
