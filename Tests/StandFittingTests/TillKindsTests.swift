import StandFitting
import TestSupport
import Testing
import TextFormats
import Tills

// The kinds of files that shops export, each with several examples. Every one is read by `fit` and by a trace.

/// The times of twelve orders on three days.
private let moments = (0..<12).map { index in
    Moment(number: index + 1, day: 12 + index / 4, hour: 9 + index % 4 * 2, minute: 5 + index, second: 10 + index)
}

/// A till of the twelve orders, each with the texts that `row` makes.
private func till(_ header: String, _ row: (Moment) -> String) -> String {
    ([header] + moments.map(row)).joined(separator: "\n") + "\n"
}

/// A time in August 2026, with the number of its order.
private struct Moment {
    var number: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    var item: String { number % 3 == 0 ? "Tea" : "Latte" }
    var twelve: Int { hour > 12 ? hour - 12 : hour }
    var isAfternoon: Bool { hour >= 12 }
    var mm: String { minute < 10 ? "0\(minute)" : "\(minute)" }
    var hh: String { hour < 10 ? "0\(hour)" : "\(hour)" }
    var ss: String { "\(second)" }
    var iso: String { "2026-08-\(day) \(hh):\(mm):\(ss)" }
}

/// Whether a till has the twelve orders, on the clock of the shop.
private func hasTwelve(_ till: Till, seconds: Bool) -> Bool {
    let expected = moments.compactMap { moment in
        CalendarTime(seconds ? moment.iso : String(moment.iso.dropLast(3)))?.nanosecondsSinceEpoch()
    }
    return till.orders.map(\.time) == expected
}

// MARK: - Columns

/// What the columns of a file are.
private struct Header: Sendable, CustomStringConvertible {
    var header: String
    var time: String
    var order: String?
    var item: String?
    var quantity: String?

    var description: String { header }
}

@Test(
    arguments: [
        // A weekday, a district, a customer or an order number is no item.
        Header(header: "order_id,datetime,weekday", time: "datetime", order: "order_id"),
        Header(header: "order_id,datetime,district", time: "datetime", order: "order_id"),
        Header(header: "order_id,datetime,customer_name", time: "datetime", order: "order_id"),
        Header(header: "주문번호,주문일시,요일", time: "주문일시", order: "주문번호"),
        Header(header: "Beleg-Nr.,Zeitpunkt,Wochentag", time: "Zeitpunkt", order: "Beleg-Nr."),
        Header(header: "Name,Created at,Email", time: "Created at", order: "Name"),
        // The names of the item and of the quantity.
        Header(
            header: "Name,Created at,Lineitem quantity,Lineitem name", time: "Created at", order: "Name",
            item: "Lineitem name", quantity: "Lineitem quantity"),
        Header(
            header: "Order ID,Product,Quantity Ordered,Price Each,Order Date,Purchase Address", time: "Order Date",
            order: "Order ID", item: "Product", quantity: "Quantity Ordered"),
        Header(
            header: "판매일시,상품명,판매수량,판매금액", time: "판매일시", order: nil, item: "상품명", quantity: "판매수량"),
        Header(
            header: "주문번호,결제일시,주문일시,메뉴,주문수량", time: "주문일시", order: "주문번호", item: "메뉴", quantity: "주문수량"),
        Header(
            header:
                "transaction_id,transaction_datetime,transaction_qty,store_location,product_category,product_detail",
            time: "transaction_datetime", order: "transaction_id", item: "product_detail", quantity: "transaction_qty"),
        Header(
            header: "order_id,pizza_name_id,quantity,order_datetime,pizza_category,pizza_name",
            time: "order_datetime", order: "order_id", item: "pizza_name", quantity: "quantity"),
        Header(
            header: "datetime,cash_type,card,money,coffee_name", time: "datetime", order: nil, item: "coffee_name"),
        Header(
            header: "Zeitpunkt,Bezeichnung,Verkaufte Menge,Betrag", time: "Zeitpunkt", order: nil, item: "Bezeichnung",
            quantity: "Verkaufte Menge"),
        // The time at which an order is placed.
        Header(
            header: "Order #,Sent Date,Order Date,Menu Item,Qty", time: "Order Date", order: "Order #",
            item: "Menu Item", quantity: "Qty"),
        Header(
            header: "Order Id,Delivered at,Paid at,Ordered at,Item Name", time: "Ordered at", order: "Order Id",
            item: "Item Name"),
        Header(header: "Bon,Lieferdatum,Bestelldatum,Artikel", time: "Bestelldatum", order: "Bon", item: "Artikel"),
    ])
