import Dispatch
import JuiceStand
import Platform
import TextFormats

/// Probes and measures the wirings. It must run on the main thread, which some mechanisms need.
package struct ComparisonRun {
    private let settings: StandSettings
    private let observers: [Int]
    private let isQuick: Bool
    private let property: Property?
    private let progress: @Sendable (String) -> Void
    private let goOnWithoutLimit: @Sendable () -> Bool
    private let begun = ContinuousClock.now
    private let usage = Machine.Usage()
    private var result: Comparison

    private static let notReached = "not reached in time"

    /// - Parameters:
    ///   - observers: Numbers of observers in the table of speed.
    ///   - isQuick: Whether passes are shorter and fewer.
    ///   - property: The only property to establish; nil for everything.
    ///   - progress: Called with the current step in a few words, from any thread.
    package init(
        _ settings: StandSettings, _ wirings: [WiringChoice], observers: [Int], isQuick: Bool, property: Property?,
        progress: @escaping @Sendable (String) -> Void, while goOn: @escaping @Sendable () -> Bool
    ) {
        self.settings = settings
        self.observers = observers
        self.isQuick = isQuick
        self.property = property
        self.progress = progress
        goOnWithoutLimit = goOn
        result = Comparison(machine: Machine(), wirings: wirings.map { Comparison.Wiring($0) })
    }

    /// Probes and measures until `goOn` returns false, or time is up.
    package mutating func run() -> Comparison {
        probe()
        if property.map({ $0.source == .measurement }) ?? true, goOn() { measure() }
        result.isInterrupted = !goOnWithoutLimit()
        result.machine.busyElsewhere = Machine.Usage().others(since: usage)
        let asked = properties
        update { wiring in
            for property in asked {
                wiring.findings[property] = wiring.findings[property] ?? Finding(nil, Self.notReached)
            }
        }
        for (property, choices) in result.unknown {
            let names = choices.map(\.rawValue).joined(separator: ", ")
            result.cutOff.append("\"\(property.wholeTitle)\" of \(names)")
        }
        if property == nil { noteMissingFigures() }
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
        let hasTime = hasTime(until: isQuick ? .infinity : 355)
        return { [goOnWithoutLimit] in goOnWithoutLimit() && hasTime() }
    }

    /// Whether less than `seconds` have gone by since the beginning.
    private func hasTime(until seconds: Double) -> @Sendable () -> Bool {
        { [begun] in (ContinuousClock.now - begun) / .seconds(1) < seconds }
    }

    private var wirings: [WiringChoice] { result.wirings.map(\.choice) }
    private var properties: [Property] { property.map { [$0] } ?? Property.allCases }

    /// Changes each wiring's figures.
    private mutating func update(_ body: (inout Comparison.Wiring) -> Void) {
        for index in result.wirings.indices { body(&result.wirings[index]) }
    }

    // MARK: - Probing

    /// Probes several cells at a time: probes mostly wait, and verdicts don't depend on speed.
    private mutating func probe() {
        let goOn = goOn
        let progress = progress
        let asked = properties
        let dependent = Property.handlersCanBeAwaited
        let probed = asked.contains(dependent) ? asked + [.finishedWhenPosterGoesOn] : asked
        let found = Guarded<[WiringChoice: [Property: Finding]]>([:])
        let group = DispatchGroup()
        // Two threads that must meet need both processors, so these probes come last, one at a time.
        for (workers, areThreads) in [(4, false), (1, true)] {
            let rows = probed.filter { $0.source == .probe && ($0.group == .threads) == areThreads }
            let cells = Guarded(
                wirings.flatMap { choice in
                    rows.filter { choice.profile.reasonNotToApply($0) == nil }.map { (choice: choice, property: $0) }
                })
            for worker in 0..<workers {
                DispatchQueue(label: "probes \(worker)").async(group: group) {
                    while let (choice, property) = cells.withLock({ $0.popLast() }), goOn() {
                        progress("\(choice.rawValue): \(property.title)")
                        let finding = ProbeProcess.find(property, choice, while: goOn)
                        found.withLock { $0[choice, default: [:]][property] = finding }
                    }
                }
            }
            group.wait()
        }
        update { wiring in
            let profile = wiring.choice.profile
            var findings = CompilerVerdicts.findings(wiring.choice)
            for (property, finding) in found.withLock({ $0[wiring.choice] ?? [:] }) {
                findings[property] = profile.judged(finding, property)
            }
            for property in probed {
                if let why = profile.reasonNotToApply(property) {
                    findings[property] = Finding(nil, why, applies: false)
                }
            }
            // The compiler accepts async handlers that run later, too. The probe shows whether the poster awaits them.
            if let finished = findings[.finishedWhenPosterGoesOn], finished.holds == false,
                findings[dependent] != nil
            {
                findings[dependent] = finished
            }
            wiring.findings = findings.filter { asked.contains($0.key) }
        }
    }

    // MARK: - Measuring

    /// Measures notifications, observing, bursts and the whole stand. Passes of all wirings take turns, so that a
    /// change of the machine's speed affects all of them alike.
    private mutating func measure() {
        var stand =
            property == nil ? StandMeasurement(settings, fewestOrders: isQuick ? 200 : 1000) : nil
        result.stand = stand?.figures
        for choice in wirings where goOn() {
            progress("\(choice.rawValue): the same ledger?")
            stand?.admit(choice)
        }
        measureSpeeds()
        measureThreads()
        let asked = properties
        update { wiring in
            for (property, finding) in wiring.costs where asked.contains(property) {
                wiring.findings[property] = wiring.findings[property] ?? finding
            }
        }
        guard var stand else { return }
        progress("bursts")
        let bursts = BurstMeasurement().measure(wirings, while: goOn)
        progress("the whole stand")
        stand.measure(
            timeEach: .milliseconds(isQuick ? 25 : 500), while: goOn,
            hasTime: hasTime(until: isQuick ? 50 : 340))
        update { wiring in
            wiring.burst = bursts[wiring.choice]
            wiring.stand = stand.speed(wiring.choice) ?? .refused(why: Self.notReached)
        }
    }

    private mutating func measureSpeeds() {
        progress("speed")
        let measurement = SpeedMeasurement(
            passes: isQuick ? 10 : 60, mostPasses: isQuick ? 10 : 100,
            nanosecondsAPass: isQuick ? 300_000 : 2_000_000)
        var observing = ObservingMeasurement(wirings)
        observing.pass(counts: false)
        let speeds = measurement.measure(
            wirings, observers: observers, while: goOn, hasTime: hasTime(until: isQuick ? 40 : 200)
        ) { pass in
            // Not in more passes: Foundation and Observation keep some kilobytes for each observer that has left.
            if pass <= 20 { observing.pass() }
        }
        let figures = observing.figures()
        update { wiring in
            wiring.observing = figures[wiring.choice]
            for (till, speed) in speeds where till.choice == wiring.choice {
                guard !till.form.name.isEmpty else {
                    wiring.speed.append(speed)
                    continue
                }
                wiring.variants.append((till.form.name, speed))
                for property in Property.allCases where wiring.findings[property]?.option == till.form.name {
                    wiring.findings[property]?.price = speed.nanoseconds.median
                }
            }
        }
    }

    private mutating func measureThreads() {
        let goOn = goOn
        let progress = progress
        let processors = result.machine.processors
        let measurement = ThreadMeasurement(
            passes: isQuick ? 15 : 101, budget: .seconds(isQuick ? 0.25 : 3))
        update { wiring in
            guard goOn() else { return }
            progress("\(wiring.choice.rawValue): two threads")
            wiring.twoThreads =
                processors > 1
                ? measurement.measure(wiring.choice.profile)
                : .refused(why: "two threads don't run at once on one processor")
        }
    }
}

