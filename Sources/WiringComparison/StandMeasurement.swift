import AllocationCount
import Dispatch
import JuiceStand
import Platform

/// The whole stand in virtual time, with a display, an alerter and a ledger, under every wiring in turn.
///
/// Only who writes the ledger that `direct` writes is measured.
package struct StandMeasurement {
    /// What was found of one wiring.
    enum Finding {
        /// Why it is not measured.
        case refused(String)
        /// Orders a second, a number for each pass.
        case speeds([Double])
    }

    /// Enough orders to be measured, and few enough for a wiring that waits for threads after every fact.
    private static let fewestOrders: UInt64 = 1000
    private static let longest = SimulationTime(seconds: 30 * 86_400)

    let settings: StandSettings
    let horizon: SimulationTime
    let figures: Comparison.StandFigures
    private let ledger: UInt64
    private(set) var findings: [WiringChoice: Finding] = [:]

    /// Runs the stand under `direct`, long enough for its figures to mean something.
    package init(_ settings: StandSettings) {
        self.settings = settings
        var horizon = SimulationTime(seconds: 60)
        var stand = Stand(settings)
        while true {
            stand = Stand(settings)
            VirtualDriver(horizon: horizon).run(&stand, DirectWiring())
            if stand.ordersNumbered >= Self.fewestOrders || stand.isOver || horizon >= Self.longest { break }
            horizon = SimulationTime(nanoseconds: 2 * horizon.nanoseconds)
        }
        self.horizon = horizon
        figures = Comparison.StandFigures(
            name: settings.stand, seed: settings.seed, horizon: horizon, orders: Int(stand.ordersNumbered),
            facts: Int(stand.factsAnnounced), observers: 3)
        let sink = HashingSink()
        Self.run(settings, horizon, DirectWiring(), sink)
        ledger = sink.fingerprint.value
    }

    private static func run(
        _ settings: StandSettings, _ horizon: SimulationTime, _ wiring: any Wiring, _ sink: any LineSink
    ) {
        let (display, alerter) = (StockDisplay(), LowStockAlerter())
        let logger = StandLogger(.ledger, menu: settings.menu, sink: sink, flushAt: 1 << 16)
        wiring.connect(display)
        wiring.connect(alerter)
        wiring.connect(logger)
        var stand = Stand(settings)
        VirtualDriver(horizon: horizon).run(&stand, wiring)
        logger.flush()
        withExtendedLifetime((display, alerter)) {}
    }

    /// Lets a wiring take part, if it writes the right ledger.
    mutating func admit(_ choice: WiringChoice) {
        let refusal = choice.refusal ?? refusal(of: choice.makeWiring())
        findings[choice] = refusal.map { .refused($0) } ?? .speeds([])
    }

    /// Why a wiring is not measured; nil where it writes the right ledger.
    package func refusal(of wiring: any Wiring) -> String? {
        let sink = HashingSink()
        Self.run(settings, horizon, wiring, sink)
        return sink.fingerprint.value == ledger ? nil : "its ledger differs from that of direct calls"
    }

    /// A pass of every wiring that takes part.
    mutating func pass(nanosecondsEach: UInt64) {
        for choice in WiringChoice.allCases {
            guard case .speeds(let speeds) = findings[choice] else { continue }
            findings[choice] = .speeds(speeds + [speed(of: choice, nanoseconds: nanosecondsEach)])
        }
    }

    /// Orders a second of one pass, which runs the stand until so much time has gone by: those of the quickest run, since
    /// what else the machine does only ever takes time.
    ///
    /// On one processor, whatever the wiring: a stand that waits until a fact has been heard does nothing at once with
    /// who hears it, and where the system puts the two would be measured with it.
    private func speed(of choice: WiringChoice, nanoseconds: UInt64) -> Double {
        let sink = CountingSink()
        let isPinned = allStayOnThisProcessor() >= 0
        defer { if isPinned { allGoWhereverThereIsRoom() } }
        let start = DispatchTime.now().uptimeNanoseconds
        var (now, quickest) = (start, UInt64.max)
        repeat {
            let before = now
            Self.run(settings, horizon, choice.makeWiring(), sink)
            now = DispatchTime.now().uptimeNanoseconds
            quickest = min(quickest, now - before)
        } while now - start < nanoseconds
        return Double(figures.orders) / (Double(quickest) / 1e9)
    }
}

/// Remembers what a ledger came to.
private final class HashingSink: LineSink {
    private let state = Guarded(Fingerprint())

    var fingerprint: Fingerprint { state.withLock { $0 } }

    func write(_ lines: RawSpan) {
        for offset in 0..<lines.byteCount {
            let byte = unsafe lines.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            state.withLock { $0.combine(CollectionOfOne(byte)) }
        }
    }
}

/// Takes lines and does next to nothing with them.
private final class CountingSink: LineSink {
    private let bytes = Guarded(0)

    func write(_ lines: RawSpan) {
        let count = lines.byteCount
        bytes.withLock { $0 += count }
    }
}
