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
    /// Shorter and fewer passes.
    package var isQuick: Bool
    /// The only property to establish; nil for everything.
    package var property: Property?

    package init(
        settings: StandSettings, wirings: [WiringChoice], observers: [Int], isQuick: Bool,
        property: Property?
    ) {
        self.settings = settings
        self.wirings = wirings
        self.observers = observers
        self.isQuick = isQuick
        self.property = property
    }
}

/// Probes and measures the wirings. Call it on the main thread: some mechanisms need it.
package struct ComparisonRun {
    private let plan: ComparisonPlan
    /// Called with the current step in a few words, from any thread.
    private let progress: @Sendable (String) -> Void
    private let goOnWithoutLimit: @Sendable () -> Bool
    private let begun = ContinuousClock.now
    private let usage = Machine.Usage()
    private var result: Comparison

    private static let notReached = "not reached in time"

    package init(
        _ plan: ComparisonPlan, progress: @escaping @Sendable (String) -> Void,
        while goOn: @escaping @Sendable () -> Bool
    ) {
        self.plan = plan
        self.progress = progress
        goOnWithoutLimit = goOn
        result = Comparison(machine: Machine(), wirings: plan.wirings.map { Comparison.Wiring($0) })
    }

    /// Probes and measures until `goOn` returns false, or time is up.
    package mutating func run() -> Comparison {
        probe()
        if plan.property.map({ $0.source == .measurement }) ?? true, goOn() { measureSpeeds() }
        result.isInterrupted = !goOnWithoutLimit()
        result.machine.busyElsewhere = Machine.Usage().others(since: usage)
        for index in result.wirings.indices {
            for property in properties where result.wirings[index].findings[property] == nil {
                result.wirings[index].findings[property] = Finding(nil, Self.notReached)
            }
        }
        for (property, choices) in result.unknown {
            let names = choices.map(\.rawValue).joined(separator: ", ")
            result.cutOff.append("\"\(property.wholeTitle)\" of \(names)")
        }
        if plan.property == nil { noteMissingFigures() }
        return result
    }

    private mutating func noteMissingFigures() {
        func note(_ what: String, _ isMissing: (Comparison.Wiring) -> Bool) {
            let names = result.wirings.filter(isMissing).map(\.choice.rawValue)
            if !names.isEmpty { result.cutOff.append("\(what) of \(names.joined(separator: ", "))") }
        }
        note("speed") { $0.speed.isEmpty }
        note("heard of a burst") { $0.burst?.heard == nil || $0.burst?.paced == nil }
        note("the whole stand") { wiring in
            if case .refused(let why)? = wiring.stand { why == Self.notReached } else { wiring.stand == nil }
        }
    }

    /// Whether to go on. A quick comparison reaches every row, however long a busy machine takes.
    private var goOn: @Sendable () -> Bool {
        let hasTime = hasTime(until: plan.isQuick ? .infinity : 355)
        return { [goOnWithoutLimit] in goOnWithoutLimit() && hasTime() }
    }

    /// Whether less than `seconds` have gone by since the beginning.
    private func hasTime(until seconds: Double) -> @Sendable () -> Bool {
        { [begun] in (ContinuousClock.now - begun) / .seconds(1) < seconds }
    }

    private var properties: [Property] { plan.property.map { [$0] } ?? Property.allCases }

    // MARK: - Probing

    /// Probes several wirings at a time: probes mostly wait, and verdicts don't depend on speed.
    private mutating func probe() {
        let (choices, goOn, progress) = (plan.wirings, goOn, progress)
        let dependent = Property.handlersCanBeAwaited
        let properties =
            properties.contains(dependent) ? properties + [.finishedWhenPosterGoesOn] : properties
        let timeout = Duration.seconds(60)
        let found = Guarded<[WiringChoice: [Property: Finding]]>([:])
        let group = DispatchGroup()
        // Two threads that must meet need both processors, so these probes come last, for one wiring at a time.
        for (workers, areThreads) in [(4, false), (1, true)] {
            let rows = properties.filter { $0.source == .probe && ($0.group == .threads) == areThreads }
            let left = Guarded(choices)
            for worker in 0..<workers {
                DispatchQueue(label: "probes \(worker)").async(group: group) {
                    while let choice = left.withLock({ $0.popLast() }), goOn() {
                        let asked = rows.filter { choice.profile.reasonNotToApply($0) == nil }
                        let findings = ProbeProcess(choice: choice, timeout: timeout).run(asked, while: goOn) {
                            progress("\(choice.rawValue): \($0.title)")
                        }
                        found.withLock { $0[choice, default: [:]].merge(findings) { $1 } }
                    }
                }
            }
            group.wait()
        }
        for index in result.wirings.indices {
            let choice = result.wirings[index].choice
            let profile = choice.profile
            var findings = CompilerVerdicts.findings(choice)
            for (property, finding) in found.withLock({ $0[choice] ?? [:] }) {
                findings[property] = profile.judged(finding, property)
            }
            for property in properties {
                if let why = profile.reasonNotToApply(property) {
                    findings[property] = Finding(nil, why, applies: false)
                }
            }
            // The compiler accepts this where the handler runs later, but it is about when it runs.
            if let finished = findings[.finishedWhenPosterGoesOn], finished.holds == false,
                findings[dependent] != nil
            {
                findings[dependent] = finished
            }
            result.wirings[index].findings = findings.filter { self.properties.contains($0.key) }
        }
    }

    // MARK: - Measuring

    /// Measures notifications, observing, bursts and the whole stand. Passes of all wirings take turns, so that a
    /// change of the machine's speed affects all of them alike.
    private mutating func measureSpeeds() {
        var stand =
            plan.property == nil ? StandMeasurement(plan.settings, fewestOrders: plan.isQuick ? 200 : 1000) : nil
        result.stand = stand?.figures
        for choice in plan.wirings where goOn() {
            progress("\(choice.rawValue): the same ledger?")
            stand?.admit(choice)
        }
        progress("speed")
        let measurement = SpeedMeasurement(
            passes: plan.isQuick ? 10 : 60, mostPasses: plan.isQuick ? 10 : 100,
            nanosecondsAPass: plan.isQuick ? 300_000 : 2_000_000)
        var observing = ObservingMeasurement(plan.wirings)
        observing.pass(counts: false)
        let speeds = measurement.measure(
            plan.wirings, observers: plan.observers, while: goOn, hasTime: hasTime(until: plan.isQuick ? 40 : 200)
        ) { pass in
            // Foundation and Observation keep some kilobytes of each observer that has left.
            if pass <= 20 { observing.pass() }
        }
        let figures = observing.figures()
        for index in result.wirings.indices {
            let choice = result.wirings[index].choice
            result.wirings[index].speed = speeds.rows[choice] ?? []
            result.wirings[index].variants = speeds.variants[choice] ?? []
            result.wirings[index].observing = figures[choice]
            for (name, speed) in speeds.variants[choice] ?? [] {
                for property in properties where result.wirings[index].findings[property]?.option == name {
                    result.wirings[index].findings[property]?.price = speed.nanoseconds.median
                }
            }
        }
        measureThreads()
        findCosts()
        guard var stand else { return }
        progress("bursts")
        let bursts = BurstMeasurement().measure(plan.wirings, while: goOn)
        for index in result.wirings.indices { result.wirings[index].burst = bursts[result.wirings[index].choice] }
        measure(&stand)
    }

    private mutating func measureThreads() {
        for index in result.wirings.indices where goOn() {
            let choice = result.wirings[index].choice
            progress("\(choice.rawValue): two threads")
            result.wirings[index].twoThreads =
                result.machine.processors > 1
                ? ThreadMeasurement(passes: plan.isQuick ? 15 : 101, budget: .seconds(plan.isQuick ? 0.25 : 3)).measure(
                    choice.profile) : .refused(why: "two threads don't run at once on one processor")
        }
    }

    /// Turns figures into the rows of the group `cost`.
    private mutating func findCosts() {
        for index in result.wirings.indices {
            let wiring = result.wirings[index]
            var found: [Property: Finding] = [:]
            found[.allocatesNothing] =
                if let blocks = wiring.speed.first?.allocations {
                    Finding(blocks < 0.01, "\(Columns.fixed(blocks, decimals: 1)) heap blocks a post", tried: nil)
                } else { Finding(nil, "allocations can't be counted here") }
            switch wiring.twoThreads {
            case .measured(let slowdown)?:
                // Memory that the threads share slows every pass. A busy host of a virtual machine slows some.
                let (median, least) = (slowdown.median, slowdown.min)
                var finding = Finding(
                    median < 1.3 ? true : least < 1.3 ? nil : false,
                    "\(Columns.fixed(median, decimals: 2)) times the processor time while another thread posts, "
                        + "\(Columns.fixed(least, decimals: 2)) times in the best pass", tried: nil)
                if finding.holds == nil { finding.tried = 1 }
                found[.twoPostersDoNotSlowEachOther] = finding
            case .refused(let why)?: found[.twoPostersDoNotSlowEachOther] = Finding(nil, why)
            case nil: break
            }
            if let bytes = wiring.observing?.eventBytes {
                found[.newEventIsSmall] = Finding(
                    bytes < 256, "\(Columns.grouped(Int(bytes))) bytes for an event with its poster, without observers",
                    tried: nil)
            }
            for (property, finding) in found where properties.contains(property) {
                if result.wirings[index].findings[property] == nil {
                    result.wirings[index].findings[property] = finding
                }
            }
        }
    }

    private mutating func measure(_ stand: inout StandMeasurement) {
        progress("the whole stand")
        stand.measure(
            timeEach: .milliseconds(plan.isQuick ? 25 : 500), while: goOn,
            hasTime: hasTime(until: plan.isQuick ? 50 : 340))
        for index in result.wirings.indices {
            let choice = result.wirings[index].choice
            result.wirings[index].stand =
                switch stand.findings[choice] {
                case .refused(let why): .refused(why: why)
                case .passes(let passes) where !passes.isEmpty:
                    .measured(
                        Comparison.StandSpeed(
                            ordersPerSecond: Spread(passes.map(\.ordersPerSecond)),
                            ratioToClosure: Spread(passes.map(\.ratio)).median,
                            interval: choice == .closure ? 1...1 : Spread.interval(passes.map(\.ratio)),
                            deliveryShare: Spread(passes.map(\.deliveryShare)).median))
                case .passes, nil: .refused(why: Self.notReached)
                }
        }
    }
}
