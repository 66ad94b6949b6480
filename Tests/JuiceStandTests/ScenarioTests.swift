import Foundation
import JuiceStand
import Platform
import Testing
import TextFormats

/// The rules of the stand, scenario by scenario: see `Scenarios/README.md`.
struct ScenarioTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scenarios")

    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".expected.json") }.map { String($0.dropLast(14)) }.sorted()
    }()

    /// What the independent model found.
    private struct Expected: Decodable {
        let `for`: String
        let warmUp: String?
        let metrics: [String: Double?]
    }

    @Test func `all scenarios are found`() {
        #expect(Self.names.count == 73)
    }

    @Test(arguments: names)
    func `a scenario gives its ledger and the figures of an independent model`(name: String) throws {
        let path = Self.folder.appending(path: name).path
        let expected = try JSONDecoder().decode(Expected.self, from: Data(readFile("\(path).expected.json")))
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
