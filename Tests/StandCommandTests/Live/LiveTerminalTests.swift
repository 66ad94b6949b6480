import Foundation
import JuiceStand
import Platform
import StandClient
import StandService
import TerminalView
import TestSupport
import Testing
import TextFormats

/// The live display of `run` and `watch`, on a pseudo-terminal.
@Suite(.timeLimit(.minutes(60)))
struct LiveTerminalTests {
    private static let enter = TerminalScreen.enter
    private static let leave = TerminalScreen.leave

    /// Calls `body` with the socket of a stand that runs without a terminal.
    private func withStand(
        _ arguments: String..., body: @escaping @Sendable (String) throws -> Void
    ) async throws {
        try await StandChain.with { chain in
            let state = ["--state", chain.path("state"), "--ledger", chain.path("ledger")]
            let running = try chain.run("stand", ["--listen", "off", "--speed", "60"] + state + arguments)
            try body(chain.socket("stand"))
            running.process.terminate()
            #expect(try chain.end(running).status == 0)
        }
    }

    private static func isWhole(_ rows: [String]) -> Bool {
        rows.contains { $0.hasPrefix("─ Log") } && rows.contains { $0.contains(" strawberry ") }
    }

    @Test func `run shows the stand, asks before it quits, and restores the terminal`() async throws {
        try await StandChain.with { chain in
            let ledger = chain.path("ledger")
            let session = try TerminalSession([
                "run", "--speed", "60", "--listen", "off", "--socket", chain.path("socket"), "--ledger", ledger,
            ])
            let before = session.originalMode
            try session.wait(Self.isWhole)
            #expect(session.mode != before)
            let text = String(decoding: session.bytes, as: UTF8.self)
            #expect(text.hasPrefix(Self.enter))
            // The output up to the end of the first frame.
            let first = try #require(text.range(of: "\u{1b}[?2026l"))
            #expect(text[..<first.upperBound].utf8.count <= 8192)
            session.type("q")
            try session.wait { $0.last == " Close the stand and quit? (y/n)" }
            session.type("y")
            let ending = try session.end()
            #expect(ending.status == 0)
            #expect(session.mode == before)
            let shown = String(decoding: session.bytes, as: UTF8.self)
            let end = try #require(shown.range(of: Self.leave))
            // The summary is on the main screen.
            #expect(shown[end.upperBound...].contains(#/  customers +[\d,]+ arrived, /#))
            #expect(!shown[end.upperBound...].contains("\u{1b}"))
            #expect(try String(contentsOfFile: ledger, encoding: .utf8).contains(#""event":"closed""#))
        }
    }

    @Test func `run in real time suggests a higher speed until the first order`() async throws {
        try await StandChain.with { chain in
            let options = ["--listen", "off", "--set", "customers.arrivals.poisson.perSecond=0"]
            let session = try TerminalSession(["run", "--socket", chain.path("socket")] + options)
            try session.wait { $0.contains { $0.contains("} doubles the speed") } }
            session.type("}")
            try session.wait { $0[0].contains("speed ×2") }
            session.type("{")
            try session.wait { !$0[0].contains("speed") }
            session.type("o2\ry")
            try session.wait { rows in
                rows.contains { $0.contains("order 1: 1 banana juice") }
                    && !rows.contains { $0.contains("doubles the speed") }
            }
            session.type("qy")
            #expect(try session.end().status == 0)
        }
    }

