/// A stand's time as people read and type it: the time of day, such as `08:15:09`.
///
/// Once the stand is in its second day, every time carries its day: `2 08:15:09`. Days are counted from 1 and change at
/// midnight of the calendar of the opening. Times are rounded down to seconds.
package struct StandClock: Equatable, Sendable {
    /// The opening in nanoseconds since 1970.
    private let opening: Int64
    /// The present stand time in nanoseconds.
    private let now: Int64

    /// - Parameters:
    ///   - opens: The date and time of the opening. Any other text is taken for a midnight.
    ///   - now: The present stand time in nanoseconds.
    package init(opens: String, now: Int64) {
        opening = CalendarTime(opens)?.nanosecondsSinceEpoch() ?? 0
        self.now = now
    }

    /// - Parameter time: The present stand time in seconds, as JSON has it.
    package init(opens: String, seconds time: Double) {
        self.init(opens: opens, now: DurationText.nanoseconds(seconds: time) ?? 0)
    }

    /// The opening's time of day, in nanoseconds since midnight.
    package var timeOfOpening: Int64 { CalendarTime(nanosecondsSinceEpoch: opening).nanosecondsOfDay }

    /// - Parameter time: In nanoseconds; not negative.
    package func text(nanoseconds time: Int64) -> String {
        func calendarTime(_ time: Int64) -> CalendarTime {
            CalendarTime(nanosecondsSinceEpoch: min(time, .max - timeOfOpening) + timeOfOpening)
        }
        let shown = calendarTime(time)
        return (max(shown.days, calendarTime(now).days) > 0 ? "\(shown.days + 1) " : "") + shown.timeOfDay
    }

    /// The present time.
    package var present: String { text(nanoseconds: now) }

    /// - Parameter time: Stand time in seconds, as JSON has it.
    package func text(seconds time: Double) -> String {
        text(nanoseconds: DurationText.nanoseconds(seconds: time) ?? 0)
    }

    /// The time as a value in a line of a log: in quotation marks if it has a space.
    ///
    /// - Parameter time: In nanoseconds; not negative.
    package func value(nanoseconds time: Int64) -> String {
        let text = text(nanoseconds: time)
        return text.contains(" ") ? "\"\(text)\"" : text
    }

    /// The present time as a value in a line of a log.
    package var presentValue: String { value(nanoseconds: now) }
}

// MARK: - Reading

extension StandClock {
    /// The forms that ``nanoseconds(_:)`` reads, in the words of an error message.
    package static let expectation =
        "a time of day such as 12:30:00, a day and a time such as 2 12:30:00, stand seconds such as 3600s, or a date "
        + "and time such as 2026-05-04T12:30:00"

    /// The stand time of a text, in nanoseconds.
    ///
    /// A time of day means the end of its second, or now if the second has not ended. Without a day, it means the
    /// latest such time that has passed; if none has passed, the time on the first day.
    ///
    /// - Returns: nil for any other text; negative if it is before the opening.
    package func nanoseconds(_ text: String) -> Int64? {
        // `Int64.max` stands for "never".
        let last = Int64.max - 1
        if let time = CalendarTime(text)?.nanosecondsSinceEpoch() {
            // Two calendar times can be further apart than a stand time reaches.
            return min(Int64(clamping: Int128(time) - Int128(opening)), last)
        }
        if let since = DurationText.nanoseconds(decimal: text) ?? DurationText.nanoseconds(text) {
            return min(since, last)
        }
        let parts = text.split(separator: " ")
        guard parts.count <= 2, let time = parts.last,
            let time = CalendarTime("1970-01-01T\(time)")?.nanosecondsSinceEpoch()
        else { return nil }
        let onFirstDay = Int128(time) - Int128(timeOfOpening)
        var days = max(0, (Int128(now) - onFirstDay) / Int128(CalendarTime.day))
        if parts.count == 2 {
            guard let day = UInt32(parts[0]), day > 0 else { return nil }
            days = Int128(day) - 1
        }
        let start = onFirstDay + days * Int128(CalendarTime.day)
        let end = text.contains(".") ? start : start + Int128(DurationText.second) - 1
        return Int64(clamping: min(max(start, min(end, Int128(now))), Int128(last)))
    }
}
