import Foundation
import JuiceStand
import TestSupport
import Testing
import WiringComparison

/// A list of closures under a lock, changed in one respect: it loses a property, or gains one.
///
/// Unchecked because the compiler does not see that the lists are used under `lock` alone, and the counters by changes
/// whose probes post from one thread.
final class ChangedSpecimen: Specimen, @unchecked Sendable {
    enum Change: String {
        case hasOneObserver, deliversTwice, dropsOneInAThousand, reordersPosts, callsLastObserverFirst, deliversLater
        case catchesErrors, keepsLatest, hasAQueueForm
        case endsOnRelease, leaksWhatWasCaptured, capturesWeakly, holdsWeakly, heedsCancel, waitsForRunningCalls
        case dropsPostsInsideAPost, dropsPostsBesideAPost, runsOneCallAtATime
        case isSharedByPosters, namesObservers, countsObservers
    }

    /// An observation that the list can find. Unchecked: `isCancelled` is used under the list's lock.
    private final class Entry: @unchecked Sendable {
        let body: PostHandler
        var isCancelled = false

        init(_ body: @escaping PostHandler) { self.body = body }
    }

    /// Ends an observation when it is released. Unchecked: it never changes, and `end` locks the list.
    private final class Token: @unchecked Sendable {
        let end: () -> Void
        init(_ end: @escaping () -> Void) { self.end = end }
        deinit { end() }
    }

    private let change: Change?
    private let lock = NSRecursiveLock()
    /// Held during a post, by the changes that need it.
    private let posting = NSRecursiveLock()
    private let queue = DispatchQueue(label: "list")
    private var entries: [Entry] = []
    private var kept: [Entry] = []
    private var held: UInt64?
    private var latest: UInt64 = 0
    private var posted = 0
    private var depth = 0

    init(_ change: Change?) {
        self.change = change
    }

    var capacity: Int { change == .hasOneObserver ? 1 : .max }
    var isConcurrent: Bool { change == .deliversLater }

    private func add(_ entry: Entry) {
        lock.withLock {
            if change == .hasOneObserver { entries = [] }
            entries.insert(entry, at: change == .callsLastObserverFirst ? 0 : entries.count)
        }
    }

    private func remove(_ entry: Entry) {
        let removed = lock.withLock {
            entry.isCancelled = true
            if change == .leaksWhatWasCaptured { kept.append(entry) }
            let place = entries.firstIndex { $0 === entry }
            return place.map { entries.remove(at: $0) }
        }
        withExtendedLifetime(removed) {}
    }

    func observe(_ body: @escaping PostHandler) -> Subscription {
        let entry = Entry(body)
        add(entry)
        guard change == .endsOnRelease else { return Subscription { self.remove(entry) } }
        let token = Token { self.remove(entry) }
        return Subscription { withExtendedLifetime(token) { token.end() } }
    }

    func post(_ number: UInt64) {
        switch change {
        case .deliversLater?: queue.async { self.deliver(number) }
        case .runsOneCallAtATime?, .waitsForRunningCalls?: posting.withLock { deliver(number) }
        case .dropsPostsBesideAPost?:
            guard posting.try() else { return }
            deliver(number)
            posting.unlock()
        case .deliversTwice?, .dropsOneInAThousand?, .reordersPosts?, .dropsPostsInsideAPost?, .keepsLatest?:
            change(number)
        default: deliver(number)
        }
    }

    private func change(_ number: UInt64) {
        posted += 1
        latest = number
        switch change {
        case .deliversTwice? where posted == 700:
            deliver(number)
            deliver(number)
        case .dropsOneInAThousand? where posted % 1000 == 0: break
        case .reordersPosts? where posted % 100 == 0: held = number
        case .dropsPostsInsideAPost? where depth > 0: break
        default:
            depth += 1
            deliver(number)
            depth -= 1
            if let late = held { deliver(late) }
            held = nil
        }
    }

    private func deliver(_ number: UInt64) {
        for entry in lock.withLock({ entries }) {
            if change == .heedsCancel, lock.withLock({ entry.isCancelled }) { continue }
            entry.body(number)
        }
    }

    func settle() {
        if change == .deliversLater { queue.sync {} }
        if let late = held { deliver(late) }
        held = nil
    }