    @Test func `watch shows another process's stand at any size, and leaves it running`() async throws {
        try await withStand { socket in
            let session = try TerminalSession(["watch", "--socket", socket])
            let before = session.originalMode
            try session.wait(Self.isWhole)
            for size in [TerminalScreen.Size(columns: 100, rows: 40), .init(columns: 45, rows: 10), .init()] {
                session.resize(size)
                let rows = try session.wait { $0.last?.contains("q") == true && $0[1].hasPrefix("─ Stock") }
                #expect(rows.count == size.rows)
            }
            let place = session.bytes.count
            // For a stand. It ends no display.
            kill(session.process.processIdentifier, SIGUSR1)
            // What the program gets if the size has changed twice before it looks.
            kill(session.process.processIdentifier, SIGWINCH)
            try session.wait(for: "\u{1b}[2J", after: place)
            try session.wait(for: "Stock\u{1b}[m", after: place)
            session.type("?")
            try session.wait { $0.contains { $0.hasPrefix("─ Keys") } }
            session.type(" q")
            #expect(try session.end().status == 0)
            #expect(session.mode == before)
            #expect(try Program.run("status", "--socket", socket).status == 0)
        }
    }

    @Test func `keys order, restock and change the rate, show the result, and lead back to the last event`()
        async throws
    {
        try await withStand("--set", "customers.arrivals.poisson.perSecond=0") { socket in
            let session = try TerminalSession(["watch", "--socket", socket])
            try session.wait(Self.isWhole)
            session.type("o2 3\r")
            try session.wait { $0.last == " Order 3 banana juice? (y/n)" }
            session.type("y")
            try session.wait { $0.last == " ordered: 3 banana juice" }
            session.type("rkiwi 20\ry")
            try session.wait { $0.last == " added: 20 kiwi" }
            session.type("tkiwi 5\ry")
            try session.wait { $0.last == " taken away: 5 kiwi" }
            session.type("tkiwi 999\ry")
            try session.wait { $0.last == " not done: not enough kiwi: 904 short" }
            session.type("+")
            try session.wait { $0[0].contains("arrival rate ×2") }
            session.type("ostraw 1000\ry")
            try session.wait { $0.last?.hasPrefix(" not done: ") == true }
            session.type("[")
            try session.wait { $0[0].contains("  past  ") }
            session.type("n")
            try session.wait { !$0[0].contains("  past  ") }
            session.type("q")
            #expect(try session.end().status == 0)
            let status = try Program.run("status", "--format", "json", "--socket", socket).output
            #expect(status.contains(#""kiwi":95"#) && status.contains(#""banana":74"#))
            #expect(status.contains(#""soldOut":1"#) && status.contains(#""rate":2"#))
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV])
    func `every ending signal and every crash restores the terminal`(signal: Int32) async throws {
        try await withStand { socket in
            let session = try TerminalSession(["watch", "--socket", socket], ["SWIFT_BACKTRACE": "enable=no"])
            let before = session.originalMode
            try session.wait(Self.isWhole)
            kill(session.process.processIdentifier, signal)
            let ending = try session.end()
            let isGraceful = [SIGINT, SIGTERM, SIGHUP].contains(signal)
            #expect(isGraceful ? ending.status == 0 : ending.status == signal)
            #expect(session.mode == before)
            #expect(String(decoding: session.bytes, as: UTF8.self).contains(Self.leave))
            if isGraceful { #expect(ending.diagnostics == "") }
        }
    }

    @Test func `Ctrl-Z restores the terminal, and continuing redraws the display`() async throws {
        try await withStand { socket in
            let session = try TerminalSession(["watch", "--socket", socket])
            let before = session.originalMode
            try session.wait(Self.isWhole)
            kill(session.process.processIdentifier, SIGTSTP)
            try session.wait(for: Self.leave)
            try eventually("the terminal as it was") { session.mode == before }
            let place = session.bytes.count
            // The program stops only after this. A signal before that continues nothing, so it is sent again.
            try eventually("the display to come back") {
                kill(session.process.processIdentifier, SIGCONT)
                return String(decoding: session.bytes[place...], as: UTF8.self).contains("Stock\u{1b}[m")
            }
            #expect(String(decoding: session.bytes[place...], as: UTF8.self).contains(Self.enter))
            try eventually("the terminal of the display") { session.mode != before }
            session.type("q")
            #expect(try session.end().status == 0)
            #expect(session.mode == before)
        }
    }

    @Test func `the display reports a lost and restored connection, and ends when the stand closes`() async throws {
        try await StandChain.with { chain in
            let socket = chain.socket("stand")
            let options = ["--listen", "off", "--speed", "60", "--state", chain.path("state")]
            let running = try chain.run("stand", options)
            let session = try TerminalSession(["watch", "--socket", socket])
            try session.wait(Self.isWhole)
            try chain.kill(running)
            try session.wait { $0[0].contains("  away  ") && $0.last?.contains("waiting for it") == true }
            _ = try chain.run("stand", options)
            try session.wait { $0[0].contains("  open  ") }
            try eventually("the stand to stop") { try Program.run("stop", "--socket", socket).status == 0 }
            #expect(try session.end().status == 0)
            #expect(String(decoding: session.bytes, as: UTF8.self).contains("The stand has closed."))
        }
    }

    @Test(arguments: [
        (["TERM": "dumb"], TerminalScreen.Size(), "the terminal cannot move its cursor (TERM=dumb)"),
        (
            [:], TerminalScreen.Size(columns: 19, rows: 24),
            "the terminal has 19 columns and 24 rows; it needs at least 20 and 5"
        ),
    ])
    func `a live display on such a terminal is refused with the reason`(
        variables: [String: String], size: TerminalScreen.Size, reason: String
    ) throws {
        let session = try TerminalSession(["run", "--display", "live"], variables, size)
        let ending = try session.end()
        #expect(ending.status == 64)
        #expect(ending.diagnostics.contains("--display live can't run: \(reason); use --display text"))
    }

    @Test func `after a Korean display the summary is English, in at most 24 lines`() async throws {
        try await StandChain.with { chain in
            let expectations = (1...12).flatMap { ["--expect", "customers.served>\($0 * 10)"] }
            let run = ["run", "--speed", "20000", "--for", "4h", "--listen", "off", "--socket", chain.path("socket")]
            let session = try TerminalSession(run + expectations, ["LC_ALL": "ko_KR.UTF-8"])
            _ = try session.end()
            let text = String(decoding: session.bytes, as: UTF8.self)
            let summary = try #require(text.components(separatedBy: Self.leave).last)
            let lines = summary.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropLast()
            #expect(lines.count <= 24 && lines.first?.contains("closed at") == true, "\(summary)")
            for line in lines { #expect(TextWidth.columns(of: String(line)) <= 80, "\(line)") }
            #expect(!summary.contains(/[가-힣]/), "\(summary)")
        }
    }

    @Test(arguments: [
        (["LC_ALL": "C"], "- Stock "), (["LC_ALL": "ko_KR.UTF-8"], "─ 재고 "), (["NO_COLOR": "1"], "─ Stock "),
    ])
    func `the environment selects character set, names and colours`(
        variables: [String: String], title: String
    ) async throws {
        try await withStand { socket in
            let session = try TerminalSession(["watch", "--socket", socket], variables)
            let rows = try session.wait { $0[1].hasPrefix(title) && $0[2].count > 30 }
            session.type("q")
            #expect(try session.end().status == 0)
            let bytes = String(decoding: session.bytes, as: UTF8.self)
            switch variables["LC_ALL"] {
            case "C":
                #expect(bytes.utf8.allSatisfy { $0 < 0x80 })
                #expect(rows[2].hasPrefix(" S  strawberry "))
            case nil:
                // Colour is removed and nothing else.
                for kept in ["\u{1b}[?1049h", "\u{1b}[0;1m", "\u{1b}[0;2m"] { #expect(bytes.contains(kept)) }
                #expect(bytes.firstMatch(of: /\x1b\[[0-9;]*3[0-9]m/) == nil)
            default:
                // Each syllable takes two columns. Names are padded to the longest, of eight columns.
                #expect(rows[2].hasPrefix(" 🍓 딸기    ") && rows[5].hasPrefix(" 🍍 파인애플"))
            }
        }
    }
}
