import JuiceStand
import Synchronization
import TestSupport
import Testing

/// One contract for every way facts reach observers.
@Suite(.timeLimit(.minutes(60)), .onItsOwnThread)
struct WiringContractTests {
    /// The wirings a stand can be run under.
    static let runnable = WiringChoice.allCases.filter { $0.refusal == nil }

    /// Hears two kinds of facts and keeps them.
    final class Listener: FactObserver, Sendable {
        let heard = Mutex<[UInt64]>([])
        private let log: Diary?

        init(_ log: Diary? = nil) {
            self.log = log
        }

        var wanted: FactSet { FactSet(.orderPlaced, .stockChanged) }

        func hear(_ fact: OrderPlaced) { note(fact.stamp) }
        func hear(_ fact: StockChanged) { note(fact.stamp) }

        private func note(_ stamp: Stamp) {
            heard.withLock { $0.append(stamp.sequence) }
            log?.note(ObjectIdentifier(self))
        }
    }

    /// Who heard, in order.
    final class Diary: Sendable {
        private let entries = Mutex<[ObjectIdentifier]>([])
        func note(_ who: ObjectIdentifier) { entries.withLock { $0.append(who) } }
        var all: [ObjectIdentifier] { entries.withLock { $0 } }
    }

    private func placed(_ sequence: UInt64) -> OrderPlaced {
        OrderPlaced(
            stamp: Stamp(sequence: sequence, time: .zero), order: sequence, juice: Juice(index: 0), cups: 1,
            by: .customer)
    }

    private func changed(_ sequence: UInt64) -> StockChanged {
        StockChanged(
            stamp: Stamp(sequence: sequence, time: .zero), fruit: Fruit(.kiwi), from: 3, to: 2, cause: .order, order: 1)
    }

    private func served(_ sequence: UInt64) -> OrderServed {
        OrderServed(
            stamp: Stamp(sequence: sequence, time: .zero), order: 1, juice: Juice(index: 0), cups: 1, wait: .zero,
            stay: .zero)
    }

    @Test(arguments: runnable)
    func `each observer hears each fact it wants, once, in order, and no other`(choice: WiringChoice) {
        let listeners = (0..<5).map { _ in Listener() }
        let wiring = choice.makeWiring()
        for listener in listeners { wiring.connect(listener) }
        for sequence in stride(from: UInt64(1), through: 300, by: 3) {
            wiring.hear(placed(sequence))
            wiring.hear(served(sequence + 1))
            wiring.hear(changed(sequence + 2))
        }
        let wanted = (1...300).filter { $0 % 3 != 2 }.map(UInt64.init)
        for listener in listeners { #expect(listener.heard.withLock { $0 } == wanted) }
    }

    @Test(arguments: [WiringChoice.direct, .delegate, .multicastDelegate, .closure, .notification])
    func `observers of one fact hear it in the order in which they were connected`(choice: WiringChoice) {
        let wiring = choice.makeWiring()
        let diary = Diary()
        let listeners = (0..<20).map { _ in Listener(diary) }
        for listener in listeners { wiring.connect(listener) }
        wiring.hear(placed(1))
        #expect(diary.all == listeners.map { ObjectIdentifier($0) })
    }

    @Test(arguments: runnable)
    func `nothing arrives after disconnecting, and the others go on`(choice: WiringChoice) {
        let gone = Listener()
        let stays = Listener()
        let wiring = choice.makeWiring()
        wiring.connect(gone)
        wiring.connect(stays)
        wiring.hear(placed(1))
        wiring.disconnect(gone)
        wiring.hear(placed(2))
        wiring.hear(changed(3))
        #expect(gone.heard.withLock { $0 } == [1])
        #expect(stays.heard.withLock { $0 } == [1, 2, 3])
    }

    @Test(arguments: runnable)
    func `a wiring is asked for the facts somebody wants alone`(choice: WiringChoice) {
        let wiring = choice.makeWiring()
        #expect(wiring.wanted == [])
        wiring.connect(LowStockAlerter())
        #expect(wiring.wanted == FactSet(.lowStock, .stockRecovered))
    }

    @Test(arguments: WhenSoldOut.allCases)
    func `every wiring gives the same ledger`(whenSoldOut: WhenSoldOut) throws {
        let settings = try lively(whenSoldOut)
        let ledgers = Self.runnable.map { ledger(of: settings, until: 3600, wiring: $0.makeWiring()) }
        #expect(ledgers[0].count > 10_000)
        for other in ledgers.dropFirst() { #expect(other == ledgers[0]) }
    }

    @Test func `whoever holds the center of the notification wiring can observe the stand`() throws {
        let wiring = NotificationWiring()
        wiring.alsoAnnounce(FactSet(.orderServed))
        #expect(wiring.wanted == FactSet(.orderServed))
        let served = Mutex(0)
        let token = wiring.center.observe(OrderServed.self) { _ in served.withLock { $0 += 1 } }
        var stand = Stand(try lively(.leave))
        VirtualDriver(horizon: SimulationTime(seconds: 3600)).run(&stand, wiring)
        token.cancel()
        #expect(served.withLock { $0 } == stand.tally.served)
    }
}
