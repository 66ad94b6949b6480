import Testing
import TextFormats

struct StandClockTests {
    private static let day: Int64 = 86_400_000_000_000
    private static let second: Int64 = 1_000_000_000

    @Test(
        arguments: [
            ("2026-05-04T08:00:00", 0.0, 0.0, "08:00:00"),
            ("2026-05-04T08:00:00", 909.999999999, 909.999999999, "08:15:09"),
            // Once the stand is in its second day, earlier times carry their day, too.
            ("2026-05-04T08:00:00", 57_599, 57_599, "23:59:59"), ("2026-05-04T08:00:00", 57_600, 57_600, "2 00:00:00"),
            ("2026-05-04T08:00:00", 60, 57_600, "1 08:01:00"), ("2026-05-04T08:00:00", 57_600, 60, "2 00:00:00"),
            ("1969-12-31T23:59:59.5", 0.25, 0, "23:59:59"), ("1969-12-31T23:59:59.5", 0.5, 0, "2 00:00:00"),
            ("2026-05-04T00:00:00", 9 * 86_400 + 1, 0, "10 00:00:01"),
        ] as [(String, Double, Double, String)])
    func `a time is that of the day, and carries its day from the second day on`(
        opens: String, time: Double, now: Double, text: String
    ) {
        let clock = StandClock(opens: opens, seconds: now)
        #expect(clock.text(seconds: time) == text)
    }

    @Test(
        arguments: [
            // Of a stand that opened at 08:00 and is at 09:00:00.5 on its first day.
            ("08:15:09", 909.999999999), ("08:15", 900.999999999), ("1 08:15:09", 909.999999999),
            ("08:15:09.25", 909.25),
            ("09:00:00", 3600.5), ("09:00:01", 3601), ("2 08:00:00", 86_400), ("07:00", -3599.000000001),
            ("900s", 900), ("900", 900), ("1.5h", 5400), ("2026-05-04T08:15:09", 909), ("2026-05-04 08:15", 900),
            ("2026-05-03", -115_200), ("1700-01-01", -9_223_372_036.854775808),
            ("999999999999", nil),
            ("0 08:00:00", nil), ("1 2 08:00:00", nil), ("08:60", nil), ("soon", nil), ("", nil), ("-1", nil), ("2", 2),
        ] as [(String, Double?)])
    func `reads a time of day as the end of its second`(text: String, seconds: Double?) {
        let clock = StandClock(opens: "2026-05-04T08:00:00", now: 3600 * Self.second + Self.second / 2)
        #expect(clock.nanoseconds(text).map { Double($0) / 1e9 } == seconds)
    }

    @Test func `a time of day without a day is the latest that has passed`() {
        let clock = StandClock(opens: "2026-05-04T08:00:00", now: 2 * Self.day)
        #expect(clock.nanoseconds("08:00:00") == 2 * Self.day)
        #expect(clock.nanoseconds("08:00:01") == Self.day + 2 * Self.second - 1)
        #expect(clock.nanoseconds("07:00:00") == 2 * Self.day - 3599 * Self.second - 1)
    }

    @Test func `what a clock shows is read back as the end of that second`() {
        for _ in 0..<20_000 {
            let opening = Int64.random(in: -2000 * Self.day...20_000 * Self.day)
            let now = Int64.random(in: 0...(Bool.random() ? Self.day : 400 * Self.day))
            let clock = StandClock(opens: "\(CalendarTime(nanosecondsSinceEpoch: opening))", now: now)
            let time = Int64.random(in: 0...now)
            let text = clock.text(nanoseconds: time)
            let rest = (((opening + time) % Self.second) + Self.second) % Self.second
            #expect(clock.nanoseconds(text) == min(now, time - rest + Self.second - 1), "\(opening), \(time), \(now)")
        }
    }

    @Test func `a value with a space is quoted in a log line`() {
        let clock = StandClock(opens: "2026-05-04T08:00:00", now: 0)
        #expect(clock.value(nanoseconds: 0) == "08:00:00" && clock.value(nanoseconds: Self.day) == "\"2 08:00:00\"")
    }
}
