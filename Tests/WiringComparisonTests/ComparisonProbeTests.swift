import Foundation
import JuiceStand
import TestSupport
import Testing
import WiringComparison

/// A list of displays under a lock, changed in one respect: it loses a property, or gains one.
///
/// Unchecked because the compiler does not see that the lists are used under `lock` alone, and the counters by changes
/// whose probes post from one thread.
final class ChangedTill: Idiom, @unchecked Sendable {
    enum Change: String {
        case deliversTwice, dropsOneInAThousand, reordersPosts, callsLastObserverFirst, deliversLater
        case deliversOnTheQueue
        case leaksWhatWasCaptured, holdsWeakly, heedsCancel, waitsForRunningCalls
        case dropsPostsInsideAPost, dropsPostsBesideAPost, runsOneCallAtATime, dropsWhatIsUnderWayOnCancel
        case isSharedByPosters, namesObservers, countsObservers
    }

    /// An observation that the list can find. Unchecked: `isCancelled` is used under the list's lock.
    final class Entry: @unchecked Sendable {
        let display: Display
        var isCancelled = false

        init(_ display: Display) { self.display = display }
    }

    private let change: Change?
    private let lock = NSRecursiveLock()
    /// Held during a post, by the changes that need it.
    private let posting = NSRecursiveLock()
    private let queue = DispatchQueue(label: "list")
    private var entries: [Entry] = []
    private var kept: [Entry] = []
    private var held: Sale?
    private var posted = 0
    private var depth = 0

    init(_ change: Change?) {
        self.change = change
    }

    var isConcurrent: Bool { change == .deliversLater || change == .dropsWhatIsUnderWayOnCancel }

    func observe(_ display: Display) -> Entry {
        let weakly = Display { [weak display] sale in display?.note(sale) }
        let entry = Entry(change == .holdsWeakly ? weakly : display)
        lock.withLock { entries.insert(entry, at: change == .callsLastObserverFirst ? 0 : entries.count) }
        return entry
    }

    func cancel(_ entry: Entry) {
        if change == .waitsForRunningCalls { posting.lock() }
        let removed = lock.withLock {
            entry.isCancelled = true
            if change == .leaksWhatWasCaptured { kept.append(entry) }
            let place = entries.firstIndex { $0 === entry }
            return place.map { entries.remove(at: $0) }
        }
        withExtendedLifetime(removed) {}
        if change == .waitsForRunningCalls { posting.unlock() }
    }

    func post(_ sale: Sale) {
        switch change {
        case .deliversOnTheQueue?: DispatchQueue.ofObservers.sync { deliver(sale) }
        case .deliversLater?: queue.async { self.deliver(sale) }
        case .dropsWhatIsUnderWayOnCancel?: queue.async { self.deliver(sale) }
        case .runsOneCallAtATime?, .waitsForRunningCalls?: posting.withLock { deliver(sale) }
        case .dropsPostsBesideAPost?:
            guard posting.try() else { return }
            deliver(sale)
            posting.unlock()
        case .deliversTwice?, .dropsOneInAThousand?, .reordersPosts?, .dropsPostsInsideAPost?: change(sale)
        default: deliver(sale)
        }
    }

    private func change(_ sale: Sale) {
        posted += 1
        switch change {
        case .deliversTwice? where posted == 700:
            deliver(sale)
            deliver(sale)
        case .dropsOneInAThousand? where posted % 1000 == 0: break
        case .reordersPosts? where posted % 100 == 0: held = sale
        case .dropsPostsInsideAPost? where depth > 0: break
        default:
            depth += 1
            deliver(sale)
            depth -= 1
            if let late = held { deliver(late) }
            held = nil
        }
    }

    private func deliver(_ sale: Sale) {
        for entry in lock.withLock({ entries }) {
            if change == .heedsCancel, lock.withLock({ entry.isCancelled }) { continue }
            entry.display.note(sale)
        }
    }

    func turn() -> Bool {
        guard let late = held else { return false }
        deliver(late)
        held = nil
        return true
    }

    func makeAnother() -> (any Idiom)? { change == .isSharedByPosters ? self : nil }

    var observersListed: [String]? { change == .namesObservers ? entries.map { "\($0)" } : nil }

    var isHeard: Bool? { change == .countsObservers ? !entries.isEmpty : nil }
}

