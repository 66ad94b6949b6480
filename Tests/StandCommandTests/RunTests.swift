import Foundation
import TestSupport
import Testing

/// The daemon, run as a user would.
struct RunTests {
    @Test(arguments: ["notification", "delegate", "closure"])
    func `run and simulate write the same ledger under every wiring, and verify passes it`(wiring: String) async throws
    {
        try await Program.withTemporaryFolder { folder in
            let (live, virtual) = (
                folder.appending(path: "live.jsonl").path, folder.appending(path: "virtual.jsonl").path
            )
            let run = try Program.run(
                "run", "--wiring", wiring, "--for", "8h", "--speed", "20000", "--display", "none", "--ledger", live)
            #expect(run.status == 0 && run.diagnostics == "")
            #expect(try Program.run("simulate", "--ledger", virtual).status == 0)
            let ledger = try Data(contentsOf: URL(filePath: live))
            #expect(try ledger == Data(contentsOf: URL(filePath: virtual)))
            #expect(ledger.count > 100_000)
            let audit = try Program.run("verify", live)
            #expect(audit.status == 0 && audit.output.hasPrefix("✓ everything adds up"))
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal closes the stand: the ledger ends with closed, a summary is printed, exit status 0`(
        signal: Int32
    ) async throws {
        try await Program.withTemporaryFolder { folder in
            let path = folder.appending(path: "ledger.jsonl").path
            let running = try Program.start(["run", "--speed", "100", "--display", "text", "--ledger", path])
            try await running.waitForOutput("event=orderServed")
            kill(running.process.processIdentifier, signal)
            let ending = try running.wait()
            #expect(ending.status == 0 && ending.diagnostics == "")
            #expect(ending.output.contains("customers came"))
            let lines = try String(contentsOf: URL(filePath: path), encoding: .utf8).split(separator: "\n")
            #expect(lines.last?.contains(#""event":"closed""#) == true)
            #expect(try Program.run("verify", path).status == 0)
        }
    }

    @Test func `log lines carry time, level, stand time and event, as text and as JSON`() throws {
        let text = try Program.run("run", "--for", "10m", "--speed", "10000", "--display", "text")
        let line = try #require(text.output.split(separator: "\n").first)
        let pattern =
            #/^time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z level=info at=0\.000000000 event=opened seq=1 stand="corner" /#
        #expect(line.firstMatch(of: pattern) != nil, "\(line)")
        let json = try Program.run("run", "--for", "4h", "--speed", "20000", "--display", "text", "--format", "json")
        var warnings = 0
        for line in json.output.split(separator: "\n") {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(object["time"] != nil && object["event"] != nil)
            let isLowStock = object["event"] as? String == "lowStock"
            #expect(object["level"] as? String == (isLowStock ? "warning" : "info"))
            if isLowStock {
                warnings += 1
                #expect(object["stock"] is Int)
            }
        }
        #expect(warnings > 0)
        #expect(json.output.split(separator: "\n").last?.contains(#""event":"summary""#) == true)
    }

    @Test func `a ledger that holds something is never written into`() async throws {
        try await Program.withTemporaryFolder { folder in
            let path = folder.appending(path: "ledger.jsonl").path
            try "something\n".write(toFile: path, atomically: true, encoding: .utf8)
            for command in ["run", "simulate"] {
                let ending = try Program.run(command, "--ledger", path)
                #expect(ending.status == 73)
                #expect(ending.diagnostics == "juicestand: \(path): is not empty; a ledger is begun in a new file\n")
            }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "something\n")
        }
    }

    @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/full"), "no /dev/full here"))
    func `a full disk ends the run with a clear error and a count of what is lost`() throws {
        for command in [["simulate"], ["run", "--for", "8h", "--speed", "20000", "--display", "none"]] {
            let ending = try Program.start(command + ["--ledger", "/dev/full"]).wait()
            #expect(ending.status == 74)
            #expect(ending.diagnostics.hasPrefix("juicestand: /dev/full: No space left on device; "))
            #expect(ending.diagnostics.hasSuffix(" lines are lost\n"))
        }
    }

    @Test func `a reader that goes away ends the run with a clear error`() throws {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = [
            "-c",
            #"{ "$0" run --for 8h --speed 20000 --display text 2>&3; echo "status $?" >&3; } | head -n 1 >/dev/null"#,
            Program.executable.path,
        ]
        // Descriptor 3 of the shell is its standard error.
        shell.arguments![1] = "exec 3>&2; " + shell.arguments![1]
        let pipe = Pipe()
        shell.standardError = pipe
        try shell.run()
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        shell.waitForExit()
        #expect(said.contains("juicestand: standard output: Broken pipe; the stand was closed"))
        #expect(said.contains("status 74"))
    }

    /// The real orders are not part of a user's clone.
    private static let bakery = Program.root.deletingLastPathComponent().appending(path: "shared/traces/bakery.csv")
        .path

    @Test(.enabled(if: FileManager.default.fileExists(atPath: bakery), "the bakery's real orders are not here"))
    func `159 days of real orders give one ledger, live and virtual`() async throws {
        try await Program.withTemporaryFolder { folder in
            let trace = [
                "--config", "config/bakery.json", "--set", "customers.arrivals.trace.file=\(Self.bakery)", "--set",
                "customers.arrivals.trace.time=Date+Time", "--set", "customers.arrivals.trace.juice=Item",
            ]
            let (live, virtual) = (
                folder.appending(path: "live.jsonl").path, folder.appending(path: "virtual.jsonl").path
            )
            let simulated = try Program.start(["simulate", "--ledger", virtual] + trace).wait()
            // 21,293 lines, of which the configuration leaves out the 786 of item NONE.
            #expect(simulated.output.contains("20,507 customers came"))
            #expect(
                try Program.start(["run", "--speed", "10000000", "--display", "none", "--ledger", live] + trace).wait()
                    .status == 0)
            #expect(try Data(contentsOf: URL(filePath: live)) == Data(contentsOf: URL(filePath: virtual)))
            #expect(try Program.run("verify", virtual).status == 0)
        }
    }
}
