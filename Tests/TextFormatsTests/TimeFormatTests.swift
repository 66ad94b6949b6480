import JuiceStand
import TestSupport
import Testing
import TextFormats

private let second: Int64 = 1_000_000_000
/// 2026-05-04T08:00:00Z.
private let opening: Int64 = 1_777_881_600 * second

/// The time that a text has in ISO 8601, or in another format, as its clock shows it.
private func read(_ text: String, _ format: TimeFormat? = nil) -> Int64? {
    guard let format else { return CalendarTime(text)?.nanosecondsSinceEpoch() }
    return format.read(Array(text.utf8)[...])?.nanosecondsSinceEpoch
}

// MARK: - The usual forms

@Test(
    arguments: [
        ("2026-05-04T08:00:00", opening), ("2026-05-04T08:00:00Z", opening), ("2026-05-04 08:00:00", opening),
        ("2026-05-04T08:00", opening), ("2026-05-04 08:00Z", opening), ("2026-05-04", opening - 8 * 3600 * second),
        ("2026-05-04T08:00:00+02:00", opening), ("2026-05-04T08:00:00+0200", opening),
        ("2026-05-04 08:00:00+02", opening),
        ("2026-05-04T08:00:00-09:30", opening), ("2026-05-04T08:00:00-00:00", opening),
        ("2026-05-04T08:00:00.5", opening + second / 2), ("2026-05-04 08:00:00,250Z", opening + second / 4),
        ("2026-05-04T08:00:00.123456789", opening + 123_456_789),
        ("2026-05-04T08:00:00.9999999999999999999999", opening + 999_999_999),
        ("1970-01-01T00:00:00", 0), ("1969-12-31T23:59:59.999999999", -1), ("2000-02-29", 951_782_400 * second),
        ("2026-12-31T23:59:59", 1_798_761_599 * second), ("1900-03-01", -2_203_891_200 * second),
    ] as [(String, Int64)])
func `an offset is not converted, because the clock on the wall counts`(text: String, nanoseconds: Int64) {
    #expect(read(text) == nanoseconds)
}

@Test(
    arguments: [
        "0", "12", "12.5", "20260504", "", " ", "noon", "-5", "+5", "1.2.3", "1e", "1e+", "0x10", "inf", "nan", "12 ",
        " 12", "1,5", "٣",
        "2026-02-29", "1900-02-29", "2026-02-31", "2026-04-31", "2026-13-01", "2026-00-01", "2026-05-00", "26-05-04",
        "2026-5-4", "2026-05-04T24:00:00", "2026-05-04T08:60:00", "2026-05-04T08:00:60", "2026-05-04T8:00",
        "2026-05-04T08",
        "2026-05-04T08:00:00.", "2026-05-04T08:00:00 ", "2026-05-04T08:00:00+", "2026-05-04T08:00:00+2",
        "2026-05-04T08:00:00+02:", "2026-05-04T08:00:00+24:00", "2026-05-04T08:00:00+02:60", "2026-05-04T08:00:00ZZ",
        "2026-05-04x08:00:00", "2026-05-04Z", "1677-09-21T00:12:43", "2262-04-11T23:47:17",
        "9999-12-31", "0000-01-01", "2026-05-04T08:00:00\0", "9223372036.854775808",
    ])
func `refuses other texts and times that do not exist`(text: String) {
    #expect(read(text) == nil)
}

// MARK: - Given formats

@Test(
    arguments: [
        ("%d.%m.%Y %H:%M:%S", "04.05.2026 08:00:00"), ("%d.%m.%Y %H:%M:%S", "4.5.2026  8:00:00"),
        ("%Y %m %d %H %M %S", "2026 05 04 08 00 00"), ("%Y%m%d%H%M%S", "20260504080000"),
        ("%Y%m%dT%H%M", "20260504T0800"),
        ("%m/%d/%y %I:%M %p", "05/04/26 08:00 AM"),
        ("%m/%d/%y %I:%M %p", "5/4/26 8:00 am"), ("%d/%b/%Y:%H:%M:%S %z", "04/May/2026:08:00:00 +0200"),
        ("%a, %d %b %Y %H:%M:%S %z", "Mon, 04 May 2026 08:00:00 Z"), ("%A %e %B %Y %R", "MONDAY  4 may 2026 08:00"),
        ("%Y-%m-%dT%H:%M:%S.%f%z", "2026-05-04T08:00:00.000+02:00"), ("%F %T", "2026-05-04 08:00:00"),
        ("%D %H 100%%", "05/04/26 8 100%"), ("%Y년 %m월 %d일 %H'%M", "2026년 5월 4일 08'00"), ("%s", "1777881600"),
        ("%s", "1777881600.0"), ("%N", "46146.3333333"), ("%N", "46146,333333"), ("%N %N", "46146 0.333333"),
        ("%N %H:%M", "46146 8:00"), ("%d %B %Y %p %I:%M", "4 mayo 2026 오전 8:00"),
        ("%Y-%m-%d %H:%M %Z", "2026-05-04 08:00 KST"),
    ])