/// Probes of the wirings' idioms and of changed lists.
///
/// They wait for threads and tasks, and some look whether all other threads of the process sleep. So they have processes
/// of their own, each for several rows, since the start of one takes longer than most probes.
@Suite(.timeLimit(.minutes(60)))
struct ComparisonProbeTests {
    /// Changes for rows that a probe establishes, and the verdict with each. Without it, the verdict is the other.
    static let changes: [(ChangedTill.Change, Property, Bool)] = [
        (.deliversTwice, .deliversEachNotificationOnce, false),
        (.dropsOneInAThousand, .deliversEachNotificationOnce, false), (.reordersPosts, .keepsOrderOfPosts, false),
        (.callsLastObserverFirst, .keepsOrderOfObservers, false),
        (.callsLastObserverFirst, .keepsOrderUnderChurn, false), (.deliversLater, .finishedWhenPosterGoesOn, false),
        (.deliversLater, .slowObserverIsNoticed, false), (.deliversOnTheQueue, .deliversOnAQueue, true),
        (.leaksWhatWasCaptured, .capturesReleasedOnCancel, false), (.holdsWeakly, .observerCanBeHeldWeakly, true),
        (.heedsCancel, .noCallAfterCancel, true), (.heedsCancel, .postUnderWayHeedsCancelElsewhere, true),
        (.dropsWhatIsUnderWayOnCancel, .hearsWhatWasPostedBeforeCancel, false),
        (.waitsForRunningCalls, .cancelWaitsForARunningCall, true),
        (.dropsPostsInsideAPost, .observeCancelAndPostInsideAnObserver, false),
        (.leaksWhatWasCaptured, .cancelInADeinit, false), (.dropsPostsBesideAPost, .safeFromTwoThreads, false),
        (.runsOneCallAtATime, .oneCallOfAnObserverAtATime, true),
        (.deliversOnTheQueue, .oneCallOfAnObserverAtATime, true),
        (.runsOneCallAtATime, .keepsOneOrderAcrossThreads, true),
        (.isSharedByPosters, .anyPosterReachesTheObserver, true), (.namesObservers, .observersCanBeListed, true),
        (.countsObservers, .unheardPostIsNoticed, true),
    ]

    @Test(arguments: stride(from: 0, to: changes.count, by: 7).map { Array(changes[$0...].prefix(7)) })
    func `a change of a wiring changes the verdict of its row`(
        group: [(ChangedTill.Change, Property, Bool)]
    ) async throws {
        let ending = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            [names = group.map(\.0.rawValue) as [String], rows = group.map(\.1.rawValue) as [String]] in
            for (name, row) in zip(names, rows) {
                await Self.report(Property(rawValue: row)!) { ChangedTill(.init(rawValue: name)) }
                await Self.report(Property(rawValue: row)!) { ChangedTill(nil) }
            }
        }
        let found = String(decoding: ending.standardOutputContent, as: UTF8.self)
        let verdicts = found.matches(of: #/(\w+): .*"holds":(\w+)/#).map { "\($0.1) \($0.2)" }
        #expect(verdicts == group.flatMap { ["\($0.1) \($0.2)", "\($0.1) \(!$0.2)"] }, "\(found)")
    }

    /// Prints what a probe finds.
    private static func report(_ property: Property, _ make: @escaping @Sendable () -> any Idiom) async {
        let finding = await onItsOwnThread { Probe(make, budget: .seconds(300)).find(property) }
        print("\(property): \(finding.line)")
    }

    @Test func `every row of a probe has a change that it sees, or wirings with either verdict`() {
        let changed = Set(Self.changes.map(\.1))
        for property in Property.allCases where property.source == .probe && !changed.contains(property) {
            #expect(Set(Self.verdicts.filter { $0.1 == property }.map(\.2)) == [true, false], "\(property)")
        }
    }

    /// The compiler's rows of the advice are in the other suite.
    static let advised = Profile.all.flatMap { profile in
        profile.advice.rows.filter { $0.property.source == .probe }.map { (profile.choice, $0.property, $0.holds) }
    }

    /// The rows of the advice, and others in which wirings differ.
    static let verdicts =
        advised + [
            (WiringChoice.direct, Property.lateObserverSeesCurrentValue, false),
            (.foundationNotification, .lateObserverSeesCurrentValue, false),
            (.notification, .lateObserverSeesCurrentValue, true),
            (.closureLocked, .failingObserverDoesNotStopTheOthers, false), (.closureLocked, .failureIsLearnedOf, true),
            (.asyncStream, .failingObserverDoesNotStopTheOthers, true), (.asyncStream, .failureIsLearnedOf, false),
            (.asyncStream, .deliversOnAQueue, true), (.observations, .keepsOrderOfPosts, true),
            (.closure, .releasedObserverIsForgotten, false), (.closure, .noCallAfterCancel, false),
            (.closureLocked, .postUnderWayHeedsCancelElsewhere, false),
            (.notification, .postUnderWayHeedsCancelElsewhere, true),
            (.notification, .oneCallOfAnObserverAtATime, true), (.notification, .noRetainCycleThroughSelf, false),
            (.notification, .keepsOneOrderAcrossThreads, false), (.boxesLocked, .oneCallOfAnObserverAtATime, false),
            (.notification, .cancelWaitsForARunningCall, true), (.notification, .observerCanBeHeldWeakly, true),
            (.notification, .deliversOnAQueue, true), (.delegate, .noRetainCycleThroughSelf, true),
            (.foundationNotification, .keepsOrderOfObservers, false), (.observation, .finishedWhenPosterGoesOn, false),
            (.asyncStream, .slowObserverIsNoticed, true), (.foundationMessage, .finishedWhenPosterGoesOn, false),
        ]

