/// The format of a date and time, part by part: given by `--time-format`, or guessed from an example.
///
/// The rules are those of the C library's `strptime`: numbers may lack leading zeros, names may be short or long and in
/// either case, and white space in the format matches any white space or none. The C library's own function depends on
/// the machine's locale and time zone and accepts dates that do not exist. Names may be of any language that tills use.
package struct TimeFormat: Sendable {
    /// The conversions, such as `%d.%m.%Y %H:%M`.
    package let text: String
    /// The byte between day and month if a guess does not know which comes first.
    package private(set) var uncertain: UInt8?
    package private(set) var hasDate = false
    package private(set) var hasTime = false
    private var parts: [Part] = []

    private enum Kind {
        case literal, number, word, other
    }

    /// A conversion, or a scalar that stands for itself.
    private struct Part {
        let scalar: Unicode.Scalar
        let kind: Kind
    }

    private static let kinds: [(conversions: String, kind: Kind)] = [
        ("YymdHIMS", .number), ("bap", .word), ("fzZsN", .other), ("%", .literal),
    ]
    /// Conversions that are short for others.
    private static let expansions: [Unicode.Scalar: String] = [
        "F": "%Y-%m-%d", "D": "%m/%d/%y", "T": "%H:%M:%S", "R": "%H:%M", "B": "%b", "h": "%b", "A": "%a", "e": " %d",
        "k": " %H", "l": " %I", "n": " ", "t": " ",
    ]

    /// A part of a format, or a time of day alone; nil if a conversion is unknown.
    init?(part text: String) {
        self.text = text
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            guard scalar == "%" else {
                parts.append(Part(scalar: scalar, kind: .literal))
                continue
            }
            guard let conversion = rest.popFirst() else { return nil }
            if let other = Self.expansions[conversion] {
                rest = other.unicodeScalars + rest
                continue
            }
            guard let found = Self.kinds.first(where: { $0.conversions.unicodeScalars.contains(conversion) }) else {
                return nil
            }
            parts.append(Part(scalar: conversion, kind: found.kind))
        }
        hasDate = has("YysN")
        hasTime = has("HIsN")
    }

    /// Whether the format has any of these conversions.
    private func has(_ conversions: String) -> Bool {
        parts.contains { $0.kind != .literal && conversions.unicodeScalars.contains($0.scalar) }
    }

    /// Reads a format in the conversions of `strptime`.
    ///
    /// The conversions are `%Y %y %m %b %B %h %d %e %a %A %H %k %I %l %p %M %S %z %Z %F %D %T %R %n %t %%`. Three more
    /// are `%f`, the digits of a fraction of a second, `%s`, seconds since 1970 (milliseconds or microseconds if it has
    /// as many digits), and `%N`, the days of a spreadsheet.
    ///
    /// Returns nil if a conversion is unknown, or if the year, the month, the day or the half of the day is left open.
    package init?(_ text: String) {
        self.init(part: text)
        let isDate = has("Yy") && has("mb") && has("d") && !has("s")
        guard text == "%s" || text.hasPrefix("%N") && !has("Yy") || isDate, has("I") == has("p") else { return nil }
    }

    /// The format of an example: `30.10.2016 9:58` has `%d.%m.%Y %H:%M`.
    ///
    /// It knows a date, a time of day or both, in either order, with names of days, months and halves of the day in the
    /// languages of tills, and Unix times. In `03/04/2019` the order of day and month stays open: see ``uncertain``.
    ///
    /// Returns nil if the text is neither a date nor a time of day.
    package init?(guessedFrom example: String) {
        guard let text = TimeGuess.format(of: example) else { return nil }
        self.init(part: text)
        // The order is uncertain only if both are numbers and no year comes before them.
        guard let day = text.firstRange(of: "%d"), let month = text.firstRange(of: "%m"),
            day.upperBound < month.lowerBound, !text[..<day.lowerBound].contains("%Y")
        else { return }
        uncertain = text[day.upperBound...].utf8.first
    }

    /// The seconds of an offset such as `+09:00` or `Z`; nil for any other text.
    package static func offset(_ text: String) -> Int? {
        var scan = TimeScanner(text)
        guard let offset = scan.offset(), scan.isAtEnd else { return nil }
        return offset
    }

    /// The conversions, with `one` and `other` exchanged.
    package func exchanging(_ one: String, _ other: String) -> String {
        text.replacing(one, with: "%?").replacing(other, with: one).replacing("%?", with: other)
    }

    /// Reads the whole of `text`. Returns nil if it does not fit.
    package func read(_ text: ArraySlice<UInt8>) -> TimeReading? {
        var scan = TimeScanner(text)
        var reading = TimeReading(uncertain: uncertain, hasDate: hasDate, hasTime: hasTime)
        guard read(from: &scan, into: &reading), scan.isAtEnd, reading.hasExistingTime else { return nil }
        return reading
    }

    /// Reads the parts one after another. Returns false if the text does not fit.
    func read(from scan: inout TimeScanner, into reading: inout TimeReading) -> Bool {
        var before = Kind.literal
        for part in parts {
            // A short name may have a point behind it.
            if before == .word, part.scalar != "." { _ = scan.take(".") }
            if part.kind != .literal {
                // Numbers that follow each other without a mark have their leading zeros.
                let least = part.kind == .number && before == .number ? 2 : 1
                guard reading.take(part.scalar, from: &scan, least: least) else { return false }
            } else if TimeScanner.isBlank(part.scalar) {
                scan.skipSpace()
            } else if !scan.take(part.scalar) {
                return false
            }
            before = part.kind
        }
        if before == .word { _ = scan.take(".") }
        return true
    }
}