    func observeFromNow(_ body: @escaping PostHandler) -> LateSubscription? {
        guard change == .keepsLatest else { return nil }
        body(latest)
        return (observe(body), "it keeps it")
    }

    func observe(on queue: DispatchQueue, _ body: @escaping PostHandler) -> Subscription? {
        guard change == .hasAQueueForm else { return nil }
        return observe { number in queue.async { body(number) } }
    }

    func observeCapturingSelf(_ body: @escaping PostHandler, whenReleased: @escaping @Sendable () -> Void) {
        let keeper = Token(whenReleased)
        if change == .capturesWeakly {
            _ = observe { [weak keeper] number in if keeper != nil { body(number) } }
        } else {
            _ = observe { number in withExtendedLifetime(keeper) { body(number) } }
        }
    }

    func observeHeldWeakly(whenReleased: @escaping @Sendable () -> Void) -> Subscription? {
        guard change == .holdsWeakly else { return nil }
        let keeper = Token(whenReleased)
        return observe { [weak keeper] _ in _ = keeper }
    }

    func observeWithWaitingCancel(_ body: @escaping PostHandler) -> Subscription? {
        guard change == .waitsForRunningCalls else { return nil }
        let entry = Entry(body)
        add(entry)
        return Subscription { self.posting.withLock { self.remove(entry) } }
    }

    func postToThrowing(_ observers: [@Sendable () throws -> Void]) -> String? {
        for observer in observers {
            do { try observer() } catch { if change != .catchesErrors { return "the poster" } }
        }
        return nil
    }

    func makeAnotherPoster() -> any Specimen { change == .isSharedByPosters ? self : ChangedSpecimen(change) }

    func observersListed() -> [String]? { change == .namesObservers ? entries.map { "\($0)" } : nil }

    func postUnheard() -> String? { change == .countsObservers && entries.isEmpty ? "the poster" : nil }
}

/// Probes of the wirings' idioms and of changed lists.
///
/// They wait for threads and tasks, and some look whether all other threads of the process sleep. So they have processes
/// of their own, each for several rows, since the start of one takes longer than most probes.
@Suite(.timeLimit(.minutes(60)))
struct ComparisonProbeTests {
    /// A change for every row that a probe establishes, and the verdict with it. Without it, the verdict is the other.
    static let changes: [(ChangedSpecimen.Change, Property, Bool)] = [
        (.hasOneObserver, .reachesManyObservers, false), (.deliversTwice, .deliversEachNotificationOnce, false),
        (.dropsOneInAThousand, .deliversEachNotificationOnce, false), (.reordersPosts, .keepsOrderOfPosts, false),
        (.callsLastObserverFirst, .keepsOrderOfObservers, false),
        (.callsLastObserverFirst, .keepsOrderUnderChurn, false), (.deliversLater, .finishedWhenPosterGoesOn, false),
        (.catchesErrors, .failingObserverDoesNotStopTheOthers, true), (.catchesErrors, .failureIsLearnedOf, false),
        (.deliversLater, .slowObserverIsNoticed, false), (.keepsLatest, .lateObserverSeesCurrentValue, true),
        (.hasAQueueForm, .deliversOnAQueue, true), (.endsOnRelease, .releasedObserverIsForgotten, true),
        (.leaksWhatWasCaptured, .capturesReleasedOnCancel, false), (.capturesWeakly, .noRetainCycleThroughSelf, true),
        (.holdsWeakly, .observerCanBeHeldWeakly, true), (.heedsCancel, .noCallAfterCancel, true),
        (.heedsCancel, .postUnderWayHeedsCancelElsewhere, true),
        (.waitsForRunningCalls, .cancelWaitsForARunningCall, true),
        (.dropsPostsInsideAPost, .observeCancelAndPostInsideAnObserver, false),
        (.leaksWhatWasCaptured, .cancelInADeinit, false), (.dropsPostsBesideAPost, .safeFromTwoThreads, false),
        (.runsOneCallAtATime, .oneCallOfAnObserverAtATime, true), (.hasAQueueForm, .oneCallOfAnObserverAtATime, true),
        (.runsOneCallAtATime, .keepsOneOrderAcrossThreads, true),
        (.isSharedByPosters, .anyPosterReachesTheObserver, true), (.namesObservers, .observersCanBeListed, true),
        (.countsObservers, .unheardPostIsNoticed, true),
    ]

