import Testing
import TextFormats

@Test(
    arguments: [
        ("2016-10-30 09:58:11", "%Y-%m-%d %H:%M:%S", "2016-10-30T09:58:11"),
        ("2016-10-30T09:58:11.5+02:00", "%Y-%m-%dT%H:%M:%S.%f %z", "2016-10-30T09:58:11.5"),
        ("2016-10-30T09:58Z", "%Y-%m-%dT%H:%M %z", "2016-10-30T09:58:00"),
        ("2026-08-03 09:05:10 -0400", "%Y-%m-%d %H:%M:%S %z", "2026-08-03T09:05:10"),
        ("2026-08-03 09:05 KST", "%Y-%m-%d %H:%M %Z", "2026-08-03T09:05:00"),
        ("2016/10/30 9:58", "%Y/%m/%d %H:%M", "2016-10-30T09:58:00"),
        ("30.10.2016 09.58", "%d.%m.%Y %H.%M", "2016-10-30T09:58:00"),
        ("30/10/16 9:58 PM", "%d/%m/%y %I:%M %p", "2016-10-30T21:58:00"),
        ("30/10/2016 12:05:06 a.m.", "%d/%m/%Y %I:%M:%S %p", "2016-10-30T00:05:06"),
        ("8/12/26, 9:05:10\u{202F}AM", "%d/%m/%y, %I:%M:%S %p", "2026-12-08T09:05:10"),
        ("3/8/26,\u{A0}9:05\u{A0}p.\u{A0}m.", "%d/%m/%y, %I:%M %p", "2026-08-03T21:05:00"),
        ("Sunday, October 30, 2016 09:58", "%a, %B %d, %Y %H:%M", "2016-10-30T09:58:00"),
        ("August 3, 2026 at 9:05\u{202F}AM", "%B %d, %Y at %I:%M %p", "2026-08-03T09:05:00"),
        (
            "Mon Aug 03 2026 09:05:10 GMT+0900 (Korean Standard Time)", "%a %B %d %Y %H:%M:%S %z %Z",
            "2026-08-03T09:05:10"
        ),
        ("30 Okt. 2016 9:58", "%d %B %Y %H:%M", "2016-10-30T09:58:00"),
        ("30-déc-16 9h58", "%d-%B-%y %Hh%M", "2016-12-30T09:58:00"),
        ("mar. 4 août 2026 à 09:05", "%a %d %B %Y à %H:%M", "2026-08-04T09:05:00"),
        ("3 de agosto de 2026, 9:05", "%d de %B de %Y, %H:%M", "2026-08-03T09:05:00"),
        ("Mo, 03.08.2026 09:05 Uhr", "%a, %d.%m.%Y %H:%M Uhr", "2026-08-03T09:05:00"),
        ("3.8.2026 klo 9.05", "%d.%m.%Y klo %H.%M", "2026-08-03T09:05:00"),
        ("3 Ağustos 2026 09:05", "%d %B %Y %H:%M", "2026-08-03T09:05:00"),
        ("3 авг. 2026 г., 09:05", "%d %B %Y г., %H:%M", "2026-08-03T09:05:00"),
        ("2026. 08. 03. du. 9:05", "%Y. %m. %d. %p %I:%M", "2026-08-03T21:05:00"),
        ("3/8/2026, 9:05:10 μ.μ.", "%d/%m/%Y, %I:%M:%S %p", "2026-08-03T21:05:10"),
        ("3/8/2026, 9:05:10 م", "%d/%m/%Y, %I:%M:%S %p", "2026-08-03T21:05:10"),
        ("20161030095811", "%Y%m%d %H%M%S", "2016-10-30T09:58:11"),
        ("20161030T095811", "%Y%m%dT%H%M%S", "2016-10-30T09:58:11"),
        ("09:05 03.08.2026", "%H:%M %d.%m.%Y", "2026-08-03T09:05:00"),
        ("2026-08-03 00:00:00 09:05", "%Y-%m-%d 00:00:00 %H:%M", "2026-08-03T09:05:00"),
        ("2016년 10월 30일 오후 9시 58분", "%Y년 %m월 %d일 %p %I시 %M분", "2016-10-30T21:58:00"),
        ("2016년 10월 30일 9시 5분", "%Y년 %m월 %d일 %H시 %M분", "2016-10-30T09:05:00"),
        ("2026. 8. 3. 오전 9:05", "%Y. %m. %d. %p %I:%M", "2026-08-03T09:05:00"),
        ("2026-08-03(월) 09:05", "%Y-%m-%d (%a) %H:%M", "2026-08-03T09:05:00"),
        ("2026年8月3日上午9:05", "%Y年 %m月 %d日 %p %I:%M", "2026-08-03T09:05:00"),
        ("2026/8/3 下午9:05:10", "%Y/%m/%d %p %I:%M:%S", "2026-08-03T21:05:10"),
        ("2026年8月3日(月) 9時5分", "%Y年 %m月 %d日 (%a) %H時 %M分", "2026-08-03T09:05:00"),
    ] as [(String, String, String)])