private func `columns are chosen by their names and by what is in them`(columns: Header) throws {
    let names = columns.header.split(separator: ",").map(String.init)
    let isName = names[0] == "Name"
    let text = till(columns.header) { moment in
        names.map { name -> String in
            let plain = name.lowercased()
            if plain.contains("date") || plain.contains(" at") || plain.contains("zeitp") || plain.contains("datum")
                || plain.hasSuffix("일시")
            {
                return name == columns.time ? moment.iso : "2026-08-\(moment.day) 23:50:00"
            }
            if name == columns.item { return moment.item }
            if name == columns.quantity { return "\(moment.number % 3 + 1)" }
            if name == columns.order { return isName ? "#\(1000 + moment.number)" : "\(moment.number)" }
            let words: [(String, [String])] = [
                ("week", ["Wed", "Thu", "Fri"]), ("wochentag", ["Mi", "Do", "Fr"]), ("요일", ["수", "목", "금"]),
                ("district", ["North", "South", "Centre"]), ("customer", ["Kim", "Lee", "Park"]),
                ("email", ["a@example.org", "b@example.org", "c@example.org"]),
                ("location", ["Astoria", "Soho", "Ost"]),
                ("category", ["Coffee", "Bakery", "Tea"]), ("address", ["1 Main St", "2 Main St", "3 Main St"]),
                ("cash_type", ["card", "cash", "card"]), ("card", ["ANON-1", "ANON-2", "ANON-3"]),
            ]
            return words.first { plain.contains($0.0) }?.1[moment.number % 3] ?? "\(1000 * (moment.number % 4 + 1))"
        }.joined(separator: ",")
    }
    let till = try read(text)
    #expect(till.columns[.time] == [columns.time])
    #expect(till.columns[.order].first == columns.order)
    #expect(till.columns[.item].first == columns.item)
    #expect(till.columns[.quantity].first == columns.quantity)
    #expect(hasTwelve(till, seconds: true))
    guard columns.item == nil else {
        let agree = try BothWays(text).agree
        return #expect(agree)
    }
    #expect(till.notes.contains { $0.contains("all orders are of one juice") })
    let menu = try FittedStand(till, samples: 0).configuration["menu"]
    #expect(menu?.members.map(\.key) == ["juice"])
}

// MARK: - Times

@Test(
    arguments: [
        ("narrow space", "2026-08-12 9:05:10\u{202F}AM", true),
        ("narrow space after a comma", "8/12/26, 9:05\u{202F}AM", false),
        ("no-break spaces", "12/8/2026,\u{A0}9:05\u{A0}a.\u{A0}m.", false),
        ("minutes of one digit", "2026년 8월 12일 9시 5분", false),
        ("a half first", "2026. 8. 12. 오전 9:05", false), ("Chinese", "2026年8月12日 上午9:05", false),
        ("Japanese", "2026/8/12 午前9時5分", false), ("Greek", "12/8/2026, 9:05 π.μ.", false),
        ("Arabic", "12/8/2026 9:05 ص", false), ("Turkish", "12 Ağu 2026 09:05", false),
        ("a weekday", "2026-08-12(수) 09:05", false), ("French", "mer. 12 août 2026 à 09h05", false),
        ("an offset", "2026-08-12T09:05:10+09:00", true), ("UTC", "2026-08-12 09:05:10Z", true),
        ("a zone", "2026-08-12 09:05:10 PDT", true), ("a browser", "Wed Aug 12 2026 09:05:10 GMT+0200 (CEST)", true),
    ])
