import JuiceStand
import StandFitting
import TestSupport
import Testing
import TextFormats
import Tills

/// A hundred files of random shapes, encodings, forms of dates and faults, each with the orders that are in it; five
/// thousand in a full study.
@Test(arguments: 0..<UInt64(Study.size(100, full: 5000)))
func `fit and a trace read the orders that a random file has`(seed: UInt64) throws {
    var file = RandomTill(seed: seed)
    let bytes = file.bytes()
    print("seed \(seed): \(file.about)")
    let read = try BothWays(
        bytes, { $0.timeZone = file.zone }, more: file.zone == nil ? "" : "\"timeZone\": \"+09:00\"")
    let lines = file.orders.flatMap(\.lines).sorted()
    // The lines that only one of them has, because the whole lists are long.
    let missing = lines.filter { !read.trace.contains($0) }
    let surplus = read.trace.filter { !lines.contains($0) }
    #expect(missing == [] && surplus == [] && read.trace.count == lines.count, "\(file.about)\n\(read.warnings)")
    let orders = file.orders.map { Till.Order(time: $0.time, lines: $0.lines.count) }
    let isSame = read.till.orders == orders
    #expect(isSame, "\(file.about): \(read.till.orders.count) orders instead of \(orders.count)")
    let agree = read.agree
    #expect(agree, "\(file.about): \(read.till.items) \(read.till.quantities)")
    #expect(read.till.columns[.time] == file.timeColumns && read.till.columns[.item].first == file.names.item)
    #expect(read.till.columns[.quantity].first == file.names.quantity)
}

/// Files of random tills with bytes changed, dropped, inserted and repeated.
@Test(arguments: [61, 62, 63] as [UInt64])
func `a damaged till is read or refused, and never ends the program`(seed: UInt64) throws {
    print("seed \(seed)")
    var generator = SplitMix64(seed: seed)
    let telling = Array(#",;|"'\n\r\t:./-+{}[]\0"#.utf8) + [0xE9, 0xFF, 0xC0, 0x80]
    for _ in 0..<Study.size(50, full: 3000) {
        var file = RandomTill(seed: UInt64.random(in: 0..<10_000, using: &generator))
        var bytes = file.bytes()
        for _ in 0..<Int.random(in: 1...12, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &generator)
            let end = min(bytes.count, place + Int.random(in: 1...60, using: &generator))
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
            case 1: bytes[place] = telling.randomElement(using: &generator) ?? 0
            case 2: bytes.insert(telling.randomElement(using: &generator) ?? 0, at: place)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 4: bytes.insert(contentsOf: Array("99999999999999999999".utf8), at: place)
            default: bytes.removeSubrange(place..<end)
            }
        }
        do {
            let read = try BothWays(bytes)
            #expect(!read.till.orders.isEmpty)
        } catch {
            #expect("\(error)" != "")
        }
    }
}

/// A file of a till with known orders.
private struct RandomTill {
    struct Order {
        var number: Int
        var time: Int64
        var lines: [TracedLine]
    }

    /// The names of the columns in one language.
    struct Names {
        var order: String
        var time: String
        var date: String
        var clock: String
        var item: String
        var quantity: String
        var void: String
        /// What stands in that column for a line that counts, and for one that does not.
        var marks: (String, String)
        var price: String
        var items: [String]
    }

    let zone: Int?
    let names: Names
    private(set) var orders: [Order] = []
    private(set) var about = ""
    private var generator: SplitMix64
    private let form: Int
    private let isSplit: Bool
    private let hasOrders: Bool
    private let isJSON: Bool
    private let separator: String

