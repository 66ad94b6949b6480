import JuiceStand
import TestSupport
import Testing
import TextFormats

/// An order of a trace, for comparing.
private struct TracedOrder: Equatable, CustomStringConvertible {
    var seconds: Double
    var juice: String
    var cups: Int?

    init(_ seconds: Double, _ juice: String, _ cups: Int? = nil) {
        self.seconds = seconds
        self.juice = juice
        self.cups = cups
    }

    var description: String { "\(seconds) \(juice) \(cups.map(String.init) ?? "-")" }
}

/// The configuration of a stand with a trace beside it.
private func stand(_ trace: String, opens: String? = nil) -> String {
    let opens = opens.map { #""opens": "\#($0)", "# } ?? ""
    return #"{\#(opens)"customers": {"arrivals": {"trace": {"file": "orders.csv", \#(trace)}}}}"#
}

/// What a stand makes of a file of orders; messages name the file by its name alone.
private func read(
    _ orders: String, _ trace: String = #""time": "time", "juice": "item""#, opens: String? = nil
) throws -> (orders: [TracedOrder], opens: String, problems: [String]) {
    let folder = try TemporaryFolder()
    _ = try folder.write(orders, to: "orders.csv")
    let file = try folder.write(stand(trace, opens: opens), to: "stand.json")
    func name(_ problem: TextProblem) -> String {
        "\(problem)".replacing(folder.path + "/", with: "")
    }
    do throws(ConfigurationError) {
        let configuration = try StandConfiguration(file: file)
        guard case .trace(let trace) = configuration.settings.customers.arrivals else {
            Issue.record("no trace was read")
            return ([], "", [])
        }
        #expect(configuration.settings.endsWithItsOrders)
        let menu = configuration.settings.menu
        return (
            trace.lines.map { TracedOrder($0.time.seconds, menu.name(of: $0.juice), $0.cups) },
            configuration.settings.opens,
            configuration.warnings.map(name)
        )
    } catch .badTrace(let problems) {
        return ([], "", problems.map(name))
    } catch .invalid(let problems) {
        return ([], "invalid", problems.map(name))
    } catch .unreadable(let path, let reason) {
        return ([], "unreadable", ["\(path.replacing(folder.path + "/", with: "")): \(reason)"])
    }
}

// MARK: - Times

@Test(
    arguments: [
        ("1969-12-31T23:00:00", "1969-12-31T00:00:00", 82_800), ("1970-01-01T00:00:00", "1970-01-01T00:00:00", 0),
        ("2026-05-04T01:00:00+02:00", "2026-05-04T00:00:00", 3600), ("12.5", "2026-01-01T00:00:00", 12.5),
    ] as [(String, String, Double)])
func `a day begins at midnight before its first order`(time: String, opening: String, seconds: Double) throws {
    let (orders, opens, _) = try read("time,item\n\(time),banana juice\n")
    #expect(opens == opening)
    #expect(orders == [TracedOrder(seconds, "banana juice")])
}

@Test func `times count from a given opening and earlier ones are errors`() throws {
    let text =
        "time,item\n2026-05-04 09:00:00,kiwi juice\n2026-05-04 08:59:59,kiwi juice\n2026-05-04 10:00:00,kiwi juice\n"
    #expect(try read(text, opens: "2026-05-04T08:00:00").orders.map(\.seconds) == [3599, 3600, 7200])
    #expect(
        try read(text, opens: "2026-05-04T09:00:00").problems == [
            "orders.csv:3:1: must not be before the stand opens, at 2026-05-04T09:00:00, found 2026-05-04T08:59:59; "
                + "set \"opens\" to an earlier time"
        ])
}

@Test func `orders are sorted by time with a warning if time goes back`() throws {
    let (orders, _, problems) = try read(
        """
        time,item
        10,banana juice
        10,kiwi juice
        30,mango juice
        20,kiwi juice
        10,mango juice
        30,banana juice
        25,pineapple juice

        """)
    #expect(
        orders == [
            TracedOrder(10, "banana juice"), TracedOrder(10, "kiwi juice"), TracedOrder(10, "mango juice"),
            TracedOrder(20, "kiwi juice"), TracedOrder(25, "pineapple juice"), TracedOrder(30, "mango juice"),
            TracedOrder(30, "banana juice"),
        ])
    #expect(
        problems == [
            "orders.csv:5:1: time goes back from 30 to 20; the order keeps its own time",
            "orders.csv:6:1: time goes back from 30 to 10; the order keeps its own time",
            "orders.csv:8:1: time goes back from 30 to 25; the order keeps its own time",
        ])
}

