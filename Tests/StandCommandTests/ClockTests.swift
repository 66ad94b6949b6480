import Foundation
import JuiceStand
import StandClient
import StandService
import StandState
import TerminalView
import TestSupport
import Testing
import TextFormats

/// What shows times, and `--at`, which takes them.
@Suite(.timeLimit(.minutes(60)))
struct ClockTests {
    /// Of a stand on its first day, and on its second. The opening is also given in seconds of its day.
    @Test(arguments: [("2026-05-04T08:15:30.5", 29_730.5), ("2026-05-04T23:58:30.5", 86_310.5)])
    func `every time that is shown can be given to --at`(opens: String, opening: Double) async throws {
        try await StandChain.with { try Self.check($0, opens, opening) }
    }

    private static var time: Regex<Substring> { #/(?:\d+ )?\b\d\d:\d\d:\d\d/# }

    /// Whole seconds from the first midnight to a time that was shown.
    private static func second(of text: Substring) -> Int {
        let clock = text.split(separator: " ").last!.split(separator: ":").compactMap { Int($0) }
        let day = text.contains(" ") ? Int(text.prefix { $0 != " " })! - 1 : 0
        return ((day * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]
    }

    private static func check(_ chain: StandChain, _ opens: String, _ opening: Double) throws {
        let socket = chain.socket("corner")
        let ledger = chain.folder.appending(path: "corner.jsonl")
        func ask(_ arguments: String...) throws -> Program.Ending {
            try Program.start(arguments + ["--socket", socket]).wait()
        }
        let running = try chain.open(
            "corner", "--forecast", "2m", "--set", "opens=\(opens)", "--set",
            "customers.arrivals.poisson.perSecond=0.5", speed: 60)
        // With another stand, `status` and `watch` show all of them.
        _ = try chain.open("north")
        let client = StandClient(path: socket)
        func get(_ path: String) throws -> JSONValue { try #require(try client.send(.get, "/api/v1/" + path).json) }
        try eventually("three minutes and a forecast") {
            let status = try get("status")
            return status["time"]?.seconds ?? 0 > 180 && status["forecast"]?["at"] != nil
        }
        func corner(_ lines: [some StringProtocol]) -> String {
            lines.filter { $0.drop { $0 == " " }.hasPrefix("corner ") }.joined(separator: "\n")
        }
        /// What shows the present, which is a time since before it was asked for.
        func present(_ show: () throws -> String) throws -> String {
            let before = try #require(try get("status")["time"]?.seconds)
            let text = try show()
            let after = try #require(try get("status")["time"]?.seconds)
            let shown = try #require(text.firstMatch(of: Self.time).map { Self.second(of: $0.output) })
            #expect((Int(opening + before)...Int(opening + after)).contains(shown), "\(text)")
            return text
        }
        let list = try present { corner(try chain.ask("status").output.split(separator: "\n")) }
        let table = try present {
            let table = try TerminalSession(
                ["watch", "--all"], ["XDG_RUNTIME_DIR": chain.folder.path], .init(columns: 100, rows: 24))
            let rows = corner(try table.wait { corner($0).contains(Self.time) })
            table.type("q")
            #expect(try table.end().status == 0)
            return rows
        }
        let paused = try ask("pause").output
        let status = try get("status")
        let now = try #require(status["time"]?.seconds)
        let isFirstDay = opening + now < 86_400
        #expect(isFirstDay == (opening < 30_000), "\(now) s")

        // Every line of the ledger with its time, as `watch` shows it.
        let last = try #require(status["sequence"]?.whole)
        let copy = try Program.start(["watch", "--format", "text", "--since", "0", "--socket", socket])
        try eventually("\(last) lines") {
            try String(contentsOf: copy.output, encoding: .utf8).count { $0 == "\n" } >= last
        }
        copy.process.terminate()
        let watched = try copy.wait().output.split(separator: "\n")
        let lines = try String(contentsOf: ledger, encoding: .utf8).split(separator: "\n").prefix(last)
        let events = try lines.map { try #require(LedgerEvent(Array($0.utf8)[...])) }
        /// Whole seconds from the first midnight to each event.
        let times = events.map { Int((opening + $0.seconds).rounded(.down)) }
        func shown(_ second: Int) -> String {
            let parts = [second / 3600 % 24, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            return (isFirstDay ? "" : "\(second / 86_400 + 1) ") + parts.joined(separator: ":")
        }
        for (line, second) in zip(watched, times) {
            let at = shown(second)
            #expect(line.hasPrefix(at.contains(" ") ? "at=\"\(at)\" level=" : "at=\(at) level="), "\(line)")
        }
        #expect(watched.count == last)

        // Everything that is shown gives the stand after all events up to the end of that second.
        var display = LiveDisplay(StandView(), .unicode)
        let stock = try #require(StockDocument(json: get("stock")))
        display.take(.shelves(stock: stock, menu: try #require(MenuDocument(json: get("menu")))))
        for event in events { display.take(.event(event)) }
        display.take(.status(try #require(StatusDocument(json: status))))
        _ = display.frame(at: 0, size: .init(columns: 160, rows: 100))
        let screen = display.lines(.init(columns: 160, rows: 100)).map(\.text).joined(separator: "\n")
        let texts = [try ask("status").output, screen, paused, list, table, watched.joined(separator: "\n")]
        for text in texts { #expect(text.contains(shown(Int((opening + now).rounded(.down)))) || text != texts[0]) }
        var found: Set<String> = []
        for text in texts {
            let all = text.matches(of: Self.time).map { String($0.output) }
            #expect(!all.isEmpty, "\(text)")
            found.formUnion(all)
        }
        #expect(found.count > 30)
        for text in found {
            let second = Self.second(of: text[...])
            let answer = try client.send(.get, "/api/v1/status?at=" + text.replacing(" ", with: "%20"))
            // The stand answers a client whose clock is up to a second ahead with the present; at speed 60 that is a minute.
            if Double(second) > opening + now + 61 {
                #expect(answer.json?["detail"]?.text?.contains("in the future") == true, "\(text): \(answer.text)")
            } else {
                #expect(answer.json?["sequence"]?.whole == times.count { $0 <= second }, "\(text): \(answer.text)")
            }
        }
        let example = try #require(times.dropFirst(20).first.map(shown))
        let past = try ask("status", "--at", example)
        #expect(past.status == 0 && past.output.contains(" at \(example), "), "\(past)")
        // The display of that instant, once, with the levels of then.
        let looked = try ask("watch", "--at", example)
        let rows = looked.output.split(separator: "\n")
        let number = times.count { $0 <= Self.second(of: example[...]) }
        #expect(looked.status == 0 && rows[0].contains("  open  \(example)  past"), "\(looked)")
        #expect(rows[0].hasSuffix(" event \(number)") && rows.count <= 23, "\(looked)")
        let then = try get("stock?at=" + example.replacing(" ", with: "%20"))["stock"]?.elements ?? []
        for fruit in then {
            let name = fruit["fruit"]?.text ?? ""
            let level = fruit["level"]?.whole.map(String.init) ?? "unlimited"
            #expect(rows.contains { $0.contains(" \(name) ") && $0.contains(" \(level) ") }, "\(name): \(looked)")
        }
        #expect(then.count > 1)
        let refused = try ask("watch", "--at", "9999999s")
        #expect(refused.status != 0 && refused.diagnostics.contains("in the future"), "\(refused)")
        let two = try ask("watch", "--at", example, "other.sock")
        #expect(two.status == 64 && two.diagnostics.contains("--at shows one stand"), "\(two)")
        let command = try ask("stop")
        #expect(command.output == paused.replacing("Paused", with: "Closed"), "\(command)")
        #expect(try running.wait().output.contains("closed at \(shown(Int((opening + now).rounded(.down))))"))
        let audit = try Program.run("verify", ledger.path)
        #expect(audit.output.contains(", to \(shown(Int((opening + now).rounded(.down)))), closed"), "\(audit)")
    }
}
