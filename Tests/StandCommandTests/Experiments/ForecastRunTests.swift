import Foundation
import Platform
import TestSupport
import Testing
import TextFormats

/// `juicestand run --forecast`, run as a user would.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct ForecastRunTests {
    /// Opens a stand that forecasts.
    private static func open(_ chain: StandChain, _ arguments: String...) throws -> Program.Running {
        try chain.run("stand", ["--listen", "off"] + arguments)
    }

    private static func status(_ chain: StandChain) throws -> JSONValue? {
        let status = try chain.ask("status", "--socket", chain.socket("stand"), "--format", "json").output
        return JSONValue(parsing: Array(status.utf8))
    }

    @Test func `the log warns once before a fruit runs out, and the status names the time`() async throws {
        try await StandChain.with { chain in
            // Kiwi is short already, which is no warning. Few customers, so that a forecast at low priority ends on a busy machine, too.
            let paced = try chain.write(
                """
                {"fruits": {"banana": {"initial": 4}, "kiwi": {"initial": 1}},
                 "menu": {"banana juice": {"recipe": {"banana": 2}},
                          "kiwi juice": {"recipe": {"kiwi": 2}, "popularity": 1e-9}},
                 "customers": {"arrivals": {"renewal": 300}}}
                """, to: "stand.json")
            let ledger = chain.path("ledger")
            let running = try Self.open(chain, "--config", paced, "--forecast", "1h", "--ledger", ledger)
            var status = ""
            try eventually("a forecast in the status") {
                status = try chain.ask("status", "--socket", chain.socket("stand")).output
                return !running.process.isRunning || status.contains("forecast to ")
            }
            #expect(
                status.contains(
                    #/\nforecast to 01:\d\d:\d\d, \d+ s old: .*banana short from about 00:10:00 \(00:10:00–00:10:00\)/#),
                "\(status)")
            running.process.terminate()
            let ending = try chain.end(running)
            let warnings = ending.diagnostics.split(separator: "\n").filter { $0.contains("event=shortForecast") }
            #expect(warnings.count == 1, "\(ending.diagnostics)")
            #expect(warnings.first?.contains("level=warning") == true)
            #expect(warnings.first?.contains(" fruit=banana within=1h probability=") == true)
            #expect(try !String(contentsOfFile: ledger, encoding: .utf8).contains("orecast"))
        }
    }

    /// The bananas last for eleven orders, 55 minutes. A forecast is renewed every ten, which is every three seconds.
    @Test func `a warning is not repeated by the next forecasts`() async throws {
        try await StandChain.with { chain in
            let paced = try chain.write(
                """
                {"fruits": {"banana": {"initial": 22}}, "menu": {"banana juice": {"recipe": {"banana": 2}}},
                 "customers": {"arrivals": {"renewal": 300}}}
                """, to: "stand.json")
            let running = try Self.open(chain, "--config", paced, "--forecast", "1h", "--speed", "200")
            var times: Set<Double> = []
            try eventually("three forecasts") {
                if let at = try Self.status(chain)?["forecast"]?["at"]?.seconds { times.insert(at) }
                return !running.process.isRunning || times.count == 3
            }
            running.process.terminate()
            let said = try chain.end(running).diagnostics
            #expect(said.split(separator: "\n").count { $0.contains("event=shortForecast") } == 1, "\(said)")
        }
    }

    @Test func `a forecast that is too large is refused in the log once`() async throws {
        try await StandChain.with { chain in
            let running = try Self.open(chain, "--forecast", "9000d", "--speed", "2000")
            func time() throws -> Double { try Self.status(chain)?["time"]?.seconds ?? 0 }
            try running.waitForOutput("more than 100,000,000 events", in: running.diagnostics)
            // Far longer than from one forecast to the next.
            let refused = try time()
            try eventually("hours of the stand") { try time() > refused + 24_000 }
            running.process.terminate()
            let said = try chain.end(running).diagnostics
            #expect(said.split(separator: "\n").count { $0.contains("more than 100,000,000 events") } == 1, "\(said)")
        }
    }

    @Test func `a stand that replays recorded orders can't be forecast`() throws {
        let ending = try Program.run("run", "--config", "config/bakery.json", "--forecast", "1h")
        #expect(ending.status == 64 && ending.diagnostics.contains("juicestand fit"), "\(ending.diagnostics)")
    }

    @Test func `forecasts leave the ledger as it is, through kill -9 too`() async throws {
        try await StandChain.with { chain in
            let short = ["--set", "fruits.pineapple.initial=6", "--set", "fruits.pineapple.restock=manual"]
            let ledger = chain.path("ledger")
            let files = ["--state", chain.path("state"), "--ledger", ledger]
            let options = ["--listen", "off", "--forecast", "2m", "--speed", "3000"]
            for isLast in [false, true] {
                let running = try chain.run("stand", options + files + short)
                for change in ["restock pineapple=9", "rate 3"] {
                    let asked = try Program.run(
                        "forecast", "--in", "10m", "--replications", "5", "--change", change, "--socket",
                        chain.socket("stand"))
                    #expect(asked.status == 0, "\(asked.diagnostics)")
                }
                guard isLast else {
                    try chain.kill(running)
                    continue
                }
                // The two forecasts may be there sooner than a hundred lines.
                try eventually("a hundred lines in the ledger") {
                    let written = try String(contentsOfFile: ledger, encoding: .utf8)
                    return !running.process.isRunning || written.count { $0 == "\n" } > 100
                }
                #expect(try chain.ask("stop", "--socket", chain.socket("stand")).status == 0)
                _ = try chain.end(running)
            }
            let lines = try String(contentsOfFile: ledger, encoding: .utf8).split(separator: "\n")
            #expect(lines.count > 100 && lines.last?.contains(#""event":"closed""#) == true)
            let alone = chain.path("alone")
            let end = try #require(lines.last?.firstMatch(of: #/"at":(\d+)/#).flatMap { Int($0.1) }) + 1
            #expect(try Program.start(["simulate", "--for", "\(end)", "--ledger", alone] + short).wait().status == 0)
            let whole = try String(contentsOfFile: alone, encoding: .utf8).split(separator: "\n")
            #expect(lines.dropLast() == whole.prefix(lines.count - 1))
        }
    }
}
