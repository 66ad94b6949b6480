import AllocationCount
import JuiceStand
import TextFormats

/// What is to be compared, and how thoroughly.
package struct ComparisonPlan: Sendable {
    package var settings: StandSettings
    package var wirings: [WiringChoice]
    /// Numbers of observers in the table of speed.
    package var observers: [Int]
    /// Orders a wall second, for delivery latency.
    package var rates: [Double]
    /// Shorter and fewer passes.
    package var isQuick: Bool
    /// The one property that is asked for; nil for everything.
    package var property: Property?

    package init(
        settings: StandSettings, wirings: [WiringChoice], observers: [Int], rates: [Double], isQuick: Bool,
        property: Property?
    ) {
        self.settings = settings
        self.wirings = wirings
        self.observers = observers
        self.rates = rates
        self.isQuick = isQuick
        self.property = property
    }
}

/// Measures and probes, one thing after another; to be run on the main thread, where some mechanisms insist on being.
package struct ComparisonRun {
    private let plan: ComparisonPlan
    /// Told what is being done, in a few words.
    private let progress: (String) -> Void
    private let goOn: () -> Bool
    private var result: Comparison

    package init(_ plan: ComparisonPlan, progress: @escaping (String) -> Void, while goOn: @escaping () -> Bool) {
        self.plan = plan
        self.progress = progress
        self.goOn = goOn
        var machine = Machine()
        machine.isPinned = stayOnThisProcessor() >= 0
        if machine.isPinned { goWhereverThereIsRoom() }
        result = Comparison(machine: machine, wirings: plan.wirings.map { Comparison.Wiring($0) })
    }

    /// Does everything there is to do, as long as it may go on.
    package mutating func run() -> Comparison {
        probe()
        if plan.property == nil {
            if let stand = measureSpeeds() {
                measureThreads()
                measureLoads(of: stand)
            }
            for index in result.wirings.indices {
                guard let example = result.wirings[index].choice.workedExample else { continue }
                for addition in WorkedExample.Addition.allCases {
                    result.wirings[index].efforts[addition] = example.effort(of: addition)
                }
            }
        }
        result.isPartial = !goOn()
        return result
    }

    private mutating func probe() {
        let properties = plan.property.map { [$0] } ?? Property.allCases
        for index in result.wirings.indices where goOn() {
            let choice = result.wirings[index].choice
            let findings = ProbeProcess(choice: choice).run(properties, while: goOn) {
                progress("\(choice.rawValue): \($0.title)")
            }
            result.wirings[index].properties = properties.compactMap { property in
                findings[property].map { (property, $0) }
            }
        }
    }

    /// The speed of notifications, of observing and of the whole stand: passes of the three take turns, so that each has
    /// all the machine's moments.
    ///
    /// - Returns: what was found of the stand; nil where nothing may go on.
    private mutating func measureSpeeds() -> StandMeasurement? {
        guard goOn() else { return nil }
        var stand = StandMeasurement(plan.settings)
        result.stand = stand.figures
        for choice in plan.wirings where goOn() {
            progress("\(choice.rawValue): the same ledger?")
            stand.admit(choice)
        }
        progress("speed")
        let measurement = SpeedMeasurement(
            passes: plan.isQuick ? 10 : 60, nanosecondsAPass: plan.isQuick ? 300_000 : 2_000_000)
        var observing = ObservingMeasurement(plan.wirings)
        observing.pass(counts: false)
        let speeds = measurement.measure(plan.wirings, observers: plan.observers, while: goOn) { pass in
            observing.pass()
            // The stand takes longer than all the rest.
            if pass % (plan.isQuick ? 10 : 4) == 1 {
                stand.pass(nanosecondsEach: plan.isQuick ? 5_000_000 : 30_000_000)
            }
        }
        let figures = observing.figures()
        for index in result.wirings.indices {
            let choice = result.wirings[index].choice
            result.wirings[index].speed = speeds[choice] ?? []
            result.wirings[index].observing = figures[choice]
        }
        return stand
    }

    private mutating func measureThreads() {
        for index in result.wirings.indices where goOn() {
            let wiring = result.wirings[index]
            guard let finding = wiring.properties.first(where: { $0.property == .safeFromTwoThreads })?.finding else {
                continue
            }
            guard finding.holds == true else {
                result.wirings[index].twoThreads = .refused(
                    why: (finding.holds == false ? "not thread-safe: " : "not known to be thread-safe: ")
                        + finding.evidence)
                continue
            }
            guard result.machine.processors > 1 else {
                result.wirings[index].twoThreads = .refused(why: "on one processor two threads don't run at once")
                continue
            }
            progress("\(wiring.choice.rawValue): two threads")
            let slowdown = ThreadMeasurement(passes: plan.isQuick ? 9 : 41).slowdown(wiring.choice)
            result.wirings[index].twoThreads = .measured(slowdown: slowdown)
        }
    }

    private mutating func measureLoads(of stand: StandMeasurement) {
        let ordersPerSecond = Double(stand.figures.orders) / stand.horizon.seconds
        let load = LoadMeasurement(
            settings: plan.settings, ordersPerSecond: ordersPerSecond, seconds: plan.isQuick ? 0.2 : 1.5)
        for index in result.wirings.indices {
            let choice = result.wirings[index].choice
            switch stand.findings[choice] {
            case .refused(let why):
                result.wirings[index].stand = .refused(why: why)
            case .speeds(let speeds) where !speeds.isEmpty:
                var loads: [Comparison.Load] = []
                for rate in plan.rates where goOn() && stand.figures.orders > 0 {
                    progress("\(choice.rawValue): latency at \(Columns.readable(rate)) orders/s")
                    if let found = load.measure(choice, rate: rate, while: goOn) { loads.append(found) }
                }
                result.wirings[index].stand = .measured(ordersPerSecond: Spread(speeds), loads: loads)
            case .speeds, nil:
                break
            }
        }
    }
}
