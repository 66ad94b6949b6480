import JuiceStand
import TestSupport
import Testing
import WiringComparison

/// A closure wiring with a fault.
final class FaultyWiring: Wiring {
    enum Fault: CaseIterable {
        case deliversTwice
        case dropsOneInAThousand
        case reordersPosts
        case callsLastObserverFirst
        case leaksWhatWasCaptured
        case goesOnAfterCancel
    }

    private let fault: Fault?
    private let base = ClosureWiring()
    private var delivered = 0
    private var held: OrderPlaced?
    private var kept: [AnyObject] = []
    private var reversed: [any OrderPlacedObserver] = []

    init(_ fault: Fault?) {
        self.fault = fault
    }

    var wanted: FactSet { base.wanted }

    func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        if fault == .callsLastObserverFirst, let observer = observer as? any OrderPlacedObserver {
            reversed.insert(observer, at: 0)
        } else {
            base.connect(observer, to: type)
        }
    }

    func disconnect(_ observer: AnyObject) {
        if fault == .leaksWhatWasCaptured { kept.append(observer) }
        if fault == .goesOnAfterCancel { return }
        reversed.removeAll { $0 === observer }
        base.disconnect(observer)
    }

    func announce<F: Fact>(_ fact: F) {
        delivered += 1
        switch fault {
        case .deliversTwice:
            base.announce(fact)
            if delivered == 700 { base.announce(fact) }
        case .dropsOneInAThousand:
            if delivered % 1000 != 0 { base.announce(fact) }
        case .reordersPosts:
            // Every hundredth comes after the next one.
            if delivered % 100 == 0, let placed = fact as? OrderPlaced {
                held = placed
            } else {
                base.announce(fact)
                if let held { base.announce(held) }
                held = nil
            }
        case .callsLastObserverFirst:
            if let placed = fact as? OrderPlaced { for observer in reversed { observer.receive(placed) } }
        default: base.announce(fact)
        }
    }

    func settle() {
        if let held { base.announce(held) }
        held = nil
    }
}

/// Probes wait for threads and tasks, so each test has a thread of its own.
@Suite(.timeLimit(.minutes(60)))
struct ComparisonProbeTests {
    /// What can be asked of a wiring in this process without ending it.
    private static let harmless = Property.allCases.filter {
        ![.safeFromTwoThreads, .cancelInADeinit, .nameAndPayloadCheckedByCompiler].contains($0)
    }

    /// Mechanisms that leave their observers on the poster's thread.
    private static let calm = [
        WiringChoice.direct, .delegate, .multicastDelegate, .closure, .notification, .foundationNotification,
        .observation,
    ]

    @Test(arguments: [
        (FaultyWiring.Fault.deliversTwice, Property.deliversEachNotificationOnce),
        (.dropsOneInAThousand, .deliversEachNotificationOnce),
        (.reordersPosts, .keepsOrderOfPosts),
        (.callsLastObserverFirst, .keepsOrderOfObservers),
        (.callsLastObserverFirst, .keepsOrderUnderChurn),
        (.leaksWhatWasCaptured, .capturesReleasedOnCancel),
        (.goesOnAfterCancel, .noCallAfterCancel),
    ])
    func `a planted fault is found, and the sound wiring is not blamed`(fault: (FaultyWiring.Fault, Property)) async {
        let (faulty, sound) = await onItsOwnThread {
            (
                Probe { WiringSpecimen { FaultyWiring(fault.0) } }.find(fault.1),
                // Cancelling within a post is what no list of closures takes at once.
                fault.1 == .noCallAfterCancel
                    ? Probe(WiringChoice.notification.makeSpecimen).find(fault.1)
                    : Probe { WiringSpecimen { FaultyWiring(nil) } }.find(fault.1)
            )
        }
        #expect(faulty.holds == false, "\(faulty.evidence)")
        #expect(sound.holds == true, "\(sound.evidence)")
    }

