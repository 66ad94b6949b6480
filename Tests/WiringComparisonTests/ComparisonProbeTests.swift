import JuiceStand
import TestSupport
import Testing
import WiringComparison

/// A list of closures with a planted fault.
final class FaultySpecimen: Specimen {
    enum Fault: CaseIterable {
        case deliversTwice
        case dropsOneInAThousand
        case reordersPosts
        case callsLastObserverFirst
        case leaksWhatWasCaptured
        case goesOnAfterCancel
    }

    private let fault: Fault?
    private var handlers: [(key: Int, body: @Sendable (UInt64) -> Void)] = []
    private var kept: [@Sendable (UInt64) -> Void] = []
    private var held: UInt64?
    private var lastKey = 0
    private var posted = 0

    init(_ fault: Fault?) {
        self.fault = fault
    }

    func observe(_ body: @escaping @Sendable (UInt64) -> Void) -> Subscription {
        lastKey += 1
        let key = lastKey
        handlers.insert((key, body), at: fault == .callsLastObserverFirst ? 0 : handlers.count)
        return Subscription { [self] in
            if fault == .leaksWhatWasCaptured { kept += handlers.filter { $0.key == key }.map(\.body) }
            // The stray handler stays in the list.
            if fault != .goesOnAfterCancel { handlers.removeAll { $0.key == key } }
        }
    }

    func post(_ number: UInt64) {
        posted += 1
        switch fault {
        case .deliversTwice where posted == 700:
            deliver(number)
            deliver(number)
        case .dropsOneInAThousand where posted % 1000 == 0: break
        case .reordersPosts where posted % 100 == 0: held = number
        default:
            deliver(number)
            if let late = held { deliver(late) }
            held = nil
        }
    }

    private func deliver(_ number: UInt64) {
        for handler in handlers { handler.body(number) }
    }

    func settle() {
        if let late = held { deliver(late) }
        held = nil
    }

    func makeAnotherPoster() -> any Specimen { FaultySpecimen(fault) }
}

/// Probes of the wirings' idioms and of planted faults. They wait for threads and tasks, so each test has a thread of its own.
@Suite(.timeLimit(.minutes(60)))
struct ComparisonProbeTests {
    @Test(arguments: [
        (FaultySpecimen.Fault.deliversTwice, Property.deliversEachNotificationOnce),
        (.dropsOneInAThousand, .deliversEachNotificationOnce),
        (.reordersPosts, .keepsOrderOfPosts),
        (.callsLastObserverFirst, .keepsOrderOfObservers),
        (.callsLastObserverFirst, .keepsOrderUnderChurn),
        (.leaksWhatWasCaptured, .capturesReleasedOnCancel),
        (.goesOnAfterCancel, .noCallAfterCancel),
    ])
    func `a probe finds the planted fault and passes a sound list`(fault: (FaultySpecimen.Fault, Property))
        async
    {
        let (faulty, sound) = await onItsOwnThread {
            (
                Probe { FaultySpecimen(fault.0) }.find(fault.1),
                // A list of closures calls an observer that was cancelled within the post.
                fault.1 == .noCallAfterCancel
                    ? Probe(WiringChoice.notification.makeSpecimen).find(fault.1)
                    : Probe { FaultySpecimen(nil) }.find(fault.1)
            )
        }
        #expect(faulty.holds == false, "\(faulty.evidence)")
        #expect(sound.holds == true, "\(sound.evidence)")
    }

    @Test func `a fault in one respect fails no other probe`() async {
        let findings = await onItsOwnThread {
            let probe = Probe { FaultySpecimen(.dropsOneInAThousand) }
            return [Property.keepsOrderOfPosts, .reachesManyObservers, .capturesReleasedOnCancel].map { probe.find($0) }
        }
        for finding in findings { #expect(finding.holds == true, "\(finding.evidence)") }
    }

    @Test(arguments: [
        (WiringChoice.delegate, Property.reachesManyObservers, false),
        (.direct, .lateObserverSeesCurrentValue, true), (.delegate, .lateObserverSeesCurrentValue, true),
        (.foundationNotification, .lateObserverSeesCurrentValue, false),
        (.closure, .releasedObserverIsForgotten, false), (.closure, .noCallAfterCancel, false),
        (.closureLocked, .postUnderWayHeedsCancelElsewhere, false),
        (.notification, .postUnderWayHeedsCancelElsewhere, true),
        (.notification, .oneCallOfAnObserverAtATime, false), (.notification, .noRetainCycleThroughSelf, false),
        (.notification, .keepsOneOrderAcrossThreads, false), (.notification, .deliversSubclasses, false),
        (.notification, .cancelWaitsForARunningCall, true), (.notification, .observerCanBeHeldWeakly, true),
        (.notification, .deliversOnAQueue, true), (.delegate, .noRetainCycleThroughSelf, true),
        (.closure, .deliversSubclasses, true), (.foundationNotification, .keepsOrderOfObservers, false),
        (.observation, .deliversEachNotificationOnce, false), (.observation, .finishedWhenPosterGoesOn, false),
        (.asyncStream, .finishedWhenPosterGoesOn, false), (.asyncStream, .slowObserverIsNoticed, false),
        (.foundationMessage, .finishedWhenPosterGoesOn, false), (.foundationMessage, .keepsOrderOfPosts, false),
    ])
    func `a probe sees what a wiring has and what it lacks`(case: (WiringChoice, Property, Bool)) async {
        let (choice, property, holds) = `case`
        #expect(choice.reasonNotToApply(property) == nil)
        let finding = await onItsOwnThread { Probe(choice.makeSpecimen).find(property) }
        #expect(finding.holds == holds, "\(finding.evidence)")
        #expect(!finding.evidence.isEmpty && !finding.evidence.contains { "\n\t".contains($0) })
    }

    @Test func `threads that seldom meet give no verdict`() async {
        let finding = await onItsOwnThread {
            Probe(WiringChoice.notification.makeSpecimen, budget: .zero).find(.safeFromTwoThreads)
        }
        #expect(finding.holds == nil)
        #expect(finding.evidence.contains("side by side in only 0 of 0 rounds"), "\(finding.evidence)")
    }

    @Test func `a wiring with another ledger is refused`() async throws {
        let settings = try StandConfiguration(Array("{}".utf8), source: "test").settings
        let refusals = await onItsOwnThread {
            let stand = StandMeasurement(settings, fewestOrders: 1000)
            return [stand.refusal(of: DeafWiring()), stand.refusal(of: ClosureWiring())]
        }
        #expect(refusals == ["its ledger differs from that of direct calls", nil])
    }

    @Test func `a report line of a probe's process reads as it was written`() {
        let line = ProbeProcess.Report.found(.deliversSubclasses, Finding(nil, "saw 3 of 4")).line
        #expect(line == "found\tdeliversSubclasses\tnull\tsaw 3 of 4\n")
        #expect(ProbeProcess.Report.begun(.deliversSubclasses).line == "begun\tdeliversSubclasses\n")
    }
}

/// Delivers no order at all.
private final class DeafWiring: Wiring {
    private let base = ClosureWiring()
    var wanted: FactSet { base.wanted }
    func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        if F.kind != .orderPlaced { base.connect(observer, to: type) }
    }
    func disconnect(_ observer: AnyObject) { base.disconnect(observer) }
    func announce<F: Fact>(_ fact: F) { base.announce(fact) }
}
