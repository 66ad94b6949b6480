import Platform
import TextFormats

/// The value of `Date`: `Sun, 06 Nov 1994 08:49:37 GMT`.
struct HTTPDate {
    private var second: time_t = -1
    private var text = ""

    /// The current date, formatted at most once a second.
    mutating func now() -> String {
        let now = time(nil)
        if now != second {
            second = now
            text = Self.text(now)
        }
        return text
    }

    static func text(_ secondsSinceEpoch: time_t) -> String {
        var seconds = secondsSinceEpoch
        var parts = unsafe tm()
        _ = unsafe gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { Columns.zeroPadded(number, 2) }
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return
            unsafe "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) "
            + "\(parts.tm_year + 1900) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
