import JuiceStand
import Platform
import StandClient
import TestSupport
import Testing
import TextFormats

/// Events as displays read them from lines, and lines of a log made of them.
struct LedgerEventTests {
    /// The lines of a day on which every kind of fact happens.
    private static func day() throws -> [ArraySlice<UInt8>] {
        let settings = try EventfulDay.settings(.substitute)
        let lines = LineCollector()
        let wiring = ClosureWiring()
        let logger = StandLogger(.ledger, menu: settings.menu, sink: lines)
        wiring.connect(logger)
        var day = try EventfulDay(wiring)
        try day.run { _ in }
        return Array(lines.text.utf8).split(separator: UInt8(ascii: "\n"))
    }

    @Test func `what another program writes stays within one field of one line`() throws {
        let line = """
            {"seq":9,"at":1.000000000,"event":"a\\u001b[2J event=closed","by":"x\\nat=08:00:00 stand=north",\
            "k\\u0007 level=error":1,"reason":"two words","cause":"order","stock":{"a seq=1":2},"juice":"x\\ty"}
            """
        let text = try #require(LedgerEvent(Array(line.utf8)[...])).logLine(
            StandClock(opens: "2026-05-04T08:00:00", now: 0))
        #expect(
            text == """
                at=08:00:01 level=info event="a\\u001b[2J event=closed" seq=9 by="x\\nat=08:00:00 stand=north" \
                "k\\u0007 level=error"=1 reason="two words" cause=order stock="{\\"a seq=1\\":2}" juice="x\\ty"
                """)
    }

    @Test func `a line of a log is the same, whether it is copied or made of the event`() throws {
        let clock = StandClock(opens: "2026-05-04T20:00:00.7", seconds: 3600)
        let others = [
            #"{"seq":9,"at":1.500000000,"event":"orderLost","order":1,"juice":"키위","cups":1,"reason":"sold out"}"#,
            #"{"seq":9,"at":1.5,"event":"rateChanged","factor":2.0}"#, #"{"seq":9,"at":1e3,"event":"paused"}"#,
            #"{"seq":9,"at":1.000000000,"event":"tipGiven","amount":-1,"level":12345678901234567}"#,
            #"{"seq":9,"at":1.000000000,"event":"lowStock","fruit":"a b="c","level":4,"threshold":null}"#,
            #"{"seq":9,"at":9007199254.000000001,"event":"orderServed","order":1,"wait":12.5,"stay":13.250000000}"#,
            #"{"seq":9,"at":18000.500000000,"event":"orderStarted","order":1}"#,
            #"{"seq":9,"at":1.000000000,"event":"orderSubstituted","order":1,"wished":"cherry\u0007","juice":"k \"b\""}"#,
            #"{"at":1.000000000,"seq":9,"event":"paused"}"#, #"{"seq":9}"#, "text",
        ]
        let lines = try Self.day() + others.map { Array($0.utf8)[...] }
        let names = Set(lines.compactMap { LedgerEvent($0)?.name })
        #expect(names.isSuperset(of: FactKind.allCases.map(\.name)))
        var logLines = LogLines()
        for line in lines {
            var bytes = Array("before".utf8)
            let isLine = logLines.add(line, clock, "stand=corner ", to: &bytes)
            let expected = LedgerEvent(line)?.logLine(clock, "stand=corner ")
            #expect(String(decoding: bytes, as: UTF8.self) == "before" + (expected ?? ""))
            #expect(isLine == (expected != nil))
        }
    }
}