@Test func `reads times in a given format`() throws {
    let trace = #""time": "time", "juice": "item", "timeFormat": "%d.%m.%Y %H:%M""#
    let (orders, opens, _) = try read("item,time\nkiwi juice,04.05.2026 08:30\n", trace)
    #expect(opens == "2026-05-04T00:00:00")
    #expect(orders == [TracedOrder(30_600, "kiwi juice")])
    #expect(
        try read("item,time\nkiwi juice,2026-05-04 08:30\n", trace).problems == [
            "orders.csv:2:1: expected a time of the format '%d.%m.%Y %H:%M', found \"2026-05-04 08:30\"; 1 of 1 line "
                + "cannot be used"
        ])
}

@Test func `a time too far from the opening is an error`() throws {
    // More than the 292 years that stand time has.
    let (orders, _, problems) = try read("time,item\n2149-01-01T00:00:00,kiwi juice\n", opens: "1678-01-01T00:00:00")
    #expect(orders == [])
    #expect(
        problems == [
            "orders.csv:2:1: must be within 292 years of the opening, at 1678-01-01T00:00:00, found 2149-01-01T00:00:00"
        ])
}

@Test func `a file with the newest order first is sorted with one warning`() throws {
    let (orders, _, problems) = try read("time,item\n30,banana juice\n20,kiwi juice\n10,mango juice\n")
    #expect(orders.map(\.seconds) == [10, 20, 30])
    #expect(problems == ["orders.csv:2:1: the newest orders come first; they are sorted by time"])
}

@Test func `dates with an uncertain order of day and month need a format`() throws {
    #expect(
        try read("time,item\n04/05/2026 08:10,kiwi juice\n").problems == [
            "orders.csv:2:1: \"04/05/2026 08:10\" can have the day or the month first, and no other date decides; "
                + "use \"timeFormat\", such as \"%d/%m/%Y %H:%M\""
        ])
    let monthFirst = "time,item\n04/05/2026 08:10,kiwi juice\n04/13/2026 08:10,kiwi juice\n"
    #expect(try read(monthFirst).opens == "2026-04-05T00:00:00")
    #expect(try read(monthFirst + "13/04/2026 08:10,kiwi juice\n").problems.count == 1)
}

// MARK: - Orders of several lines

@Test func `all lines with one order number come at the time of the first`() throws {
    let text = """
        time,Order No.,item
        2026-05-04 08:00:00,7,kiwi juice
        2026-05-04 08:01:00,8,mango juice
        2026-05-04 08:02:00,7,banana juice
        2026-05-05 08:00:00,7,kiwi juice

        """
    let expected = [
        TracedOrder(28_800, "kiwi juice"), TracedOrder(28_800, "banana juice"), TracedOrder(28_860, "mango juice"),
        TracedOrder(115_200, "kiwi juice"),
    ]
    #expect(try read(text).orders == expected)
    #expect(try read(text).problems == [])
    let named = try read(
        text.replacing("Order No.", with: "x"), #""time": "time", "juice": "item", "order": "x""#)
    #expect(named.orders == expected)
    #expect(try read(text, #""time": "time", "juice": "item", "order": "x""#).problems.first?.contains("'x'") == true)
}

// MARK: - Items and cups

private let sales = "time,item\n1,Coffee\n2,kiwi juice\n3,Tea\n4,Bread\n5,Coffee\n6,Tea\n"

@Test func `a map assigns juices and null skips an item`() throws {
    let (orders, _, problems) = try read(
        sales,
        #""time": "time", "juice": "item", "unmapped": "skip", "map": {"Coffee": "banana juice", "kiwi juice": null, "x": null}"#
    )
    #expect(problems == [])
    #expect(orders == [TracedOrder(1, "banana juice"), TracedOrder(5, "banana juice")])
}

@Test func `unknown items are errors by default`() throws {
    let expected = [
        "orders.csv:4:3: unknown item \"Tea\"; expected a juice of the menu or a key of \"map\"",
        "orders.csv:5:3: unknown item \"Bread\"; expected a juice of the menu or a key of \"map\"",
        "orders.csv:7:3: unknown item \"Tea\"; expected a juice of the menu or a key of \"map\"",
    ]
    let map = #""map": {"Coffee": "banana juice"}"#
    #expect(try read(sales, #""time": "time", "juice": "item", \#(map)"#).problems == expected)
    #expect(try read(sales, #""time": "time", "juice": "item", "unmapped": "error", \#(map)"#).problems == expected)
}

@Test func `cycle assigns unknown items to juices in turn`() throws {
    let items = (1...9).map { "item \($0)" } + ["kiwi juice", "item 1", "item 8"]
    let text = "time,item\n" + items.enumerated().map { "\($0),\($1)\n" }.joined()
    let (orders, _, _) = try read(
        text, #""time": "time", "juice": "item", "unmapped": "cycle", "map": {"item 2": "mango juice", "item 3": null}"#
    )
    // Item 2 is mapped and item 3 left out: they take no part in the deal, of which the eighth is the first juice again.
    let dealt = Menu.standard.juices.map(\.name)
    #expect(
        orders.map(\.juice) == [
            dealt[0], "mango juice", dealt[1], dealt[2], dealt[3], dealt[4], dealt[5], dealt[6], "kiwi juice", dealt[0],
            dealt[5],
        ])
}