func `reads a given format`(format: String, text: String) throws {
    let reader = try #require(TimeFormat(format))
    #expect(read(text, reader) == opening)
}

@Test(
    arguments: [
        ("%d.%m.%Y %H:%M:%S.%f", "04.05.2026 08:00:00.25", second / 4), ("%d.%m.%Y", "04.05.2026", -8 * 3600 * second),
        ("%Y-%m-%d %I:%M %p", "2026-05-04 12:00 PM", 4 * 3600 * second),
        ("%Y-%m-%d %I:%M %p", "2026-05-04 12:00 AM", -8 * 3600 * second),
        ("%p %I %d %m %y", "pm 11 04 05 26", 15 * 3600 * second),
    ] as [(String, String, Int64)])
func `a format may leave out the time of day or refine it`(format: String, text: String, difference: Int64)
    throws
{
    let reader = try #require(TimeFormat(format))
    #expect(read(text, reader) == opening + difference)
}

@Test(arguments: ["31.02.2026", "1.13.2026", "0.1.2026", "04.05.2026 ", "04.05", "x", "", "04.05.2026\0", "12"])
func `refuses a text that does not fit the format`(text: String) throws {
    let reader = try #require(TimeFormat("%d.%m.%Y"))
    #expect(read(text, reader) == nil)
}

@Test(
    arguments: [
        "", "%H:%M:%S", "%Y-%m", "%m-%d", "%", "%Y-%m-%d %", "%Y-%m-%d %Q", "%Y-%m-%d %I:%M", "%Y-%m-%d %H %p", "%s %F",
        "yyyy-MM-dd", "today", "HH:mm",
    ])
func `refuses a format that is unknown or leaves the date open`(format: String) {
    #expect(TimeFormat(format) == nil)
}

// MARK: - Writing

@Test(
    arguments: [
        (opening, "2026-05-04T08:00:00"), (0, "1970-01-01T00:00:00"), (-1, "1969-12-31T23:59:59.999999999"),
        (opening + second / 2, "2026-05-04T08:00:00.5"), (opening + 10, "2026-05-04T08:00:00.00000001"),
        (.max, "2262-04-11T23:47:16.854775807"), (.min, "1677-09-21T00:12:43.145224192"),
    ] as [(Int64, String)])
func `a calendar time is written in ISO 8601 and read back`(nanoseconds: Int64, text: String) {
    #expect(CalendarTime(nanosecondsSinceEpoch: nanoseconds).description == text)
    #expect(read(text) == nanoseconds)
}

@Test func `every day from 1678 to 2261 follows the one before`() throws {
    let day = 86400 * second
    var time = try #require(CalendarTime(year: 1678, month: 1, day: 1)?.nanosecondsSinceEpoch())
    var count = 0
    for year in 1678...2261 {
        for month in 1...12 {
            for date in 1...31 {
                guard let next = CalendarTime(year: year, month: month, day: date) else { continue }
                #expect(next.nanosecondsSinceEpoch() == time)
                #expect(CalendarTime(nanosecondsSinceEpoch: time) == next)
                #expect(next.description.hasPrefix("\(year)-\(month < 10 ? "0" : "")\(month)-"))
                time += day
                count += 1
            }
        }
    }
    #expect(count == 584 * 365 + 146 - 5)
}

@Test(arguments: [21, 22] as [UInt64])
func `reads back random instants and survives random texts`(seed: UInt64) throws {
    print("seed \(seed)")
    var generator = SplitMix64(seed: seed)
    let format = try #require(TimeFormat("%a %d %b %Y %I:%M:%S.%f %p %z"))
    let alphabet = Array("0123456789-:T Z+.,eE%MonMayAMé\0")
    for _ in 0..<5_000 {
        let instant = Int64.random(in: .min ... .max, using: &generator)
        #expect(read("\(CalendarTime(nanosecondsSinceEpoch: instant))") == instant)
        let text = String(
            (0..<Int.random(in: 0...30, using: &generator)).compactMap { _ in
                alphabet.randomElement(using: &generator)
            })
        _ = read(text)
        _ = read(text, format)
        _ = TimeFormat(guessedFrom: text)
        _ = DurationText.nanoseconds(text + "s")
        _ = TimeFormat(text).map { read(text, $0) }
    }
}
