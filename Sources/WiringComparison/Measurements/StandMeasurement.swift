import JuiceStand
import Platform

/// Measures the whole stand in virtual time, with a display, an alerter and a ledger, under every wiring in turn.
///
/// Only wirings that write the same ledger as `direct` are measured.
package struct StandMeasurement {
    /// The result of one wiring.
    enum Finding {
        /// Why it is not measured.
        case refused(String)
        /// Orders a second of processor time, for each pass.
        case speeds([Double])
    }

    private static let longest = SimulationTime(seconds: 30 * 86_400)

    let settings: StandSettings
    let horizon: SimulationTime
    let figures: Comparison.StandFigures
    private let ledger: UInt64
    private(set) var findings: [WiringChoice: Finding] = [:]

    /// Runs the stand under `direct`, long enough for its figures to mean something.
    ///
    /// - Parameter fewestOrders: Enough to measure, and few enough for a wiring that waits for threads after every
    ///   fact.
    package init(_ settings: StandSettings, fewestOrders: UInt64) {
        self.settings = settings
        var horizon = SimulationTime(seconds: 60)
        var stand = Stand(settings)
        while true {
            stand = Stand(settings)
            VirtualDriver(horizon: horizon).run(&stand, DirectWiring())
            if stand.ordersNumbered >= fewestOrders || stand.isOver || horizon >= Self.longest { break }
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
        let logger = StandLogger(.ledger, menu: settings.menu, sink: sink, flushAt: 1 << 16)
        let observers = StandObservers(loggers: [logger])
        observers.connect(to: wiring)
        var stand = Stand(settings)
        VirtualDriver(horizon: horizon).run(&stand, wiring)
        observers.flush()
    }

    /// Lets a wiring take part if it writes the right ledger.
    mutating func admit(_ choice: WiringChoice) {
        let refusal = choice.refusal ?? refusal(of: choice.makeWiring())
        findings[choice] = refusal.map { .refused($0) } ?? .speeds([])
    }

    /// Why a wiring is not measured; nil if it writes the right ledger.
    package func refusal(of wiring: any Wiring) -> String? {
        let sink = HashingSink()
        Self.run(settings, horizon, wiring, sink)
        return sink.fingerprint.value == ledger ? nil : "its ledger differs from that of direct calls"
    }

    /// Runs the stand for `time` under every wiring that takes part, and notes the quickest run of each.
    mutating func pass(timeEach time: Duration, while goOn: () -> Bool) {
        for choice in WiringChoice.allCases where goOn() {
            guard case .speeds(let speeds) = findings[choice] else { continue }
            let sink = CountingSink()
            let start = processorTime()
            var (now, quickest) = (start, Duration.seconds(1000))
            repeat {
                let before = now
                Self.run(settings, horizon, choice.makeWiring(), sink)
                now = processorTime()
                quickest = min(quickest, now - before)
            } while now - start < time
            findings[choice] = .speeds(speeds + [Double(figures.orders) / (quickest / .seconds(1))])
        }
    }
}

/// Remembers the fingerprint of a ledger.
private final class HashingSink: LineSink {
    private let state = Guarded(Fingerprint())

    var fingerprint: Fingerprint { state.withLock { $0 } }

    func write(_ lines: RawSpan) { state.withLock { $0.combine(lines) } }
}

/// Counts the bytes of a ledger.
private final class CountingSink: LineSink {
    private let bytes = Guarded(0)

    func write(_ lines: RawSpan) {
        let count = lines.byteCount
        bytes.withLock { $0 += count }
    }
}
