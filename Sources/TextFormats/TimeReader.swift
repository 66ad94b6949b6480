/// Reads the times of a trace, in the usual forms or in one given format.
///
/// Independent of the machine's time zone and locale.
package struct TimeReader: Sendable {
    /// What a text says about time.
    package enum Reading: Equatable, Sendable {
        /// A calendar time; one without an offset is taken for UTC.
        case calendar(nanosecondsSinceEpoch: Int64)
        /// A time of the stand; never negative.
        case sinceOpening(nanoseconds: Int64)
    }

    private let format: CalendarFormat?

    /// Reads ISO 8601 dates and times (`2026-05-04T08:00:00.5+02:00`, also with a space for the `T`, without the
    /// seconds or as a date alone), and decimal numbers as seconds since opening.
    package init() {
        format = nil
    }

    /// Reads one format only: that of `strptime` (`%d.%m.%Y %H:%M:%S`) or, without a `%`, of Unicode (`dd.MM.yyyy
    /// HH:mm`).
    ///
    /// Known are `%Y %y %m %b %B %h %d %e %a %A %H %k %I %l %p %M %S %z %F %D %T %R %n %t %%`, and also `%f`, the
    /// digits of a fraction of the second, and `%s` alone, seconds since 1970. Names of months and days are English.
    /// Nil when the format is not understood or leaves the year, the month, the day or the half of the day open.
    package init?(format: String) {
        guard let format = CalendarFormat(format) else { return nil }
        self.format = format
    }

    /// What a time has to look like, for a message.
    package var expectation: String {
        if let format { return "a time of the format '\(format.text)'" }
        return "a time such as '2026-05-04T08:00:00' or '2026-05-04 08:00:00', or seconds since opening"
    }

    /// The time that the whole of `text` says; nil when it is not one, or before 1678 or after 2261.
    package func read(_ text: String) -> Reading? {
        if let format {
            return format.nanosecondsSinceEpoch(text).map { .calendar(nanosecondsSinceEpoch: $0) }
        }
        var scan = TimeScanner(text)
        if let since = scan.calendarTime() { return .calendar(nanosecondsSinceEpoch: since) }
        return DurationText.nanoseconds(decimal: text.utf8[...], unit: DurationText.second)
            .map { .sinceOpening(nanoseconds: $0) }
    }
}
