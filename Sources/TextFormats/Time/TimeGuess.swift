/// Finds the format of an example by putting it together from usual parts: a date, a gap, a time of day and more.
enum TimeGuess {
    /// The usual forms of one part.
    private typealias Choice = [TimeFormat]

    private static func choice(_ texts: [String]) -> Choice { texts.compactMap { TimeFormat(part: $0) } }

    /// Times with and without halves of the day.
    private static func times(_ list: WordList) -> Choice {
        choice(
            list.list.flatMap { time in
                let hour = time.replacing("%H", with: "%I")
                return [hour + " %p", "%p " + hour, time]
            })
    }

    private static let weekday = choice(["", "%a, ", "%a "])
    private static let weekdayBehind = choice(["", " (%a)", " %a"])
    private static let zone = choice(["", " %z %Z", " %z", " %Z", " Uhr"])
    private static let gap = choice(WordList.gap.list)
    private static let date = choice(
        WordList.date.list + WordList.dateBeforeYear.list
            + WordList.dateBeforeYear.list.map { $0.replacing("%Y", with: "%y") })
    private static let clock = times(.time) + choice(["%I %p", "%p %I"])
    /// The parts in the orders in which they may follow each other.
    private static let orders = [
        [weekday, date, weekdayBehind, gap, clock, zone],
        [weekday, date, weekdayBehind, gap, times(.timeBehindDate), zone],
        [weekday, date, weekdayBehind], [clock, zone], [clock, choice([", ", " "]), date],
    ]

    /// The conversions of an example; nil if it is neither a date nor a time of day.
    static func format(of example: String) -> String? {
        let scan = TimeScanner(example)
        for order in orders {
            if let text = format(of: order[...], scan, TimeReading()) { return text }
        }
        // Smaller numbers are never taken for Unix times.
        let isLarge = 9...16 ~= example.utf8.prefix(while: ASCII.isDigit).count && example.first != "0"
        return isLarge ? format(of: [choice(["%s"])], scan, TimeReading()) : nil
    }

    /// The first combination of parts that reads the rest of a text as an existing time.
    private static func format(of choices: ArraySlice<Choice>, _ scan: TimeScanner, _ reading: TimeReading) -> String? {
        guard let choice = choices.first else { return scan.isAtEnd && reading.isUsual ? "" : nil }
        for format in choice {
            var scan = scan
            var reading = reading
            guard format.read(from: &scan, into: &reading) else { continue }
            if let rest = Self.format(of: choices.dropFirst(), scan, reading) { return format.text + rest }
        }
        return nil
    }
}
