import Platform
import TextFormats

/// The state that the connections of a server share. Confined to the server's thread.
final class HTTPContext {
    let handler: HTTPHandler
    let options: HTTPServerOptions
    let counters: HTTPCounters
    let inbox: HTTPInbox
    var date = HTTPDate()
    /// Monotonic nanoseconds when the thread last woke.
    var now = monotonicNanoseconds()
    /// Receive buffer of all connections.
    var arrivals = [UInt8](repeating: 0, count: 65_536)
    var isStopping = false

    init(_ handler: @escaping HTTPHandler, _ options: HTTPServerOptions, _ counters: HTTPCounters, _ inbox: HTTPInbox) {
        self.handler = handler
        self.options = options
        self.counters = counters
        self.inbox = inbox
    }
}

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
        let time = CalendarTime(nanosecondsSinceEpoch: Int64(secondsSinceEpoch) * DurationText.second)
        let (year, month, day) = time.yearMonthDay
        let weekday = Weekday.long[Weekday.number(of: time.days)].prefix(3)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return
            "\(weekday), \(Columns.zeroPadded(day, 2)) \(months[month - 1]) \(year) \(time.description.suffix(8)) GMT"
    }
}
