/// Reads the parts of a date and time from front to back.
package struct TimeScanner {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    /// - Parameter bytes: In UTF-8.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    init(_ text: String) { self.init(Array(text.utf8)[...]) }

    /// Whether the whole text has been read.
    package var isAtEnd: Bool { position == bytes.endIndex }

    /// The next scalar and the position behind it; nil at the end.
    private var next: (scalar: Unicode.Scalar, end: Int)? {
        guard let byte = bytes[position...].first else { return nil }
        if byte < 0x80 { return (Unicode.Scalar(byte), position + 1) }
        var rest = bytes[position...].makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        guard case .valid(let scalar) = parser.parseScalar(from: &rest) else { return nil }
        return (Unicode.UTF8.decode(scalar), position + scalar.count)
    }

    /// Reads `scalar` if it is next.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard let next, next.scalar == scalar else { return false }
        position = next.end
        return true
    }

    /// Skips white space of any width, and marks of the direction of writing.
    mutating func skipSpace() {
        while let next, Self.isBlank(next.scalar) { position = next.end }
    }

    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t"
            || scalar.value > 0x7F
                && (scalar.properties.isWhitespace || [0x200E, 0x200F, 0xFEFF].contains(scalar.value))
    }

    // MARK: Numbers

    /// Reads the bytes of a kind, at most `most` of them.
    private mutating func run(most: Int = .max, _ isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.endIndex, position - start < most, isPart(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    /// Reads a number of at most `most` digits. Returns nil if it has fewer than `least`.
    mutating func number(_ least: Int, _ most: Int) -> Int? {
        let digits = run(most: most, ASCII.isDigit)
        return digits.count < least ? nil : digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
    }

    /// Reads the digits after a decimal point, as nanoseconds. Digits after the ninth are dropped, because rounding up
    /// could reach the next second.
    mutating func fraction() -> Int64? {
        let digits = run(ASCII.isDigit)
        let padded = (digits + [UInt8](repeating: ASCII.zero, count: 9)).prefix(9)
        return digits.isEmpty ? nil : padded.reduce(0) { $0 * 10 + Int64($1 - ASCII.zero) }
    }

    /// Reads a decimal number such as `46237.3786`, `46237,3786` or `46,237.3786`.
    ///
    /// - Parameter unit: The factor for a number with `digits` digits before its decimal mark.
    package mutating func decimal(unit: (_ digits: Int) -> Int64 = { _ in DurationText.second }) -> Int64? {
        let text = run { ASCII.isDigit($0) || $0 == ASCII.point || $0 == ASCII.comma }
        let mark = text.lastIndex { !ASCII.isDigit($0) } ?? text.endIndex
        let groups = text[..<mark].split(omittingEmptySubsequences: false) { !ASCII.isDigit($0) }
        // The mark of thousands is never the decimal mark.
        guard !text.isEmpty, mark == text.endIndex || !text[..<mark].contains(text[mark]),
            groups.count == 1 || groups.dropFirst().allSatisfy({ $0.count == 3 }) && !groups[0].isEmpty
        else { return nil }
        let whole = Array(groups.joined())
        let plain = String(decoding: whole + [ASCII.point] + text[mark...].dropFirst(), as: UTF8.self)
        return DurationText.nanoseconds(decimal: plain.utf8[...], unit: unit(whole.count))
    }

    /// Reads `Z`, `UTC`, `±hh`, `±hh:mm`, `±hhmm` or `GMT±hhmm`, as seconds.
    mutating func offset() -> Int? {
        if take("Z") { return 0 }
        let isNamed = word { ["utc", "gmt"].contains($0) ? true : nil } ?? false
        let isWest = take("-") || take("−")
        guard isWest || take("+") else { return isNamed ? 0 : nil }
        guard let hours = number(isNamed ? 1 : 2, 2) else { return nil }
        let hasMinutes = take(":") || bytes[position...].first.map(ASCII.isDigit) ?? false
        guard let minutes = hasMinutes ? number(2, 2) : 0, hours <= 23, minutes <= 59 else { return nil }
        let seconds = (hours * 60 + minutes) * 60
        return isWest ? -seconds : seconds
    }

    // MARK: Words

    /// Reads a word that has a meaning: letters with points, such as `Okt`, `a.m` and `p. m`, or the longest beginning
    /// of them that has one. Words of languages without spaces may follow each other.
    mutating func word<Meaning>(_ meaning: (String) -> Meaning?) -> Meaning? {
        let start = position
        var word = ""
        var ends: [(word: String, position: Int)] = []
        while let next, ends.count < 32 {
            // Marks are parts of the words of some languages.
            let isLetter =
                next.scalar.properties.isAlphabetic || next.scalar.properties.generalCategory == .nonspacingMark
            let isInside = next.scalar == "." || word.count <= 2 && Self.isBlank(next.scalar)
            guard isLetter || isInside && !word.isEmpty else { break }
            position = next.end
            if isLetter {
                word.unicodeScalars.append(next.scalar)
                ends.append((word, position))
            }
        }
        for end in ends.reversed() {
            position = end.position
            if let found = meaning(end.word.lowercased()) { return found }
        }
        position = start
        return nil
    }

    /// Skips the name of a time zone, such as `KST` or `(Korean Standard Time)`. Returns false if there is none.
    mutating func skipZoneName() -> Bool {
        if take("(") {
            _ = run { $0 != UInt8(ascii: ")") }
            return take(")")
        }
        let name = run { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
        return 2...5 ~= name.count && !WordList.half.contains(String(decoding: name, as: UTF8.self).lowercased())
    }
}
