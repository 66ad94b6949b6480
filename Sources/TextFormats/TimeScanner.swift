/// Reads the parts of a date and time from front to back.
struct TimeScanner {
    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Whether the whole text has been read.
    var isAtEnd: Bool { position == bytes.endIndex }

    private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    /// Reads a number with as many digits as `most` allows.
    mutating func number(_ least: Int, _ most: Int) -> Int? {
        var value = 0
        var count = 0
        while count < most, let byte = next, ASCII.isDigit(byte) {
            value = value * 10 + Int(byte - ASCII.zero)
            count += 1
            position += 1
        }
        return count >= least ? value : nil
    }

    /// Reads the digits after a decimal point, as nanoseconds. Digits after the ninth are dropped, so that the second
    /// never becomes the next one.
    mutating func fraction() -> Int64? {
        var nanoseconds: Int64 = 0
        var unit = DurationText.second
        let start = position
        while let byte = next, ASCII.isDigit(byte) {
            unit /= 10
            nanoseconds += Int64(byte - ASCII.zero) * unit
            position += 1
        }
        return position > start ? nanoseconds : nil
    }

    /// Reads a decimal number such as `46237.3786`, times `unit`. It may have a decimal comma.
    mutating func decimal(unit: Int64) -> Int64? {
        let start = position
        while let byte = next, ASCII.isDigit(byte) || byte == ASCII.point || byte == ASCII.comma { position += 1 }
        let digits = bytes[start..<position].map { $0 == ASCII.comma ? ASCII.point : $0 }
        return DurationText.nanoseconds(decimal: String(decoding: digits, as: UTF8.self).utf8[...], unit: unit)
    }

    /// Reads `Z`, `UTC`, `±hh`, `±hh:mm`, `±hhmm` or `GMT±hhmm`, as seconds.
    mutating func offset() -> Int? {
        if take("Z") { return 0 }
        let isNamed = named { ["utc", "gmt"].contains($0) ? true : nil } ?? false
        let isWest = take("-") || take("−")
        guard isWest || take("+") else { return isNamed ? 0 : nil }
        guard let hours = number(isNamed ? 1 : 2, 2) else { return nil }
        let hasColon = take(":")
        let hasMinutes = hasColon || next.map(ASCII.isDigit) == true
        guard let minutes = hasMinutes ? number(2, 2) : 0, hours <= 23, minutes <= 59 else { return nil }
        let seconds = (hours * 60 + minutes) * 60
        return isWest ? -seconds : seconds
    }

    /// Skips the name of a time zone, such as `KST` or `(Korean Standard Time)`. Returns false if there is none.
    mutating func skipZoneName() -> Bool {
        if next == UInt8(ascii: "(") {
            position = (bytes[position...].firstIndex(of: UInt8(ascii: ")")) ?? bytes.endIndex - 1) + 1
            return true
        }
        let name = bytes[position...].prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        guard 2...5 ~= name.count, TimeNames.half(String(decoding: name, as: UTF8.self).lowercased()) == nil else {
            return false
        }
        position = name.endIndex
        return true
    }

    /// Skips white space of any width, and marks of the direction of writing.
    mutating func skipSpace() {
        while let byte = next {
            if byte == ASCII.space || byte == ASCII.tab {
                position += 1
            } else if byte >= 0x80, let character = character(), Self.isBlank(character.scalar) {
                position += character.length
            } else {
                return
            }
        }
    }

    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.value == 0x200E || scalar.value == 0x200F || scalar.value == 0xFEFF
    }

    /// The character at the position, with its length in bytes.
    private func character() -> (scalar: Unicode.Scalar, length: Int)? {
        var decoder = UTF8()
        var rest = bytes[position...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
        return (scalar, String(scalar).utf8.count)
    }

    /// Reads `scalar` if it is next.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x80 else {
            guard next == UInt8(scalar.value) else { return false }
            position += 1
            return true
        }
        guard let character = character(), character.scalar == scalar else { return false }
        position += character.length
        return true
    }

    // MARK: Words

    /// Reads a half of the day; true for the afternoon.
    mutating func half() -> Bool? {
        // The usual form, without the cost of the others.
        if bytes.endIndex - position >= 2, bytes[position + 1] | 0x20 == UInt8(ascii: "m"),
            bytes.endIndex - position == 2 || bytes[position + 2] == ASCII.space
        {
            let letter = bytes[position] | 0x20
            if letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p") {
                position += 2
                return letter == UInt8(ascii: "p")
            }
        }
        let letters = bytes[position...].prefix { $0 >= 0x80 }
        if let half = TimeNames.halvesOfBytes[Array(letters)] {
            position = letters.endIndex
            return half
        }
        return named(TimeNames.half)
    }

    /// Reads the name of a month, from 1.
    mutating func month() -> Int? {
        // The usual form, without the cost of the others.
        let letters = bytes[position...].prefix { ASCII.isLetter($0) }
        if letters.count == 3, letters.endIndex == bytes.endIndex || bytes[letters.endIndex] < 0x80,
            let month = TimeNames.monthsOfBytes[letters.map { $0 | 0x20 }]
        {
            position = letters.endIndex
            _ = take(".")
            return month
        }
        return named(TimeNames.month)
    }

    /// Reads a word that `meaning` knows: letters and points, such as `Okt.`, `a.m.` and `p. m.`; or the longest
    /// beginning of them that it knows.
    ///
    /// Words of languages without spaces may follow each other.
    mutating func named<Meaning>(_ meaning: (String) -> Meaning?) -> Meaning? {
        var scan = self
        var word = ""
        var ends: [(word: String, position: Int)] = []
        while let character = scan.character() {
            let isPoint = character.scalar == "."
            if TimeNames.isLetter(character.scalar) {
                word.unicodeScalars.append(character.scalar)
            } else if word.isEmpty || !(isPoint || word.count <= 2 && Self.isBlank(character.scalar)) {
                break
            }
            scan.position += character.length
            if !Self.isBlank(character.scalar) { ends.append((word.lowercased(), scan.position)) }
        }
        for end in ends.reversed() {
            if let found = meaning(end.word) {
                position = end.position
                return found
            }
        }
        return nil
    }
}