    @Test(arguments: stride(from: 0, to: changes.count, by: 7).map { Array(changes[$0...].prefix(7)) })
    func `a change of a wiring changes the verdict of its row`(
        group: [(ChangedSpecimen.Change, Property, Bool)]
    ) async throws {
        let ending = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            [names = group.map(\.0.rawValue) as [String], rows = group.map(\.1.rawValue) as [String]] in
            for (name, row) in zip(names, rows) {
                await Self.report(Property(rawValue: row)!) { ChangedSpecimen(.init(rawValue: name)) }
                await Self.report(Property(rawValue: row)!) { ChangedSpecimen(nil) }
            }
        }
        let found = String(decoding: ending.standardOutputContent, as: UTF8.self)
        let verdicts = found.matches(of: #/found\t(\w+\t\w+)\t/#).map { String($0.1) }
        #expect(verdicts == group.flatMap { ["\($0.1)\t\($0.2)", "\($0.1)\t\(!$0.2)"] }, "\(found)")
    }

    /// Prints what a probe finds.
    private static func report(_ property: Property, _ make: @escaping @Sendable () -> any Specimen) async {
        let finding = await onItsOwnThread { Probe(make, budget: .seconds(300)).find(property) }
        print(ProbeProcess.Report.found(property, finding).line)
    }

    @Test func `every row of a probe has a change that it sees`() {
        let probed = Property.allCases.filter { $0.source == .probe }
        #expect(Set(probed).subtracting(Self.changes.map(\.1)) == [])
    }

    /// The compiler's rows of the advice are in the other suite.
    static let advised = Advice.all.flatMap { advice in
        advice.rows.filter { $0.property.source == .probe }.map { (advice.choice, $0.property, $0.holds) }
    }

    /// The rows of the advice, and others in which wirings differ.
    static let verdicts =
        advised + [
            (WiringChoice.delegate, Property.reachesManyObservers, false),
            (.direct, .lateObserverSeesCurrentValue, false),
            (.foundationNotification, .lateObserverSeesCurrentValue, false),
            (.notification, .lateObserverSeesCurrentValue, true), (.observations, .lateObserverSeesCurrentValue, true),
            (.closureLocked, .failingObserverDoesNotStopTheOthers, false), (.closureLocked, .failureIsLearnedOf, true),
            (.asyncStream, .failingObserverDoesNotStopTheOthers, true), (.asyncStream, .failureIsLearnedOf, false),
            (.asyncStream, .deliversOnAQueue, true),
            (.foundationMessages, .deliversOnAQueue, true), (.foundationMessages, .deliversEachNotificationOnce, false),
            (.observations, .deliversEachNotificationOnce, false), (.observations, .keepsOrderOfPosts, true),
            (.subject, .releasedObserverIsForgotten, true), (.subject, .postUnderWayHeedsCancelElsewhere, true),
            (.boxesLocked, .releasedObserverIsForgotten, false),
            (.closure, .releasedObserverIsForgotten, false), (.closure, .noCallAfterCancel, false),
            (.closureLocked, .postUnderWayHeedsCancelElsewhere, false),
            (.notification, .postUnderWayHeedsCancelElsewhere, true),
            (.notification, .oneCallOfAnObserverAtATime, true), (.notification, .noRetainCycleThroughSelf, false),
            (.notification, .keepsOneOrderAcrossThreads, false), (.boxesLocked, .oneCallOfAnObserverAtATime, false),
            (.notification, .cancelWaitsForARunningCall, true), (.notification, .observerCanBeHeldWeakly, true),
            (.notification, .deliversOnAQueue, true), (.delegate, .noRetainCycleThroughSelf, true),
            (.foundationNotification, .keepsOrderOfObservers, false),
            (.observation, .deliversEachNotificationOnce, false), (.observation, .finishedWhenPosterGoesOn, false),
            (.asyncStream, .finishedWhenPosterGoesOn, false), (.asyncStream, .slowObserverIsNoticed, false),
            (.foundationMessage, .finishedWhenPosterGoesOn, false), (.foundationMessage, .keepsOrderOfPosts, false),
        ]

