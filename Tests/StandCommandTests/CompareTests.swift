import Foundation
import JuiceStand
import Platform
import TestSupport
import Testing

/// `juicestand compare`, run as a user would.
@Suite(.timeLimit(.minutes(60)))
struct CompareTests {
    private struct Comparison: Decodable {
        struct Finding: Decodable {
            var group, evidence: String
            var holds: Bool?
            var applies: Bool
            var price: Double?
        }
        struct Spread: Decodable {
            var median, min, max: Double
        }
        struct Speed: Decodable {
            var observers: Int
            var nanosecondsPerNotification: Spread
            var ratioToClosure: Double
            var allocationsPerNotification: Double?
        }
        struct Latency: Decodable {
            var p50, p99, max: Double
        }
        struct Stand: Decodable {
            var ordersPerSecond: Spread?
            var deliveryLatency: Latency?
            var why: String?
        }
        struct Wiring: Decodable {
            var name, mechanism: String
            var speed: [Speed]
            var stand: Stand
            var properties: [String: Finding]
        }
        struct Burst: Decodable {
            struct Paced: Decodable {
                var posted: Int
                var heard: [Int]
            }
            var posted: Int
            var heard: [Int]
            var paced: Paced
        }
        var schema: String
        var partial: Bool?
        var cutOff: [String]?
        var bursts: [String: Burst]
        var wirings: [Wiring]
    }

    /// Runs the program on a thread that may block.
    private func run(_ arguments: [String]) async throws -> Program.Ending {
        try await onItsOwnThread { try Program.start(arguments).wait() }
    }

    private func decode(_ ending: Program.Ending) throws -> Comparison {
        try JSONDecoder().decode(Comparison.self, from: Data(ending.output.utf8))
    }

    @Test func `--list prints every wiring name of the configuration, one on each line`() async throws {
        let names = try await run(["compare", "--list"]).output.split(separator: "\n").map(String.init)
        #expect(names == WiringChoice.allCases.map(\.rawValue))
        for name in names {
            let ending = try await run(["check-config", "--set", "wiring=\(name)"])
            #expect(ending.status == 0)
        }
    }

    @Test(arguments: [
        ("foundation-message", "oneCallOfAnObserverAtATime", false), ("foundation-message", "keepsOrderOfPosts", false),
        ("async-stream", "oneCallOfAnObserverAtATime", true), ("async-stream", "keepsOrderOfPosts", true),
    ])
    func `a probe finds overlapping and reordered deliveries`(
        wiring: String, property: String, holds: Bool
    ) async throws {
        let ending = try await run(["probe", wiring, property])
        #expect(ending.output.contains("\"holds\":\(holds)"), "\(ending.output)")
    }