func `times as shops write them are read by both`(name: String, example: String, hasSeconds: Bool) throws {
    // Each example is of 12 August 2026 at 9:05:10; the others follow from it.
    let text =
        till("order_id;ordered;item") { moment in
            let morning: [String] = ["AM", "a.\u{A0}m.", "오전", "上午", "午前", "π.μ.", "ص"]
            let noon: [String] = ["PM", "p.\u{A0}m.", "오후", "下午", "午後", "μ.μ.", "م"]
            let half = morning.firstIndex { example.contains($0) }
            var time = example
            if let half, moment.isAfternoon { time = time.replacing(morning[half], with: noon[half]) }
            let hour = half == nil ? moment.hour : moment.twelve
            time = time.replacing("12", with: "\(moment.day)")
            for (weekday, days) in [("수", "수목금"), ("mer.", ""), ("Wed", "")] where time.contains(weekday) {
                let others =
                    weekday == "수"
                    ? days.map(String.init) : weekday == "Wed" ? ["Wed", "Thu", "Fri"] : ["mer.", "jeu.", "ven."]
                time = time.replacing(weekday, with: others[moment.day - 12])
            }
            time = time.replacing("09:05:10", with: "\(moment.hh):\(moment.mm):\(moment.ss)")
                .replacing("9:05:10", with: "\(hour):\(moment.mm):\(moment.ss)")
                .replacing("09:05", with: "\(moment.hh):\(moment.mm)").replacing("9:05", with: "\(hour):\(moment.mm)")
                .replacing("09h05", with: "\(moment.hh)h\(moment.mm)").replacing(
                    "9시 5분", with: "\(hour)시 \(moment.minute)분"
                )
                .replacing("9時5分", with: "\(hour)時\(moment.minute)分")
            return "\(moment.number);\(time);\(moment.item)"
        } + "13;2026-08-15 10:00:00;Tea\n"
    // A date after the 12th decides about the order of day and month.
    let read = try BothWays(text)
    #expect(read.till.skipped == [] && read.agree)
    var till = read.till
    till.orders.removeLast()
    #expect(hasTwelve(till, seconds: hasSeconds))
}

@Test(arguments: ["-", ".", "/"])
func `a year of two digits may come first`(mark: String) throws {
    func text(_ date: (Moment) -> String) -> String {
        till("order_id;time;item") { "\($0.number);\(date($0)) \($0.hh):\($0.mm);\($0.item)" }
    }
    let yearFirst = try BothWays(text { "26\(mark)08\(mark)\($0.day)" })
    #expect(hasTwelve(yearFirst.till, seconds: false) && yearFirst.agree)
    #expect(yearFirst.till.notes.contains("Times are read as \"%y\(mark)%m\(mark)%d %H:%M\"."))
    let dayFirst = try BothWays(text { "\($0.day)\(mark)08\(mark)26" })
    #expect(hasTwelve(dayFirst.till, seconds: false) && dayFirst.agree)
}

@Test(arguments: ["2026-08-12T07:05:10+09:00", "2026-08-12T07:05:10-04:00", "2026-08-12T07:05:10Z"])
func `the hours of a time with an offset are kept, unless a time zone turns them`(first: String) throws {
    let offset = try #require(TimeFormat.offset(String(first.dropFirst(19))))
    let text = till("order_id,time,item") { moment in
        "\(moment.number),\(first.replacing("07:05:10", with: "07:\(moment.mm):\(moment.ss)")),\(moment.item)"
    }
    func firstHour(_ read: BothWays) -> Double {
        Double(read.till.orders[0].time % CalendarTime.day) / 3_600_000_000_000
    }
    let kept = try BothWays(text)
    #expect(kept.agree && firstHour(kept) == 7 + 310.0 / 3600)
    let given = try BothWays(text, { $0.timeFormat = "%Y-%m-%dT%H:%M:%S%z" })
    #expect(given.trace == kept.trace)
    let turned = try BothWays(text, { $0.timeZone = 9 * 3600 }, more: "\"timeZone\": \"+09:00\"")
    #expect(turned.agree)
    #expect(turned.till.orders[0].time - kept.till.orders[0].time == Int64(9 * 3600 - offset) * 1_000_000_000)
}

