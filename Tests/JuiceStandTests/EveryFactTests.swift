import Foundation
import JuiceStand
import Platform
import TestSupport
import Testing

/// Facts are registered in one place; these fail for one that is not.
///
/// Some wirings wait for tasks.
@Suite(.timeLimit(.minutes(60)), .onItsOwnThread)
struct EveryFactTests {
    /// Notes the kinds it hears.
    private final class Recorder: FactObserver, Sendable {
        private let kinds = Guarded<Set<FactKind>>([])
        var heard: Set<FactKind> { kinds.withLock { $0 } }

        var wanted: FactSet { .all }

        func hear<F: Fact>(_ fact: F) { kinds.withLock { _ = $0.insert(F.kind) } }
    }

    @Test(arguments: WiringContractTests.runnable)
    func `every kind of fact reaches observers, ledger, audit and display`(choice: WiringChoice) throws {
        let settings = try EventfulDay.settings(.substitute)
        let recorder = Recorder()
        let display = StockDisplay()
        let shown = StockDisplay()
        let lines = LineCollector()
        let logger = StandLogger(.ledger, menu: settings.menu, sink: lines)
        var day = try EventfulDay(choice.makeWiring())
        day.wiring.connect(recorder)
        day.wiring.connect(logger)
        day.wiring.connect(display)
        try day.run { stand in
            shown.begin(with: stand)
            #expect(display.current == shown.current)
        }
        let announced = Int(day.stand.factsAnnounced)
        #expect(display.current.isClosed)
        #expect(Set(FactKind.allCases).subtracting(recorder.heard) == [], "not heard")

        let names = Set(lines.lines.compactMap { line in line.firstMatch(of: /"event":"(\w+)"/).map { String($0.1) } })
        #expect(Set(FactKind.allCases.map(\.name)).symmetricDifference(names) == [], "not in the ledger")
        #expect(lines.lines.count == announced)

        var audit = LedgerAudit()
        audit.read(Array(lines.text.utf8), source: "ledger")
        #expect(audit.finding.problems == [])
        #expect(audit.finding.events == announced && audit.finding.isClosed)
    }

    @Test func `the numbers of the alerts that snapshots keep stay`() {
        #expect(FactKind.lowStock.rawValue == 8 && FactKind.stockRecovered.rawValue == 9)
    }

    /// Whether the observers of a source file have a method for each fact that they want, and no other; nil if the file
    /// has no such methods. A generic method is one for every fact.
    private static func hearsWhatItWants(_ source: String) -> Bool? {
        let lines = source.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        let code = lines.joined(separator: "\n")
        let heard = code.matches(of: #/func hear\(_ fact: (\w)(\w+)\) \{/#).map { $0.1.lowercased() + $0.2 }
        let lists = code.matches(of: #/var wanted: FactSet \{\s*FactSet\(([^)]*)\)/#)
        let wanted = lists.flatMap { list in list.1.matches(of: #/\.(\w+)/#).map { String($0.1) } }
        let everyMethod = code.matches(of: #/func hear<F: \w+>\(_ fact: F\)/#).count
        let everyFact = code.matches(of: #/var wanted: FactSet \{\s*\.all\b/#).count
        guard !heard.isEmpty || !wanted.isEmpty || everyFact > 0 else { return nil }
        return heard.sorted() == wanted.sorted() && everyFact <= everyMethod
    }

    @Test func `an observer has a method for each fact that it wants, and no other`() throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        var count = 0
        for folder in ["Sources", "Tests"] {
            let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
            for case let file as String in try #require(files) where file.hasSuffix(".swift") {
                let source = try String(contentsOf: root.appending(path: "\(folder)/\(file)"), encoding: .utf8)
                guard source.contains("FactObserver"), let isRight = Self.hearsWhatItWants(source) else { continue }
                #expect(isRight, "\(folder)/\(file)")
                count += 1
            }
        }
        #expect(count >= 10, "the sources are no longer understood")
    }

    @Test(arguments: [
        ("FactSet(.lowStock)", ["(_ fact: LowStock)"], true), (".all", ["<F: Fact>(_ fact: F)"], true),
        ("FactSet(.lowStock, .paused)", ["(_ fact: LowStock)"], false), ("FactSet()", ["(_ fact: Paused)"], false),
        ("FactSet(.lowStock)", ["(_ fact: LowStock)", "(_ fact: Paused)"], false),
        (".all", ["(_ fact: Paused)"], false),
    ])
    func `wanted facts and methods that differ are found`(wanted: String, methods: [String], isRight: Bool) {
        let source = "var wanted: FactSet { \(wanted) }" + methods.map { "\nfunc hear\($0) {}" }.joined()
        #expect(Self.hearsWhatItWants(source) == isRight)
    }
}
