import Testing
import TextFormats

/// A text with its date, as year, first and second number, and its time of day in seconds.
private struct Reading: Sendable {
    var text: String
    var date: [Int]
    var seconds: Int?
    var isCertain = true
}

@Test(
    arguments: [
        Reading(text: "2016-10-30 09:58:11", date: [2016, 10, 30], seconds: 35891),
        Reading(text: "2016-10-30T09:58:11.5+02:00", date: [2016, 10, 30], seconds: 35891),
        Reading(text: "2016-10-30T09:58Z", date: [2016, 10, 30], seconds: 35880),
        Reading(text: "2016/10/30 9:58", date: [2016, 10, 30], seconds: 35880),
        Reading(text: "30.10.2016 09.58", date: [2016, 30, 10], seconds: 35880, isCertain: false),
        Reading(text: "10/30/16 9:58 PM", date: [2016, 10, 30], seconds: 79080, isCertain: false),
        Reading(text: "10/30/98 9:58", date: [1998, 10, 30], seconds: 35880, isCertain: false),
        Reading(text: "10/30/2016 12:05:06 a.m.", date: [2016, 10, 30], seconds: 306, isCertain: false),
        Reading(text: "30-10-2016", date: [2016, 30, 10], isCertain: false),
        Reading(text: "Sunday, October 30, 2016 09:58", date: [2016, 10, 30], seconds: 35880),
        Reading(text: "30 Okt. 2016 9:58", date: [2016, 10, 30], seconds: 35880),
        Reading(text: "30-déc-16 9h58", date: [2016, 12, 30], seconds: 35880),
        Reading(text: "20161030", date: [2016, 10, 30]),
        Reading(text: "20161030095811", date: [2016, 10, 30], seconds: 35891),
        Reading(text: "1477821491", date: [2016, 10, 30], seconds: 35891),
        Reading(text: "1477821491000", date: [2016, 10, 30], seconds: 35891),
        Reading(text: "2016년 10월 30일 오후 9시 58분", date: [2016, 10, 30], seconds: 79080),
    ])
private func `the usual dates and times are read`(reading: Reading) throws {
    var guesser = DateGuesser()
    let found = guesser.read(reading.text)
    let guess = try #require(found)
    #expect([guess.year, guess.first, guess.second] == reading.date)
    #expect(guess.nanosecondsOfDay.map { Int($0 / 1_000_000_000) } == reading.seconds)
    #expect((guess.form == .certain) == reading.isCertain)
}

@Test(arguments: [
    "", "Latte", "4.50", "2016", "12", "Card 1234", "30.02.16.17", "9:61", "25:00", "2016-10-30 noon", "Sunflower",
    "March", "PM", "13:00 PM",
])
func `other texts are no dates`(text: String) {
    var guesser = DateGuesser()
    let found = guesser.read(text)
    #expect(found == nil)
}

@Test func `a time of day alone has no date`() throws {
    var guesser = DateGuesser()
    let found = guesser.read("09:58:11")
    let guess = try #require(found)
    #expect(guess.form == nil)
    #expect(guess.nanosecondsOfDay == 35_891_000_000_000)
}

@Test func `an uncertain date is a day in either order, if the calendar has it`() throws {
    var guesser = DateGuesser()
    let found = guesser.read("30/10/2016 09:58")
    let guess = try #require(found)
    #expect(guess.day(isDayFirst: true) == 17_104)
    #expect(guess.day(isDayFirst: false) == nil)
}

@Test(arguments: [
    (",", "a,b;c,d\n1,2,3\n", ["a", "b;c", "d"]), (";", "a;b;c\n1;2;3\n", ["a", "b", "c"]),
    ("tab", "a\tb,c\td\n", ["a", "b,c", "d"]), ("|", "a|b\n1|2\n", ["a", "b"]),
    (";", "\"a,b,c,d\";b\n", ["a,b,c,d", "b"]),
])
func `the separator is what the header has most of`(name: String, text: String, columns: [String]) {
    #expect(DelimitedReader(Array(text.utf8), source: "f").readColumns().names == columns)
}

@Test func `Latin-1 is read where the caller accepts it`() {
    let bytes = Array("item\n".utf8) + [0x43, 0x61, 0x66, 0xE9, 0x0A]
    var items: [String?] = []
    let problems = DelimitedReader(bytes, source: "f", acceptsLatin1: true).forEachRecord(of: ["item"]) {
        items.append($0[0])
    }
    #expect(items == ["Café"])
    #expect(problems == [])
}
