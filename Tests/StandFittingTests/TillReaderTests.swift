import StandFitting
import Testing
import TextFormats
import Tills

/// A dozen orders of two lines each: `row` makes a line from the order's number, day, minute and item.
private func till(_ header: String, _ row: (Int, Int, Int, String) -> String) -> String {
    var lines = [header]
    for order in 1...12 {
        for item in ["Latte", "Tea"] { lines.append(row(order, 10 + order, order * 3 % 60, item)) }
    }
    return lines.joined(separator: "\n") + "\n"
}

private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

/// A dozen orders of a till that shows minutes.
private let dozen = till("when,order,item") { "2016-10-\($1) 09:\(padded($2)),\($0),\($3)" }

/// What reading a till complains about; nil if it is read.
private func complaint(_ text: String) -> String? {
    do {
        _ = try read(text)
        return nil
    } catch TillError.badTill(let problem) {
        return "\(problem)"
    } catch {
        return "\(error)"
    }
}

// MARK: - Forms of tills

@Test func `the order of day and month is decided by the whole file`() throws {
    let dayFirst =
        till("when,order,item") { "0\(min($0, 9))/\($1 / 10)/2016 09:\(padded($2)),\($0),\($3)" }
        + "23/01/2016 10:00,99,Tea\n"
    #expect(try read(dayFirst).notes.contains { $0.contains("day first") && $0.contains("line 26") })
    let monthFirst = dayFirst.replacing("23/01/2016", with: "01/23/2016")
    #expect(try read(monthFirst).notes.contains { $0.contains("month first") })
    let ambiguous = dayFirst.replacing("23/01/2016", with: "03/01/2016")
    #expect(complaint(ambiguous)?.contains("--time-format") == true)
    #expect(try read(ambiguous, timeFormat: "%d/%m/%Y %H:%M").orders.count == 13)
}

/// 11 October with the year first, and 10 November with the day first: the same numbers in the same order.
@Test func `dates of two forms with the same numbers are two days`() throws {
    let lines = (0..<12).flatMap { hour in
        ["2016-10-11 \(padded(hour)):05:00,\(2 * hour),Tea", "10/11/2016 \(padded(hour)):05:00,\(2 * hour + 1),Tea"]
    }
    let till = try read((["when,order,item"] + lines + ["23/11/2016 10:00:00,99,Tea"]).joined(separator: "\n") + "\n")
    var days: [Int: Int] = [:]
    for order in till.orders { days[Till.day(of: order.time), default: 0] += 1 }
    let october = try #require(CalendarTime(year: 2016, month: 10, day: 11)?.days)
    let november = try #require(CalendarTime(year: 2016, month: 11, day: 10)?.days)
    #expect(days == [october: 12, november: 12, november + 13: 1])
}

