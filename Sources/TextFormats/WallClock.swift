import Platform

/// The time of day, for log lines; nothing about the stand depends on it.
package enum WallClock {
    /// Whole seconds since 1970.
    package static func seconds() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec
    }

    /// Now, in RFC 3339 with milliseconds, in UTC.
    package static func now() -> String {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        let text = calendarText(nanosecondsSinceEpoch: Int64(time.tv_sec) * 1_000_000_000)
        let milliseconds = String(1000 + time.tv_nsec / 1_000_000).dropFirst()
        return "\(text).\(milliseconds)Z"
    }
}