extension Comparison.Wiring {
    /// The findings of the group `cost` whose figures are known.
    fileprivate var costs: [Property: Finding] {
        var found: [Property: Finding] = [:]
        found[.allocatesNothing] =
            if let blocks = speed.first?.allocations {
                Finding(blocks < 0.01, "\(Columns.fixed(blocks, decimals: 1)) heap blocks a post", tried: nil)
            } else { Finding(nil, "allocations can't be counted here") }
        switch twoThreads {
        case .measured(let slowdown)?:
            // Memory that the threads share slows every pass, but a busy host of a virtual machine only some.
            let median = slowdown.median
            let least = slowdown.min
            var finding = Finding(
                median < 1.3 ? true : least < 1.3 ? nil : false,
                "\(Columns.fixed(median, decimals: 2)) times the processor time while another thread posts, "
                    + "\(Columns.fixed(least, decimals: 2)) times in the best pass", tried: nil)
            if finding.holds == nil { finding.tried = 1 }
            found[.twoPostersDoNotSlowEachOther] = finding
        case .refused(let why)?: found[.twoPostersDoNotSlowEachOther] = Finding(nil, why)
        case nil: break
        }
        if let bytes = observing?.eventBytes {
            found[.newEventIsSmall] = Finding(
                bytes < 256, "\(Columns.grouped(Int(bytes))) bytes for an event with its poster, without observers",
                tried: nil)
        }
        return found
    }
}
