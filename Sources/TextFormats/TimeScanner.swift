/// Reads the parts of a date and time from front to back.
package struct TimeScanner {
    private let scalars: [Unicode.Scalar]
    private var position = 0

    package init(_ bytes: ArraySlice<UInt8>) {
        scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    }

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// Whether the whole text has been read.
    package var isAtEnd: Bool { position == scalars.count }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

    /// Reads the scalars of a kind, at most `most` of them.
    private mutating func run(most: Int = .max, _ isPart: (Unicode.Scalar) -> Bool) -> ArraySlice<Unicode.Scalar> {
        let start = position
        while position < scalars.count, position - start < most, isPart(scalars[position]) { position += 1 }
        return scalars[start..<position]
    }

    /// Reads `scalar` if it is next.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool { !run(most: 1) { $0 == scalar }.isEmpty }

    /// Skips white space of any width, and marks of the direction of writing.
    mutating func skipSpace() { _ = run(Self.isBlank) }

    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar.value > 0x7F && scalar.properties.isWhitespace
            || [0x09, 0x200E, 0x200F, 0xFEFF].contains(scalar.value)
    }

    // MARK: Numbers

    /// Reads a number with as many digits as `most` allows.
    mutating func number(_ least: Int, _ most: Int) -> Int? {
        let digits = run(most: most, Self.isDigit)
        return digits.count < least ? nil : digits.reduce(0) { $0 * 10 + Int($1.value - 0x30) }
    }

    /// Reads the digits after a decimal point, as nanoseconds. Digits after the ninth are dropped, so that the second
    /// never becomes the next one.
    mutating func fraction() -> Int64? {
        let digits = run(Self.isDigit)
        let zeros = [Unicode.Scalar](repeating: "0", count: 9)
        let nanoseconds = (digits + zeros).prefix(9).reduce(Int64(0)) { $0 * 10 + Int64($1.value - 0x30) }
        return digits.isEmpty ? nil : nanoseconds
    }

    /// Reads a decimal number such as `46237.3786`, `46237,3786` or `46,237.3786`, times the unit for so many digits
    /// before its decimal mark.
    package mutating func decimal(unit: (_ digits: Int) -> Int64 = { _ in DurationText.second }) -> Int64? {
        let text = run { Self.isDigit($0) || $0 == "." || $0 == "," }
        let mark = text.lastIndex { !Self.isDigit($0) } ?? text.endIndex
        let groups = text[..<mark].split(omittingEmptySubsequences: false) { !Self.isDigit($0) }
        // Marks of thousands are others than the decimal one.
        guard !text.isEmpty, mark == text.endIndex || !text[..<mark].contains(text[mark]),
            groups.count == 1 || groups.dropFirst().allSatisfy({ $0.count == 3 }) && !groups[0].isEmpty
        else { return nil }
        let whole = Array(groups.joined())
        let plain =
            String(String.UnicodeScalarView(whole)) + "." + String(String.UnicodeScalarView(text[mark...].dropFirst()))
        return DurationText.nanoseconds(decimal: plain.utf8[...], unit: unit(whole.count))
    }

    /// Reads `Z`, `UTC`, `±hh`, `±hh:mm`, `±hhmm` or `GMT±hhmm`, as seconds.
    mutating func offset() -> Int? {
        if take("Z") { return 0 }
        let isNamed = word { ["utc", "gmt"].contains($0) ? true : nil } ?? false
        let isWest = take("-") || take("−")
        guard isWest || take("+") else { return isNamed ? 0 : nil }
        guard let hours = number(isNamed ? 1 : 2, 2) else { return nil }
        let hasMinutes = take(":") || position < scalars.count && Self.isDigit(scalars[position])
        guard let minutes = hasMinutes ? number(2, 2) : 0, hours <= 23, minutes <= 59 else { return nil }
        let seconds = (hours * 60 + minutes) * 60
        return isWest ? -seconds : seconds
    }

    // MARK: WordList

    /// Reads a word that has a meaning: letters with points, such as `Okt`, `a.m` and `p. m`, or the longest beginning
    /// of them that has one. WordList of languages without spaces may follow each other.
    mutating func word<Meaning>(_ meaning: (String) -> Meaning?) -> Meaning? {
        let start = position
        var word = ""
        var ends: [(word: String, position: Int)] = []
        while position < scalars.count, ends.count < 32 {
            let scalar = scalars[position]
            // Marks are parts of the words of some languages.
            let isLetter =
                scalar.isASCII
                ? ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
                : scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
            let isInside = scalar == "." || word.count <= 2 && Self.isBlank(scalar)
            guard isLetter || isInside && !word.isEmpty else { break }
            position += 1
            if isLetter {
                word.unicodeScalars.append(scalar)
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
            _ = run { $0 != ")" }
            return take(")")
        }
        let name = run { ("A"..."Z").contains($0) }
        return 2...5 ~= name.count && WordList.half(String(String.UnicodeScalarView(name)).lowercased()) == nil
    }
}
