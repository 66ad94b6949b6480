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
    var mm: String { minute < 10 ? "0\(minute)" : "\(minute)" }
    var hh: String { hour < 10 ? "0\(hour)" : "\(hour)" }
    var ss: String { "\(second)" }
    var clock: String { "\(hh):\(mm):\(ss)" }
    var iso: String { "2026-08-\(day) \(clock)" }
    /// Nanoseconds since 1970.
    var time: Int64 { CalendarTime(iso)?.nanosecondsSinceEpoch() ?? 0 }

    func half(_ morning: String, _ afternoon: String) -> String { hour < 12 ? morning : afternoon }

    /// The name of the weekday, of the 12th to the 14th.
    func weekday(_ names: String...) -> String { names[day - 12] }
}

/// Whether a till has the twelve orders, on the clock of the shop.
private func hasTwelve(_ till: Till, seconds: Bool) -> Bool {
    let expected = moments.compactMap { moment in
        CalendarTime(seconds ? moment.iso : String(moment.iso.dropLast(3)))?.nanosecondsSinceEpoch()
    }
    return till.orders.map(\.time) == expected
}

// MARK: - Columns

/// Columns with their roles: `NAME=ROLE`, or a name alone.
@Test(
    arguments: [
        // A weekday, a district, a customer or an order number is no item.
        "order_id=order,datetime=time,weekday", "order_id=order,datetime=time,district",
        "order_id=order,datetime=time,customer_name", "주문번호=order,주문일시=time,요일",
        "Beleg-Nr.=order,Zeitpunkt=time,Wochentag", "Name=order,Created at=time,Email",
        // The names of the item and of the quantity.
        "Name=order,Created at=time,Lineitem quantity=quantity,Lineitem name=item",
        "Order ID=order,Product=item,Quantity Ordered=quantity,Price Each,Order Date=time,Purchase Address",
        "판매일시=time,상품명=item,판매수량=quantity,판매금액", "주문번호=order,결제일시,주문일시=time,메뉴=item,주문수량=quantity",
        "transaction_id=order,transaction_datetime=time,transaction_qty=quantity,store_location,product_category,"
            + "product_detail=item",
        "order_id=order,pizza_name_id,quantity=quantity,order_datetime=time,pizza_category,pizza_name=item",
        "datetime=time,cash_type,card,money,coffee_name=item",
        "Zeitpunkt=time,Bezeichnung=item,Verkaufte Menge=quantity,Betrag",
        // The time at which an order is placed.
        "Order #=order,Sent Date,Order Date=time,Menu Item=item,Qty=quantity",
        "Order Id=order,Delivered at,Paid at,Ordered at=time,Item Name=item",
        "Bon=order,Lieferdatum,Bestelldatum=time,Artikel=item",
    ])