/// The pieces have 256 KiB. Two letters of two bytes stand across each of the first two borders.
@Test func `a letter of CP949 across two pieces of a file is one letter`() throws {
    var bytes = Array("time,order,item\n".utf8)
    let tea: [UInt8] = [0xC0, 0xAF, 0xC0, 0xDA, 0xC2, 0xF7]
    let piece = 1 << 18
    var order = 0
    while bytes.count < 2 * piece + 1000 {
        order += 1
        var line = Array("2016-10-\(10 + order % 18) 09:\(padded(order % 60)):11,\(order),".utf8)
        let border = (bytes.count / piece + 1) * piece
        let place = bytes.count + line.count
        // A line that reaches the border begins so that a letter stands across it.
        if border - place < 60, border - place > 6 {
            line.insert(
                contentsOf: [UInt8](repeating: UInt8(ascii: "0"), count: border - place - 1), at: line.count - 1)
        }
        bytes += line + tea + [UInt8(ascii: "\n")]
    }
    for border in [piece, 2 * piece] { #expect(bytes[border - 1] == 0xC0 && bytes[border] == 0xAF) }
    let till = try read(bytes)
    #expect(till.items.map(\.name) == ["유자차"] && till.orders.count == order)
    #expect(till.notes.contains { "\($0)".contains("CP949") })
}

@Test func `the newest order may come first`() throws {
    let rows = dozen.split(separator: "\n")
    let reversed = ([rows[0]] + rows[1...].reversed()).joined(separator: "\n")
    #expect(try read(reversed).orders == read(dozen).orders)
}

@Test func `spellings of one item are one item`() throws {
    let text = dozen + ["latte ", "LATTE", "NONE"].map { "2016-10-30 10:00:00,50,\($0)\n" }.joined()
    let till = try read(text)
    #expect(till.items.first == .init(name: "Latte", lines: 14))
    #expect(till.items.count == 2)
    #expect(till.orders.last?.lines == 3)
    let more = try read(text + "2016-10-30 10:00:00,51,NONE\n2016-10-30 10:00:00,51,None\n")
    #expect(more.notes.contains("Lines without an item: 3. They count as orders, but not as a juice."))
}

/// Lines of order 7 below a till of twelve orders, and the orders that they are: the minute of the day and the lines.
@Test(
    arguments: [
        (["30 10:00,7,Tea", "31 10:00,7,Tea"], [[600, 1], [600, 1]]),
        (["30 10:07,7,Tea", "30 10:03,7,Tea", "30 10:05,7,Latte"], [[603, 3]]),
        // Zeros before a number make it another one.
        (["30 10:02,7,Tea", "30 10:01,007,Tea", "30 10:05,7,Latte"], [[601, 1], [602, 2]]),
    ] as [([String], [[Int]])])
func `lines with one number on one day are one order, at the time of the first`(lines: [String], orders: [[Int]]) throws
{
    let till = try read(dozen + lines.map { "2016-10-\($0)\n" }.joined())
    let minute: Int64 = 60 * 1_000_000_000
    let found = till.orders.dropFirst(12).map { [Int($0.time % CalendarTime.day / minute), $0.lines] }
    #expect(found == orders)
}

@Test func `without order numbers the lines of one second are one order, those of one minute are not`() throws {
    let seconds = till("when,item") { "2016-10-\($1) 09:\(padded($2)):07,\($3)" }
    #expect(try read(seconds).orders.count == 12)
    let minutes = till("when,item") { "2016-10-\($1) 09:\(padded($2)),\($3)" }
    #expect(try read(minutes).orders.count == 24)
}

@Test func `a single line with seconds in a till of minutes changes nothing but a note`() throws {
    let text = till("when,item") { "2016-10-\($1) 09:\(padded($2)),\($3)" }
    let plain = try read(text)
    let line = try #require(text.split(separator: "\n").last)
    let odd = try read(text.replacing(line, with: line.replacing(",", with: ":07,")))
    #expect(plain.resolution == 60_000_000_000 && odd.resolution == plain.resolution)
    #expect(odd.orders == plain.orders)
    #expect(
        try FittedStand(odd, samples: 0).configurationText == FittedStand(plain, samples: 0).configurationText)
    #expect(
        odd.notes.filter { !plain.notes.contains($0) }
            == [
                #"Times are read as "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"."#,
                "1 line of 24 with a finer time: rounded down as the others are.",
            ])
}

/// "라떼" and "유자차", and "Café", as files have them. The second byte of "똠" is a letter of ASCII.
@Test(
    arguments: [
        ("UTF-8", [], ["라떼", "유자차"]), ("UTF-8 with a byte order mark", [0xEF, 0xBB, 0xBF], ["라떼", "유자차"]),
        ("UTF-16", [0xFF, 0xFE], ["라떼", "유자차"]), ("UTF-16", [0xFE, 0xFF], ["라떼", "유자차"]),
        ("UTF-16", [], ["Café", "Tea"]),
        ("Latin-1", [], ["Café", "Tea"]), ("CP949 (EUC-KR)", [], ["라떼", "유자차"]),
        ("CP949 (EUC-KR)", [], ["똠유자차", "똠차유자"]),
    ] as [(String, [UInt8], [String])])
func `the encoding of a till is recognised and said`(name: String, mark: [UInt8], items: [String]) throws {
    let korean: [Character: [UInt8]] = [
        "라": [0xB6, 0xF3], "떼": [0xB6, 0xBC], "유": [0xC0, 0xAF], "자": [0xC0, 0xDA], "차": [0xC2, 0xF7],
        "똠": [0x8C, 0x63],
    ]
    let text = till("when,order,item") {
        "2016-10-\($1) 09:\(padded($2)):11,\($0),\($3 == "Tea" ? items[1] : items[0])"
    }
    let isBigEndian = mark == [0xFE, 0xFF]
    let bytes =
        mark
        + text.flatMap { character -> [UInt8] in
            let code = character.utf16.first!
            return switch name {
            case "UTF-16":
                [code >> (isBigEndian ? 8 : 0) & 0xFF, code >> (isBigEndian ? 0 : 8) & 0xFF].map { UInt8($0) }
            case "Latin-1": [UInt8(code)]
            case "CP949 (EUC-KR)": korean[character] ?? [UInt8(code)]
            default: Array(String(character).utf8)
            }
        }
    let till = try read(bytes)
    #expect(till.items.map(\.name) == items)
    #expect(till.orders.count == 12 && till.skipped == [])
    #expect(till.notes.contains { $0.hasPrefix("The text is ") && $0.hasSuffix("\(name).") }, "\(till.notes)")
}

