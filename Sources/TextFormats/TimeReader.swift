import Platform

/// Reads dates and times: ISO 8601 and seconds since opening, or one given format.
///
/// What it reads does not depend on the machine's time zone or locale.
package struct TimeReader: Sendable {
    /// What a text says.
    package enum Reading: Equatable, Sendable {
        /// A calendar time, in UTC unless the text has an offset.
        case calendar(nanosecondsSinceEpoch: Int64)
        /// A stand time; never negative.
        case sinceOpening(nanoseconds: Int64)
    }

    private enum Expected {
        case usual
        case epochSeconds
        case format(TimeFormat)
    }

    private let expected: Expected
    /// What a text must look like, in the words of an error message.
    package let expectation: String

    /// Reads ISO 8601 (`2026-05-04T08:00:00.5+02:00`; a space may replace the `T`; the time, the seconds, the fraction
    /// and the offset may be missing) and decimal numbers, which are seconds since opening.
    package init() {
        expected = .usual
        expectation = "a time such as '2026-05-04T08:00:00' or '2026-05-04 08:00:00', or seconds since opening"
    }

    /// Reads texts of one format, such as `%d.%m.%Y %H:%M:%S`, in the conversions of `strptime`.
    ///
    /// The conversions are `%Y %y %m %b %B %h %d %e %a %A %H %k %I %l %p %M %S %z %F %D %T %R %n %t %%`. Two more are
    /// `%f`, the digits of a fraction of a second, and `%s`, seconds since 1970, which must stand alone. Names of
    /// months and weekdays are English.
    ///
    /// Returns nil if a conversion is unknown, or if the format leaves the year, the month, the day or the half of the
    /// day open.
    package init?(format: String) {
        if format == "%s" {
            expected = .epochSeconds
        } else if let parts = TimeFormat(format) {
            expected = .format(parts)
        } else {
            return nil
        }
        expectation = "a time of the format '\(format)'"
    }

    /// The time that the whole of `text` says.
    ///
    /// Returns nil if the text does not fit, if no such date exists, or if it is before 1678 or after 2261.
    package func read(_ text: String) -> Reading? {
        switch expected {
        case .usual:
            Self.calendar(TimeFormat.iso8601.nanosecondsSinceEpoch(text)) ?? seconds(text).map(Reading.sinceOpening)
        case .epochSeconds: Self.calendar(seconds(text))
        case .format(let format): Self.calendar(format.nanosecondsSinceEpoch(text))
        }
    }

    private static func calendar(_ nanoseconds: Int64?) -> Reading? {
        nanoseconds.map { .calendar(nanosecondsSinceEpoch: $0) }
    }

    private func seconds(_ text: String) -> Int64? {
        DurationText.nanoseconds(decimal: text.utf8[...], unit: DurationText.second)
    }
}
