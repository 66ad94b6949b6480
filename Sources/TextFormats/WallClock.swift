import Platform

/// The time of day, for log lines. The stand itself never reads it.
package enum WallClock {
    /// Whole seconds since 1970.
    package static func seconds() -> Int {
        reading().tv_sec
    }

    /// The present time in UTC, as RFC 3339 with milliseconds.
    package static func now() -> String {
        let time = reading()
        let text = CalendarTime(nanosecondsSinceEpoch: Int64(time.tv_sec) * DurationText.second).description
        let milliseconds = String(1000 + time.tv_nsec / 1_000_000).dropFirst()
        return "\(text).\(milliseconds)Z"
    }

    private static func reading() -> timespec {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return time
    }
}