@Test func `several offsets are said by both`() throws {
    let text = till("order_id,time,item") {
        "\($0.number),\($0.iso)\($0.day == 12 ? "-04:00" : "-05:00"),\($0.item)"
    }
    let read = try BothWays(text)
    let sentence = "imes have the offsets -05:00, -04:00: the hours are kept as written"
    #expect(hasTwelve(read.till, seconds: true) && read.agree)
    #expect(read.till.notes.contains { $0.contains(sentence) })
    #expect(read.warnings.contains { $0.contains(sentence) })
}

@Test(arguments: ["46237.3786", "46237,3786", "46,237.3786", "46.237,3786"])
func `the dates of a spreadsheet are read by both, and said`(example: String) throws {
    let text = till("order_id;time;item") { moment in
        let seconds = Double(moment.hour * 3600 + moment.minute * 60 + moment.second)
        let part = "\(Int((seconds / 86_400 * 1e6).rounded()) + 1_000_000)".dropFirst()
        let day = "\(46_234 + moment.day)"
        let time = example.replacing("46237", with: day).replacing("3786", with: part)
            .replacing("237", with: day.dropFirst(2))
        return "\(moment.number);\(time);\(moment.item)"
    }
    let read = try BothWays(text)
    #expect(hasTwelve(read.till, seconds: true) && read.agree)
    #expect(read.till.notes.contains { $0.contains("dates of a spreadsheet") })
    #expect(read.warnings.contains { $0.contains("dates of a spreadsheet") })
}

@Test func `a spreadsheet's date and part of a day may stand in two columns`() throws {
    let text = till("order_id,day,part,item") { moment in
        let seconds = Double(moment.hour * 3600 + moment.minute * 60 + moment.second)
        return "\(moment.number),\(46_234 + moment.day),\((seconds / 86_400 * 1e6).rounded() / 1e6),\(moment.item)"
    }
    let read = try BothWays(text, { $0.columns[.time] = ["day", "part"] })
    #expect(hasTwelve(read.till, seconds: true) && read.agree)
}

@Test func `numbers that are too far apart are no dates of a spreadsheet`() throws {
    // Seconds since the opening, from eight to six.
    let text = "time,item\n28800.5,a\n40000.25,a\n64800.75,a\n"
    var request = TillRequest(file: "till.csv")
    request.columns[.time] = ["time"]
    request.columns[.item] = ["item"]
    request.isTrace = true
    let lines = try withFile(Array(text.utf8), request) { try $0.lines().lines }
    #expect(lines.allSatisfy { !$0.hasDate })
    #expect(lines.map(\.time) == [28_800_500_000_000, 40_000_250_000_000, 64_800_750_000_000])
}

// MARK: - What is above, between and below the orders

@Test(arguments: [
    "sep=;", "Sales report", "Umsatz;August;2026", "\"Sales; all shops\"\n\nfrom 1 August 2026\n", "sep=;\n",
])
func `lines above the header do not matter`(above: String) throws {
    let text =
        above + "\n"
        + till("Bon;Datum;Uhrzeit;Artikel;Menge") {
            "\($0.number);\($0.day).08.2026;\($0.hh):\($0.mm);\($0.item);1,0"
        }
    let read = try BothWays(text)
    #expect(hasTwelve(read.till, seconds: false) && read.agree)
    #expect(read.till.columns[.time] == ["Datum", "Uhrzeit"] && read.till.columns[.quantity].first == "Menge")
}