    @Test(arguments: WiringChoice.allCases.filter { choice in verdicts.contains { $0.0 == choice } })
    func `a probe sees what a wiring has and what it lacks`(choice: WiringChoice) async throws {
        let expected = Self.verdicts.filter { $0.0 == choice }
        for (_, property, _) in expected { #expect(choice.reasonNotToApply(property) == nil) }
        let ending = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            [name = choice.rawValue as String, rows = expected.map(\.1.rawValue) as [String]] in
            for row in rows {
                await Self.report(Property(rawValue: row)!) { WiringChoice(rawValue: name)!.makeSpecimen() }
            }
        }
        let found = String(decoding: ending.standardOutputContent, as: UTF8.self)
        for (_, property, holds) in expected {
            // On a very busy machine the threads seldom run at once. Then there is no verdict.
            if found.contains("found\t\(property)\tnull\ttwo threads ran side by side in only") { continue }
            #expect(found.contains("found\t\(property)\t\(holds)\t"), "\(found)")
        }
    }

    @Test func `a drawing has the calls of the first run and the threads that made them`() async throws {
        let found = await onItsOwnThread {
            [.capturesWeakly, .deliversLater].map { change in
                Probe({ ChangedSpecimen(change) }).find(.reachesManyObservers)
            }
        }
        let traces = try found.map { try #require($0.trace) }
        #expect(
            traces[0].text.joined(separator: "\n") == """
                thread poster          wiring        observer 1      observer 2      observer 3
                     1    │── observe 1 ─>│               │               │               │
                     1    │── observe 2 ─>│               │               │               │
                     1    │── observe 3 ─>│               │               │               │
                     1    │── post 1 ────>│               │               │               │
                     1    │               │── 1 ─────────>│               │               │
                     1    │               │<╌╌╌╌╌╌╌╌╌╌╌╌╌╌│               │               │
                     1    │               │── 1 ─────────────────────────>│               │
                     1    │               │<╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌│               │
                     1    │               │── 1 ─────────────────────────────────────────>│
                     1    │               │<╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌│
                     1    │<╌╌╌╌╌╌╌╌╌╌╌╌╌╌│               │               │               │
                """)
        #expect(Set(traces[1].arrows.filter { $0.from > 1 }.map(\.thread)) == [2])
        let line = ProbeProcess.Report.found(.reachesManyObservers, found[0]).line
        #expect(line.contains(",1,0,1,post 1,1,1,2,1,1,2,1,,"), "\(line)")
    }

    @Test func `a drawing shows whom a cancellation reaches, and where a poster goes on`() async throws {
        func labels(_ change: ChangedSpecimen.Change?, _ property: Property) async throws -> [String] {
            let finding = await onItsOwnThread { Probe({ ChangedSpecimen(change) }).find(property) }
            return try #require(finding.trace).arrows.map { "\($0.from)>\($0.to) \($0.label)" }
        }
        // The first observer cancels the second, which is called only if the wiring does not heed that.
        let deaf = try await labels(nil, .noCallAfterCancel)
        #expect(deaf.contains("2>1 cancel 2") && deaf.contains("1>3 1"))
        let heeding = try await labels(.heedsCancel, .noCallAfterCancel)
        #expect(heeding.contains("2>1 cancel 2") && !heeding.contains("1>3 1"))
        let late = try await labels(.keepsLatest, .lateObserverSeesCurrentValue)
        #expect(late == ["0>1 post 7", "1>0 ", "0>1 from now 1", "1>2 7", "2>1 ", "0>1 cancel 1"])
        let slow = try await labels(nil, .slowObserverIsNoticed)
        #expect(slow[1...4] == ["0>1 post 1", "1>2 1", "2>1 ", "1>0 "])
        let unnoticed = try await labels(.deliversLater, .slowObserverIsNoticed).prefix(CallTrace.begun)
        #expect(unnoticed.contains("0>1 post 2") && !unnoticed.contains("2>1 "))
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
        let line = ProbeProcess.Report.found(.deliversOnAQueue, Finding(nil, "saw 3 of 4")).line
        #expect(line == "found\tdeliversOnAQueue\tnull\tsaw 3 of 4\n")
        #expect(ProbeProcess.Report.begun(.deliversOnAQueue).line == "begun\tdeliversOnAQueue\n")
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
