import Dispatch
import JuiceStand
import Platform
import TextFormats

/// What to compare, and how thoroughly.
package struct ComparisonPlan: Sendable {
    package var settings: StandSettings
    package var wirings: [WiringChoice]
    /// Numbers of observers in the table of speed.
    package var observers: [Int]
    /// Orders a wall second, for delivery latency.
    package var rates: [Double]
    /// Shorter and fewer passes.
    package var isQuick: Bool
    /// The only property to establish; nil for everything.
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

/// Probes and measures the wirings. Call it on the main thread: some mechanisms need it.
package struct ComparisonRun {
    private let plan: ComparisonPlan
    /// Called with the current step in a few words, from any thread.
    private let progress: @Sendable (String) -> Void
    private let goOn: @Sendable () -> Bool
    private let begun = ContinuousClock.now
    private var result: Comparison

    private static let notReached = "not reached in time"

    package init(
        _ plan: ComparisonPlan, progress: @escaping @Sendable (String) -> Void,
        while goOn: @escaping @Sendable () -> Bool
    ) {
        self.plan = plan
        self.progress = progress
        self.goOn = goOn
        result = Comparison(machine: Machine(), wirings: plan.wirings.map { Comparison.Wiring($0) })
    }

    /// Probes and measures until `goOn` returns false.
    package mutating func run() -> Comparison {
        probe()
        if plan.property.map({ $0.source == .measurement }) ?? true, goOn() { measureSpeeds() }
        result.isPartial = !goOn()
        for index in result.wirings.indices {
            for property in properties where result.wirings[index].findings[property] == nil {
                result.wirings[index].findings[property] = Finding(nil, Self.notReached)
            }
        }
        return result
    }

    /// Whether to go on with a part of the work. A quick comparison ends it that many seconds after its start.
    private func goOn(until seconds: Double) -> @Sendable () -> Bool {
        guard plan.isQuick else { return goOn }
        let end = begun + .seconds(seconds)
        return { [goOn] in goOn() && ContinuousClock.now < end }
    }

    private var properties: [Property] { plan.property.map { [$0] } ?? Property.allCases }

    // MARK: - Probing

    /// Probes several wirings at a time, with the compiler beside them: probes mostly wait, and verdicts don't depend
    /// on speed.
    private mutating func probe() {
        let (choices, goOn, progress) = (plan.wirings, goOn(until: 32), progress)
        let dependent = [Property.deliversAtOnceOnTheMainActor, .handlersCanBeAwaited]
        let properties =
            Set(properties).isDisjoint(with: dependent) ? properties : properties + [.finishedWhenPosterGoesOn]
        let timeout = Duration.seconds(60)
        let found = Guarded<[WiringChoice: [Property: Finding]]>([:])
        let group = DispatchGroup()
        DispatchQueue(label: "compiler").async(group: group) {
            let findings = CompilerProbe(timeout: timeout).check(choices, properties, while: goOn)
            found.withLock { $0.merge(findings) { $0.merging($1) { $1 } } }
        }
        let left = Guarded(choices)
        for worker in 0..<4 {
            DispatchQueue(label: "probes \(worker)").async(group: group) {
                while let choice = left.withLock({ $0.popLast() }), goOn() {
                    let asked = properties.filter { $0.source == .probe && choice.reasonNotToApply($0) == nil }
                    let findings = ProbeProcess(choice: choice, timeout: timeout).run(asked, while: goOn) {
                        progress("\(choice.rawValue): \($0.title)")
                    }
                    found.withLock { $0[choice, default: [:]].merge(findings) { $1 } }
                }
            }
        }
        group.wait()
        for index in result.wirings.indices {
            let choice = result.wirings[index].choice
            var findings = found.withLock { $0[choice] ?? [:] }
            for property in properties {
                if let why = choice.reasonNotToApply(property) {
                    findings[property] = Finding(nil, why, applies: false)
                }
            }
            // The compiler accepts these where the handler runs later, but they are about when it runs.
            if let finished = findings[.finishedWhenPosterGoesOn], finished.holds == false {
                for property in dependent where findings[property] != nil { findings[property] = finished }
            }
            result.wirings[index].findings = findings.filter { self.properties.contains($0.key) }
        }
    }

    // MARK: - Measuring

    /// Measures notifications, observing and the whole stand. Their passes take turns, so that a change of the
    /// machine's speed affects all of them alike.
    private mutating func measureSpeeds() {
        var stand =
            plan.property == nil ? StandMeasurement(plan.settings, fewestOrders: plan.isQuick ? 200 : 1000) : nil
        result.stand = stand?.figures
        let goOnWithStand = goOn(until: 36)
        for choice in plan.wirings where goOnWithStand() {
            progress("\(choice.rawValue): the same ledger?")
            stand?.admit(choice)
        }
        progress("speed")
        let measurement = SpeedMeasurement(
            passes: plan.isQuick ? 10 : 60, nanosecondsAPass: plan.isQuick ? 300_000 : 2_000_000)
        var observing = ObservingMeasurement(plan.wirings)
        observing.pass(counts: false)
        let speeds = measurement.measure(plan.wirings, observers: plan.observers, while: goOn(until: 44)) {
            [isQuick = plan.isQuick] pass in
            observing.pass()
            // The stand takes longer than all the rest.
            if pass % (isQuick ? 10 : 4) == 1 {
                stand?.pass(timeEach: .milliseconds(isQuick ? 5 : 30), while: goOnWithStand)
            }
        }
        let figures = observing.figures()
        for index in result.wirings.indices {
            let choice = result.wirings[index].choice
            result.wirings[index].speed = speeds.rows[choice] ?? []
            result.wirings[index].variants = speeds.variants[choice] ?? []
            result.wirings[index].observing = figures[choice]
            for (property, price) in speeds.prices where choice == .notification {
                result.wirings[index].findings[property]?.price = price
            }
        }
        measureThreads()
        findCosts()
        if let stand { measureLoads(of: stand) }
    }

    private mutating func measureThreads() {
        let goOn = goOn(until: 47)
        for index in result.wirings.indices where goOn() {
            let choice = result.wirings[index].choice
            progress("\(choice.rawValue): two threads")
            result.wirings[index].twoThreads =
                result.machine.processors > 1
                ? ThreadMeasurement(passes: plan.isQuick ? 15 : 101, budget: .seconds(plan.isQuick ? 0.6 : 5)).measure(
                    choice) : .refused(why: "two threads don't run at once on one processor")
        }
    }

    /// Turns figures into the rows of the group `cost`.
    private mutating func findCosts() {
        let costs = CostMeasurement()
        for index in result.wirings.indices {
            let wiring = result.wirings[index]
            var found = costs.findings(wiring.choice)
            found[.allocatesNothing] =
                if let blocks = wiring.speed.first?.allocations {
                    Finding(blocks < 0.01, "\(Columns.fixed(blocks, decimals: 1)) heap blocks a post")
                } else { Finding(nil, "allocations can't be counted here") }
            switch wiring.twoThreads {
            case .measured(let slowdown)?:
                // Memory that the threads share slows every pass. A busy host of a virtual machine slows some.
                let holds: Bool? = slowdown.median < 1.3 ? true : slowdown.min < 1.3 ? nil : false
                let (median, least) = (slowdown.median, slowdown.min)
                found[.twoPostersDoNotSlowEachOther] = Finding(
                    holds,
                    "a post takes \(Columns.fixed(median, decimals: 2)) times the processor time while another thread "
                        + "posts, \(Columns.fixed(least, decimals: 2)) times in the best pass")
            case .refused(let why)?: found[.twoPostersDoNotSlowEachOther] = Finding(nil, why)
            case nil: break
            }
            if let bytes = wiring.observing?.eventBytes {
                found[.newEventIsSmall] = Finding(
                    bytes < 256, "\(Columns.grouped(Int(bytes))) bytes for an event with its poster, without observers")
            }
            for (property, finding) in found where properties.contains(property) {
                if result.wirings[index].findings[property] == nil {
                    result.wirings[index].findings[property] = finding
                }
            }
        }
    }

    private mutating func measureLoads(of stand: StandMeasurement) {
        let goOn = goOn(until: 51)
        let ordersPerSecond = Double(stand.figures.orders) / stand.horizon.seconds
        let load = LoadMeasurement(
            settings: plan.settings, ordersPerSecond: ordersPerSecond, seconds: plan.isQuick ? 0.2 : 1.5)
        for index in result.wirings.indices {
            let choice = result.wirings[index].choice
            switch stand.findings[choice] {
            case .refused(let why): result.wirings[index].stand = .refused(why: why)
            case .speeds(let speeds) where !speeds.isEmpty:
                var loads: [Comparison.Load] = []
                for rate in plan.rates where stand.figures.orders > 0 {
                    var found: Comparison.Load?
                    if goOn() {
                        progress("\(choice.rawValue): latency at \(Columns.readable(rate)) orders/s")
                        found = load.measure(choice, rate: rate, while: goOn)
                    }
                    loads.append(found ?? Comparison.Load(notReached: rate))
                }
                result.wirings[index].stand = .measured(ordersPerSecond: Spread(speeds), loads: loads)
            case .speeds, nil: result.wirings[index].stand = .refused(why: Self.notReached)
            }
        }
    }
}
