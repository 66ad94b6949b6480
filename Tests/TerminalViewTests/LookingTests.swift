import JuiceStand
import StandClient
import StandState
import TerminalView
import TestSupport
import Testing
import TextFormats

/// Looking around on the live display: scrolling, sorting, one fruit or order, earlier input.
@Suite(.timeLimit(.minutes(60)))
struct LookingTests {
    private static func rows(_ display: LiveDisplay, _ size: TerminalScreen.Size = .init()) -> [String] {
        display.lines(size).map(\.text)
    }

    private static func press(_ keys: String, _ display: inout LiveDisplay) -> [LiveWish] {
        LiveDisplayTests.press(keys, &display)
    }

    private static func wheel(_ isUp: Bool, row: Int) -> String { "\u{1b}[<\(isUp ? 64 : 65);10;\(row + 1)M" }

    /// The rows below a title.
    private static func part(
        _ title: String, _ display: LiveDisplay, _ size: TerminalScreen.Size = .init()
    ) throws -> [String] {
        let rows = rows(display, size)
        let start = try #require(rows.firstIndex { $0.dropFirst(2).hasPrefix(title) }, "\(rows)")
        return Array(rows[(start + 1)...].prefix { !$0.hasPrefix("─") && !$0.hasPrefix("▸") })
    }

    @Test func `the wheel scrolls what it points at`() throws {
        var display = try LiveDisplayTests.followed()
        let rows = Self.rows(display)
        let alerts = try #require(rows.firstIndex { $0.hasPrefix("─ Alerts") })
        let log = try #require(rows.firstIndex { $0.hasPrefix("─ Log") })
        #expect(Self.press(Self.wheel(true, row: alerts + 1), &display) == [])
        #expect(Self.rows(display)[alerts].hasPrefix("─ Alerts 13, 3 lines back "))
        #expect(Self.rows(display)[log] == rows[log])
        #expect(Self.press(Self.wheel(true, row: log + 1), &display) == [])
        #expect(Self.rows(display)[log].hasPrefix("─ Log, 3 lines back "))
        // Elsewhere it scrolls the log.
        #expect(Self.press(Self.wheel(false, row: 7) + Self.wheel(false, row: alerts + 1), &display) == [])
        #expect(Self.rows(display) == rows)
    }

    @Test func `Tab chooses the part that keys scroll, and Esc the log again`() throws {
        var display = try LiveDisplayTests.followed()
        let latest = Self.rows(display)
        #expect(Self.press("\t", &display) == [])
        #expect(Self.rows(display).contains { $0.hasPrefix("▸ Log ") })
        #expect(Self.press("\t\u{1b}[A", &display) == [])
        #expect(Self.rows(display).contains { $0.hasPrefix("▸ Alerts 13, 1 line back ") })
        let alerts = try Self.part("Alerts", display)
        #expect(Self.press("g", &display) == [])
        let first = try Self.part("Alerts", display)
        #expect(first != alerts && first.count == alerts.count)
        #expect(Self.press("\u{1b}[A", &display) == [])
        #expect(try Self.part("Alerts", display) == first)
        #expect(Self.press("G", &display) == [] && display.press(.escape) == nil)
        #expect(Self.rows(display) == latest)
    }

    @Test func `on a small screen a key that scrolls shows the log, and Tab the next part`() throws {
        var display = try LiveDisplayTests.followed()
        let size = TerminalScreen.Size(columns: 40, rows: 10)
        _ = display.frame(at: 1e6, size: size)
        #expect(!Self.rows(display, size).contains { $0.contains("Log") })
        #expect(Self.press("\u{1b}[A", &display) == [])
        #expect(Self.rows(display, size)[1].hasPrefix("▸ Log, 1 line back "))
        #expect(Self.press("\t", &display) == [] && Self.rows(display, size)[1].hasPrefix("▸ Alerts 13 "))
        #expect(Self.press("\t", &display) == [] && Self.rows(display, size)[6].hasPrefix(" mango "))
        #expect(Self.press("\t", &display) == [] && Self.rows(display, size)[1].hasPrefix("─ Stock "))
    }

    @Test func `a scrolled log shows the lines that were left out`() throws {
        let stand = try SimulatedStand(try LiveDisplayTests.configuration("stand"), speed: 60)
        var display = LiveDisplay(StandView(), .unicode)
        display.take(stand.shelves)
        for second in 0...60 {
            for news in stand.news(until: Double(second) * 600) { display.take(news) }
            _ = display.frame(at: Double(second), size: .init())
        }
        let size = TerminalScreen.Size(columns: 80, rows: 50)
        #expect(try Self.part("Log", display, size).contains { $0.contains(" lines left out") })
        #expect(Self.press("\u{1b}[A", &display) == [])
        #expect(try !Self.part("Log", display, size).contains { $0.contains(" lines left out") })
    }

