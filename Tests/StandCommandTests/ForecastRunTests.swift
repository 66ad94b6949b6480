import Foundation
import TestSupport
import Testing
import TextFormats

/// `juicestand run --forecast`, run as a user would.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct ForecastRunTests {
    private let short = ["--set", "fruits.pineapple.initial=6", "--set", "fruits.pineapple.restock=manual"]

    @Test func `the log warns once before a fruit runs out, and the status names the time`() async throws {
        try await Program.withTemporaryFolder { folder in
            let socket = folder.appending(path: "socket").path
            let ledger = folder.appending(path: "ledger").path
            // Kiwi is short already, which is no warning. Few customers, so that a forecast at low priority ends on a busy machine, too.
            let paced = folder.appending(path: "stand.json")
            try """
            {"fruits": {"banana": {"initial": 4}, "kiwi": {"initial": 1}},
             "menu": {"banana juice": {"recipe": {"banana": 2}},
                      "kiwi juice": {"recipe": {"kiwi": 2}, "popularity": 1e-9}},
             "customers": {"arrivals": {"renewal": 300}}}
            """.write(to: paced, atomically: true, encoding: .utf8)
            let running = try Program.start([
                "run", "--config", paced.path, "--forecast", "1h", "--socket", socket, "--listen", "off", "--display",
                "none", "--ledger", ledger,
            ])
            defer { if running.process.isRunning { running.process.terminate() } }
            var status = ""
            try await eventually("a forecast in the status") {
                status = try Program.run("status", "--socket", socket).output
                return !running.process.isRunning || status.contains("forecast to ")
            }
            #expect(
                status.contains(
                    #/\nforecast to 01:\d\d:\d\d, \d+ s old: .*banana short from about 00:10:00 \(00:10:00–00:10:00\)/#),
                "\(status)")
            running.process.terminate()
            let ending = try running.wait()
            let warnings = ending.diagnostics.split(separator: "\n").filter { $0.contains("event=shortForecast") }
            #expect(warnings.count == 1, "\(ending.diagnostics)")
            #expect(warnings.first?.contains("level=warning") == true)
            #expect(warnings.first?.contains(" fruit=banana within=1h probability=") == true)
            #expect(try !String(contentsOf: URL(filePath: ledger), encoding: .utf8).contains("orecast"))
        }
    }

    /// The bananas last for eleven orders, 55 minutes. A forecast is renewed every ten, which is every three seconds.
    @Test func `a warning is not repeated by the next forecasts`() async throws {
        try await Program.withTemporaryFolder { folder in
            let socket = folder.appending(path: "socket").path
            let paced = folder.appending(path: "stand.json")
            try """
            {"fruits": {"banana": {"initial": 22}}, "menu": {"banana juice": {"recipe": {"banana": 2}}},
             "customers": {"arrivals": {"renewal": 300}}}
            """.write(to: paced, atomically: true, encoding: .utf8)
            let running = try Program.start([
                "run", "--config", paced.path, "--forecast", "1h", "--socket", socket, "--listen", "off", "--display",
                "none", "--speed", "200",
            ])
            defer { if running.process.isRunning { running.process.terminate() } }
            var times: Set<Double> = []
            try await eventually("three forecasts") {
                let status = try Program.run("status", "--socket", socket, "--format", "json").output
                if let at = JSONValue(parsing: status.utf8)?["forecast"]?["at"]?.seconds { times.insert(at) }
                return !running.process.isRunning || times.count == 3
            }
            running.process.terminate()
            let said = try running.wait().diagnostics
            #expect(said.split(separator: "\n").count { $0.contains("event=shortForecast") } == 1, "\(said)")
        }
    }

    @Test func `a forecast that is too large is refused in the log once`() async throws {
        try await Program.withTemporaryFolder { folder in
            let socket = folder.appending(path: "socket").path
            let running = try Program.start([
                "run", "--forecast", "9000d", "--socket", socket, "--listen", "off", "--display", "none", "--speed",
                "2000",
            ])
            defer { if running.process.isRunning { running.process.terminate() } }
            func time() throws -> Double {
                let status = try Program.run("status", "--socket", socket, "--format", "json").output
                return JSONValue(parsing: status.utf8)?["time"]?.seconds ?? 0
            }
            try await eventually("the first refusal") {
                try String(contentsOf: running.diagnostics, encoding: .utf8).contains("more than 100,000,000 events")
            }
            // Far longer than from one forecast to the next.
            let refused = try time()
            try await eventually("hours of the stand") { try time() > refused + 24_000 }
            running.process.terminate()
            let said = try running.wait().diagnostics
            #expect(said.split(separator: "\n").count { $0.contains("more than 100,000,000 events") } == 1, "\(said)")
        }
    }

    @Test func `a stand that replays recorded orders can't be forecast`() throws {
        let ending = try Program.run("run", "--config", "config/bakery.json", "--forecast", "1h")
        #expect(ending.status == 64 && ending.diagnostics.contains("juicestand fit"), "\(ending.diagnostics)")
    }

    @Test func `an interval beyond the length is refused before a stand is asked`() throws {
        let ending = try Program.run("forecast", "--in", "1m", "--every", "90s", "--socket", "/none")
        #expect(ending.status == 64 && ending.diagnostics.contains("every must be at most in"), "\(ending.diagnostics)")
    }

    @Test func `forecasts leave the ledger as it is, through kill -9 too`() async throws {
        try await Program.withTemporaryFolder { folder in
            func path(_ name: String) -> String { folder.appending(path: name).path }
            let state = path("state")
            let socket = path("socket")
            let ledger = path("ledger")
            for isLast in [false, true] {
                let running = try Program.start(
                    [
                        "run", "--forecast", "2m", "--state", state, "--ledger", ledger, "--socket", socket,
                        "--listen", "off", "--display", "none", "--speed", "3000",
                    ] + short)
                defer { if running.process.isRunning { kill(running.process.processIdentifier, SIGKILL) } }
                try running.waitForStand(at: socket)
                for change in ["restock pineapple=9", "rate 3"] {
                    let asked = try Program.run(
                        "forecast", "--in", "10m", "--replications", "5", "--change", change, "--socket", socket)
                    #expect(asked.status == 0, "\(asked.diagnostics)")
                }
                if isLast {
                    // The two forecasts may be there sooner than a hundred lines.
                    try await eventually("a hundred lines in the ledger") {
                        let written = try String(contentsOf: URL(filePath: ledger), encoding: .utf8)
                        return !running.process.isRunning || written.count { $0 == "\n" } > 100
                    }
                    #expect(try Program.run("stop", "--socket", socket).status == 0)
                } else {
                    kill(running.process.processIdentifier, SIGKILL)
                }
                _ = try running.wait()
            }
            let lines = try String(contentsOf: URL(filePath: ledger), encoding: .utf8).split(separator: "\n")
            #expect(lines.count > 100 && lines.last?.contains(#""event":"closed""#) == true)
            let alone = path("alone")
            let end = try #require(lines.last?.firstMatch(of: #/"at":(\d+)/#).flatMap { Int($0.1) }) + 1
            #expect(try Program.start(["simulate", "--for", "\(end)", "--ledger", alone] + short).wait().status == 0)
            let whole = try String(contentsOf: URL(filePath: alone), encoding: .utf8).split(separator: "\n")
            #expect(lines.dropLast() == whole.prefix(lines.count - 1))
        }
    }
}
