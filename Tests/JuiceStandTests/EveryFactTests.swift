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
    private final class Recorder: EveryFactObserver {
        private let kinds = Guarded<Set<FactKind>>([])
        var heard: Set<FactKind> { kinds.withLock { $0 } }

        func receive<F: Fact>(_ fact: F) { kinds.withLock { _ = $0.insert(F.kind) } }
    }

    @Test(arguments: WiringContractTests.runnable)
    func `every kind of fact reaches observers, ledger, audit and display`(choice: WiringChoice) throws {
        let settings = try EventfulDay.settings(.substitute)
        let (recorder, display, shown) = (Recorder(), StockDisplay(), StockDisplay())
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

    @Test(arguments: WiringContractTests.runnable)
    func `an observer of everything is connected to every kind of fact`(choice: WiringChoice) {
        let wiring = choice.makeWiring()
        let recorder = Recorder()
        wiring.connect(recorder)
        #expect(wiring.wanted == .all)
        wiring.disconnect(recorder)
    }
}
