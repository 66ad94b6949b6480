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
    private static func shell(_ script: String, _ arguments: [String] = []) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, Program.executable.path] + arguments
        process.currentDirectoryURL = Program.root
        process.standardOutput = FileHandle.nullDevice
        return process
    }

    /// Address space in MB with which the program can just print its version.
    private static func leastMemory() throws -> Int {
        let least = try (20...1000).first { megabytes in
            let process = try shell("ulimit -v \(megabytes << 10); exec \"$0\" version")
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitForExit()
            return process.terminationReason == .exit && process.terminationStatus == 0
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
                let process = try Self.shell(
                    "ulimit -c 0; ulimit -s 8192; ulimit -v \(megabytes << 10); exec \"$0\" \(command) \(socket)")
                let diagnostics = Pipe()
                process.standardError = diagnostics
                try process.run()
                let said = diagnostics.fileHandleForReading.readDataToEndOfFile()
                process.waitForExit()
                #expect(process.terminationReason == .exit && process.terminationStatus == 74, "\(megabytes) MB")
                let line = String(decoding: said, as: UTF8.self)
                #expect(line.hasPrefix("juicestand: the system refuses "), "\(megabytes) MB: \(line)")
            }
        }
    }

    @Test(arguments: ["simulate --for 1m", "plan --minimize cost.total --over makers=1,2 --for 1m", "watch"])
    func `a command with too few open files is refused with a reason`(command: String) throws {
        for files in 4...8 {
            let process = try Self.shell("ulimit -c 0; ulimit -n \(files); exec \"$0\" \(command)")
            let diagnostics = Pipe()
            process.standardError = diagnostics
            try process.run()
            let said = String(decoding: diagnostics.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitForExit()
            #expect(process.terminationReason == .exit && process.terminationStatus == 74, "\(files) files")
            #expect(said.hasPrefix("juicestand: the system refuses 6 open files"), "\(files) files: \(said)")
        }
    }

    @Test func `a log that is read again says how many lines it has dropped`() async throws {
        try await Program.withTemporaryFolder { folder in
            let (pipe, socket) = (folder.appending(path: "pipe").path, folder.appending(path: "socket").path)
            let options =
                "run --display text --speed 1000000 --listen off --config config/stand.json --socket \(socket)"
            let process = try Self.shell("mkfifo \(pipe); exec 3<>\(pipe); exec \"$0\" \(options) 1>&3 2>/dev/null")
            try process.run()
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
            kill(process.processIdentifier, SIGTERM)
            process.waitForExit(within: .seconds(60))
            #expect(process.terminationReason == .exit)
        }
    }

    @Test(arguments: ["1>&3 2>/dev/null", "2>&3", "1>&3 2>&3"], [SIGTERM, SIGINT, SIGHUP])
    func `a stand answers and ends although nobody reads its log`(redirection: String, signal: Int32) async throws {
        try await Program.withTemporaryFolder { folder in
            let (pipe, socket) = (folder.appending(path: "pipe").path, folder.appending(path: "socket").path)
            let options = "run --display text --speed 30000 --listen off --config config/stand.json --socket \(socket)"
            // Descriptor 3 reads and writes, so that opening it waits for nobody.
            let process = try Self.shell("mkfifo \(pipe); exec 3<>\(pipe); exec \"$0\" \(options) \(redirection)")
            process.standardError = FileHandle.nullDevice
            try process.run()
            // Enough lines to fill the pipe twice.
            let client = StandClient(path: socket)
            try await eventually("1,500 events") {
                let status = try? client.send(.get, "/api/v1/status").json
                return status?["sequence"]?.whole ?? 0 > 1500
            }
            #expect(try Program.run("rate", "1", "--socket", socket).status == 0)
            // SIGHUP reloads the configuration.
            kill(process.processIdentifier, signal)
            if signal == SIGHUP {
                #expect(try Program.run("status", "--socket", socket).status == 0)
                kill(process.processIdentifier, SIGTERM)
            }
            process.waitForExit(within: .seconds(60))
            #expect(process.terminationReason == .exit)
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
                let process = try Self.shell("\(fill); echo ready; exec \"$0\" \(command) --format json 1>&3 3>&-")
                let ready = Pipe()
                process.standardOutput = ready
                try process.run()
                _ = ready.fileHandleForReading.readData(ofLength: 6)
                let status = URL(filePath: "/proc/\(process.processIdentifier)/status")
                // Signals that the program handles itself: bit 14 is SIGTERM.
                try await eventually("a handler of SIGTERM") {
                    let lines = try? String(contentsOf: status, encoding: .utf8).split(separator: "\n")
                    let caught = lines?.first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
                    return caught.flatMap { UInt64($0, radix: 16) }.map { $0 >> 14 & 1 == 1 } ?? false
                }
                kill(process.processIdentifier, SIGTERM)
                process.waitForExit(within: .seconds(60))
                #expect(process.terminationReason == .exit && process.terminationStatus == 74)
            }
        }
    #endif
}