func `a format is guessed in the tokens that are given as a format`(text: String, format: String, time: String) throws {
    let guess = try #require(TimeFormat(guessedFrom: text))
    #expect(guess.text == format)
    func read(_ format: TimeFormat) -> String? {
        let nanoseconds = format.read(Array(text.utf8)[...])?.nanosecondsSinceEpoch
        return nanoseconds.map { "\(CalendarTime(nanosecondsSinceEpoch: $0))" }
    }
    #expect(read(guess) == time)
    // What is guessed can be given.
    #expect(try read(#require(TimeFormat(guess.text))) == time)
}

private func read(_ text: String) -> TimeReading? {
    var reader = TimeReader()
    return reader.read(text)
}

@Test(arguments: [
    "", "Latte", "4.50", "2016", "12", "Card 1234", "30.02.16.17", "9:61", "25:00", "2016-10-30 noon", "Sunflower",
    "March", "PM", "13:00 PM", "1.234,50", "#1001", "7 Up", "No. 5", "Mon", "3 Lattes",
])
func `other texts are no dates`(text: String) {
    #expect(read(text) == nil)
}

@Test(arguments: [
    ("09:58:11", 35_891), ("9:58 PM", 79_080), ("오후 9:58", 79_080), ("9시 5분", 32_700), ("9h05", 32_700),
    ("下午9:58", 79_080), ("9 Uhr 5", 32_700),
])
func `a time of day alone has no date`(text: String, seconds: Int64) throws {
    let reading = try #require(read(text))
    #expect(!reading.hasDate && reading.hasTime)
    #expect(reading.nanosecondsOfDay == seconds * 1_000_000_000)
}

@Test func `the order of day and month stays open, unless a date has only one`() throws {
    var reader = TimeReader()
    let eitherReading = reader.read("03/10/2016 09:58")
    let either = try #require(eitherReading)
    #expect(either.uncertain == UInt8(ascii: "/") && !either.isDayFirst && !either.isMonthFirst)
    let dayFirstReading = reader.read("30/10/2016 09:58")
    let dayFirst = try #require(dayFirstReading)
    #expect(dayFirst.isDayFirst && dayFirst.day == 17_104)
    let monthFirstReading = reader.read("10/30/2016 09:58")
    let monthFirst = try #require(monthFirstReading)
    #expect(monthFirst.isMonthFirst && monthFirst.day == 17_104)
    #expect(reader.formats.map(\.text) == ["%d/%m/%Y %H:%M"])
    #expect(reader.formats.first?.exchanging("%d", "%m") == "%m/%d/%Y %H:%M")
    let missing = reader.read("30/30/2016 09:58")
    #expect(missing != nil && missing?.day == nil)
}

@Test(
    arguments: [
        ("2026-08-03T07:05:10+09:00", .offset(32_400)), ("2026-08-03T07:05:10Z", .offset(0)),
        ("2026-08-03 07:05:10 UTC", .offset(0)), ("2026-08-03 07:05:10 GMT-3", .offset(-10_800)),
        ("2026-08-03 07:05:10 -03:30", .offset(-12_600)), ("2026-08-03 07:05:10", .shop),
        ("2026-08-03 07:05:10 KST", .shop),
    ] as [(String, TimeReading.Zone)])
func `an offset is kept beside the time`(text: String, zone: TimeReading.Zone) throws {
    let reading = try #require(read(text))
    #expect(reading.zone == zone)
    #expect(reading.nanosecondsOfDay == 25_510_000_000_000)
}
