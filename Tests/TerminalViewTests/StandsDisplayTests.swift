import JuiceStand
import StandClient
import StandService
import TerminalTestSupport
import TerminalView
import Terms
import TestSupport
import Testing
import TextFormats

/// The table of many stands.
@Suite(.timeLimit(.minutes(60)))
struct StandsDisplayTests {
    private static func target(_ number: Int) -> StandTarget { .socket(path: "/stands/\(number)") }

    /// A status; `number` makes stands differ.
    private static func status(_ number: Int, level: Int = 50, lost: Int = 0, alerts: [JSONValue] = []) -> JSONValue {
        [
            "stand": .string("stand-\(number)"), "phase": "open", "opens": "2026-05-04T08:00:00", "seed": 1,
            "time": .number(Double(600 + number)), "speed": 60, "sequence": .whole(number + 1), "orders": 100,
            "queue": .whole(number), "lost": ["soldOut": .whole(lost)], "ready": true,
            "lowStockAlerts": .whole(alerts.count), "alerts": .array(alerts),
            "stock": ["kiwi": .whole(level), "mango": 50], "waits": ["p50": 30],
            "behind": ["seconds": 0, "share": 0],
        ]
    }

    private static func news(_ number: Int, _ status: JSONValue?) -> (inout StandTable) -> Void {
        { table in
            if let status {
                table.take(StatusDocument(json: status)!, of: Self.target(number), named: "stand-\(number)")
            } else {
                table.lose(Self.target(number), "Connection refused")
            }
        }
    }

    private static let size = TerminalScreen.Size()

    /// A display of as many stands, which all are well.
    private static func display(_ count: Int, language: String? = nil) -> StandsDisplay {
        var display = StandsDisplay(words: Words(language: language), .unicode, hasColor: true)
        display.take { $0.follow((1...count).map(target)) }
        for number in 1...count { display.take(news(number, status(number))) }
        _ = display.frame(at: 0, size: size)
        return display
    }

    private static func names(_ display: StandsDisplay, _ size: TerminalScreen.Size = size) -> [String] {
        display.lines(size).compactMap { $0.text.firstMatch(of: /^ (stand-\d+) .* \S+%$/).map { String($0.1) } }
    }

    private static let low: JSONValue = [
        "seq": 2, "at": 12, "event": "lowStock", "fruit": "kiwi", "level": 4, "threshold": 5,
    ]

    /// The stand that Enter opens.
    private static func opened(_ display: inout StandsDisplay) -> StandTarget? {
        if case .open(let target, _)? = display.press(.enter) { target } else { nil }
    }

    @Test func `stands that need attention come first`() {
        var display = Self.display(6)
        display.take(Self.news(2, nil))
        display.take(Self.news(3, Self.status(3, level: 0)))
        display.take(Self.news(4, Self.status(4, level: 4, alerts: [Self.low])))
        display.take(Self.news(5, Self.status(5, lost: 20)))
        let lines = display.lines(Self.size).map(\.text)
        #expect(lines[0] == " 6 stands  1 away")
        let found = lines[2...7].map { $0.split(separator: " ")[0] }
        #expect(found == ["stand-2", "stand-3", "stand-4", "stand-5", "stand-1", "stand-6"])
        #expect(lines[2].contains(/^ stand-2 +away *$/))
        #expect(lines[3].contains(#/ kiwi out +0 +0\.0%$/#))
        #expect(lines[4].contains(#/ kiwi 4 +1 +0\.0%$/#))
        #expect(lines[5].hasSuffix(" 20%"))
        #expect(lines.contains(" stand-4  08:00:12  kiwi is low: 4 left, threshold 5"))
        // The alerts are those of all stands, whichever are shown.
        for key in [Key.character("/"), .character("6"), .enter] { _ = display.press(key) }
        #expect(display.lines(Self.size).contains { $0.text.hasPrefix("─ Alerts 1 ") })
    }

    @Test func `a hundred stands scroll, and every one can be opened`() {
        var display = Self.display(100)
        var seen: Set<String> = []
        for _ in 0..<100 {
            seen.formUnion(Self.names(display))
            if let target = Self.opened(&display) { seen.insert("\(target)") }
            _ = display.press(.down)
        }
        #expect(seen.count == 200)
        _ = display.press(.home)
        #expect(Self.names(display).first == "stand-1")
        #expect(Self.names(display).count == 14)
    }

