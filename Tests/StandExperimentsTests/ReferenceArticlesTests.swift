import Foundation
import JuiceStand
import Platform
import StandExperiments
import TestSupport
import Testing
import TextFormats

/// The reference articles of `JuiceStand` must name everything that the code knows.
struct ReferenceArticlesTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    private static func article(_ name: String) throws -> String {
        let path = tests.appending(path: "../Sources/JuiceStand/JuiceStand.docc/\(name).md").path
        return String(decoding: try readFile(path), as: UTF8.self)
    }

    /// The keys of all objects in a schema, which is made of the table that the reader walks.
    private static func keys(of schema: JSONValue) -> Set<String> {
        let own = schema["properties"]?.members.map(\.key) ?? []
        let inner = schema.elements + schema.members.map(\.value)
        return inner.reduce(into: Set(own)) { $0.formUnion(keys(of: $1)) }
    }

    @Test func `the configuration article names every key, law and word`() throws {
        let article = try Self.article("Configuration")
        let keys = Self.keys(of: ConfigurationSchema.document).subtracting(["$schema"])
        // Keys of six levels, so that the walk has reached them: the stand, a fruit, a rule, a law, a phase, a trace.
        #expect(
            keys.isSuperset(of: ["stand", "shelfLife", "reorderPoint", "weibull", "shape", "calm", "lasting", "map"]))
        for key in keys {
            let spellings = ["`\(key)`", ".\(key)`", "`\(key)."]
            #expect(spellings.contains { article.contains($0) }, "\(key)")
        }
        for word in WhenSoldOut.allCases.map(\.rawValue) + Trace.Unmapped.allCases.map(\.rawValue) {
            #expect(article.contains("`\"\(word)\"`"), "\(word)")
        }
    }

    @Test func `the results article names every metric`() throws {
        let article = try Self.article("Results")
        let experiment = Experiment(base: .standard, horizon: SimulationTime(seconds: 1))
        for name in experiment.metricNames {
            var parts = name.split(separator: ".").map(String.init)
            if ["stock", "restock", "spoiled"].contains(parts[0]) { parts[1] = "FRUIT" }
            #expect(article.contains("`\(parts.joined(separator: "."))`"), "\(name)")
        }
    }

    @Test func `an interval of a figure that the results article calls a share is cut at 0`() throws {
        var shares: [Substring] = []
        for match in try Self.article("Results").matches(of: #/\n\| `([\w.]+)` \| The (?:share|fraction) of /#) {
            let name = String(match.1.replacing("FRUIT", with: "kiwi"))
            #expect(Estimate(name: name, of: [0, 0, 0.1]).rounded().contains("(0% to "), "\(name)")
            shares.append(match.1)
        }
        #expect(
            shares == [
                "fillRate", "waitProbability", "makers.utilization", "stock.FRUIT.shortFraction",
                "stock.FRUIT.soldOutFraction",
            ])
    }

    @Test func `the results article has every event in the section of its group, and every cause`() throws {
        let sections = try Self.article("Results").split(separator: "\n### ")
        for kind in FactKind.allCases {
            let title =
                switch kind.group {
                case .stand: "Opening and closing"
                case .orders: "Orders"
                case .stock, .alerts, .restock: "Stock"
                case .commands: "Commands"
                }
            let section = try #require(sections.first { $0.hasPrefix(title) })
            #expect(section.contains("\n| `\(kind)` |"), "\(kind) is not under \(title)")
        }
        for cause in StockCause.allCases.map(\.rawValue) {
            #expect(sections.contains { $0.contains("`\(cause)`") }, "\(cause)")
        }
    }

    @Test func `the results article explains every reason of a loss`() throws {
        let article = try Self.article("Results")
        for reason in LossReason.allCases {
            let words = reason.inWords
            let metric = reason.traits.metric
            #expect(article.contains("\n| \(words) | `\(reason.name)` | `\(metric)`"), "\(reason)")
        }
    }

    @Test func `the results article names every key of the scenarios' ledgers`() throws {
        let article = try Self.article("Results")
        let folder = Self.tests.appending(path: "JuiceStandTests/Scenarios").path
        let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        let scenarios = files.filter { $0.hasSuffix(".expected.json") }
        #expect(!scenarios.isEmpty)
        var keys: Set<String> = []
        for scenario in scenarios {
            let file = "\(folder)/\(scenario.replacing(".expected", with: ""))"
            let settings = try StandConfiguration(file: file).settings
            let wiring = ClosureWiring()
            let collector = LineCollector()
            wiring.connect(StandLogger(.ledger, menu: settings.menu, sink: collector))
            var stand = Stand(settings)
            VirtualDriver(horizon: SimulationTime(seconds: 600)).run(&stand, wiring)
            for line in collector.lines {
                let event = try #require(
                    JSON5Parser.parse(Array(line.utf8), source: scenario).root.flatMap { JSONValue($0) })
                keys.formUnion(event.members.map(\.key))
            }
        }
        #expect(keys.contains("refused"))
        for key in keys { #expect(article.contains("`\(key)`"), "\(key)") }
    }
}
