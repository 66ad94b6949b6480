import Foundation
import TestSupport
import Testing

/// Every exit status of the contract, from the program itself.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct ExitStatusTests {
    /// Runs a line of shell in `folder`, of which `$0` is the program.
    private func shell(_ line: String, in folder: URL) throws -> (status: Int32, said: String) {
        let ending = try Program.shell(line, in: folder).wait()
        return (ending.status, ending.output + ending.diagnostics)
    }

    @Test(arguments: [
        ("simulate --for 1m", 0, "  customers  "),
        ("simulate --for 1m --expect 'wait.p95<-1'", 1, "wait.p95"),
        ("simulate --seed 1 --seed 2", 64, "--seed must be given once, found 2 times"),
        ("simulate --for 1m --output a --output b", 64, "--output must be given once, found 2 times"),
        ("verify ledger", 65, "must be a JSON object"),
        ("merge ledger", 65, "ledger"),
        ("check-config missing", 66, "missing: No such file or directory"),
        ("simulate --for 1m --output missing/a", 73, "missing/a"),
        ("simulate --for 1m --report missing/a", 73, "missing/a"),
        ("simulate --for 1m --ledger ledger", 73, "ledger: is not empty; a new ledger needs a new or empty file\n"),
        ("run --for 1s --display none --listen off --socket s --ledger ledger", 73, "is not empty"),
        ("simulate --for 1m >/dev/full", 74, "standard output: No space left on device"),
        ("menu >/dev/full", 74, "standard output: No space left on device"),
        ("help >/dev/full", 74, "standard output: No space left on device"),
        ("check-config --set makers=2 >/dev/full", 74, "standard output: No space left on device"),
        ("check-config --set makers=-1", 78, "makers: must be at least 1"),
    ])
    func `a command ends with the status of its failure`(command: String, status: Int32, words: String) async throws {
        try await Program.withTemporaryFolder { folder in
            try Data("no line of a ledger\n".utf8).write(to: folder.appending(path: "ledger"))
            let ending = try shell("\"$0\" \(command)", in: folder)
            #expect(ending.status == status, "\(ending.said)")
            #expect(ending.said.contains(words), "\(ending.said)")
            let ledger = try String(contentsOf: folder.appending(path: "ledger"), encoding: .utf8)
            #expect(ledger == "no line of a ledger\n")
        }
    }

    @Test func `a state in use, and one whose stand has closed, end a start with status 75`() async throws {
        try await Program.withTemporaryFolder { folder in
            let options = "run --speed 1000 --display none --listen off --state state --socket"
            let first = try Program.start("\(options) a".split(separator: " ").map(String.init), in: folder)
            try first.waitForStand(at: folder.appending(path: "a").path)
            let second = try shell("\"$0\" \(options) b", in: folder)
            #expect(second.status == 75 && second.said.contains("state"), "\(second.said)")
            #expect(try shell("\"$0\" stop --socket a", in: folder).status == 0)
            #expect(try first.wait().status == 0)
            let third = try shell("\"$0\" \(options) c", in: folder)
            #expect(third.status == 75 && third.said.contains("closed"), "\(third.said)")
        }
    }

    @Test(arguments: ["simulate --replications 1000000 --format json", "compare --format json"], [SIGINT, SIGTERM])
    func `an interrupted experiment ends with status 130 and says that its results are partial`(
        command: String, signal: Int32
    ) async throws {
        let running = try Program.start(command.split(separator: " ").map(String.init))
        #if os(Linux)
            try await running.waitForHandler(of: signal)
        #endif
        kill(running.process.processIdentifier, signal)
        let ending = try running.wait()
        #expect(running.process.terminationReason == .exit && ending.status == 130, "\(ending.diagnostics)")
        #expect(ending.output.contains("\"partial\": true"), "\(ending)")
        // What was not measured is named.
        #expect(ending.output.contains("the whole stand of direct") == command.hasPrefix("compare"), "\(ending)")
    }
}