    @Test func `typing a part of a name filters the stands, and Esc shows all`() {
        var display = Self.display(100)
        for key in [Key.character("/"), .character("-"), .character("9"), .enter] { _ = display.press(key) }
        #expect(Self.names(display).count == 11)
        #expect(display.lines(Self.size)[0].text == " 100 stands  11 with \"-9\"")
        #expect(display.press(.character("q")) == .quit)
        _ = display.press(.escape)
        #expect(Self.names(display).count == 14)
        for key in [Key.character("/"), .character("x")] { _ = display.press(key) }
        #expect(display.lines(Self.size)[2].text == " no stand has this name")
    }

    @Test(arguments: [(80, 24), (40, 10), (160, 50)])
    func `a Korean table has no English, and every size has its rows`(columns: Int, rows: Int) {
        var display = Self.display(100, language: "ko")
        display.take(Self.news(1, Self.status(1, level: 4, alerts: [Self.low])))
        display.take(Self.news(2, nil))
        let size = TerminalScreen.Size(columns: columns, rows: rows)
        let lines = display.lines(size).map(\.text)
        #expect(lines.count == rows)
        for line in lines { #expect(TextWidth.columns(of: line) <= columns, "\(line)") }
        let words = lines.flatMap { $0.matches(of: /[A-Za-z]{2,}/).map { String($0.output) } }
        #expect(Set(words).isSubset(of: ["stand", "Enter", "Esc"]), "\(lines)")
        guard columns >= 80 else { return }
        #expect(lines.contains { $0.contains(" 키위 4 ") } && lines.contains { $0.hasSuffix("키위 부족: 4개 남음, 기준 5") })
    }

    /// Each figure at the borders of what is taken from another program.
    @Test(arguments: [
        #"{"time": 1e-300, "orders": 9007199254740992}"#, #"{"speed": 0}"#, #"{"speed": 9007199254740992}"#,
        #"{"lowStockAlerts": 9007199254740992}"#, #"{"time": 9007199254740992, "speed": 1e-300}"#,
        #"{"lost": {"a": 9007199254740992, "b": 9007199254740992}}"#, #"{"waits": {"p50": 9007199254740992}}"#,
        #"{"behind": {"seconds": 9007199254740992}}"#, #"{"queue": -1, "orders": -1, "sequence": -1}"#,
        #"{"forecast": {"fruits": {"kiwi": {"probability": 1, "p50": 9007199254740992}}}, "time": 0}"#,
    ])
    func `a stand with any figures is a row beside the others`(figures: String) throws {
        let figures = try #require(JSONValue(parsing: Array(figures.utf8)))
        var display = Self.display(2)
        for round in 0..<3 {
            let status = Self.status(1).replacing(with: figures).replacing(with: ["round": .whole(round)])
            display.take(Self.news(1, status))
            display.take(Self.news(2, Self.status(2)))
            let lines = display.lines(Self.size).map(\.text)
            #expect(lines.contains { $0.hasPrefix(" stand-1 ") } && lines.contains { $0.hasPrefix(" stand-2 ") })
        }
    }

    @Test func `the alerts of very many stands are counted`() {
        var display = Self.display(1100)
        for number in 1...1100 {
            let status = Self.status(number).replacing(with: ["lowStockAlerts": .whole(Figures.most)])
            display.take(Self.news(number, status))
        }
        #expect(display.lines(Self.size).contains { $0.text.contains("9,223,372,036,854,775,807") })
    }

    /// The rows are sorted anew with every answer.
    @Test func `the chosen row is that of its stand, wherever that is sorted`() {
        var display = Self.display(5)
        for _ in 0..<2 { _ = display.press(.down) }
        #expect(Self.names(display)[2] == "stand-3" && Self.opened(&display) == Self.target(3))
        // Another one comes first.
        display.take(Self.news(5, Self.status(5, lost: 20)))
        #expect(Self.names(display).first == "stand-5" && Self.opened(&display) == Self.target(3))
        display.take(Self.news(5, Self.status(5)))
        // Now the most urgent stand of all.
        display.take(Self.news(3, Self.status(3, level: 0)))
        #expect(Self.names(display).first == "stand-3" && Self.opened(&display) == Self.target(3))
        _ = display.press(.down)
        #expect(Self.opened(&display) == Self.target(1))
    }

    @Test(arguments: [
        (9.94, "9.9", "9.9%"), (9.97, "10", "10%"), (9.96, "10", "10%"), (12.4, "12", "12%"),
    ])
    func `a figure of two digits has no decimals`(figure: Double, orders: String, lost: String) {
        var display = Self.display(1)
        // `figure` orders come in a minute, and `figure` per cent of them are lost.
        let figures: JSONValue = [
            "time": .number(60_000_000 / figure), "orders": 1_000_000,
            "lost": ["soldOut": .whole(Int(figure * 10_000))],
        ]
        display.take(Self.news(1, Self.status(1).replacing(with: figures)))
        let row = display.lines(.init(columns: 120, rows: 24)).first { $0.text.hasPrefix(" stand-1 ") }?.text ?? ""
        let cells = row.split(separator: " ").map(String.init)
        #expect(cells.contains(orders) && cells.last == lost, "\(row)")
    }

    /// The two stands run at sixty times the usual speed, and are late by less and by more than half a second.
    @Test func `a stand counts as behind from half a second of real time on`() {
        var display = Self.display(2)
        for (number, seconds) in [(1, 29), (2, 31)] {
            let behind: JSONValue = ["behind": ["seconds": .whole(seconds), "share": 0]]
            display.take(Self.news(number, Self.status(number).replacing(with: behind)))
        }
        #expect(Self.names(display) == ["stand-2", "stand-1"])
    }

    /// Stand 1 is at 601 s.
    @Test(arguments: [
        (0.5, 2401.0, " kiwi 30 min "), (0.49, 2401, nil), (1, 600, " kiwi 0 s "), (0.9, 781, " kiwi 3 min "),
    ])
    func `a shortage that is as likely as not is shown with the time until then`(
        probability: Double, at: Double, shown: String?
    ) {
        var display = Self.display(1)
        let forecast: JSONValue = ["fruits": ["kiwi": ["probability": .number(probability), "p50": .number(at)]]]
        display.take(Self.news(1, Self.status(1).replacing(with: ["forecast": forecast])))
        let row = display.lines(Self.size)[2].text
        #expect(shown.map { row.contains($0) } ?? !row.contains("kiwi"), "\(row)")
    }

    @Test func `alerts are shown once, also those of a stand that was opened anew, and a recovered fruit is not short`()
    {
        func alert(_ number: Int, _ event: String) -> JSONValue {
            ["seq": .whole(number), "at": 12, "event": .string(event), "fruit": "kiwi", "level": 4, "threshold": 5]
        }
        func alertsOfLow(_ display: StandsDisplay) -> Int {
            display.lines(.init(columns: 120, rows: 50)).count { $0.text.contains("kiwi is low") }
        }
        var display = Self.display(9)
        display.take(Self.news(9, Self.status(9, level: 4, alerts: [alert(5, "lowStock")])))
        #expect(display.lines(Self.size)[2].text.contains(" kiwi 4 "))
        display.take(
            Self.news(9, Self.status(9, alerts: [alert(5, "lowStock"), alert(7, "stockRecovered")])))
        #expect(!display.lines(Self.size).contains { $0.text.hasSuffix("%") && $0.text.contains("kiwi") })
        #expect(alertsOfLow(display) == 1)
        // With fewer events than before.
        let status = Self.status(9, level: 4, alerts: [alert(2, "lowStock")])
        display.take(Self.news(9, status.replacing(with: ["sequence": 3])))
        #expect(alertsOfLow(display) == 2)
    }

    @Test func `a stand that leaves the list leaves the table`() {
        var display = Self.display(3)
        display.take { $0.follow([Self.target(1), Self.target(3)]) }
        #expect(Self.names(display) == ["stand-1", "stand-3"])
    }
}

extension StandsDisplay {
    /// Shows the table after a change.
    fileprivate mutating func take(_ change: (inout StandTable) -> Void) {
        var table = self.table
        change(&table)
        let alerts = table.takeAlerts()
        take(table, alerts)
    }
}