@Test(arguments: [true, false])
func `days that are in the file twice are said and taken once`(hasOrders: Bool) throws {
    let text = till(hasOrders ? "when,order,item" : "when,item") {
        "2016-10-\($1) 09:\(padded($2)),\(hasOrders ? "\($0)," : "")\($3)"
    }
    let more = (0..<6).map { "2016-11-01 1\($0):20,\(hasOrders ? "9\($0)," : "")Tea\n" }.joined()
    let plain = try read(text + more)
    // One day is doubled, and then the whole file, whose lines are shuffled.
    let day = try read(text + more + more)
    #expect(day.orders == plain.orders && day.items == plain.items)
    #expect(
        day.notes.contains {
            $0.hasPrefix("1 day with the same lines more than once") && $0.contains("6 lines")
        })
    let lines = (text + more).split(separator: "\n")
    let shuffled = [lines[0]] + (lines.dropFirst() + lines.dropFirst()).sorted { $0.hashValue < $1.hashValue }
    let whole = try BothWays(shuffled.joined(separator: "\n"))
    #expect(whole.till.orders == plain.orders && whole.agree)
    let sentence = "13 days with the same lines more than once"
    #expect(whole.till.notes.contains { $0.hasPrefix(sentence) })
    #expect(whole.warnings.contains { $0.contains(sentence) })
    #expect(!plain.notes.contains { $0.contains("more than once") })
    // Few lines that are there twice may be orders of the same minute.
    let few = (0..<4).map { "2016-11-02 1\($0):20,\(hasOrders ? "9\($0)," : "")Tea\n" }.joined()
    #expect(try read(text + few + few).notes == read(text + few).notes)
}

@Test func `the time from start to end of a line is that of all its cups`() throws {
    let text = till("when,order,item,qty,started,ended") {
        let start = "2016-10-\($1) 09:\(padded($2))"
        return "\(start):11,\($0),\($3),\($3 == "Tea" ? 2 : 1),\(start):20,\(start):50"
    }
    var columns = TillColumns()
    columns[.started] = ["started"]
    columns[.ended] = ["ended"]
    #expect(
        try read(text, columns: columns).durations.sorted() == Array(repeating: 15, count: 12)
            + Array(repeating: 30, count: 12))
}

/// Three of five times are multiples of five minutes.
@Test func `a span of more than a minute is that of the clock only if nearly all times show it`() throws {
    func text(_ minutes: [Int]) -> String {
        let lines = (0..<100).map { "2016-10-\(10 + $0 / 10) 09:\(padded(minutes[$0 % minutes.count])),\($0),Tea" }
        return (["when,order,item"] + lines).joined(separator: "\n") + "\n"
    }
    #expect(try read(text([5, 15, 25, 7, 8])).resolution == 60_000_000_000)
    #expect(try read(text([5, 15, 25, 35, 55])).resolution == 300_000_000_000)
}

@Test func `a date that contradicts a hundred others is a faulty line, one of fifty makes the file unreadable`() throws
{
    func text(_ count: Int) -> String {
        let lines = (0..<count).map { "\(13 + $0 % 15)/10/2016 \(padded($0 % 24)):05,\($0),Tea" }
        return (["when,order,item"] + lines + ["10/29/2016 09:05,999,Tea"]).joined(separator: "\n") + "\n"
    }
    #expect(try read(text(120)).skipped.map(\.line) == [122])
    #expect(throws: TillError.self) { try read(text(50)) }
}

@Test(arguments: [100_000_000, 978_307_200])
func `numbers from 100,000,000 on are Unix times`(start: Int) throws {
    let text = till("when,order,item") { "\(start + $0 * 5000 + $2),\($0),\($3)" }
    var columns = TillColumns()
    columns[.time] = ["when"]
    let till = try read(text, columns: columns)
    #expect(till.orders.first?.time == Int64(start + 5003) * 1_000_000_000)
    #expect(till.notes.contains("Numbers from 100,000,000 on are read as Unix times, in UTC."))
}

@Test func `columns without known names are found by their contents`() throws {
    let text = till("a,b,c,d") { "\($3),2016-10-\($1) 09:\(padded($2)):01,4.50,\(1000 + $0)" }
    let till = try read(text)
    #expect(till.columns[.time] == ["b"])
    #expect(till.columns[.item].first == "a")
    #expect(till.columns[.order].first == "d")
}

