import Foundation
import JuiceStand
import Platform
import Testing
import TextFormats

/// The rules of the stand, scenario by scenario: see `Scenarios/README.md`.
@Suite(.timeLimit(.minutes(60)))
struct ScenarioTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scenarios")

    /// The folder of the rule and the scenario's name: `balking/09-balk-before-stock`.
    static let names: [String] = {
        let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".expected.json") }.map { String($0.dropLast(14)) }.sorted()
    }()

    /// What the independent model found.
    private struct Expected: Decodable {
        let `for`: String
        let warmUp: String?
        /// The figures that the scenario's rule is about.
        let metrics: [String: Double?]

        init(_ name: String) throws {
            let path = folder.appending(path: "\(name).expected.json").path
            self = try JSONDecoder().decode(Self.self, from: Data(readFile(path)))
        }
    }

    @Test func `all scenarios are found`() {
        #expect(Self.names.count == 73)
    }

    @Test func `every metric is checked by a scenario`() throws {
        let checked = try Set(Self.names.flatMap { try Expected($0).metrics.keys.map(withoutFruit) })
        let settings = try lively(.leave)
        let known = Stand(settings).metrics(at: SimulationTime(seconds: 1)).map { withoutFruit($0.name) }
        #expect(Set(known).subtracting(checked) == [], "no expected.json states them")
    }

    /// `stock.kiwi.mean` as `stock.FRUIT.mean`.
    private func withoutFruit(_ metric: String) -> String {
        var parts = metric.split(separator: ".").map(String.init)
        if ["stock", "restock", "spoiled"].contains(parts[0]) { parts[1] = "FRUIT" }
        return parts.joined(separator: ".")
    }

    @Test(arguments: names)
    func `a scenario gives its ledger and the figures of an independent model`(name: String) throws {
        let path = Self.folder.appending(path: name).path
        let expected = try Expected(name)
        let settings = try StandConfiguration(file: "\(path).json").settings
        let horizon = SimulationTime(nanoseconds: try #require(DurationText.nanoseconds("\(expected.for)s")))
        let warmUp = SimulationTime(nanoseconds: DurationText.nanoseconds("\(expected.warmUp ?? "0")s") ?? 0)

        let wiring = ClosureWiring()
        let (_, lines) = connectLedger(to: wiring, settings)
        var stand = Stand(settings)
        VirtualDriver(horizon: horizon, warmUp: warmUp).run(&stand, wiring)

        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            try Data(lines.text.utf8).write(to: URL(filePath: "\(path).ledger"))
        }
        let golden = String(decoding: try readFile("\(path).ledger"), as: UTF8.self)
        #expect(lines.text == golden)

        let found = Dictionary(uniqueKeysWithValues: stand.metrics(at: stand.now).map { ($0.name, $0.value) })
        #expect(!expected.metrics.isEmpty)
        for (metric, value) in expected.metrics {
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
