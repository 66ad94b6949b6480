/// Finds the format of an example by putting it together from usual parts: a date, what stands behind it, and a time of
/// day.
struct TimeGuess {
    /// Parts of one kind, the usual ones and the longer ones first.
    private struct Choice {
        let formats: [TimeFormat]

        init(_ texts: [String]) { formats = texts.compactMap { TimeFormat(part: $0) } }
    }

    private static let weekday = Choice(["", "%a, ", "%a "])

    private static let weekdayBehind = Choice(["", " (%a)", " %a"])

    private static let date = {
        // Whether the day or the month comes first is open in the first three.
        let texts = [
            "%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y", "%d. %m. %Y",
            "%d %B %Y г.", "%d %B %Y", "%d. %B %Y", "%d-%B-%Y", "%d/%B/%Y", "%d.%B.%Y", "%d %B, %Y", "%d de %B de %Y",
            "%B %d, %Y", "%B %d %Y", "%B-%d-%Y",
        ]
        let years = texts.map { $0.replacing("%Y", with: "%y") }
        let first = [
            "%Y-%m-%d", "%Y/%m/%d", "%Y. %m. %d.", "%Y. %m. %d", "%Y.%m.%d", "%Y년 %m월 %d일", "%Y年 %m月 %d日", "%Y-%B-%d",
            "%Y %B %d",
            "%Y%m%d",
        ]
        return Choice(first + texts + years)
    }()

    /// A spreadsheet's date without a time has midnight behind it, before the time of another column.
    private static let gap = Choice([
        " 00:00:00 ", " 00:00 ", " 12:00:00 %p ", " 12:00 %p ", ", ", "T", " - ", " at ", " à ", " um ", " a las ",
        " às ", " kl. ", " klo ", ":", " ",
    ])

    private static let clock = {
        let texts = [
            "%H:%M:%S.%f", "%H:%M:%S,%f", "%H:%M:%S", "%H:%M", "%H시 %M분 %S초", "%H시 %M분", "%H시", "%H時 %M分 %S秒",
            "%H時 %M分", "%H点 %M分", "%H點 %M分", "%Hh%Mm%Ss", "%Hh%M", "%H Uhr %M",
        ]
        return Choice(texts.flatMap { text in halves(of: text) + [text] } + ["%I %p", "%p %I"])
    }()

    /// Amounts and other numbers look like these, so they need a date before them.
    private static let clockBehindDate = {
        let texts = ["%H.%M.%S.%f", "%H.%M.%S", "%H.%M"]
        return Choice(texts.flatMap { text in halves(of: text) + [text] } + ["%H%M%S", "%H%M", "%Hh", "%H Uhr"])
    }()

    private static func halves(of text: String) -> [String] {
        let hour = text.replacing("%H", with: "%I")
        return [hour + " %p", "%p " + hour]
    }

    private static let zone = Choice(["", " %z %Z", " %z", " %Z", " Uhr"])

    /// What may follow each other.
    private static let orders: [[Choice]] = [
        [weekday, date, weekdayBehind, gap, clock, zone], [weekday, date, weekdayBehind, gap, clockBehindDate, zone],
        [weekday, date, weekdayBehind], [clock, zone], [clock, Choice([", ", " "]), date],
    ]

    /// The conversions of an example; nil if it is neither a date nor a time of day.
    static func format(of example: String) -> String? {
        let bytes = Array(example.utf8)
        for order in orders {
            if let text = format(of: order[...], TimeScanner(bytes[...]), .init()) { return text }
        }
        return nil
    }

    /// The first parts of the choices that read the rest of a text as an existing time.
    private static func format(
        of choices: ArraySlice<Choice>, _ scan: TimeScanner, _ found: TimeFormat.Found
    ) -> String? {
        guard let choice = choices.first else {
            return scan.isAtEnd && found.isUsual ? "" : nil
        }
        for format in choice.formats {
            var scan = scan
            var found = found
            guard format.read(from: &scan, into: &found) else { continue }
            if let rest = Self.format(of: choices.dropFirst(), scan, found) { return format.text + rest }
        }
        return nil
    }
}