@Test func `JSON Lines and epoch seconds are read`() throws {
    let text = till("", { "{\"ts\":\(1_477_821_491 + $0 * 100),\"order\":\($0),\"item\":\"\($3)\"}" })
    let till = try read(text)
    #expect(till.orders.count == 12)
    #expect(till.notes.contains { $0.contains("UTC") })
}

// MARK: - Broken tills

/// Twelve times the same lines below a header.
private func twelve(_ lines: String, below header: String = "when,item") -> String {
    header + "\n" + String(repeating: lines + "\n", count: 12)
}

@Test(
    arguments: [
        ("", "1:1: expected a header line with the names of the columns"),
        ("\n\n\n", "1:1: expected a header line with the names of the columns"),
        ("when,order,item\n", "1:1: expected orders below the header, found none"),
        ("{\"a\": [\n", "1:8: expected ']' to close the bracket at till.csv:1:7, found the end of the text"),
        (
            "2016-10-30 09:58:11,1,Bread\n2016-10-30 09:58:11,1,Bread",
            "1:1: expected a header line with the names of the columns, found an order"
        ),
        (
            "item,price\nLatte,4\nTea,3\n",
            "1:1: expected a column with dates and times of day, found \"item\", \"price\"; name it with --time"
        ),
        (
            "date,item\n2016-10-30,Tea\n2016-10-31,Tea\n",
            "1:1: expected times of day beside the dates in \"date\"; name their columns with --time DATE+TIME"
        ),
        (
            "time,item\n09:58,Tea\n10:58,Tea\n",
            "1:1: expected a column with dates and times of day, found \"time\", \"item\"; name it with --time"
        ),
        (
            "when,item\n2016-10-30 00:00:00,Tea\n2016-10-31 00:00:00,Tea\n",
            "1:1: expected times of day beside the dates in \"when\"; name their columns with --time DATE+TIME"
        ),
        ("when,item\n2016-10-30 09:58:11,Tea\n", "1:1: expected at least 10 orders, found 1"),
        (
            twelve("01/02/2016 09:58,Tea"),
            "2:1: \"01/02/2016 09:58\" can have the day or the month first, and no other date decides; use "
                + "--time-format, such as \"%d/%m/%Y %H:%M\""
        ),
        (
            twelve("13/02/2016 09:58,Tea\n02/13/2016 09:58,Tea"),
            "3:1: dates must all have the day first or all the month first, found \"13/02/2016 09:58\" in line 2 and "
                + "\"02/13/2016 09:58\" in line 3"
        ),
        (
            twelve("2016-10-30 09:58:11,Tea,-1", below: "when,item,qty"),
            "2:1: a refund: the quantity is -1; 12 of 12 lines cannot be used"
        ),
        (
            twelve("2016-10-30 09:58:11,Tea\nx\ny"),
            "3:1: expected 2 fields as in the header, found 1; 24 of 36 lines cannot be used"
        ),
        (
            "when,item\n2016-10-30 09:58:11,\"Tea\n",
            "2:21: expected '\"' to close the field that begins here, found none"
        ),
        (
            twelve("2016-10-30 09:58:11,Tea", below: "when,\"item"),
            "1:6: expected '\"' to close the field that begins here, found none"
        ),
        (
            twelve("2016-10-30 09:58:11,7,Tea", below: "when,order,item"),
            "1:1: expected at least 10 orders, found 1 in 12 lines; lines with the same \"order\" are one order"
        ),
        (
            "[{\"when\": \"2016-10-30 09:58:11\"},\n",
            "1:1: expected CSV or JSON Lines, found a JSON array; write one object a line, without brackets"
        ),
        (
            "when,when,item\n2016-10-30 09:58:11,2016-10-30 09:58:11,Tea\n",
            "1:1: expected a column with dates and times of day, whose name occurs once, found \"when\", \"when\", "
                + "\"item\"; rename one \"when\""
        ),
        (
            "when,item\n2016-10-30 09:58:11,Tea,4,50\n2016-10-30 09:59:11,Cake,3,50\n",
            "2:1: expected 2 fields as in the header, found 4"
        ),
        (
            "{\"seq\":1,\"at\":0.000000000,\"event\":\"opened\",\"stand\":\"s\",\"seed\":1}\n",
            "1:1: expected at least 10 orders, found 0"
        ),
        (twelve("2016-02-30 09:58:11,Tea"), "2:1: there is no such date; 12 of 12 lines cannot be used"),
    ])
