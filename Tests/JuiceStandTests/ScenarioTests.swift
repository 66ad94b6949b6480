import Foundation
import JuiceStand
import Platform
import TestSupport
import Testing
import TextFormats

/// The rules of the stand, scenario by scenario: see `Scenarios/README.md`.
@Suite(.timeLimit(.minutes(60)))
struct ScenarioTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scenarios")
    private static let model = folder.appending(path: "model.py").path

    /// The folder of the rule and the scenario's name: `balking/09-balk-before-stock`.
    static let names: [String] = {
        let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".expected.json") }.map { String($0.dropLast(14)) }.sorted()
    }()

    /// The files of a scenario.
    struct Scenario {
        /// What the independent model found.
        private struct Expected: Decodable {
            let `for`: String
            let warmUp: String?
            /// The figures that the scenario's rule is about.
            let metrics: [String: Double?]
        }

        /// The path of the configuration.
        let configuration: String
        /// The length of the run and of the warm-up, in seconds.
        let seconds: String, warmUp: String
        let metrics: [String: Double?]

        init(_ name: String) throws {
            let path = folder.appending(path: name).path
            let expected = try JSONDecoder().decode(Expected.self, from: Data(readFile("\(path).expected.json")))
            configuration = "\(path).json"
            seconds = expected.for
            warmUp = expected.warmUp ?? "0"
            metrics = expected.metrics
        }

        /// The stand after its run, and its ledger.
        func run() throws -> (stand: Stand, ledger: String) {
            let settings = try StandConfiguration(file: configuration).settings
            func time(_ seconds: String) throws -> SimulationTime {
                SimulationTime(nanoseconds: try #require(DurationText.nanoseconds("\(seconds)s")))
            }
            let wiring = ClosureWiring()
            let (_, lines) = connectLedger(to: wiring, settings)
            var stand = Stand(settings)
            VirtualDriver(horizon: try time(seconds), warmUp: try time(warmUp)).run(&stand, wiring)
            return (stand, lines.text)
        }

        /// Where a ledger first differs from that of `Scenarios/model.py`, a second implementation of the rules.
        func difference(_ ledger: String) throws -> String {
            let folder = try TemporaryFolder()
            let file = try folder.write(ledger, to: "ledger.jsonl")
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["python3", ScenarioTests.model, "explain", configuration, seconds, file]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                return "The first difference is unknown: python3 model.py ended with \(process.terminationStatus)."
            }
            return text
        }
    }

    @Test func `all scenarios are found`() {
        #expect(Self.names.count == 73)
    }

    @Test func `every metric is checked by a scenario`() throws {
        let checked = try Set(Self.names.flatMap { try Scenario($0).metrics.keys.map(withoutFruit) })
        let settings = try lively(.leave)
        let known = Stand(settings).metrics(at: SimulationTime(seconds: 1)).map { withoutFruit($0.name) }
        #expect(Set(known).subtracting(checked) == ["notifications.posted"], "no expected.json states them")
    }

    /// `stock.kiwi.mean` as `stock.FRUIT.mean`.
    private func withoutFruit(_ metric: String) -> String {
        var parts = metric.split(separator: ".").map(String.init)
        if ["stock", "restock", "spoiled"].contains(parts[0]) { parts[1] = "FRUIT" }
        return parts.joined(separator: ".")
    }

    @Test(arguments: names)
    func `a scenario gives its ledger and the figures of an independent model`(name: String) throws {
        let scenario = try Scenario(name)
        let (stand, ledger) = try scenario.run()
        let fingerprint = LedgerFingerprintTests.fingerprint(ledger)
        if fingerprint != (try LedgerFingerprintTests.kept()[name]) {
            Issue.record(
                """
                \(fingerprint) is not the golden fingerprint. \(try scenario.difference(ledger))
                \(LedgerFingerprintTests.howToWrite)
                """)
        }

        let found = figures(of: stand)
        let posted = try ledger.split(separator: "\n").filter { line in
            let time = try #require(line.firstMatch(of: #/"at":([\d.]+)/#)).output.1
            return try #require(Double(time)) >= (try #require(Double(scenario.warmUp)))
        }
        #expect(found["notifications.posted"] == Double(posted.count))
        #expect(!scenario.metrics.isEmpty)
        for (metric, value) in scenario.metrics {
            guard let mine = found[metric] else {
                Issue.record("\(metric) is missing")
                continue
            }
            switch (mine, value) {
            case (nil, nil): break
            case (let mine?, let value?): #expect(abs(mine - value) <= 1e-9 * max(1, abs(value)), "\(metric)")
            default: Issue.record("\(metric) is \(String(describing: mine)), expected \(String(describing: value))")
            }
        }
    }
}