@Test func `lines without a number of cups are skipped, and parts of a cup are rounded`() throws {
    let rows = [
        "1,kiwi juice,many", "2,kiwi juice,1.5", "3,kiwi juice,", "4,kiwi juice,10001", "5,kiwi juice,0.2",
        "6,mango juice,10000", "7,mango juice,2 x",
    ]
    let (orders, _, problems) = try read(
        "time,item,n\n" + rows.map { $0 + "\n" }.joined(), #""time": "time", "juice": "item", "cups": "n""#)
    #expect(
        orders == [
            TracedOrder(2, "kiwi juice", 2), TracedOrder(5, "kiwi juice", 1), TracedOrder(6, "mango juice", 10_000),
            TracedOrder(7, "mango juice", 2),
        ])
    #expect(
        problems == [
            "orders.csv:2:1: the line is skipped: expected a quantity, found \"many\"",
            "orders.csv:4:1: the line is skipped: expected a quantity, found nothing",
            "orders.csv:5:1: the line is skipped: expected a quantity of at most 10,000, found \"10001\"",
        ])
}

@Test func `spellings of one item are one item`() throws {
    let text = "time,item\n1,Latte\n2,latte \n3,LATTE\n4,Kiwi  Juice\n5,Tea\n"
    let mapped = try read(text, #""time": "time", "juice": "item", "map": {"latte": "mango juice", "tea": null}"#)
    #expect(mapped.orders.map(\.juice) == ["mango juice", "mango juice", "mango juice", "kiwi juice"])
    let dealt = try read(text, #""time": "time", "juice": "item", "unmapped": "cycle""#)
    #expect(
        dealt.orders.map(\.juice) == [
            "strawberry juice", "strawberry juice", "strawberry juice", "kiwi juice", "banana juice",
        ])
}

@Test func `a trace of which no order is left is an error`() throws {
    let (orders, _, problems) = try read(
        "time,item\n1,Latte\n2,Tea\n", #""time": "time", "juice": "item", "unmapped": "skip""#)
    #expect(orders == [])
    #expect(
        problems == [
            "orders.csv: no order is left of 2 lines; no item, such as \"Latte\", is a juice of the menu or a key of "
                + "\"map\", and \"unmapped\" is \"skip\""
        ])
}

@Test func `a trace may be JSON Lines`() throws {
    let (orders, opens, problems) = try read(
        """
        {"at": "2026-05-04T08:00:00Z", "what": "kiwi juice", "n": 2}
        {"n": 1, "what": "mango juice", "at": "2026-05-04T08:00:01Z", "else": null}

        """, #""time": "at", "juice": "what", "cups": "n""#)
    #expect(problems == [])
    #expect(opens == "2026-05-04T00:00:00")
    #expect(orders == [TracedOrder(28_800, "kiwi juice", 2), TracedOrder(28_801, "mango juice", 1)])
    let lacking = try read(
        """
        {"at": 1}
        {"at": "noon", "what": "kiwi juice"}
        {"at": 2, "what": "kiwi juice"}

        """, #""time": "at", "juice": "what""#)
    #expect(lacking.orders == [TracedOrder(2, "kiwi juice")])
    #expect(
        lacking.problems == [
            "orders.csv:1:1: the line is skipped: it has no item",
            "orders.csv:2:1: the line is skipped: expected a date and a time of day, or seconds since the opening, found "
                + "\"noon\"",
        ])
}

// MARK: - What is wrong

@Test func `a missing column is reported`() throws {
    #expect(
        try read("when,item\n1,kiwi juice\n").problems.first?.hasPrefix("orders.csv:1:1: expected a column 'time'")
            == true)
}

@Test func `a trace may have no orders`() throws {
    let (orders, opens, problems) = try read("time,item\n")
    #expect(orders == [] && problems == [])
    #expect(opens == "2026-01-01T00:00:00")
}

@Test func `an unreadable trace is reported with the reason`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(stand(#""time": "time", "juice": "item""#), to: "stand.json")
    #expect(
        throws: ConfigurationError.unreadable(path: "\(folder.path)/orders.csv", reason: "No such file or directory")
    ) { try StandConfiguration(file: file) }
}

@Test(arguments: [
    (#""map": []"#, "map: must be an object, found an array"),
    (
        #""map": {"Tea": "tea"}"#,
        #"map.Tea: must be a juice of the menu or null, found "tea"; on the menu are strawberry juice, banana juice, "#
            + "kiwi juice, pineapple juice, strawberry banana juice, mango juice, mango kiwi juice"
    ),
])
func `a mistake in the description is reported before the file is read`(member: String, message: String) throws {
    for orders in [sales, ""] {
        let (_, kind, problems) = try read(orders, #""time": "time", "juice": "item", \#(member)"#)
        #expect(kind == "invalid")
        #expect(problems.map { $0.drop { $0 != " " }.dropFirst() } == ["customers.arrivals.trace.\(message)"])
    }
}

// MARK: - Where the file lies

@Test func `a path is relative to the configuration, and an override to the current folder`() throws {
    let folder = try TemporaryFolder()
    let orders = try folder.write("time,item\n5,kiwi juice\n", to: "config/data/orders.csv")
    let text = #"{"customers": {"arrivals": {"trace": {"file": "data/orders.csv", "time": "time", "juice": "item"}}}}"#
    let file = try folder.write(text, to: "config/stand.json")
    let read = try StandConfiguration(file: file).settings
    guard case .trace(let trace) = read.customers.arrivals else {
        Issue.record("no trace was read")
        return
    }
    #expect(trace.source.file == orders)
    // As an option the same path is one of the current folder, where there is no such file.
    let option = StandConfiguration.Override(
        source: "--set …", keyPath: "customers.arrivals.trace.file", value: "data/no-orders-here.csv")
    #expect(throws: ConfigurationError.unreadable(path: "data/no-orders-here.csv", reason: "No such file or directory"))
    {
        try StandConfiguration(file: file, overrides: [option])
    }
}

@Test func `a resolved configuration with a trace gives the same settings`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("day,hour,item,n\n04.05.2026,08:00,Tea,3\n04.05.2026,09:00,kiwi juice,1\n", to: "orders.csv")
    let trace = """
        "time": "day+hour", "juice": "item", "cups": "n", "timeFormat": "%d.%m.%Y %H:%M", "unmapped": "cycle",
        "map": {"Tea": "mango juice", "Bread": null}
        """
    let first = try StandConfiguration(file: folder.write(stand(trace), to: "stand.json")).settings
    let second = try settings(first.resolved().pretty())
    #expect(second == first)
    #expect(second.resolved() == first.resolved())
}

@Test func `a fingerprint depends on a trace's content and not on its path`() throws {
    func fingerprint(_ orders: String, in place: String = "", _ more: String = "") throws -> String {
        let folder = try TemporaryFolder()
        _ = try folder.write(orders, to: "\(place)orders.csv")
        let text = stand(#""time": "time", "juice": "item", "unmapped": "skip"\#(more)"#)
        return try StandConfiguration(file: folder.write(text, to: "\(place)stand.json")).settings.fingerprint
    }
    let known = try fingerprint(sales)
    #expect(try fingerprint(sales, in: "deep/down/") == known)
    let others = [
        try fingerprint(sales + "7,kiwi juice\n"), try fingerprint(sales.replacing("2,kiwi", with: "3,kiwi")),
        try fingerprint(sales, in: "", #", "map": {"Tea": "kiwi juice"}"#),
        try fingerprint(sales, in: "", #", "map": {"Tea": null}"#),
    ]
    #expect(Set(others + [known]).count == 5)
}

@Test func `bad lines beyond the first hundred are counted`() throws {
    let text = "time,item\n" + String(repeating: "1,Tea\n", count: 1234)
    let problems = try read(text).problems
    #expect(problems.count == 101)
    #expect(problems.last == "orders.csv: 1134 more problems")
}

@Test func `an order of a trace takes 16 bytes`() {
    #expect(MemoryLayout<Trace.Line>.stride == 16)
}