    @Test(arguments: WiringChoice.allCases)
    func `a stand runs under every wiring, or the reason is printed`(choice: WiringChoice) async throws {
        let ending = try await run(["simulate", "--for", "10m", "--wiring", choice.rawValue])
        #expect(ending.status == (choice.refusal == nil ? 0 : 64))
        if let refusal = choice.refusal { #expect(ending.diagnostics.contains(refusal)) }
    }

    @Test func `a probe that crashes is evidence, and the next one runs`() async throws {
        let ending = try await run([
            "compare", "--wirings", "closure,notification", "--probe", "safeFromTwoThreads", "--format", "json",
        ])
        let comparison = try decode(ending)
        // On a very busy machine two threads seldom run at once. Then the cell is named, and the status is 1.
        let isKnown = comparison.partial == nil
        #expect(ending.status == (isKnown ? 0 : 1) && (isKnown || comparison.cutOff?.isEmpty == false))
        let found = Dictionary(uniqueKeysWithValues: comparison.wirings.map { ($0.name, $0.properties) })
        #expect(found["notification"]?["safeFromTwoThreads"]?.holds != false)
        // The counter-example is kept, even if a busy machine does not show it.
        #expect(found["closure"]?["safeFromTwoThreads"]?.holds == false)
        #expect(found["closure"]?.count == 1)
    }

    @Test func `every wiring is measured, or the reason is printed`() async throws {
        let report = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).html")
        defer { try? FileManager.default.removeItem(at: report) }
        let ending = try await run([
            "compare", "--quick", "--report", report.path, "--wirings",
            "multicast-delegate,notification,foundation-message-main", "--observers", "2", "--format", "json",
        ])
        let comparison = try decode(ending)
        #expect(comparison.schema == "juicestand.comparison/2")
        // On a very busy machine two threads seldom run at once. Then these cells are named, and the status is 1.
        let missing = comparison.cutOff ?? []
        #expect(missing.allSatisfy { $0.contains(#/^"(safe from two|one order across posting) threads" of /#) })
        #expect(ending.status == (missing.isEmpty ? 0 : 1), "\(ending.diagnostics)")
        #expect(comparison.partial == (missing.isEmpty ? nil : true))
        let names = ["multicast-delegate", "notification", "foundation-message-main"]
        try #require(comparison.wirings.map(\.name) == names)
        for wiring in comparison.wirings {
            #expect(wiring.speed.map(\.observers) == [2])
            let spread = try #require(wiring.speed.first).nanosecondsPerNotification
            #expect(0 < spread.min && spread.min <= spread.median && spread.median <= spread.max)
            #expect(wiring.properties.count == 42)
        }
        let ours = comparison.wirings[1].properties
        #expect(ours["answersBack"]?.price.map { $0 > 0 } == true)
        #expect(comparison.wirings[2].properties["safeFromTwoThreads"]?.applies == false)
        #expect(ours["everyObserverHandlesEveryEvent"]?.holds == false)
        let stand = comparison.wirings[1].stand
        #expect(stand.ordersPerSecond.map { $0.median > 0 } == true)
        #expect(stand.deliveryLatency.map { $0.p50 > 0 && $0.p50 <= $0.p99 && $0.p99 <= $0.max } == true)
        #expect(comparison.wirings[2].stand.why?.contains("main actor") == true)
        for wiring in comparison.wirings {
            let burst = try #require(comparison.bursts[wiring.name])
            #expect(burst.posted == 20_000 && burst.heard == [20_000, 20_000, 20_000])
            #expect(burst.paced.posted == 1000 && burst.paced.heard == [1000, 1000, 1000])
        }
        let page = try String(contentsOf: report, encoding: .utf8)
        #expect(page.contains("<h2>Properties</h2>"))
        #expect(page.contains("final class CenterTill") && !page.contains("src="))
        #expect(page.contains("evidence: no call after cancel"))
        // Each cell leads to its evidence.
        for match in page.matches(of: #/href="#([^"]+)"/#) { #expect(page.contains("id=\"\(match.1)\""), "\(match.1)") }
        #expect(page.contains("href=\"#noCallAfterCancel-notification\""))
        // Without optimization ours makes a few blocks too; with it none, as the README shows.
        let blocks = comparison.wirings.map { $0.speed.first?.allocationsPerNotification }
        if let ours = blocks[1], let theirs = blocks[2] { #expect(ours < 4 && ours < theirs) }
    }

    @Test func `two operands are told apart in words, on one screen`() async throws {
        let ending = try await run(["compare", "closure", "notification"])
        let text = ending.output.replacing(/\n +/, with: " ")
        // On a very busy machine two threads seldom run at once.
        let isKnown = !text.contains("not all could be established, missing: \"safe from two threads\" of ")
        #expect(ending.status == (isKnown ? 0 : 1), "\(ending.output)")
        #expect(text.contains(#/Only closure: [^.]*takes an inout payload/#), "\(ending.output)")
        #expect(text.contains(#/Only notification: [^.]*observer hears unknown posters/#), "\(ending.output)")
        #expect(text.contains("A post to 3 observers takes ") && !text.contains("reaches many observers"))
        // Before the answer the machine has a line, and at most two more if it is busy or the build is a debug build.
        let answer = try #require(ending.output.firstRange(of: "\nChoose "))
        #expect(ending.output[answer.lowerBound...].split(separator: "\n").count <= 22, "\(ending.output)")
    }

    @Test func `--code prints the code of each wiring, which begins with the poster`() async throws {
        let output = try await run(["compare", "--code", "notification,closure"]).output
        #expect(output.contains(#/// closure: .*\n\nfinal class ClosureTill \{\n/#), "\(output)")
        #expect(output.contains("center.observe(Sale.self) { display.note($0) }"))
        #expect(output.contains("final class Display: Sendable {"))
    }

    @Test func `an interrupted comparison is marked as partial and exits with 130`() async throws {
        let ending = try await onItsOwnThread {
            let running = try Program.start(["compare", "--format", "json"])
            // The warning about a debug build is printed after the signal handlers are set.
            try eventually("the warning") {
                try !running.process.isRunning
                    || String(contentsOf: running.diagnostics, encoding: .utf8).contains("debug build")
            }
            running.process.interrupt()
            return try running.wait()
        }
        #expect(ending.status == 130)
        let comparison = try decode(ending)
        #expect(comparison.partial == true)
        #expect(comparison.cutOff?.contains { $0.hasPrefix("the whole stand of direct") } == true)
    }

    @Test(arguments: [
        (["--wirings", "pigeon"], "--wirings: unknown wiring \"pigeon\" (known: direct, "),
        (["--wirings", "closures"], "did you mean \"closure\""),
        (["--probe", "answerBack"], "did you mean \"answersBack\"?"),
        (["--table", "speeds"], "--table: unknown table \"speeds\"; did you mean \"speed\"?"),
        (["closure"], "compare takes two different wirings, found 1"),
        (["closure", "clojure"], "compare: unknown wiring \"clojure\"; did you mean \"closure\"?"),
        (["--observers", "0"], "--observers must be comma-separated whole numbers from 1 to "),
        (["--observers", "1,,3"], "found \"1,,3\""),
        (["--format", "html"], "--format: unknown format \"html\" (known: text, json)"),
    ])
    func `wrong options are named`(arguments: [String], message: String) async throws {
        let ending = try await run(["compare"] + arguments)
        #expect(ending.status == 64)
        #expect(ending.diagnostics.contains(message), "\(ending.diagnostics)")
        #expect(ending.output.isEmpty)
    }
}