@Test(arguments: [
    (",,", "the row is empty"), (",,,,", "the row is empty"), ("order_id,time,item", "the header again"),
    (",,Total", "a row of totals"), ("Summe,,", "a row of totals"), (",합계,", "a row of totals"),
    ("99,soon,Tea", "expected a date and a time of day"), ("99,2026-02-30 10:00:00,Tea", "there is no such date"),
    ("99,2026-08-30 10:00:00", "expected 3 fields as in the header, found 2"),
])
func `a row that is no order is skipped by both for the same reason`(row: String, why: String) throws {
    let text = till("order_id,time,item") { "\($0.number),\($0.iso),\($0.item)" } + row + "\n"
    let read = try BothWays(text)
    #expect(hasTwelve(read.till, seconds: true) && read.agree)
    #expect(read.till.skipped.map(\.line) == [14])
    #expect(read.till.skipped[0].why.hasPrefix(why))
    // Only a trace may have seconds since the opening.
    let time = "expected a date and a time of day"
    let said = read.till.skipped[0].why.replacing(time, with: time + ", or seconds since the opening")
    #expect(read.warnings == ["till.csv:14:1: the line is skipped: " + said])
}

@Test func `a second line of an order without a date has the date of the first`() throws {
    let text = till("order_id,time,item") { "\($0.number),\($0.iso),\($0.item)\n\($0.number),,Cake\n,,Jam" }
    let read = try BothWays(text)
    #expect(hasTwelve(read.till, seconds: true) && read.agree)
    #expect(read.till.orders.allSatisfy { $0.lines == 3 } && read.till.skipped == [])
}

@Test func `a second line of a void order does not count either`() throws {
    let rows = till("Name,Created at,Financial Status,Lineitem quantity,Lineitem name") {
        "#\(1000 + $0.number),\($0.iso),paid,1,\($0.item)\n#\(1000 + $0.number),,,2,Cake"
    }
    let read = try BothWays(rows + "#2000,2026-08-14 20:00:00,refunded,1,Tea\n#2000,,,1,Cake\n")
    #expect(hasTwelve(read.till, seconds: true) && read.agree)
    #expect(read.till.orders.allSatisfy { $0.lines == 2 })
    #expect(read.till.skipped.map(\.line) == [26, 27])
}

@Test func `a number that identifies an order is no Unix time`() throws {
    let read = try BothWays(
        till("Order Id,Ordered,Ref,Item") {
            "\(1_700_000_000 + $0.number),\($0.iso),\(1_700_000_000 + $0.number),\($0.item)"
        })
    #expect(hasTwelve(read.till, seconds: true) && read.agree)
    #expect(read.till.columns[.order].first == "Order Id")
}

@Test func `a file that was exported twice is noticed by both`() throws {
    let rows = till("order_id,time,item") { "\($0.number),\($0.iso),\($0.item)" }.split(separator: "\n")
    let read = try BothWays((rows + rows.dropFirst()).joined(separator: "\n"))
    #expect(hasTwelve(read.till, seconds: true) && read.agree && read.trace.count == 12)
    #expect(read.till.notes.contains { $0.hasPrefix("3 days with the same lines more than once") })
    #expect(read.warnings.contains { $0.contains("3 days with the same lines more than once") })
}

@Test(arguments: [
    ("1", 1), ("1.0", 1), ("2,00", 2), ("1,200", 1200), ("1.200", 1200), ("2 x", 2), ("x2", 2), ("3개", 3), (" 4 ", 4),
    ("２", 2),
])
func `quantities as shops write them are read by both`(text: String, quantity: Int) throws {
    let text = till("order_id;time;item;Menge") { "\($0.number);\($0.iso);\($0.item);\($0.number == 5 ? text : "1")" }
    let read = try BothWays(text)
    #expect(read.agree && read.till.skipped == [])
    #expect(read.till.quantities == (quantity == 1 ? [1: 12] : [1: 11, quantity: 1]))
}

@Test func `decimals in every line are no thousands`() throws {
    let read = try BothWays(
        till("order_id;time;item;Menge") { "\($0.number);\($0.iso);\($0.item);\($0.number % 2 + 1),000" })
    #expect(read.agree && read.till.quantities == [1: 6, 2: 6])
}

// MARK: - Lines that do not count

