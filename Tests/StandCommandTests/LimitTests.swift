import Foundation
import Platform
import StandClient
import StandService
import TestSupport
import Testing
import TextFormats

/// The program with too few threads or too little memory, and with outputs that nobody reads.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct LimitTests {
    /// Expects that the program ends a line of shell by itself, with a status.
    private static func run(
        _ line: String, endsWith status: Int32, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let running = try Program.shell("ulimit -c 0; \(line)")
        let ending = try running.wait()
        let isExit = running.process.terminationReason == .exit
        #expect(isExit && ending.status == status, "\(line): \(ending)", sourceLocation: sourceLocation)
        return ending.diagnostics
    }

    /// Address space in MB with which the program can just print its version.
    private static func leastMemory() throws -> Int {
        let least = try (20...1000).first { megabytes in
            let running = try Program.shell("ulimit -v \(megabytes << 10); exec \"$0\" version")
            return try running.wait().status == 0 && running.process.terminationReason == .exit
        }
        return try #require(least, "the program needs more than 1000 MB for its version")
    }

    @Test(arguments: [
        "run --display none --listen off --duration 0.1s --socket", "simulate --for 1m", "watch --socket",
        "plan --minimize cost.total --over makers=1,2 --for 1m", "fit config/bakery-sample.csv",
    ])
    func `a command with too little memory for its threads is refused with a reason`(command: String) async throws {
        try await Program.withTemporaryFolder { folder in
            let socket = command.hasSuffix("--socket") ? folder.appending(path: "socket").path : ""
            let least = try Self.leastMemory()
            for megabytes in stride(from: least + 4, through: least + 90, by: 6) {
                let limits = "ulimit -s 8192; ulimit -v \(megabytes << 10)"
                let said = try Self.run("\(limits); exec \"$0\" \(command) \(socket)", endsWith: 74)
                #expect(said.hasPrefix("juicestand: the system refuses "), "\(megabytes) MB: \(said)")
            }
        }
    }

    @Test(arguments: ["simulate --for 1m", "plan --minimize cost.total --over makers=1,2 --for 1m", "watch"])
    func `a command with too few open files is refused with a reason`(command: String) throws {
        for files in 4...8 {
            let said = try Self.run("ulimit -n \(files); exec \"$0\" \(command)", endsWith: 74)
            #expect(said.hasPrefix("juicestand: the system refuses 6 open files"), "\(files) files: \(said)")
        }
    }

    @Test func `a log that is read again says how many lines it has dropped`() async throws {
        try await Program.withTemporaryFolder { folder in
            let pipe = folder.appending(path: "pipe").path
            let socket = folder.appending(path: "socket").path
            let options =
                "run --display text --speed 1000000 --listen off --config config/stand.json --socket \(socket)"
            let running = try Program.shell("mkfifo \(pipe); exec 3<>\(pipe); exec \"$0\" \(options) 1>&3 2>/dev/null")
            // Some hundred bytes each: more than the four megabytes that wait for a reader.
            let client = StandClient(path: socket)
            try await eventually("80,000 events") {
                let status = try? client.send(.get, "/api/v1/status").json
                return status?["sequence"]?.whole ?? 0 > 80_000
            }
            let reader = try FileHandle(forReadingFrom: URL(filePath: pipe))
            let report = Data(" event=linesDropped lines=".utf8)
            var end = Data()
            try await eventually("the report") {
                end = end.suffix(100) + (try reader.read(upToCount: 65_536) ?? Data())
                return end.range(of: report) != nil
            }
            kill(running.process.processIdentifier, SIGTERM)
            _ = try running.wait(within: .seconds(60))
            #expect(running.process.terminationReason == .exit)
        }
    }

    @Test(arguments: ["1>&3 2>/dev/null", "2>&3", "1>&3 2>&3"], [SIGTERM, SIGINT, SIGHUP])
    func `a stand answers and ends although nobody reads its log`(redirection: String, signal: Int32) async throws {
        try await Program.withTemporaryFolder { folder in
            let pipe = folder.appending(path: "pipe").path
            let socket = folder.appending(path: "socket").path
            let options = "run --display text --speed 30000 --listen off --config config/stand.json --socket \(socket)"
            // Descriptor 3 reads and writes, so that opening it waits for nobody.
            let running = try Program.shell(
                "mkfifo \(pipe); exec 3<>\(pipe); exec \"$0\" \(options) >/dev/null \(redirection)")
            // Enough lines to fill the pipe twice.
            let client = StandClient(path: socket)
            try await eventually("1,500 events") {
                let status = try? client.send(.get, "/api/v1/status").json
                return status?["sequence"]?.whole ?? 0 > 1500
            }
            #expect(try Program.run("rate", "1", "--socket", socket).status == 0)
            // SIGHUP reloads the configuration.
            kill(running.process.processIdentifier, signal)
            if signal == SIGHUP {
                #expect(try Program.run("status", "--socket", socket).status == 0)
                kill(running.process.processIdentifier, SIGTERM)
            }
            _ = try running.wait(within: .seconds(60))
            #expect(running.process.terminationReason == .exit)
        }
    }

    #if os(Linux)
        @Test(arguments: [
            "simulate --for 1h --replications 1000000", "simulate --for 1h",
            "plan --minimize cost.total --over makers=1..60 --within 0.001%",
        ])
        func `a command ends on SIGTERM although nobody reads its result`(command: String) async throws {
            try await Program.withTemporaryFolder { folder in
                let pipe = folder.appending(path: "pipe").path
                // Fills the pipe.
                let fill = "mkfifo \(pipe); exec 3<>\(pipe); dd if=/dev/zero of=\(pipe) bs=4096 count=16 2>/dev/null"
                let running = try Program.shell("\(fill); exec \"$0\" \(command) --format json 1>&3 3>&-")
                try await running.waitForHandler(of: SIGTERM)
                kill(running.process.processIdentifier, SIGTERM)
                #expect(try running.wait(within: .seconds(60)).status == 74)
                #expect(running.process.terminationReason == .exit)
            }
        }
    #endif
}