    @Test(arguments: WiringChoice.allCases.filter { choice in verdicts.contains { $0.0 == choice } })
    func `a probe sees what a wiring has and what it lacks`(choice: WiringChoice) async throws {
        let expected = Self.verdicts.filter { $0.0 == choice }
        for (_, property, _) in expected { #expect(choice.profile.reasonNotToApply(property) == nil) }
        let ending = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            [name = choice.rawValue as String, rows = expected.map(\.1.rawValue) as [String]] in
            for row in rows {
                let choice = WiringChoice(rawValue: name)!
                let property = Property(rawValue: row)!
                let finding = await onItsOwnThread { Probe(choice).find(property) }
                print("\(property): \(finding.line)")
            }
        }
        let found = String(decoding: ending.standardOutputContent, as: UTF8.self)
        for (_, property, holds) in expected {
            // On a very busy machine the threads seldom run at once. Then there is no verdict.
            let line = found.split(separator: "\n").first { $0.hasPrefix("\(property): ") } ?? ""
            if line.contains("\"two threads ran side by side in only") { continue }
            #expect(line.contains("\"holds\":\(holds)"), "\(found)")
        }
    }

    @Test func `a tick needs a ground, a kept counter-example makes a cross, and the rest is not refuted`() {
        func judged(_ choice: WiringChoice, _ property: Property, _ finding: Finding) -> Finding {
            choice.profile.judged(finding, property)
        }
        let passed = Finding(true, "nothing was seen", tried: 50)
        #expect(judged(.closure, .keepsOrderOfPosts, passed).mark == "✓")
        let unproven = judged(.foundationMessage, .deliversEachNotificationOnce, passed)
        #expect(unproven.mark == "○" && unproven.tried == 50 && unproven.holds == nil)
        #expect(unproven.evidence.hasPrefix("not refuted in 50 rounds"))
        // The readers' orders differ in a few of a thousand rounds, which a run may miss.
        let kept = judged(.foundationMessages, .keepsOneOrderAcrossThreads, passed)
        #expect(kept.mark == "✗" && kept.tried == nil && kept.counterExample != nil)
        let busy = judged(.foundationMessages, .keepsOneOrderAcrossThreads, Finding(nil, "no time"))
        #expect(busy.mark == "✗")
        let unknown = judged(.closure, .keepsOrderOfPosts, Finding(nil, "no time"))
        #expect(unknown.mark == "?" && unknown.isUnknown)
        #expect(judged(.closure, .keepsOrderOfPosts, Finding(false, "seen")).counterExample != nil)
    }

    @Test func `every probe's question is shown beside a cross`() {
        let probed = Property.allCases.filter { $0.source == .probe }
        #expect(Set(probed).subtracting(CompilerVerdicts.programs.keys) == [])
        for (property, program) in CompilerVerdicts.programs {
            let lines = program.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 12, "\(property)")
        }
    }

    @Test func `threads that seldom meet give no verdict`() async {
        let finding = await onItsOwnThread {
            Probe(WiringChoice.notification.profile.make, budget: .zero).find(.safeFromTwoThreads)
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

    @Test func `a finding of a probe's process reads as it was written`() throws {
        var finding = Finding(true, "saw \"3\"\tof 4\n", tried: 50)
        finding.option = "a queue"
        let line = finding.line
        #expect(!line.contains("\n") && Finding(line: line) == finding)
        #expect(Finding(line: "Fatal error: overlapping accesses") == nil)
    }
}

/// Delivers no order at all.
private final class DeafWiring: Wiring {
    private let base = ClosureWiring()
    var wanted: FactSet { base.wanted }
    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        if F.kind != .orderPlaced { base.connect(observer, to: type) }
    }
    func disconnect(_ observer: AnyObject) { base.disconnect(observer) }
    func hear<F: Fact>(_ fact: F) { base.hear(fact) }
}
