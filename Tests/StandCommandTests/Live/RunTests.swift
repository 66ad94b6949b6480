import Foundation
import Platform
import TestSupport
import Testing

/// `juicestand run`, run as a user would.
///
/// Every stand has a socket of its own. The default one may belong to a stand that is open while the tests run, of which a
/// warning would tell.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct RunTests {
    @Test(arguments: ["notification", "delegate", "closure"])
    func `run and simulate write the same valid ledger under every wiring`(wiring: String) async throws {
        try await Program.withTemporaryFolder { folder in
            let live = folder.appending(path: "live.jsonl").path
            let virtual = folder.appending(path: "virtual.jsonl").path
            let run = try Program.run(
                "run", "--wiring", wiring, "--for", "8h", "--speed", "20000", "--display", "none", "--ledger", live,
                "--socket", folder.appending(path: "socket").path)
            #expect(run.status == 0)
            // Without a display, only the listeners are logged.
            #expect(run.diagnostics.split(separator: "\n").map { $0.contains("event=listening") } == [true])
            #expect(try Program.run("simulate", "--ledger", virtual).status == 0)
            let ledger = try Data(contentsOf: URL(filePath: live))
            #expect(try ledger == Data(contentsOf: URL(filePath: virtual)))
            #expect(ledger.count > 100_000)
            let audit = try Program.run("verify", live)
            #expect(audit.status == 0 && audit.output.hasPrefix("✓ everything adds up"))
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal closes the stand: closed in the ledger, a summary, exit status 0`(
        signal: Int32
    ) async throws {
        try await Program.withTemporaryFolder { folder in
            let path = folder.appending(path: "ledger.jsonl").path
            let socket = folder.appending(path: "socket").path
            let running = try Program.start([
                "run", "--speed", "100", "--display", "text", "--ledger", path, "--socket", socket,
            ])
            try running.waitForOutput("event=orderServed")
            kill(running.process.processIdentifier, signal)
            let ending = try running.wait()
            #expect(ending.status == 0 && ending.diagnostics == "")
            #expect(ending.output.contains(#/\n  customers +[\d,]+ arrived, /#))
            let lines = try String(contentsOf: URL(filePath: path), encoding: .utf8).split(separator: "\n")
            #expect(lines.last?.contains(#""event":"closed""#) == true)
            #expect(try Program.run("verify", path).status == 0)
        }
    }

    @Test func `the closing summary fits 80 columns and 24 rows, most important first`() throws {
        let ending = try Program.run(
            "run", "--for", "8h", "--speed", "20000", "--display", "none", "--set",
            "customers.arrivals.poisson.perSecond=0.2")
        let lines = ending.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 }, "\(ending.output)")
        let titles = ending.output.matches(of: #/(?m:^  (\w+)  )/#).map { String($0.1) }
        #expect(
            titles == ["customers", "served", "lost", "wait", "makers", "money", "fruit", "stock", "lateness"],
            "\(ending.output)")
    }

    @Test func `log lines have time, level, stand time and event, as text and as JSON`() throws {
        let text = try Program.run("run", "--for", "10m", "--speed", "10000", "--display", "text")
        let line = try #require(text.output.split(separator: "\n").first)
        let pattern =
            #/^time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z level=info at=08:00:00 event=opened seq=1 stand="corner" /#
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

    @Test(arguments: ["simulate", "run --for 8h --speed 20000 --display none"])
    func `a full disk ends the run with an error and the number of lost lines`(command: String) async throws {
        try await Program.withTemporaryFolder { folder in
            let ledger = folder.appending(path: "ledger").path
            // In blocks of 512 bytes. A ledger must be a regular file, which /dev/full is not.
            let line = #"ulimit -f 8; exec "$0" \#(command) --ledger "$1" >/dev/null"#
            let ending = try Program.shell(line, [ledger]).wait()
            #expect(ending.status == 74)
            let error = ending.diagnostics.split(separator: "\n").last ?? ""
            #expect(error.hasPrefix("juicestand: \(ledger): File too large; ") && error.hasSuffix(" lines are lost"))
            // Cut back to its last whole line.
            #expect(try String(contentsOfFile: ledger, encoding: .utf8).hasSuffix("}\n"))
        }
    }

    /// Runs a stand whose log goes to a pipe that is closed after one line.
    private func read(oneLineOf arguments: String, in folder: URL) throws -> String {
        // Descriptor 3 is the shell's standard error.
        let line =
            #"exec 3>&2; { "$0" run --for 8h --speed 20000 --display text --socket socket \#(arguments) 2>&3; echo "status $?" >&3; } | head -n 1 >/dev/null"#
        return try Program.shell(line, in: folder).wait().diagnostics
    }

    @Test func `a closed pipe ends the run without an error and with a complete ledger`() async throws {
        try await Program.withTemporaryFolder { folder in
            #expect(try read(oneLineOf: "--ledger l", in: folder) == "status 0\n")
            let audit = try Program.run("verify", "l", in: folder)
            #expect(audit.status == 0 && audit.output.contains(", closed"), "\(audit)")
            // With a state the stand is suspended, and the next start resumes it.
            #expect(try read(oneLineOf: "--ledger m --state s", in: folder) == "status 0\n")
            let later = [
                "run", "--for", "8h", "--speed", "20000", "--display", "none", "--ledger", "m", "--state", "s",
            ]
            #expect(try Program.start(later, in: folder).wait().status == 0)
            #expect(try Program.run("verify", "m", "--state", "s", in: folder).status == 0)
            // Failed expectations are still reported.
            let said = try read(oneLineOf: "--expect 'customers.arrived<0'", in: folder)
            #expect(said.hasPrefix("juicestand: ✗ customers.arrived < 0, found ") && said.hasSuffix("\nstatus 1\n"))
        }
    }

    @Test(arguments: [["help"], ["simulate", "--for", "1m"], ["check-config", "--set", "makers=3"]])
    func `a closed pipe is not an error for commands that print results`(arguments: [String]) throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let ending = try Program.start(arguments, output: pipe.fileHandleForWriting).wait()
        #expect(ending.status == 0 && ending.diagnostics == "", "\(ending)")
    }

    @Test func `a broken service log ends the run with an error`() async throws {
        // Service managers use a socket. Its end is a failure, not a reader that is done.
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let status = unsafe socketpair(AF_UNIX, kind, 0, &ends)
        try #require(status == 0)
        close(ends[0])
        let log = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        try await Program.withTemporaryFolder { folder in
            let socket = folder.appending(path: "socket").path
            let arguments = ["run", "--for", "8h", "--speed", "20000", "--display", "text", "--socket", socket]
            let ending = try Program.start(arguments, output: log).wait()
            #expect(ending.status == 74)
            #expect(
                ending.diagnostics.hasPrefix("juicestand: standard output: Broken pipe; the stand was closed, and "))
        }
    }

    /// The real orders are not in this repository.
    private static let bakery = Program.root.deletingLastPathComponent().appending(path: "shared/traces/bakery.csv")
        .path

    @Test(.enabled(if: FileManager.default.fileExists(atPath: bakery), "the bakery's real orders are not here"))
    func `real orders give one ledger, live and virtual`() async throws {
        try await Program.withTemporaryFolder { folder in
            let trace =
                [
                    "--config", "config/bakery.json", "--set", "customers.arrivals.trace.file=\(Self.bakery)", "--set",
                    "customers.arrivals.trace.time=Date+Time", "--set", "customers.arrivals.trace.juice=Item",
                ] + (Study.isFull ? [] : ["--for", "30d"])
            let live = folder.appending(path: "live.jsonl").path
            let virtual = folder.appending(path: "virtual.jsonl").path
            let simulated = try Program.start(["simulate", "--ledger", virtual] + trace).wait()
            // Of 159 days with 21,293 lines; the configuration skips the 786 lines of item NONE.
            #expect(simulated.output.contains("  customers  \(Study.isFull ? "20,507" : "4,610") arrived, "))
            #expect(
                try Program.start(["run", "--speed", "10000000", "--display", "none", "--ledger", live] + trace).wait()
                    .status == 0)
            #expect(try Data(contentsOf: URL(filePath: live)) == Data(contentsOf: URL(filePath: virtual)))
            #expect(try Program.run("verify", virtual).status == 0)
        }
    }
}