    @Test func `a wiring with another ledger is not measured, and it is said why`() async throws {
        let settings = try StandConfiguration(Array("{}".utf8), source: "test").settings
        let refusals = await onItsOwnThread {
            let stand = StandMeasurement(settings)
            return [FaultyWiring.Fault.deliversTwice, .dropsOneInAThousand, nil].map {
                stand.refusal(of: FaultyWiring($0))
            }
        }
        let why = "its ledger differs from that of direct calls"
        #expect(refusals == [why, why, nil])
    }

    @Test func `a fault in one respect is marked in no other`() async {
        let findings = await onItsOwnThread {
            let probe = Probe { WiringSpecimen { FaultyWiring(.dropsOneInAThousand) } }
            return [Property.keepsOrderOfPosts, .reachesManyObservers, .capturesReleasedOnCancel].map { probe.find($0) }
        }
        for finding in findings { #expect(finding.holds == true, "\(finding.evidence)") }
    }

    /// Two of them are asked of the program itself, in `CompareTests`, as are races that need threads of their own.
    @Test func `notification holds every property`() async {
        let findings = await onItsOwnThread {
            let probe = Probe(WiringChoice.notification.makeSpecimen)
            return Property.allCases.filter { ![.nameAndPayloadCheckedByCompiler, .safeFromTwoThreads].contains($0) }
                .map { ($0, probe.find($0)) }
        }
        for (property, finding) in findings { #expect(finding.holds == true, "\(property): \(finding.evidence)") }
    }

    @Test(arguments: [
        (WiringChoice.delegate, Property.reachesManyObservers),
        (.closure, .releasedObserverIsForgotten), (.closure, .noCallAfterCancel),
        (.foundationNotification, .nameAndPayloadCheckedByCompiler), (.foundationNotification, .keepsOrderOfObservers),
        (.observation, .deliversEachNotificationOnce), (.observation, .finishedWhenPosterGoesOn),
        (.asyncStream, .finishedWhenPosterGoesOn), (.asyncStream, .slowObserverIsNoticed),
        (.asyncStream, .keepsOrderOfObservers), (.foundationMessage, .finishedWhenPosterGoesOn),
    ])
    func `what a mechanism lacks is seen`(case: (WiringChoice, Property)) async {
        let (choice, property) = `case`
        let finding = await onItsOwnThread { Probe(choice.makeSpecimen).find(property) }
        #expect(finding.holds == false, "\(finding.evidence)")
    }

    @Test(arguments: [Property.keepsOrderOfPosts, .oneCallOfAnObserverAtATime])
    func `one task that takes posts in turn is not blamed for suspending`(property: Property) async {
        let finding = await onItsOwnThread { Probe(WiringChoice.asyncStream.makeSpecimen).find(property) }
        #expect(finding.holds == true, "\(finding.evidence)")
    }

    @Test(arguments: calm)
    func `a verdict that no thread has a say in is the same every time, and says what was seen in one line`(
        choice: WiringChoice
    ) async {
        let rounds = await onItsOwnThread {
            (0..<2).map { _ in Self.harmless.map { Probe(choice.makeSpecimen).find($0) } }
        }
        #expect(rounds[0].map(\.holds) == rounds[1].map(\.holds))
        for line in rounds[0].map(\.evidence) {
            #expect(!line.isEmpty && !line.contains("\n") && !line.contains("\t"))
        }
    }

    @Test func `where threads were not seen to meet often enough there is no verdict`() async {
        let finding = await onItsOwnThread {
            Probe(WiringChoice.notification.makeSpecimen, patience: .zero).find(.safeFromTwoThreads)
        }
        #expect(finding.holds == nil)
        #expect(finding.evidence.contains("too seldom to tell"), "\(finding.evidence)")
    }

    @Test func `reports of a probe's process are read as they were written`() {
        let finding = Finding(holds: nil, evidence: "saw 3 of 4")
        let line = ProbeProcess.Report.found(.answersBack, finding).line
        #expect(line == "found\tanswersBack\tnull\tsaw 3 of 4\n")
        #expect(ProbeProcess.Report.begun(.answersBack).line == "begun\tanswersBack\n")
    }
}