    var timeColumns: [String] { isSplit ? [names.date, names.clock] : [names.time] }

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed &* 0x9E37_79B9 &+ 47)
        names = Self.languages[Int(seed) % Self.languages.count]
        form = Int.random(in: 0..<Self.forms.count, using: &generator)
        let chosen = Self.forms[form]
        isSplit = chosen.canSplit && Bool.random(using: &generator)
        zone = chosen.isZoned && Bool.random(using: &generator) ? 9 * 3600 : nil
        hasOrders = Int.random(in: 0..<4, using: &generator) > 0
        isJSON = Int.random(in: 0..<5, using: &generator) == 0
        separator = [",", ";", "\t", "|"].randomElement(using: &generator) ?? ","
        makeOrders(hasSeconds: chosen.hasSeconds)
        about = "\(chosen.name)\(isSplit ? " in two columns" : ""), \(names.item), \(isJSON ? "JSON" : separator)"
    }

    private mutating func makeOrders(hasSeconds: Bool) {
        let midnight = CalendarTime(year: 2026, month: 8, day: 1)?.nanosecondsSinceEpoch() ?? 0
        let second = DurationText.second
        var number = Int.random(in: 1...5000, using: &generator)
        // A date after the 12th decides whether the day comes first.
        for day in [3, 5, 8, 13, 14, 21] {
            var minute = Int64(Int.random(in: 7 * 60...8 * 60, using: &generator))
            for _ in 0..<Int.random(in: 2...6, using: &generator) {
                minute += Int64(Int.random(in: 1...140, using: &generator))
                let seconds = hasSeconds ? Int64.random(in: 1...59, using: &generator) : 0
                let time = midnight + Int64(day - 1) * CalendarTime.day + (minute * 60 + seconds) * second
                let count = hasOrders ? Int.random(in: 1...3, using: &generator) : 1
                let lines = (0..<count).map { _ in
                    TracedLine(
                        time: time, item: names.items.randomElement(using: &generator) ?? "",
                        cups: Int.random(in: 1...4, using: &generator))
                }
                orders.append(Order(number: number, time: time, lines: lines))
                number += 1
            }
        }
    }
}

// MARK: - Writing

extension RandomTill {
    mutating func bytes() -> [UInt8] {
        var rows: [[String: String]] = []
        func row(_ order: Order, _ line: TracedLine) -> [String: String] {
            let texts = Self.forms[form].texts(order.time - Int64(zone ?? 0) * DurationText.second * (isUTC ? 1 : 0))
            var row = [
                names.order: "\(order.number)",
                names.item: chance(9) ? line.item.replacing(" ", with: "\n") : line.item,
                names.quantity: "\(line.cups)",
                names.void: names.marks.0, names.price: "4.50",
            ]
            if isSplit {
                row[names.date] = texts.date
                row[names.clock] = texts.clock
            } else {
                row[names.time] = texts.date + (texts.clock.isEmpty ? "" : texts.gap + texts.clock)
            }
            return row
        }
        let hidesDates = hasOrders && chance(4)
        for order in orders {
            for (index, line) in order.lines.enumerated() {
                var made = row(order, line)
                if hidesDates, index > 0 { for column in timeColumns { made[column] = "" } }
                rows.append(made)
            }
        }
        var faults: [String] = hidesDates ? ["dates once"] : []
        func someRow() -> [String: String] { row(orders[3], orders[3].lines[0]) }
        func insert(_ name: String, _ changes: [String: String]) {
            faults.append(name)
            rows.append(someRow().merging(changes) { $1 })
        }
        if chance(3) { insert("void", [names.void: names.marks.1, names.order: "90001"]) }
        if chance(3) { insert("refund", [names.quantity: "-1", names.order: "90002"]) }
        if chance(3) { insert("zero", [names.quantity: "0", names.order: "90003"]) }
        if chance(3) { insert("no quantity", [names.quantity: "?", names.order: "90004"]) }
        if chance(3) {
            let time = Dictionary(uniqueKeysWithValues: timeColumns.map { ($0, "yesterday") })
            insert("no date", time.merging([names.order: "90005"]) { $1 })
        }
        if chance(4) {
            faults.append("twice")
            rows += rows
        }
        let columns =
            (timeColumns + (hasOrders ? [names.order] : []) + [names.item, names.quantity, names.void, names.price])
            .shuffled(using: &generator)
        let text = isJSON ? json(rows, columns) : csv(rows, columns, &faults)
        let (encoding, bytes) = encoded(text)
        about += ", \(encoding), \(hasOrders ? "" : "no orders, ")\(faults.joined(separator: ", "))"
        return bytes
    }

