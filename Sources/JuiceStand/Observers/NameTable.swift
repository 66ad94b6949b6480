/// Numbers names from 0 in the order in which they are added, so that a name is made once and not for every line.
struct NameTable: Sendable {
    private(set) var names: [String] = []
    private var texts: [[UInt8]] = []
    /// Numbers of names, by a hash of the name; -1 where there is none. A power of two of them, at most half in use.
    private var slots = [Int32](repeating: -1, count: 32)

    /// The number of a name; nil if it has not been added.
    func number(of name: String) -> Int? { names.firstIndex(of: name) }

    mutating func add(_ name: String) -> Int {
        let text = Array(name.utf8)
        return add(text, text.indices)
    }

    /// Adds the name in a range of bytes, unless it is there.
    ///
    /// - Returns: Its number.
    /// - Complexity: O(*n*) for *n* bytes, unless many names begin and end alike
    mutating func add(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
        var slot = slot(bytes, range)
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            if Self.isEqual(texts[number], bytes, range) { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        names.append(String(decoding: bytes[range], as: UTF8.self))
        texts.append(Array(bytes[range]))
        slots[slot] = Int32(names.count - 1)
        if names.count * 2 > slots.count { grow() }
        return names.count - 1
    }

    private static func isEqual(_ text: [UInt8], _ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        guard text.count == range.count else { return false }
        for place in text.indices where text[place] != bytes[range.lowerBound + place] { return false }
        return true
    }

    private func slot(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
        guard let first = range.first, let last = range.last else { return 0 }
        let middle = first + range.count / 2
        let sum = range.count &* 97 &+ Int(bytes[first]) &* 31 &+ Int(bytes[middle]) &* 7 &+ Int(bytes[last])
        return sum & (slots.count - 1)
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for (number, text) in texts.enumerated() {
            var slot = slot(text, text.indices)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(number)
        }
    }
}

// MARK: - Codable

extension NameTable: Codable {
    init(from decoder: any Decoder) throws {
        for name in try decoder.singleValueContainer().decode([String].self) { _ = add(name) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(names)
    }
}

/// Pieces by the number of a fruit.
struct Pieces: Codable, Sendable {
    private var amounts: [Int?] = []

    subscript(fruit: Int) -> Int? {
        get { fruit < amounts.count ? amounts[fruit] : nil }
        set {
            while amounts.count <= fruit { amounts.append(nil) }
            amounts[fruit] = newValue
        }
    }
}
