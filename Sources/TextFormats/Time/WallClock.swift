import Platform

/// The time of day, for log lines. The stand itself never reads it.
package enum WallClock {
    /// The present time in UTC, as RFC 3339 with milliseconds.
    package static func now() -> String {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        let seconds = CalendarTime(nanosecondsSinceEpoch: Int64(time.tv_sec) * DurationText.second)
        return "\(seconds).\(Columns.zeroPadded(time.tv_nsec / 1_000_000, 3))Z"
    }
}