@Test(arguments: [
    ("Void?", "false", "true"), ("Voided", "", "Yes"), ("status", "paid", "Cancelled"), ("Situacao", "ok", "cancelada"),
    ("상태", "결제완료", "주문취소"), ("Financial Status", "paid", "refunded"), ("Storno", "nein", "ja"),
    ("Cancelled at", "", "2026-08-12 10:00:00"), ("Event Type", "Payment", "Refund"),
    ("Receipt type", "Sale", "Refund"), ("is_refunded", "0", "1"),
    ("状態", "完了", "返品"), ("Статус заказа", "Выполнен", "Отменён"), ("order_status", "not cancelled", "canceled"),
    ("Stornierung", "", "x"),
])
func `void, refunded and cancelled lines are left out by both, and said`(name: String, counts: String, void: String)
    throws
{
    let text =
        till("Order #,Order Date,Menu Item,\(name)") {
            "\($0.number),\($0.iso),\($0.item),\(counts)"
        } + "90,2026-08-14 20:00:00,Tea,\(void)\n"
    let read = try BothWays(text)
    #expect(hasTwelve(read.till, seconds: true) && read.agree)
    #expect(read.till.columns[.void] == [name])
    #expect(read.till.skipped == [.init(line: 14, why: "it does not count: \"\(name)\" is \"\(void)\"")])
    #expect(read.warnings.contains { $0.contains("it does not count") })
    #expect(read.till.notes.contains { $0.contains("\"\(name)\" says which lines are void, refunded or cancelled: 1") })
}

@Test(
    arguments: [
        (["Channel=shop"], [1, 3, 5, 7, 9, 11]), (["Channel!=shop"], [2, 4, 6, 8, 10, 12]), (["channel!=x"], []),
        (["Channel = SHOP", "Menu Item!=Tea"], [1, 5, 7, 11]),
    ] as [([String], [Int])])
func `conditions leave lines out in both`(conditions: [String], numbers: [Int]) throws {
    let lines = till("Order #,Order Date,Menu Item,Channel") {
        "\($0.number),\($0.iso),\($0.item),\($0.number % 2 == 1 ? "Shop" : "Web")"
    }
    let text =
        lines + lines.replacing("2026-08-", with: "2026-09-").split(separator: "\n").dropFirst().joined(separator: "\n")
    let wanted = conditions.compactMap { TillCondition($0) }
    #expect(wanted.count == conditions.count)
    guard !numbers.isEmpty else {
        #expect(throws: TillError.badOption("--where: till.csv has no column \"channel\"; did you mean \"Channel\"?")) {
            try withFile(Array(text.utf8), request(wanted)) { try $0.till() }
        }
        return
    }
    guard numbers.count * 2 >= 10 else {
        #expect {
            try withFile(Array(text.utf8), request(wanted)) { try $0.till() }
        } throws: {
            "\($0)".contains("expected at least 10 orders, found 8")
        }
        return
    }
    let read = try BothWays(text, { $0.conditions = wanted })
    #expect(read.agree && read.till.orders.count == 2 * numbers.count && read.till.skipped == [])
    #expect(read.till.notes.contains { $0.hasPrefix("12 of 24 lines left out by the condition") })
}

private func request(_ conditions: [TillCondition]) -> TillRequest {
    var request = TillRequest(file: "till.csv")
    request.conditions = conditions
    return request
}

// MARK: - A stand's ledger

@Test func `a ledger is replayed with the items that were wished`() throws {
    var lines = [#"{"seq":1,"at":0.000000000,"event":"opened","stand":"s","opens":"2026-05-04T08:00:00","seed":1}"#]
    for order in 1...12 {
        lines.append(
            #"{"seq":\#(2 * order),"at":\#(order * 60).000000000,"event":"orderPlaced","order":\#(order),"juice":"a","cups":2,"#
                + #""by":"customer"}"#)
    }
    lines.append(
        #"{"seq":26,"at":720.000000000,"event":"orderSubstituted","order":12,"wished":"b","juice":"a"}"#)
    let read = try BothWays(lines.joined(separator: "\n") + "\n")
    #expect(read.agree)
    #expect(read.till.items == [.init(name: "a", lines: 11), .init(name: "b", lines: 1)])
    #expect(read.trace.last?.item == "b" && read.trace.allSatisfy { $0.cups == 2 })
}
