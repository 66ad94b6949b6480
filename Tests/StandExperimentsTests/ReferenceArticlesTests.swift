import Foundation
import JuiceStand
import Platform
import StandExperiments
import TestSupport
import Testing
import TextFormats

/// The reference articles of `JuiceStand` must name everything that the code knows.
struct ReferenceArticlesTests {
    private static func article(_ name: String) throws -> String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let path = tests.deletingLastPathComponent().appending(path: "Sources/JuiceStand/JuiceStand.docc/\(name).md")
            .path
        return String(decoding: try readFile(path), as: UTF8.self)
    }

    /// The key of no setting, and similar to none, so that an error message lists the known keys.
    private static let unknown = "zzzzzzzz"

    /// The keys that the reader accepts below `path`: those it lists when it finds an unknown one.
    private static func keys(below path: [String]) -> [String] {
        let document = path.reversed().reduce("{\"\(unknown)\": 1}") { "{\"\($1)\": \($0)}" }
        let child = (path + [unknown]).joined(separator: ".")
        do throws(ConfigurationError) {
            _ = try StandConfiguration(Array(document.utf8), source: "f")
        } catch {
            guard case .invalid(let problems) = error else { return [] }
            for problem in problems {
                let message = problem.message.description
                if message == "\(child): must be an object, found 1" { return [unknown] }
                let list = message.split(separator: "\(child): unknown key; known keys are ")
                if list.count == 1, message != list[0] {
                    return list[0].split(separator: ", ").map(String.init)
                }
            }
        }
        return []
    }

    private static func allKeys() -> Set<String> {
        var found: Set<String> = []
        var paths: [[String]] = [[]]
        while let path = paths.popLast() {
            let keys = keys(below: path)
            found.formUnion(keys)
            paths += keys.map { path + [$0] }
        }
        return found.subtracting([unknown])
    }

    @Test func `the configuration article names every key, law and word`() throws {
        let article = try Self.article("Configuration")
        let keys = Self.allKeys()
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

    @Test func `the results article has every event in the section of its group`() throws {
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
    }

    @Test func `the results article names every event and cause`() throws {
        let article = try Self.article("Results")
        let names = FactKind.allCases.map { "\($0)" } + StockCause.allCases.map(\.rawValue)
        for name in names { #expect(article.contains("`\(name)`"), "\(name)") }
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
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let folder = tests.appending(path: "JuiceStandTests/Scenarios").path
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