    private var isUTC: Bool { Self.forms[form].isZoned }

    private mutating func chance(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &generator) == 0 }

    private func json(_ rows: [[String: String]], _ columns: [String]) -> String {
        rows.map { row in
            "{"
                + columns.map { "\"\($0)\": \"\((row[$0] ?? "").replacing("\n", with: "\\n"))\"" }.joined(
                    separator: ", ")
                + "}\n"
        }.joined()
    }

    private mutating func csv(
        _ rows: [[String: String]], _ columns: [String], _ faults: inout [String]
    ) -> String {
        let end = chance(3) ? "\r\n" : "\n"
        func line(_ fields: [String]) -> String {
            let quoted = fields.map { field in
                let needsQuotes = field.contains(separator) || field.contains("\n") || field.contains("\"")
                return needsQuotes ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
            }
            return quoted.joined(separator: separator) + end
        }
        var text = ""
        if chance(5) {
            faults.append("sep=")
            text += "sep=\(separator)" + end
        } else if chance(4) {
            faults.append("title")
            text += "Sales of August" + end + "2026-08-01 to 2026-08-31" + end + end
        }
        text += line(columns)
        let repeatsHeader = chance(4)
        for (index, row) in rows.enumerated() {
            text += line(columns.map { row[$0] ?? "" })
            if repeatsHeader, index == 4 { text += line(columns) }
            if chance(20) { text += end }
        }
        if repeatsHeader { faults.append("header again") }
        if chance(3) {
            faults.append("short row")
            text += "?" + end
        }
        if chance(3) {
            faults.append("total")
            text += line(columns.map { $0 == names.item ? "Total" : $0 == names.quantity ? "99" : "" })
        }
        if chance(3) {
            faults.append("rows of separators")
            text += String(repeating: line(columns.map { _ in "" }), count: 3)
        }
        return text
    }

    private mutating func encoded(_ text: String) -> (String, [UInt8]) {
        func utf16(_ isBig: Bool) -> [UInt8] {
            ("\u{FEFF}" + text).utf16.flatMap { unit in
                let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
                return isBig ? bytes : bytes.reversed()
            }
        }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return ("UTF-8 with a mark", Array(("\u{FEFF}" + text).utf8))
        case 1: return ("UTF-16LE", utf16(false))
        case 2: return ("UTF-16BE", utf16(true))
        case 3 where text.unicodeScalars.allSatisfy({ $0.value < 256 }):
            return ("Latin-1", text.unicodeScalars.map { UInt8($0.value) })
        default: return ("UTF-8", Array(text.utf8))
        }
    }
}

// MARK: - Forms of dates

extension RandomTill {
    struct Form: Sendable {
        var name: String
        var hasSeconds = true
        /// Whether a time zone moves the times, which are in UTC.
        var isZoned = false
        var canSplit = true
        /// The date and the time of day of a time, and what stands between them.
        var texts: @Sendable (Int64) -> (date: String, gap: String, clock: String)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func form(
        _ name: String, hasSeconds: Bool = true, isZoned: Bool = false, canSplit: Bool = true, gap: String = " ",
        date: @escaping @Sendable (_ year: Int, _ month: Int, _ day: Int) -> String,
        clock: @escaping @Sendable (_ hour: Int, _ minute: Int, _ second: Int) -> String
    ) -> Form {
        Form(name: name, hasSeconds: hasSeconds, isZoned: isZoned, canSplit: canSplit) { time in
            let whole = CalendarTime(nanosecondsSinceEpoch: time)
            let (year, month, day) = whole.yearMonthDay
            let second = Int(whole.nanosecondsOfDay / DurationText.second)
            return (date(year, month, day), gap, clock(second / 3600, second / 60 % 60, second % 60))
        }
    }