func `columns are chosen by their names and by what is in them`(columns: String) throws {
    var names: [String] = []
    var roles: [String: String] = [:]
    for column in columns.split(separator: ",") {
        let parts = column.split(separator: "=").map(String.init)
        names.append(parts[0])
        if parts.count > 1 { roles[parts[1]] = parts[0] }
    }
    let isName = names[0] == "Name"
    let text = till(names.joined(separator: ",")) { moment in
        names.map { name -> String in
            let plain = name.lowercased()
            if plain.contains("date") || plain.contains(" at") || plain.contains("zeitp") || plain.contains("datum")
                || plain.hasSuffix("일시")
            {
                return name == roles["time"] ? moment.iso : "2026-08-\(moment.day) 23:50:00"
            }
            if name == roles["item"] { return moment.item }
            if name == roles["quantity"] { return "\(moment.number % 3 + 1)" }
            if name == roles["order"] { return isName ? "#\(1000 + moment.number)" : "\(moment.number)" }
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
    #expect(till.columns[.time] == [roles["time"] ?? ""])
    #expect(till.columns[.order].first == roles["order"])
    #expect(till.columns[.item].first == roles["item"])
    #expect(till.columns[.quantity].first == roles["quantity"])
    #expect(hasTwelve(till, seconds: true))
    guard roles["item"] == nil else {
        let agree = try BothWays(text).agree
        return #expect(agree)
    }
    #expect(till.notes.contains { $0.contains("all orders are of one juice") })
    let menu = try FittedStand(till, samples: 0).configuration["menu"]
    #expect(menu?.members.map(\.key) == ["juice"])
}

/// Columns in several languages: order, time, date, clock, item, quantity, price, and the one that says which lines are
/// void, with its texts for a line that counts and one that does not.
@Test(
    arguments: [
        "Order ID,Order Date,Date,Time,Product,Quantity Ordered,Price Each,Void?,false,true",
        "Beleg-Nr.,Zeitpunkt,Datum,Uhrzeit,Artikel,Menge,Einzelpreis,Storniert,nein,ja",
        "Commande,Date et heure,Date,Heure,Produit,Quantité,Prix,Annulée,non,oui",
        "Pedido,Fecha y hora,Fecha,Hora,Producto,Cantidad,Precio,Estado,Completado,Cancelado",
        "Número do pedido,Data e hora,Data,Hora,Produto,Qtd,Preço,Situação,concluída,cancelada",
        "주문번호,주문일시,주문일자,주문시각,상품명,판매수량,단가,상태,완료,취소",
        "注文番号,注文日時,注文日,時刻,商品名,数量,単価,状態,完了,キャンセル",
        "订单号,下单时间,日期,时间,商品,数量,单价,订单状态,已完成,已取消",
        "Номер заказа,Дата и время,Дата,Время,Товар,Количество,Цена,Статус,Выполнен,Отменен",
        "ticket_number,created_at,order_date,order_time,lineitem name,lineitem quantity,unit_price,payment_status,"
            + "paid,refunded",
        "Scontrino,Data e ora,Data,Ora,Prodotto,Quantità,Prezzo,Stato,pagato,annullato",
        "Bonnetje,Tijdstip,Datum,Tijd,Artikel,Aantal,Prijs,Geannuleerd,nee,ja",
    ], [",", ";", "\t", "|"])
func `the columns of a file are found in several languages, with any usual separator`(
    language: String, separator: String
) throws {
    let names = language.split(separator: ",").map(String.init)
    func row(_ moment: Moment, _ times: [String], _ void: String) -> String {
        let quantity = "\(moment.number % 3 + 1)"
        return (["\(moment.number)"] + times + [moment.item, quantity, "4.50", void]).joined(separator: separator)
    }
    for columns in [[names[1]], [names[2], names[3]]] {
        func times(_ moment: Moment) -> [String] {
            columns.count == 1 ? [moment.iso] : ["2026-08-\(moment.day)", moment.clock]
        }
        let refunded = Moment(number: 90, day: 14, hour: 20, minute: 10, second: 10)
        let header = ([names[0]] + columns + names[4...7]).joined(separator: separator)
        let text = till(header) { row($0, times($0), names[8]) } + row(refunded, times(refunded), names[9]) + "\n"
        let read = try BothWays(text)
        #expect(hasTwelve(read.till, seconds: true) && read.agree)
        #expect(read.till.columns[.time] == columns)
        let others = [TillColumns.Role.order, .item, .quantity, .void].map { read.till.columns[$0] }
        #expect(others == [[names[0]], [names[4]], [names[5]], [names[7]]])
        #expect(read.till.skipped.map(\.line) == [14])
    }
}

// MARK: - Times

/// How a shop writes the time of an order.
private struct Writing: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var hasSeconds = false
    var time: @Sendable (Moment) -> String
}

private let writings: [Writing] = [
    Writing(testDescription: "ISO 8601", hasSeconds: true) { "2026-08-\($0.day)T\($0.clock)" },
    Writing(testDescription: "an offset", hasSeconds: true) { "2026-08-\($0.day)T\($0.clock)+09:00" },
    Writing(testDescription: "UTC", hasSeconds: true) { "\($0.iso)Z" },
    Writing(testDescription: "compact", hasSeconds: true) { "202608\($0.day)\($0.hh)\($0.mm)\($0.ss)" },
    Writing(testDescription: "Unix time", hasSeconds: true) { "\($0.time / 1_000_000_000)" },
    Writing(testDescription: "milliseconds", hasSeconds: true) { "\($0.time / 1_000_000)" },
    Writing(testDescription: "day first", hasSeconds: true) { "\($0.day).08.2026 \($0.clock)" },
    Writing(testDescription: "points") { "\($0.day).08.2026 \($0.hh).\($0.mm)" },
    Writing(testDescription: "month first") {
        "8/\($0.day)/26 \($0.twelve):\($0.mm) \($0.half("AM", "PM"))"
    },
    Writing(testDescription: "month in words", hasSeconds: true) { "\($0.day) Aug 2026 \($0.clock)" },
    Writing(testDescription: "German") { "\($0.day). August 2026 \($0.hour):\($0.mm) Uhr" },
    Writing(testDescription: "narrow space after a comma") {
        "8/\($0.day)/26, \($0.twelve):\($0.mm)\u{202F}\($0.half("AM", "PM"))"
    },
    Writing(testDescription: "no-break spaces") {
        "\($0.day)/8/2026,\u{A0}\($0.twelve):\($0.mm)\u{A0}\($0.half("a.\u{A0}m.", "p.\u{A0}m."))"
    },
    Writing(testDescription: "Korean") {
        "2026. 8. \($0.day). \($0.half("오전", "오후")) \($0.twelve):\($0.mm)"
    },
    Writing(testDescription: "Korean words") { "2026년 8월 \($0.day)일 \($0.hour)시 \($0.minute)분" },
    Writing(testDescription: "Chinese") {
        "2026年8月\($0.day)日 \($0.half("上午", "下午"))\($0.twelve):\($0.mm)"
    },
    Writing(testDescription: "narrow space", hasSeconds: true) {
        "2026-08-\($0.day) \($0.twelve):\($0.mm):\($0.ss)\u{202F}\($0.half("AM", "PM"))"
    },
    Writing(testDescription: "Japanese") {
        "2026/8/\($0.day) \($0.half("午前", "午後"))\($0.twelve)時\($0.minute)分"
    },
    Writing(testDescription: "Greek") {
        "\($0.day)/8/2026, \($0.twelve):\($0.mm) \($0.half("π.μ.", "μ.μ."))"
    },
    Writing(testDescription: "Arabic") { "\($0.day)/8/2026 \($0.twelve):\($0.mm) \($0.half("ص", "م"))" },
    Writing(testDescription: "Turkish") { "\($0.day) Ağu 2026 \($0.hh):\($0.mm)" },
    Writing(testDescription: "a weekday") {
        "2026-08-\($0.day)(\($0.weekday("수", "목", "금"))) \($0.hh):\($0.mm)"
    },
    Writing(testDescription: "French") {
        "\($0.weekday("mer.", "jeu.", "ven.")) \($0.day) août 2026 à \($0.hh)h\($0.mm)"
    },
    Writing(testDescription: "a zone", hasSeconds: true) { "\($0.iso) PDT" },
    Writing(testDescription: "a browser", hasSeconds: true) {
        "\($0.weekday("Wed", "Thu", "Fri")) Aug \($0.day) 2026 \($0.clock) GMT+0200 (CEST)"
    },
]

@Test(arguments: writings)
private func `times as shops write them are read by both`(writing: Writing) throws {
    // The 13th and the 14th decide about the order of day and month.
    let read = try BothWays(till("order_id;ordered;item") { "\($0.number);\(writing.time($0));\($0.item)" })
    #expect(read.till.skipped == [] && read.agree)
    #expect(hasTwelve(read.till, seconds: writing.hasSeconds))
}

@Test(arguments: [1, 1000] as [Int64])
func `a time zone turns Unix times`(unit: Int64) throws {
    let text = till("order_id,ordered,item") { "\($0.number),\($0.time / 1_000_000_000 * unit),\($0.item)" }
    let read = try BothWays(text, { $0.timeZone = 9 * 3600 }, more: "\"timeZone\": \"+09:00\"")
    #expect(read.agree && read.till.orders.map(\.time) == moments.map { $0.time + 9 * 3600 * 1_000_000_000 })
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
    (";;;", "the row is empty"), (";;;;;", "the row is empty"), ("order_id;time;item;Menge", "the header again"),
    (";;Total;", "a row of totals"), ("Summe;;;", "a row of totals"), (";합계;;", "a row of totals"),
    ("99;soon;Tea;1", "expected a date and a time of day, found \"soon\""),
    ("99;2026-02-30 10:00:00;Tea;1", "there is no such date"),
    ("99;2026-08-30 10:00:00;Tea", "expected 4 fields as in the header, found 3"),
    ("99;2026-08-30 10:00:00;Tea;-1", "a refund: the quantity is -1"),
    ("99;2026-08-30 10:00:00;Tea;−1", "a refund: the quantity is −1"),
    ("99;2026-08-30 10:00:00;Tea;(1)", "a refund: the quantity is (1)"),
    ("99;2026-08-30 10:00:00;Tea;-1.0", "a refund: the quantity is -1.0"),
    ("99;2026-08-30 10:00:00;Tea;(1,0)", "a refund: the quantity is (1,0)"),
    ("99;2026-08-30 10:00:00;Tea;0", "the quantity is 0"),
    ("99;2026-08-30 10:00:00;Tea;many", "expected a quantity, found \"many\""),
])
func `a row that is no order is skipped by both for the same reason`(row: String, why: String) throws {
    let text = till("order_id;time;item;Menge") { "\($0.number);\($0.iso);\($0.item);1" } + row + "\n"
    let read = try BothWays(text)
    #expect(hasTwelve(read.till, seconds: true) && read.agree)
    #expect(read.till.skipped == [.init(line: 14, why: why)])
    // Only a trace may have seconds since the opening.
    let time = "expected a date and a time of day"
    let said = why.replacing(time, with: time + ", or seconds since the opening")
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

/// The twelve orders of August and September, every other one in the shop.
private let channels = {
    let august = till("Order #,Order Date,Menu Item,Channel") {
        "\($0.number),\($0.iso),\($0.item),\($0.number % 2 == 1 ? "Shop" : "Web")"
    }
    let september = august.replacing("2026-08-", with: "2026-09-")
    return august + september.split(separator: "\n").dropFirst().joined(separator: "\n")
}()

@Test(arguments: [("Channel=shop", 5), ("Channel!=shop", 6)] as [(String, Int64)])
func `a condition leaves lines out in both`(condition: String, minute: Int64) throws {
    let wanted = try #require(TillCondition(condition))
    let read = try BothWays(channels, { $0.conditions = [wanted] })
    #expect(read.agree && read.till.orders.count == 12 && read.till.skipped == [])
    #expect(read.till.orders[0].time / 60_000_000_000 % 60 == minute)
    #expect(read.till.notes.contains { $0.hasPrefix("12 of 24 lines left out by the condition") })
}

@Test func `conditions on an unknown column or on too few orders are refused`() {
    let unknown = ["channel!=x"].compactMap { TillCondition($0) }
    #expect(
        throws: TillError.badOption("--where: till.csv has no column \"channel\"; did you mean \"Channel\"?")
    ) { try BothWays(channels, { $0.conditions = unknown }) }
    let both = ["Channel = SHOP", "Menu Item!=Tea"].compactMap { TillCondition($0) }
    #expect {
        try BothWays(channels, { $0.conditions = both })
    } throws: {
        "\($0)".contains("expected at least 10 orders, found 8")
    }
}

