import Foundation
import JuiceStand
import Platform
import TestSupport
import Testing
import TextFormats

/// `juicestand compare`, run as a user would.
@Suite(.timeLimit(.minutes(60)))
struct CompareTests {
    /// Runs the program on a thread that may block.
    private func run(_ arguments: [String]) async throws -> Program.Ending {
        try await onItsOwnThread { try Program.start(arguments).wait() }
    }

    private func decode(_ ending: Program.Ending) throws -> JSONValue {
        try #require(JSONValue(parsing: Array(ending.output.utf8)), "\(ending)")
    }

    @Test func `--list prints every wiring name of the configuration, one on each line`() async throws {
        let names = try await run(["compare", "--list"]).output.split(separator: "\n").map(String.init)
        #expect(names == WiringChoice.allCases.map(\.rawValue))
    }

    @Test func `a probe that crashes is evidence, and the next one runs`() async throws {
        let ending = try await run([
            "compare", "--wirings", "closure,notification", "--probe", "safeFromTwoThreads", "--format", "json",
        ])
        let comparison = try decode(ending)
        // On a very busy machine two threads seldom run at once. Then the cell is named, and the status is 1.
        let isKnown = comparison["partial"] != .bool(true)
        #expect(ending.status == (isKnown ? 0 : 1) && (isKnown || comparison["cutOff"]?.elements.isEmpty == false))
        let properties = try #require(comparison["wirings"]).elements.map { $0["properties"] }
        #expect(properties[1]?["safeFromTwoThreads"]?["holds"] != .bool(false))
        // The counter-example is kept, even if a busy machine does not show it.
        #expect(properties[0]?["safeFromTwoThreads"]?["holds"] == .bool(false))
        #expect(properties[0]?.members.count == 1)
    }

    /// Cells that a very busy machine may leave open.
    private static var needsTwoProcessors: Regex<(Substring, Substring)> {
        #/^"(safe from two threads|one order across posting threads|two posters don't slow each other)" of /#
    }

    @Test func `every wiring is measured, or the reason is printed`() async throws {
        let report = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).html")
        defer { try? FileManager.default.removeItem(at: report) }
        let ending = try await run([
            "compare", "--quick", "--report", report.path, "--wirings",
            "multicast-delegate,notification,foundation-message-main", "--observers", "2", "--format", "json",
        ])
        let comparison = try decode(ending)
        #expect(comparison["schema"]?.text == "juicestand.comparison/2")
        // On a very busy machine two threads seldom run at once. Then these cells are named, and the status is 1.
        let missing = comparison["cutOff"]?.elements.compactMap(\.text) ?? []
        #expect(missing.allSatisfy { $0.contains(Self.needsTwoProcessors) }, "\(missing)")
        #expect(ending.status == (missing.isEmpty ? 0 : 1), "\(ending.diagnostics)")
        #expect((comparison["partial"] == .bool(true)) != missing.isEmpty)
        let names = ["multicast-delegate", "notification", "foundation-message-main"]
        let wirings = comparison["wirings"]?.elements ?? []
        try #require(wirings.compactMap { $0["name"]?.text } == names)
        for wiring in wirings {
            #expect(wiring["speed"]?.elements.map { $0["observers"]?.whole } == [2])
            let spread = wiring["speed"]?.elements.first?["nanosecondsPerNotification"]
            let times = ["min", "median", "max"].map { spread?[$0]?.seconds ?? 0 }
            #expect(times[0] > 0 && times == times.sorted(), "\(times)")
            #expect(wiring["properties"]?.members.count == 42)
        }
        let ours = wirings[1]["properties"]
        #expect(ours?["answersBack"]?["price"]?.seconds ?? 0 > 0)
        #expect(wirings[2]["properties"]?["safeFromTwoThreads"]?["applies"] == .bool(false))
        #expect(ours?["everyObserverHandlesEveryEvent"]?["holds"] == .bool(false))
        let stand = wirings[1]["stand"]
        #expect(stand?["ordersPerSecond"]?["median"]?.seconds ?? 0 > 0)
        let latencies = ["p50", "p99", "max"].map { stand?["deliveryLatency"]?[$0]?.seconds ?? 0 }
        #expect(latencies[0] > 0 && latencies == latencies.sorted(), "\(latencies)")
        #expect(wirings[2]["stand"]?["why"]?.text?.contains("main actor") == true)
        for name in names {
            let burst = try #require(comparison["bursts"]?[name])
            let paced = try #require(burst["paced"])
            for (part, number) in [(burst, 20_000), (paced, 1000)] {
                #expect(part["posted"]?.whole == number)
                #expect(part["heard"]?.elements.map(\.whole) == [number, number, number])
            }
        }
        let page = try String(contentsOf: report, encoding: .utf8)
        #expect(page.contains("<h2>Properties</h2>"))
        #expect(page.contains("final class CenterTill") && !page.contains("src="))
        #expect(page.contains("evidence: no call after cancel"))
        // Each cell leads to its evidence.
        for match in page.matches(of: #/href="#([^"]+)"/#) { #expect(page.contains("id=\"\(match.1)\""), "\(match.1)") }
        #expect(page.contains("href=\"#noCallAfterCancel-notification\""))
        // Without optimization ours makes a few blocks too; with it none, as the README shows.
        let blocks = wirings.map { $0["speed"]?.elements.first?["allocationsPerNotification"]?.seconds }
        if let ours = blocks[1], let theirs = blocks[2] { #expect(ours < 4 && ours < theirs) }
    }

    @Test func `two operands are told apart in words, on one screen`() async throws {
        let ending = try await run(["compare", "closure", "notification"])
        let text = ending.output.replacing(/\n +/, with: " ")
        // On a very busy machine two threads seldom run at once.
        let isKnown =
            text.firstMatch(of: /not all could be established, missing: ("[^"]+" of )/)?.1.contains(
                Self.needsTwoProcessors) != true
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