    private static func twelve(_ hour: Int) -> Int { hour % 12 == 0 ? 12 : hour % 12 }
    @Sendable private static func seconds(_ hour: Int, _ minute: Int, _ second: Int) -> String {
        "\(two(hour)):\(two(minute)):\(two(second))"
    }
    @Sendable private static func minutes(_ hour: Int, _ minute: Int, _: Int) -> String {
        "\(two(hour)):\(two(minute))"
    }

    private static func halves(
        _ morning: String, _ afternoon: String, isFirst: Bool = false, gap: String = " "
    ) -> @Sendable (Int, Int, Int) -> String {
        { hour, minute, _ in
            let half = hour < 12 ? morning : afternoon
            let time = "\(twelve(hour)):\(two(minute))"
            return isFirst ? half + gap + time : time + gap + half
        }
    }

    static let forms: [Form] = [
        form("ISO 8601", canSplit: false, gap: "T", date: { "\($0)-\(two($1))-\(two($2))" }, clock: seconds),
        form("ISO date", date: { "\($0)-\(two($1))-\(two($2))" }, clock: seconds),
        form(
            "offset", canSplit: false, gap: "T", date: { "\($0)-\(two($1))-\(two($2))" },
            clock: { seconds($0, $1, $2) + "+09:00" }),
        form(
            "Z", isZoned: true, canSplit: false, gap: "T", date: { "\($0)-\(two($1))-\(two($2))" },
            clock: { seconds($0, $1, $2) + "Z" }),
        form("day first", date: { "\(two($2)).\(two($1)).\($0)" }, clock: seconds),
        form("day first, minutes", hasSeconds: false, date: { "\($2)/\($1)/\($0 % 100)" }, clock: minutes),
        form("month first", hasSeconds: false, date: { "\($1)/\($2)/\($0 % 100)" }, clock: halves("AM", "PM")),
        form(
            "narrow space", hasSeconds: false, canSplit: false, gap: ", ", date: { "\($1)/\($2)/\($0)" },
            clock: halves("AM", "PM", gap: "\u{202F}")),
        form(
            "Spanish halves", hasSeconds: false, canSplit: false, gap: ", ", date: { "\($2)/\($1)/\($0)" },
            clock: halves("a.\u{A0}m.", "p.\u{A0}m.", gap: "\u{A0}")),
        form(
            "Korean", hasSeconds: false, date: { "\($0). \($1). \($2)." },
            clock: halves("오전", "오후", isFirst: true)),
        form(
            "Korean words", hasSeconds: false, date: { "\($0)년 \($1)월 \($2)일" },
            clock: { hour, minute, _ in "\(hour)시 \(minute)분" }),
        form(
            "Chinese", hasSeconds: false, canSplit: false, gap: "", date: { "\($0)年\($1)月\($2)日" },
            clock: halves("上午", "下午", isFirst: true, gap: "")),
        form("Japanese", date: { "\($0)/\(two($1))/\(two($2))" }, clock: { "\($0):\(two($1)):\(two($2))" }),
        // All orders are of August.
        form("month in words", date: { year, _, day in "\(day) Aug \(year)" }, clock: seconds),
        form(
            "German words", hasSeconds: false, date: { year, _, day in "\(day). August \(year)" },
            clock: { hour, minute, _ in "\(hour):\(two(minute)) Uhr" }),
        form(
            "points", hasSeconds: false, date: { "\(two($2)).\(two($1)).\($0)" },
            clock: { hour, minute, _ in "\(two(hour)).\(two(minute))" }),
        form(
            "compact", canSplit: false, gap: "", date: { "\($0)\(two($1))\(two($2))" },
            clock: { "\(two($0))\(two($1))\(two($2))" }),
        Form(name: "Unix time", isZoned: true, canSplit: false) { ("\($0 / DurationText.second)", "", "") },
        Form(name: "milliseconds", isZoned: true, canSplit: false) { ("\($0 / 1_000_000)", "", "") },
        Form(name: "serial", canSplit: false) { time in
            let serial = Double(time / DurationText.second) / 86_400 + 25_569
            return ("\((serial * 1e6).rounded() / 1e6)", "", "")
        },
        Form(name: "serial with a comma", canSplit: false) { time in
            let serial = Double(time / DurationText.second) / 86_400 + 25_569
            return ("\((serial * 1e6).rounded() / 1e6)".replacing(".", with: ","), "", "")
        },
    ]
}

// MARK: - Languages

extension RandomTill {
    static let languages: [Names] = [
        Names(
            order: "Order ID", time: "Order Date", date: "Date", clock: "Time", item: "Product",
            quantity: "Quantity Ordered", void: "Void?", marks: ("false", "true"), price: "Price Each",
            items: ["Latte", "Iced Tea", "Toast, large", "The 'Best' Juice"]),
        Names(
            order: "Beleg-Nr.", time: "Zeitpunkt", date: "Datum", clock: "Uhrzeit", item: "Artikel", quantity: "Menge",
            void: "Storniert", marks: ("nein", "ja"), price: "Einzelpreis",
            items: ["Milchkaffee", "Grüner Tee", "Brötchen", "Saft"]),
        Names(
            order: "Commande", time: "Date et heure", date: "Date", clock: "Heure", item: "Produit",
            quantity: "Quantité", void: "Annulée", marks: ("non", "oui"), price: "Prix",
            items: ["Café crème", "Thé", "Croissant", "Jus d'orange"]),
        Names(
            order: "Pedido", time: "Fecha y hora", date: "Fecha", clock: "Hora", item: "Producto", quantity: "Cantidad",
            void: "Estado", marks: ("Completado", "Cancelado"), price: "Precio",
            items: ["Café con leche", "Té", "Zumo", "Bocadillo"]),
        Names(
            order: "Número do pedido", time: "Data e hora", date: "Data", clock: "Hora", item: "Produto",
            quantity: "Qtd", void: "Situação", marks: ("concluída", "cancelada"), price: "Preço",
            items: ["Café", "Pão de queijo", "Suco", "Água"]),
        Names(
            order: "주문번호", time: "주문일시", date: "주문일자", clock: "주문시각", item: "상품명", quantity: "판매수량", void: "상태",
            marks: ("완료", "취소"), price: "단가", items: ["카페라떼", "유자차", "딸기쥬스", "아메리카노"]),
        Names(
            order: "注文番号", time: "注文日時", date: "注文日", clock: "時刻", item: "商品名", quantity: "数量", void: "状態",
            marks: ("完了", "キャンセル"), price: "単価", items: ["カフェラテ", "緑茶", "いちごジュース", "トースト"]),
        Names(
            order: "订单号", time: "下单时间", date: "日期", clock: "时间", item: "商品", quantity: "数量", void: "订单状态",
            marks: ("已完成", "已取消"), price: "单价", items: ["拿铁", "绿茶", "草莓汁", "吐司"]),
        Names(
            order: "Номер заказа", time: "Дата и время", date: "Дата", clock: "Время", item: "Товар",
            quantity: "Количество", void: "Статус", marks: ("Выполнен", "Отменен"), price: "Цена",
            items: ["Латте", "Чай", "Сок", "Тост"]),
        Names(
            order: "ticket_number", time: "created_at", date: "order_date", clock: "order_time", item: "lineitem name",
            quantity: "lineitem quantity", void: "payment_status", marks: ("paid", "refunded"), price: "unit_price",
            items: ["Mocha", "Tea", "Juice", "Bagel"]),
        Names(
            order: "Scontrino", time: "Data e ora", date: "Data", clock: "Ora", item: "Prodotto", quantity: "Quantità",
            void: "Stato", marks: ("pagato", "annullato"), price: "Prezzo",
            items: ["Caffè", "Tè", "Spremuta", "Cornetto"]),
        Names(
            order: "Bonnetje", time: "Tijdstip", date: "Datum", clock: "Tijd", item: "Artikel", quantity: "Aantal",
            void: "Geannuleerd", marks: ("nee", "ja"), price: "Prijs",
            items: ["Koffie verkeerd", "Thee", "Tosti", "Sap"]),
    ]
}
