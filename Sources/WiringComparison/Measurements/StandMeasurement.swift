import JuiceStand
import Platform

/// Measures the whole stand in virtual time, with a display, an alerter and a ledger, under every wiring in turn.
///
/// Only wirings that write the same ledger as `direct` are measured.
package struct StandMeasurement {
    /// Medians of the runs in one pass, in which all wirings take turns.
    private struct Pass {
        var ordersPerSecond: Double
        /// Orders a second over those under `closure`.
        var ratio: Double
        /// The part of the time that goes away if nobody observes.
        var deliveryShare: Double
    }

    /// The least processor time of a turn: about that of one run of the slowest wiring. Turns are short, because the
    /// speed of the machine may change between them.
    private static let turn = Duration.milliseconds(25)
    private static let longest = SimulationTime(seconds: 30 * 86_400)

    let settings: StandSettings
    let figures: Comparison.StandFigures
    private let ledger: UInt64
    /// Why wirings are not measured.
    private var refusals: [WiringChoice: String] = [:]
    /// The passes of the wirings that take part.
    private var passes: [WiringChoice: [Pass]] = [:]

    /// Runs the stand under `direct`, long enough for its figures to mean something.
    ///
    /// - Parameter fewestOrders: The least number of orders in a run. A wiring that waits for threads after every fact
    ///   takes long for many orders.
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
        figures = Comparison.StandFigures(
            name: settings.stand, seed: settings.seed, horizon: horizon, orders: Int(stand.ordersNumbered),
            facts: Int(stand.factsAnnounced), observers: 3)
        let sink = HashingSink()
        Self.run(settings, horizon, DirectWiring(), sink)
        ledger = sink.fingerprint.value
    }

    private static func run(
        _ settings: StandSettings, _ horizon: SimulationTime, _ wiring: any Wiring, _ sink: any LineSink,
        isObserved: Bool = true
    ) {
        let logger = StandLogger(.ledger, menu: settings.menu, sink: sink, flushAt: 1 << 16)
        let observers = StandObservers(loggers: [logger])
        if isObserved { observers.connect(to: wiring) }
        var stand = Stand(settings)
        VirtualDriver(horizon: horizon).run(&stand, wiring)
        observers.flush()
    }

    /// Lets a wiring take part if it writes the right ledger.
    mutating func admit(_ choice: WiringChoice) {
        refusals[choice] = choice.refusal ?? refusal(of: choice.makeWiring())
        if refusals[choice] == nil { passes[choice] = [] }
    }

    /// Why a wiring is not measured; nil if it writes the right ledger.
    package func refusal(of wiring: any Wiring) -> String? {
        let sink = HashingSink()
        Self.run(settings, figures.horizon, wiring, sink)
        return sink.fingerprint.value == ledger ? nil : "its ledger differs from that of direct calls"
    }

    /// Takes passes until the interval of every ratio is narrow enough, or until `goOn` returns false.
    ///
    /// - Parameters:
    ///   - time: Processor time of one wiring in a pass.
    ///   - hasTime: Whether another pass may begin, after the first one.
    mutating func measure(timeEach time: Duration, while goOn: () -> Bool, hasTime: () -> Bool) {
        func isSettled(_ choice: WiringChoice) -> Bool {
            guard let passes = passes[choice] else { return true }
            let most = choice.delivery == .atOnce ? 0.03 : 0.1
            return !passes.isEmpty && Spread(passes.map(\.ratio)).isSettled(within: most)
        }
        if passes[.closure] == nil { admit(.closure) }
        repeat {
            let open = WiringChoice.allCases.filter { $0 != .closure && !isSettled($0) }
            pass([.closure] + open, timeEach: time, while: goOn)
        } while goOn() && hasTime() && !WiringChoice.allCases.allSatisfy(isSettled)
    }

    private mutating func pass(_ choices: [WiringChoice], timeEach time: Duration, while goOn: () -> Bool) {
        // The last entry has the runs without observers.
        var runs = Array(repeating: [Duration](), count: choices.count + 1)
        var used = runs.map { _ in Duration.zero }
        let sink = Nowhere()
        while let least = used.min(), least < time {
            for place in runs.indices where used[place] < time {
                guard goOn() else { return }
                let start = processorTime()
                var now = start
                repeat {
                    let before = now
                    let choice = place < choices.count ? choices[place] : .closure
                    Self.run(settings, figures.horizon, choice.makeWiring(), sink, isObserved: place < choices.count)
                    now = processorTime()
                    runs[place].append(now - before)
                } while now - start < Self.turn
                used[place] += now - start
            }
        }
        let medians = runs.map { runs in Spread(runs.map { $0 / .seconds(1) }).median }
        for (choice, seconds) in zip(choices, medians) {
            passes[choice]?.append(
                Pass(
                    ordersPerSecond: Double(figures.orders) / seconds, ratio: medians[0] / seconds,
                    deliveryShare: max(0, 1 - medians[choices.count] / seconds)))
        }
    }

    /// How fast the stand runs under a wiring; nil if no pass reached it.
    func speed(_ choice: WiringChoice) -> Comparison.Outcome<Comparison.StandSpeed>? {
        if let why = refusals[choice] { return .refused(why: why) }
        guard let passes = passes[choice], !passes.isEmpty else { return nil }
        var ratio = Spread(passes.map(\.ratio))
        // The ratio of `closure` to itself is 1 in each pass, however few passes there are.
        if choice == .closure { ratio.interval = 1...1 }
        return .measured(
            Comparison.StandSpeed(
                ordersPerSecond: Spread(passes.map(\.ordersPerSecond)), ratioToClosure: ratio,
                deliveryShare: Spread(passes.map(\.deliveryShare)).median))
    }
}

/// Remembers the fingerprint of a ledger.
private final class HashingSink: LineSink {
    private let state = Guarded(Fingerprint())

    var fingerprint: Fingerprint { state.withLock { $0 } }

    func write(_ lines: RawSpan) { state.withLock { $0.combine(lines) } }
}

/// Takes the lines of a ledger and keeps none.
private final class Nowhere: LineSink {
    func write(_ lines: RawSpan) {}
}