    // MARK: - Many fruits

    /// A display of 40 fruits: fruit-1 has 41 pieces, fruit-2 has 42, and so on; the last one has none.
    private static func manyFruits() -> LiveDisplay {
        var display = LiveDisplay(StandView(), .unicode)
        let names = (1...40).map { "fruit-\($0)" }
        let levels = (1...39).map { Int64(40 + $0) } + [0]
        display.take(
            .shelves(
                stock: [
                    "stock": .array(
                        zip(names, levels).map { ["fruit": .string($0), "level": .integer($1), "full": 100] })
                ], menu: ["juices": []]))
        let stock = zip(names, levels).map { JSONValue.Member(key: $0, value: .integer($1)) }
        display.take(.status(["stand": "s", "sequence": 1, "orders": 1, "stock": .object(stock)]))
        _ = display.frame(at: 0, size: .init())
        return display
    }

    @Test func `a long list of fruits scrolls, and can be sorted`() throws {
        var display = Self.manyFruits()
        #expect(Self.rows(display)[2].hasPrefix(" F  fruit-1 "))
        #expect(Self.rows(display).contains { $0.contains("more fruits") })
        #expect(Self.press(Self.wheel(false, row: 3), &display) == [])
        #expect(Self.rows(display)[2].hasPrefix(" F  fruit-4 "))
        #expect(Self.press("\t\t\tG", &display) == [])
        let rows = Self.rows(display)
        #expect(rows[1].hasPrefix("▸ Stock ") && rows.contains { $0.hasPrefix(" F  fruit-40 ") })
        #expect(Self.press("g>", &display) == [])
        #expect(Self.rows(display)[1].contains("Stock by level") && Self.rows(display)[2].hasPrefix(" F  fruit-40 "))
        #expect(Self.press(">", &display) == [])
        #expect(Self.rows(display)[1].contains("Stock by name") && Self.rows(display)[3].hasPrefix(" F  fruit-10 "))
        // Without a forecast there is no time left.
        #expect(Self.press(">", &display) == [] && Self.rows(display)[2].hasPrefix(" F  fruit-1 "))
        #expect(Self.press("<", &display) == [] && Self.rows(display)[1].contains("Stock by name"))
    }

    @Test func `a long list to choose from shows what is typed`() throws {
        var display = Self.manyFruits()
        #expect(Self.press("rfruit-33", &display) == [])
        let chosen = display.lines(.init()).first { $0.pieces.contains { $0.style == .reverse && $0.text.count > 1 } }
        #expect(chosen?.text.hasSuffix("fruit-33") == true)
    }

    // MARK: - Input and answers

    @Test func `arrows bring back earlier input of the same kind`() throws {
        var display = try LiveDisplayTests.followed(until: 0.2)
        #expect(Self.press("okiwi 2\rno3\rnrkiwi 9\rn", &display) == [])
        let up = "\u{1b}[A"
        let down = "\u{1b}[B"
        #expect(Self.press("oban" + up, &display) == [] && Self.rows(display).last?.hasPrefix(" Order: 3") == true)
        #expect(Self.press(up + up, &display) == [] && Self.rows(display).last?.hasPrefix(" Order: kiwi 2") == true)
        #expect(Self.press(down + down, &display) == [])
        #expect(Self.rows(display).last?.hasPrefix(" Order: ban ") == true)
        #expect(Self.press(up + "\ry", &display) == [.order(juice: "kiwi juice", cups: 1)])
    }

    @Test func `t takes fruit away after a question`() throws {
        var display = try LiveDisplayTests.followed(until: 0.2)
        #expect(Self.press("tkiwi 5\r", &display) == [])
        #expect(Self.rows(display).last == " Take away 5 kiwi? (y/n)")
        #expect(Self.press("y", &display) == [.restock(fruit: "kiwi", pieces: -5)])
    }

    @Test func `an answer gives way to the keys after five seconds`() throws {
        var display = try LiveDisplayTests.followed(until: 0.2)
        display.tell(.speed(120))
        _ = display.frame(at: 1e6, size: .init())
        #expect(Self.rows(display).last == " speed × 120")
        _ = display.frame(at: 1e6 + 4, size: .init())
        #expect(Self.rows(display).last == " speed × 120")
        _ = display.frame(at: 1e6 + 6, size: .init())
        #expect(Self.rows(display).last?.hasPrefix(" ? help") == true)
    }
}