func `a broken till gets one clear line`(text: String, line: String) {
    #expect(complaint(text) == "till.csv:" + line)
}

/// A dozen good lines, and one with another time.
private func withTime(_ time: String) -> String {
    let lines = (1...12).map { "2016-10-\(10 + $0) 09:58:11,\($0),Tea" }
    return (["when,order,item"] + lines + ["\(time),99,Tea"]).joined(separator: "\n") + "\n"
}

@Test(arguments: [
    "31.12.9999 10:00", "01/01/0001 10:00", "9999999999", "2199-01-01 10:00:00", "9999-12-31T23:59:59",
    "1e308", "-5", "99999999999999999",
])
func `a time that no till's clock shows is skipped with its line`(time: String) throws {
    let till = try read(withTime(time))
    #expect(till.orders.count == 12)
    #expect(till.skipped.map(\.line) == [14])
}

@Test func `lines more than a century apart are refused`() throws {
    #expect(try read(withTime("1970-01-01 00:00:00")).orders.count == 13)
    #expect(
        complaint(withTime("1901-01-01 10:00:00"))
            == "till.csv:1:1: expected dates within a century, found 1901-01-01T10:00:00 and 2016-10-22T09:58:11")
}

/// A ledger of a dozen orders, and one with other values.
private func ledger(at: String, cups: String, opens: String = "2026-05-04T08:00:00") -> String {
    let lines = (1...12).map {
        "{\"seq\":\($0 + 1),\"at\":\($0).000000000,\"event\":\"orderPlaced\",\"order\":\($0),\"juice\":\"a\",\"cups\":1,\"by\":\"customer\"}"
    }
    let opened = "{\"seq\":1,\"at\":0.000000000,\"event\":\"opened\",\"stand\":\"s\",\"opens\":\"\(opens)\",\"seed\":1}"
    let last =
        "{\"seq\":14,\"at\":\(at),\"event\":\"orderPlaced\",\"order\":13,\"juice\":\"a\",\"cups\":\(cups),\"by\":\"customer\"}"
    return ([opened] + lines + [last]).joined(separator: "\n") + "\n"
}

@Test(arguments: [
    ("1e20", "1"), ("1e308", "1"), ("-1.000000000", "1"), ("9223372036.000000000", "1"), ("20.000000000", "0"),
    ("20.000000000", "9223372036854775807"), ("20.000000000", "10001"),
])
func `an order of a ledger with figures beyond the borders is skipped with its line`(at: String, cups: String) throws {
    let till = try read(ledger(at: at, cups: cups))
    #expect(till.orders.count == 12)
    #expect(till.skipped.map(\.line) == [14])
}

@Test func `a ledger whose stand opened beyond the borders has no orders`() throws {
    #expect(try read(ledger(at: "20.000000000", cups: "10000")).orders.count == 13)
    let late = ledger(at: "20.000000000", cups: "1", opens: "2262-04-11T23:47:10")
    #expect(complaint(late)?.contains("expected an order with at, juice and cups") == true)
}

@Test func `an unclosed quote costs one line of the till`() throws {
    var lines = (10..<40).map { "2016-10-30 09:\($0):11,Tea" }
    lines[7] = "2016-10-30 09:17:11,\"Tea"
    let till = try read("when,item\n" + lines.joined(separator: "\n"))
    #expect(till.orders.count == 29)
    #expect(
        till.skipped == [
            .init(line: 9, why: "expected '\"' to close the field that begins here, found none")
        ])
}

@Test func `files that are not text get one clear line`() {
    #expect(complaint("PK\u{3}\u{4}\0\0")?.contains("export the till as CSV") == true)
    #expect(throws: TillError.unreadable(path: "/nowhere/till.csv", reason: "No such file or directory")) {
        try TillReader(TillRequest(file: "/nowhere/till.csv")).till()
    }
}

@Test func `a column that does not exist is named with its nearest neighbour`() {
    var columns = TillColumns()
    columns[.item] = ["Itm"]
    #expect(
        throws: TillError.badOption("--item: till.csv has no column \"Itm\"; did you mean \"Item\"?")
    ) { try read("when,Item\n2016-10-30 09:58:11,Tea\n", columns: columns) }
    #expect(
        throws: TillError.badOption(
            "--time-format must be a format of strptime such as \"%d.%m.%Y %H:%M\", found \"%Q\"")
    ) { try read("when,Item\n2016-10-30 09:58:11,Tea\n", timeFormat: "%Q") }
}