// MARK: - A stand's ledger

@Test func `orders of one instant in a ledger are a party, and the items that were wished count`() throws {
    var lines = [#"{"seq":1,"at":0.000000000,"event":"opened","stand":"s","opens":"2026-05-04T08:00:00","seed":1}"#]
    for order in 1...12 {
        lines.append(
            #"{"seq":\#(order + 1),"at":\#(order / 2 * 60).000000000,"event":"orderPlaced","order":\#(order),"juice":"a","#
                + #""cups":2,"by":"customer"}"#)
    }
    lines += [
        #"{"seq":14,"at":360.000000000,"event":"orderSubstituted","order":12,"wished":"b","juice":"a"}"#,
        #"{"seq":15,"at":999.000000000,"event":"orderLost","order":12,"juice":"a","cups":2,"reason":"queueFull"}"#,
    ]
    let read = try BothWays(lines.joined(separator: "\n") + "\n")
    #expect(read.agree)
    #expect(read.till.orders.map(\.lines) == [1, 2, 2, 2, 2, 2, 1])
    #expect(read.till.orders[0].time == 1_777_881_600_000_000_000)
    #expect(read.till.items == [.init(name: "a", lines: 11), .init(name: "b", lines: 1)])
    #expect(read.trace.last?.item == "b" && read.trace.allSatisfy { $0.cups == 2 })
}
