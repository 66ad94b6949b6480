import Foundation
import JuiceStand
import StandClient
import StandService
import TerminalTestSupport
import TerminalView
import TestSupport
import Testing
import TextFormats

/// The content and cost of the live display, on stands in virtual time.
@Suite(.timeLimit(.minutes(60)))
struct LiveDisplayTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let screens = root.appending(path: "Tests/TerminalViewTests/Screens")

    static func configuration(_ name: String) throws -> String {
        try String(contentsOf: root.appending(path: "config/\(name).json"), encoding: .utf8)
    }

    /// A display that has followed the stand of config/stand.json, with a frame each wall second.
    static func followed(
        _ view: StandView = StandView(), _ glyphs: Glyphs = .unicode, until hours: Double = 3.3
    ) throws -> LiveDisplay {
        let stand = try SimulatedStand(try configuration("stand"), speed: 60)
        var display = LiveDisplay(view, glyphs)
        display.take(stand.shelves)
        for second in 0...Int(hours * 60) {
            for news in stand.news(until: Double(second) * 60) { display.take(news) }
            _ = display.frame(at: Double(second), size: TerminalScreen.Size())
        }
        return display
    }

    /// The display that most tests begin with.
    private static let morning = Result { try followed(StandView()) }

    static func followed() throws -> LiveDisplay { try morning.get() }

    static func press(_ keys: String, _ display: inout LiveDisplay) -> [LiveWish] {
        var reader = KeyReader()
        return reader.take(keys.utf8).compactMap { display.press($0) }
    }

    // MARK: - Golden screens

    /// With `JUICESTAND_WRITE_SCREENS` in the environment the files are rewritten. Review the difference before a commit.
    ///
    /// - Parameter name: The file's; it ends with the size of the screen.
    private static func compare(_ display: LiveDisplay, _ name: String) throws {
        let numbers = try #require(name.firstMatch(of: #/-(\d+)x(\d+)$/#)).output
        let size = TerminalScreen.Size(columns: Int(numbers.1)!, rows: Int(numbers.2)!)
        let lines = display.lines(size)
        for line in lines { #expect(TextWidth.columns(of: line.text) <= size.columns, "\(line.text)") }
        #expect(lines.count == size.rows)
        let text = lines.map { line in
            String(line.text.reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
        let file = screens.appending(path: name + ".txt")
        if ProcessInfo.processInfo.environment["JUICESTAND_WRITE_SCREENS"] != nil {
            try FileManager.default.createDirectory(at: screens, withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(
            try text == String(contentsOf: file, encoding: .utf8),
            "\(name). JUICESTAND_WRITE_SCREENS=1 swift test --filter LiveDisplayTests writes the screens again.")
    }

    /// In Korean a syllable takes two columns.
    @Test(
        arguments: [
            ("morning-80x24", nil, .unicode), ("morning-160x50", nil, .unicode), ("morning-40x12", nil, .unicode),
            ("morning-20x5", nil, .unicode), ("korean-80x24", "ko", .unicode), ("ascii-80x24", nil, .ascii),
        ] as [(String, String?, Glyphs)])
    func `draws the screen of a stand after a morning`(name: String, language: String?, glyphs: Glyphs) throws {
        try Self.compare(try Self.followed(StandView(language: language), glyphs), name)
    }

    @Test(arguments: [60, 80, 120, 200], [15, 24, 60])
    func `cuts no number and overflows no row`(columns: Int, rows: Int) throws {
        for language in [nil, "ko"] {
            let display = try Self.followed(StandView(language: language))
            let lines = display.lines(.init(columns: columns, rows: rows))
            #expect(lines.count == rows)
            for line in lines {
                #expect(TextWidth.columns(of: line.text) <= columns, "\(line.text)")
                #expect(!line.text.contains(#/[0-9,.]…/#), "\(line.text)")
            }
            // Every picture takes two columns, so the levels stand in one column.
            let shelves = lines[2..<7].map(\.text)
            let ends = shelves.map { shelf in
                let level = shelf.firstMatch(of: #/[0-9,]+/#)!.range.upperBound
                return TextWidth.columns(of: String(shelf[..<level]))
            }
            #expect(Set(ends).count == 1, "\(shelves)")
        }
    }

    @Test func `uses only ASCII in an ASCII locale`() throws {
        let display = try Self.followed(StandView(language: "ko"), .ascii)
        for size in [TerminalScreen.Size(), .init(columns: 160, rows: 50), .init(columns: 33, rows: 9)] {
            for line in display.lines(size) {
                let isASCII = line.text.utf8.allSatisfy { $0 < 0x80 }
                #expect(isASCII, "\(line.text)")
            }
        }
    }

    @Test func `the help lists the keys and the page's address`() throws {
        var display = try Self.followed(StandView(link: Self.link))
        #expect(Self.press("?", &display) == [])
        try Self.compare(display, "help-80x24")
        for (glyphs, cut) in [(Glyphs.unicode, "…"), (.ascii, ">")] {
            var display = try Self.followed(StandView(ending: .closes), glyphs)
            #expect(Self.press("?", &display) == [])
            let lines = display.lines(.init()).map(\.text)
            #expect(lines.contains { $0.hasPrefix("  q  ") } && !lines.contains { $0.hasSuffix(cut) })
        }
    }

    private static let link = "http://127.0.0.1:8787/#token=" + String(repeating: "0123456789", count: 4)

    @Test func `warnings and the page's link stay until the first key, and in the help`() throws {
        let warnings: [ListenerWarning] = [
            .portTaken(8787, instead: 40_123), .socketTaken(socket: "/run/user/1000/juicestand-7.sock"),
        ]
        let shown = [
            " Port 8787 is taken. This stand listens on port 40123.",
            " Another stand is running and gets the commands. Commands for this one need",
            "--socket /run/user/1000/juicestand-7.sock", Self.link,
        ]
        var display = try Self.followed(StandView(link: Self.link, warnings: warnings), until: 0.1)
        #expect(display.lines(.init()).map(\.text)[19..<23] == shown[...])
        #expect(display.lines(.init()).last?.text.hasPrefix(" ? help  q quit") == true)
        // A small screen keeps its room for the stand.
        #expect(!display.lines(.init(columns: 40, rows: 12)).contains { $0.text.contains("--socket") })
        #expect(display.press(.control("l")) == nil && display.lines(.init())[22].text == Self.link)
        #expect(Self.press("?", &display) == [])
        let help = display.lines(.init()).map(\.text)
        #expect(help[1..<4] == shown[..<3] && help[4].hasPrefix("─ Page ─") && help[5] == Self.link)
        #expect(Self.press(" ", &display) == [])
        #expect(!display.lines(.init()).contains { shown.contains($0.text) })
    }

    @Test(
        arguments: [
            (nil, "quit", "ends the display; the stand continues", nil),
            (.closes, "close", "closes the stand", "Close the stand and quit?"),
            (.suspends, "suspend", "suspends the stand; the next start resumes it", "Suspend the stand and quit?"),
        ] as [(StandView.Ending?, String, String, String?)])
    func `the screen says what q does to the stand, and asks first if it ends the stand`(
        ending: StandView.Ending?, word: String, help: String, question: String?
    ) throws {
        var display = try Self.followed(StandView(ending: ending), until: 0.1)
        #expect(display.lines(.init()).last?.text.contains(" q \(word) ") == true)
        #expect(Self.press("?", &display) == [])
        #expect(display.lines(.init()).contains { $0.text == "  q              " + help })
        let wishes: [LiveWish] = question == nil ? [.quit] : []
        #expect(Self.press(" q", &display) == wishes)
        guard let question else { return }
        #expect(display.lines(.init()).last?.text == " \(question) (y/n)")
        #expect(Self.press("n", &display) == [])
        #expect(Self.press("qy", &display) == [.quit])
    }

    // MARK: - Keys

    @Test func `an order and a restock are typed before they are sent`() throws {
        var display = try Self.followed()
        #expect(Self.press("oban 2\r", &display) == [])
        #expect(display.lines(.init()).last?.text == " Order 2 banana juice? (y/n)")
        #expect(Self.press("y", &display) == [.order(juice: "banana juice", cups: 2)])
        #expect(Self.press("o6\rn", &display) == [])
        #expect(display.lines(.init()).last?.text == " cancelled")
        #expect(Self.press("rkiw 20\r", &display) == [])
        try Self.compare(display, "asking-80x24")
        #expect(Self.press("y", &display) == [.restock(fruit: "kiwi", pieces: 20)])
        for typed in ["o\r", "r \r"] {
            #expect(Self.press(typed, &display) == [])
            #expect(display.lines(.init()).last?.text == " cancelled")
        }
    }

    @Test(arguments: [
        ("o1 abc", #"cups must be a whole number from 1 to 10,000, found "abc""#),
        ("o1 0", #"cups must be a whole number from 1 to 10,000, found "0""#),
        ("okiwi 10001", #"cups must be a whole number from 1 to 10,000, found "10001""#),
        ("okiwi juice 1.5", #"cups must be a whole number from 1 to 10,000, found "1.5""#),
        ("o99", "no such juice: 99"), ("ocherry 2", "no such juice: cherry"),
        ("obananna 2", "no such juice: bananna; did you mean banana juice?"),
        ("rkiwi x", #"pieces must be a whole number from 1 to 1,000,000,000, found "x""#),
        ("r3 -1", #"pieces must be a whole number from 1 to 1,000,000,000, found "-1""#),
        ("rkiwi", "how many? A name or number, then the pieces"),
        ("t9 1", "no such fruit: 9"), ("rcherry 2", "no such fruit: cherry"),
        ("rkiwo 2", "no such fruit: kiwo; did you mean kiwi?"),
    ])
    func `what is not understood stays in the prompt, with the reason above it`(typed: String, notice: String) throws {
        var display = try Self.followed(until: 0.1)
        #expect(Self.press(typed + "\r", &display) == [])
        let lines = display.lines(.init()).map(\.text)
        #expect(lines[22] == " " + notice)
        #expect(lines[23].hasSuffix(": \(typed.dropFirst()) "))
        // The next key corrects it.
        #expect(Self.press("\u{7f}", &display) == [])
        let corrected = display.lines(.init()).map(\.text)
        #expect(corrected[22].contains(", such as ") && corrected[23].hasSuffix(": \(typed.dropFirst().dropLast()) "))
    }

    @Test(arguments: [80, 40])
    func `a prompt says what to type`(columns: Int) throws {
        var display = try Self.followed(until: 0.1)
        let size = TerminalScreen.Size(columns: columns, rows: columns / 4)
        for (key, hint) in [
            ("o", "a name or number and the cups, such as strawberry juice 2"),
            ("r", "a name or number and the pieces, such as strawberry 20"),
            ("t", "a name or number and the pieces, such as strawberry 20"),
        ] {
            #expect(Self.press(key, &display) == [])
            let line = display.lines(size).map(\.text)[size.rows - 2]
            #expect(line.hasPrefix(" " + hint.prefix(columns - 4)), "\(line)")
            #expect(display.press(.escape) == nil)
        }
    }

    @Test func `a search without a match says so, also where the log has no room`() throws {
        var display = try Self.followed()
        #expect(Self.press("/zzz", &display) == [])
        let rows = display.lines(.init()).map(\.text)
        let start = try #require(rows.firstIndex { $0.hasPrefix("─ Log with \"zzz\" ") })
        #expect(rows[start + 1] == " nothing found")
        #expect(Self.press("\r", &display) == [])
        #expect(display.lines(.init(columns: 40, rows: 10)).last?.text == " nothing found")
        #expect(Self.press("/\u{15}kiwi\r", &display) == [])
        #expect(!display.lines(.init()).contains { $0.text == " nothing found" })
    }

    @Test func `plus and minus double and halve the rate, and braces the speed`() throws {
        var display = try Self.followed(until: 0.1)
        #expect(Self.press("+", &display) == [.rate(2)] && Self.press("-", &display) == [.rate(0.5)])
        #expect(Self.press("}", &display) == [.speed(120)] && Self.press("{", &display) == [.speed(30)])
    }

    /// The lines of the log that a filter with this text shows on a screen of 40 rows.
    private static func filtered(_ display: LiveDisplay, by text: String) throws -> [String] {
        let rows = display.lines(.init(columns: 100, rows: 40)).map(\.text)
        let start = try #require(rows.firstIndex { $0.hasPrefix("─ Log with \"\(text)\" ") })
        return rows[(start + 1)..<39].filter { !$0.isEmpty }
    }

    @Test func `a filter shows earlier and later lines with its text, and no others`() throws {
        var display = try Self.followed()
        #expect(Self.press("/KIWI\r", &display) == [])
        let log = try Self.filtered(display, by: "KIWI")
        #expect(log.count > 10)
        for line in log { #expect(line.contains("kiwi"), "\(line)") }
        #expect(Self.press("\u{1b}", &display) == [])
        #expect(display.press(.escape) == nil)
        #expect(display.lines(.init()).contains { $0.text.hasPrefix("─ Log ─") })
    }

    @Test func `a held display does not change, can be filtered, and catches up afterwards`() throws {
        let stand = try SimulatedStand(try Self.configuration("stand"), speed: 60)
        var display = LiveDisplay(StandView(), .unicode)
        display.take(stand.shelves)
        for news in stand.news(until: 3600) { display.take(news) }
        _ = display.frame(at: 0, size: .init())
        let before = display.lines(.init()).map(\.text)
        #expect(Self.press("p", &display) == [])
        for news in stand.news(until: 7200) { display.take(news) }
        let held = display.lines(.init()).map(\.text)
        #expect(held.dropFirst() == before.dropFirst() && held[0].contains("held"))
        #expect(Self.press("/KIWI\r", &display) == [])
        let log = try Self.filtered(display, by: "KIWI")
        #expect(!log.isEmpty)
        // What came later is not there.
        for line in log { #expect(line.contains("kiwi") && line.hasPrefix(" 08:"), "\(line)") }
        #expect(display.press(.escape) == nil)
        #expect(display.lines(.init()).contains { $0.text.hasPrefix("─ Log ─") })
        #expect(Self.press("p", &display) == [])
        #expect(display.lines(.init())[0].text.contains("10:00:00"))
    }

    // MARK: - A stand that came back

    /// The trend of a fruit after levels at these times.
    private static func trend(_ statuses: Levels) -> String {
        var display = LiveDisplay(StandView(), .ascii)
        display.take(.shelves(stock: ["stock": [["fruit": "kiwi", "level": 9, "full": 9]]], menu: ["juices": []]))
        for status in statuses { display.take(Self.status(status.time, status.speed, status.level)) }
        return display.lines(.init())[2].text
    }

    private static func status(_ time: Double, _ speed: Double, _ level: Int) -> StandNews {
        .status([
            "stand": "s", "sequence": 1, "time": .number(time), "speed": .number(speed),
            "stock": ["kiwi": .integer(Int64(level))],
        ])
    }

    typealias Levels = [(time: Double, speed: Double, level: Int)]

    @Test(
        arguments: [
            // A stand at an earlier time, or a much later one, gets a new trend.
            ([(30, 1, 9), (40, 1, 7), (50, 1, 8), (5, 1, 1), (15, 1, 5)], [(5, 1, 1), (15, 1, 5)]),
            ([(30, 1, 9), (40, 1, 7), (50, 1, 8), (25, 1, 1), (35, 1, 5)], [(25, 1, 1), (35, 1, 5)]),
            ([(30, 1, 9), (40, 1, 7), (50, 1, 8), (50_000, 2, 1), (50_020, 2, 5)], [(50_000, 2, 1), (50_020, 2, 5)]),
            // A value one step late does not change it.
            ([(30, 1, 9), (40, 1, 7), (50, 1, 8), (49, 1, 8)], [(30, 1, 9), (40, 1, 7), (50, 1, 8)]),
            // Stock that is edited while the stand is paused changes at one instant: the later level counts.
            (
                [(0, 1, 9), (30, 1, 9), (40, 1, 3), (40, 1, 7), (60, 1, 7)],
                [(0, 1, 9), (30, 1, 9), (40, 1, 7), (60, 1, 7)]
            ),
        ] as [(Levels, Levels)])
    func `a trend has the latest level of each time of one stand`(levels: Levels, same: Levels) {
        #expect(Self.trend(levels) == Self.trend(same))
    }

    @Test func `another speed keeps the trend`() {
        let trend = Self.trend([(0, 1, 9), (30, 1, 1), (60, 60, 9), (600, 60, 9)])
        #expect(trend.contains("_") && trend.hasSuffix("@"), "\(trend)")
    }

    @Test(arguments: [80, 160]) func `charts have their full width in the first minute`(columns: Int) {
        var display = LiveDisplay(StandView(), .ascii)
        display.take(.shelves(stock: ["stock": [["fruit": "kiwi", "level": 9, "full": 9]]], menu: ["juices": []]))
        for second in 0...40 {
            display.take(
                .status([
                    "stand": "s", "sequence": 1, "time": .number(Double(second)), "speed": 1,
                    "served": .integer(Int64(second)), "stock": ["kiwi": 7],
                ]))
        }
        let lines = display.lines(.init(columns: columns, rows: 24)).map(\.text)
        // Seven of nine is the seventh sign of eight; the growth is the same all the time.
        let trend = lines[2].reversed().prefix { $0 == "#" }.count
        #expect(trend >= columns / 6, "\(lines[2])")
        #expect(lines[1].contains("last 40 s"), "\(lines[1])")
        let growth = lines.first { $0.hasPrefix(" served") } ?? ""
        #expect(
            growth.count == columns - 1 && growth.hasSuffix(String(repeating: "@", count: columns / 3)), "\(growth)")
    }

    @Test func `another stand starts without the former figures`() throws {
        var display = try Self.followed()
        let other = try SimulatedStand(try Self.configuration("stand"), speed: 60)
        var new = LiveDisplay(StandView(), .unicode)
        display.take(.otherStand)
        let news = [other.shelves] + other.news(until: 60)
        for item in news {
            display.take(item)
            new.take(item)
        }
        let size = TerminalScreen.Size()
        _ = (display.frame(at: 1e6, size: size), new.frame(at: 1e6, size: size))
        let rows = display.lines(size).map(\.text)
        let newRows = new.lines(size).map(\.text)
        let start = try #require(newRows.firstIndex { $0.hasPrefix("─ Log") })
        #expect(rows[..<start] == newRows[..<start])
    }

    @Test func `escape sequences in names are shown, not obeyed`() throws {
        let fruit = "ki\u{1b}]0;x\u{7}wi"
        let juice = "j\u{202e}uice"
        var display = LiveDisplay(StandView(), .unicode)
        display.take(
            .shelves(
                stock: ["stock": [["fruit": .string(fruit), "level": 3]]], menu: ["juices": [["juice": .string(juice)]]]
            ))
        let line =
            #"{"seq":1,"at":0.000000000,"event":"orderPlaced","order":1,"juice":"j\u202euice","cups":1,"by":"customer"}"#
        display.take(.line(line))
        display.take(.status(["stand": "a\u{1b}[2Jb", "sequence": 1, "stock": .object([.init(key: fruit, value: 3)])]))
        var terminal = TestTerminal(.init())
        terminal.take(display.frame(at: 0, size: .init()))
        #expect(terminal.unknown == [])
        #expect(terminal.text[0].contains(#"a\u{1b}[2Jb"#))
        #expect(terminal.text[2].contains(#"ki\u{1b}]0;x\u"#))
        #expect(terminal.text.joined().contains(#"j\u{202e}uice"#))
    }

    /// Each figure at the borders of what is taken from another program.
    @Test(
        arguments: [
            #"{"queue": -1}"#, #"{"queue": 9007199254740992, "makers": 9007199254740992, "busyMakers": 0}"#,
            #"{"makers": -9007199254740992}"#, #"{"time": 9007199254740992}"#, #"{"time": 1e-300, "speed": 1e-300}"#,
            #"{"speed": 9007199254740992}"#, #"{"rate": 1e-300}"#, #"{"rate": 9007199254740992}"#,
            #"{"waits": {"p50": 9007199254740992, "p95": 1e-300, "p99": 0}}"#, #"{"served": 9007199254740992}"#,
            #"{"lost": {"queueFull": 9007199254740992, "soldOut": 9007199254740992}}"#,
            #"{"stock": {"kiwi": 9007199254740992}}"#, #"{"stock": {"kiwi": -1}}"#, #"{"onOrder": {"kiwi": -1}}"#,
            #"{"forecast": {"at": 0, "fruits": {"kiwi": {"probability": 1, "p50": 0, "p95": 9007199254740992}}}}"#,
        ], [(80, 24), (160, 50), (20, 5)])
    func `a stand of any figures is shown`(figures: String, size: (columns: Int, rows: Int)) throws {
        let figures = try #require(JSONValue(parsing: Array(figures.utf8)))
        var display = LiveDisplay(StandView(), .unicode)
        display.take(
            .shelves(
                stock: ["stock": [["fruit": "kiwi", "level": 3, "full": 0, "reorderPoint": -5, "lowStock": -1]]],
                menu: ["juices": [["juice": "j", "preparation": 0]]]))
        display.take(
            .line(
                #"{"seq":1,"at":0.000000000,"event":"orderPlaced","order":1,"juice":"j","cups":1,"by":"customer"}"#))
        display.take(.line(#"{"seq":2,"at":1.000000000,"event":"orderStarted","order":1}"#))
        for time in [0.0, 1, 700] {
            let usual: JSONValue = [
                "stand": "corner", "phase": "open", "opens": "2026-05-04T08:00:00", "time": .number(time), "speed": 0,
                "sequence": 3, "queue": 1, "makers": 2, "busyMakers": 1, "served": .whole(Int(time)),
                "stock": ["kiwi": 3],
            ]
            display.take(.status(usual.replacing(with: figures)))
            display.take(.skipped(.max))
            let lines = display.lines(.init(columns: size.columns, rows: size.rows))
            #expect(lines.count == size.rows && lines[0].text.contains("corner"))
        }
    }

    // MARK: - Scrolling

    /// The rows of the log.
    private static func log(_ display: LiveDisplay, _ size: TerminalScreen.Size = .init()) -> [String] {
        let lines = display.lines(size).map(\.text)
        let start = lines.firstIndex { $0.hasPrefix("─ Log") } ?? lines.count
        return lines.dropFirst(start + 1).dropLast().map { String($0) }
    }

    @Test func `the log scrolls back by line and by page, stays there, and returns with G`() throws {
        var display = try Self.followed()
        let latest = Self.log(display)
        #expect(latest.count > 4)
        #expect(Self.press("\u{1b}[A", &display) == [])
        #expect(Array(Self.log(display).dropFirst()) == Array(latest.dropLast()))
        #expect(display.lines(.init()).contains { $0.text.hasPrefix("─ Log, 1 line back ") })
        _ = Self.press("\u{1b}[5~\u{1b}[5~\u{1b}[6~\u{1b}[B", &display)
        let back = Self.log(display)
        #expect(display.lines(.init()).contains { $0.text.hasPrefix("─ Log, 5 lines back ") })
        // What is read stays while lines arrive.
        let line =
            #"{"seq":99999,"at":11900.000000000,"event":"stockChanged","fruit":"kiwi","from":9,"to":8,"cause":"edit"}"#
        display.take(.line(line))
        _ = display.frame(at: 1e6, size: .init())
        #expect(Self.log(display) == back)
        _ = Self.press("G", &display)
        #expect(Self.log(display).last?.contains("kiwi 9 → 8") == true)
        // Further down is nothing, and up ends at the first line.
        _ = Self.press("\u{1b}[6~", &display)
        #expect(Self.log(display).last?.contains("kiwi 9 → 8") == true)
        for _ in 0..<400 { _ = Self.press("\u{1b}[5~", &display) }
        let first = Self.log(display)
        _ = Self.press("\u{1b}[A", &display)
        #expect(Self.log(display) == first && first != latest)
        let whole = Self.log(display, .init(columns: 80, rows: 3000))
        #expect(whole.count > first.count && whole.first == first.first, "the first row is the first line of all")
    }

    @Test func `brackets go back and forward by an event, and n returns to now`() throws {
        var display = try Self.followed()
        let now = display.lines(.init())
        guard case .look(let before)? = Self.press("[", &display).first else {
            Issue.record("a bracket asks for no event")
            return
        }
        let latest = before + 1
        #expect(now.contains { $0.text.contains("event \(Columns.grouped(latest))") })
        #expect(display.lines(.init()) == now)
        #expect(Self.press("[[]", &display) == [.look(latest - 2), .look(latest - 3), .look(latest - 2)])
        display.take(
            .instant([
                "stand": "corner", "phase": "open", "time": .number(60.5), "sequence": .whole(latest - 2), "queue": 3,
                "busyMakers": 1, "making": [["order": 1]],
                "stock": ["kiwi": 7],
                "events": [
                    ["seq": .whole(latest - 2), "at": 60, "event": "orderStarted", "order": 1],
                    ["seq": .whole(latest - 1), "at": 61, "event": "orderStarted", "order": 2],
                ],
            ]))
        let text = display.lines(.init()).map(\.text).joined(separator: "\n")
        for part in [
            "08:01:00", "  past", "event \(Columns.grouped(latest - 2))", "3 waiting", "1 busy",
            "order 1: a maker is at work",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(!text.contains("order 2:"))
        #expect(Self.press("n", &display) == [] && display.lines(.init()) == now)
        #expect(Self.press("[]", &display) == [.look(latest - 1)] && display.lines(.init()) == now)
    }

    @Test func `s pauses the stand and lets it go on, after a question`() throws {
        var display = try Self.followed()
        #expect(Self.press("s", &display) == [])
        #expect(display.lines(.init()).last?.text.contains("Pause the stand? (y/n)") == true)
        #expect(Self.press("y", &display) == [.pause])
        display.take(.status(["stand": "corner", "phase": "paused", "sequence": 1]))
        #expect(Self.press("sy", &display) == [.resume])
        #expect(Self.press("sn", &display) == [])
        #expect(Self.press("s", &display) == [])
        display.take(.status(["stand": "corner", "phase": "open", "sequence": 2]))
        #expect(Self.press("y", &display) == [])
        #expect(display.lines(.init()).last?.text == " the stand is not paused")
        #expect(Self.press("s", &display) == [])
        display.take(.status(["stand": "corner", "phase": "paused", "sequence": 3]))
        #expect(Self.press("y", &display) == [])
        #expect(display.lines(.init()).last?.text == " the stand is already paused")
    }

    // MARK: - What it costs

    /// 100 orders a second, with enough fruit and makers for all.
    private static let busy = """
        {"makers": 300, "customers": {"arrivals": {"poisson": {"perSecond": 100}}}, "fruits": {\(
            ["strawberry", "banana", "kiwi", "pineapple", "mango"].map {
                "\"\($0)\": {\"initial\": 20000, \"lowStock\": 5000, \"restock\": "
                    + "{\"fixedQuantity\": {\"reorderPoint\": 10000, \"quantity\": 9000, \"leadTime\": \"5s\"}}}"
            }.joined(separator: ", "))},
         "menu": {"banana juice": {"recipe": {"banana": 2}, "preparation": "2s"}, "mango kiwi juice": {"recipe": {"mango": 2, "kiwi": 1},
          "preparation": "2s"}, "strawberry juice": {"recipe": {"strawberry": 16}, "preparation": "2s"}}}
        """

    @Test func `people stand in a row, and each maker shows how far the order is`() throws {
        let stand = try SimulatedStand(
            """
            {"makers": 3, "customers": {"arrivals": {"renewal": 10}}, "fruits": {"kiwi": {"initial": 1000}},
             "menu": {"kiwi juice": {"recipe": {"kiwi": 1}, "preparation": 40}}}
            """)
        var display = LiveDisplay(StandView(), .unicode)
        display.take(stand.shelves)
        func rows(at seconds: Double) -> [String] {
            for news in stand.news(until: seconds) { display.take(news) }
            let text = display.lines(.init()).map { String($0.text) }
            return ["queue", "makers"].map { name in text.first { $0.hasPrefix(" \(name) ") } ?? "" }
        }
        // They came at 10 s and 20 s.
        #expect(rows(at: 25)[1].contains(" 2 of 3 busy  ███····· █······· ········ "))
        let later = rows(at: 48)
        #expect(
            later[0].hasSuffix("4 in the stand  ☻") && later[1].contains(" 3 of 3 busy  ███████▋ █████▋·· ███▋···· "))
        let busy = rows(at: 2000)[0]
        let waiting = try #require(busy.firstMatch(of: #/ (\d+) waiting/#).flatMap { Int($0.1) })
        let drawn = busy.count { $0 == "☻" }
        #expect(drawn > 20 && waiting > drawn && busy.hasSuffix("☻+\(waiting - drawn)"), "\(busy)")
    }

    @Test(arguments: [(80, 24), (160, 50)])
    func `at 100 orders a second the first screen is at most 8 KB, the rest 1 KB a second, and the clock moves`(
        columns: Int, rows: Int
    ) throws {
        let stand = try SimulatedStand(Self.busy)
        let size = TerminalScreen.Size(columns: columns, rows: rows)
        var display = LiveDisplay(StandView(language: "ko"), .unicode)
        var terminal = TestTerminal(size)
        display.take(stand.shelves)
        let seconds = 20
        var costs = Array(repeating: 0, count: seconds)
        var frames = 0
        var clocks: [Int] = []
        // The display looks ten times a second, as on a terminal.
        for tick in 0..<(10 * seconds) {
            let now = Double(tick) / 10
            for news in stand.news(until: now) { display.take(news) }
            let bytes = display.frame(at: now, size: size)
            terminal.take(bytes)
            costs[tick / 10] += bytes.utf8.count
            if tick == 0 { #expect(bytes.utf8.count <= 8192) }
            if !bytes.isEmpty { frames += 1 }
            let clock = try #require(terminal.text[0].firstMatch(of: #/(\d\d):(\d\d):(\d\d)/#)).output
            clocks.append((Int(clock.1)! * 60 + Int(clock.2)!) * 60 + Int(clock.3)!)
            #expect((0...1).contains(Int(now) - (clocks[tick] - clocks[0])), "after \(now) s")
        }
        #expect(Set(clocks).count == seconds, "\(clocks)")
        #expect(stand.status(at: SimulationTime(seconds: 19.9)).orders > 1800)
        let steady = costs.dropFirst(10)
        #expect(steady.reduce(0, +) / steady.count <= 1000, "\(costs)")
        #expect(costs.first! <= 8192, "\(costs)")
        // It is alive all the while.
        #expect(steady.allSatisfy { $0 > 0 } && frames > 2 * seconds, "\(costs), \(frames) frames")
        #expect(terminal.unknown == [])
    }

    @Test func `frames are at least a sixteenth of a second apart, except after a key`() throws {
        let stand = try SimulatedStand(try Self.configuration("stand"), speed: 60)
        var display = LiveDisplay(StandView(), .unicode)
        display.take(stand.shelves)
        var drawnAt = -1.0
        for millisecond in stride(from: 0, to: 20_000, by: 5) {
            let now = Double(millisecond) / 1000
            for news in stand.news(until: now * 60) { display.take(news) }
            guard !display.frame(at: now, size: .init()).isEmpty else { continue }
            #expect(now - drawnAt >= 1.0 / 16)
            drawnAt = now
        }
        #expect(drawnAt > 19)
        _ = Self.press("?", &display)
        #expect(!display.frame(at: drawnAt + 0.001, size: .init()).isEmpty)
        #expect(!display.frame(at: drawnAt + 0.002, size: .init(columns: 90, rows: 30)).isEmpty)
    }
}
