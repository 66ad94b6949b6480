import AllocationCount
import Dispatch
import JuiceStand
import Platform
import Synchronization

/// Measures what observing and cancelling cost, and the memory of an observation and of an event.
///
/// Times are processor time of the thread that observes and cancels.
package struct ObservingMeasurement {
    /// One wiring whose observers come and go.
    private struct Subject {
        var choice: WiringChoice
        /// Each observes and cancels once per unit and returns the nanoseconds of one time.
        var alone: () -> Double
        var besideThousand: () -> Double
        /// nil if the wiring must be used from one thread.
        var whileAnotherPosts: (() -> Double)?
        var memory: (inout Comparison.Observing) -> Void
        var times: [[Double]] = [[], [], []]
    }

    private var subjects: [Subject]
    private static let rounds = 200

    package init(_ choices: [WiringChoice]) {
        // Two observers: with one, some wirings have no list of them.
        subjects = choices.compactMap { choice in
            choice.visit(SubjectMaker(choice: choice), observers: [SharedSum(), SharedSum()]).flatMap { $0 }
        }
    }

    /// Takes an idiom whose observers come and go.
    private struct SubjectMaker: IdiomVisitor {
        typealias Observer = SharedSum

        let choice: WiringChoice

        func visit<Way: Idiom>(_ way: Way, keys: Any) -> Subject? where Way.Observer == SharedSum {
            (Way.self as? any (OpenIdiom<SharedSum>).Type).map { subject(choice, $0) }
        }
    }

    private static func subject<Way: OpenIdiom>(
        _ choice: WiringChoice, _ type: Way.Type
    ) -> Subject where Way.Observer == SharedSum {
        let isSafe = choice.delivery == .atOnce && choice.reasonNotToApply(.oneCallOfAnObserverAtATime) == nil
        let sum = SharedSum()
        func time(_ way: Way) -> Double {
            (0..<3).map { _ in
                let start = processorTime(CLOCK_THREAD_CPUTIME_ID)
                for _ in 0..<rounds { way.remove(way.add(sum)) }
                return (processorTime(CLOCK_THREAD_CPUTIME_ID) - start) / .nanoseconds(rounds)
            }.min()!
        }
        let alone = Way()
        let crowded = Way()
        let keys = [alone.add(sum)] + (0..<1000).map { _ in crowded.add(sum) }
        return Subject(
            choice: choice, alone: { withExtendedLifetime(keys) { time(alone) } }, besideThousand: { time(crowded) },
            whileAnotherPosts: isSafe ? { Self.whilePosting(alone) { time(alone) } } : nil,
            memory: { memory(type, isLater: choice.delivery == .later, &$0) })
    }

    /// Runs `work` while another thread posts all the time.
    private static func whilePosting<Way: OpenIdiom>(_ way: Way, _ work: () -> Double) -> Double {
        let slot = Slot(way)
        let isDone = Atomic(false)
        let hasBegun = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        DispatchQueue(label: "poster").async(group: group) {
            let way = slot.value
            hasBegun.signal()
            while !isDone.load(ordering: .acquiring) { way.post(Sale(order: 0)) }
        }
        hasBegun.wait()
        let time = work()
        isDone.store(true, ordering: .releasing)
        group.wait()
        return time
    }

    /// The wirings whose observers come and go.
    package var wirings: [WiringChoice] { subjects.map(\.choice) }

    /// Observes and cancels under each wiring.
    ///
    /// - Parameter counts: False to warm up.
    mutating func pass(counts: Bool = true) {
        for index in subjects.indices {
            let subject = subjects[index]
            let found = [subject.alone(), subject.besideThousand(), subject.whileAnotherPosts?()]
            for (place, time) in found.enumerated() where counts {
                if let time { subjects[index].times[place].append(time) }
            }
        }
    }

    /// The figures of all passes; empty without a pass.
    func figures() -> [WiringChoice: Comparison.Observing] {
        var found: [WiringChoice: Comparison.Observing] = [:]
        for subject in subjects where !subject.times[0].isEmpty {
            var figures = Comparison.Observing(
                nanoseconds: Spread(subject.times[0]), besideThousand: Spread(subject.times[1]),
                whileAnotherPosts: subject.times[2].isEmpty ? nil : Spread(subject.times[2]))
            subject.memory(&figures)
            found[subject.choice] = figures
        }
        return found
    }

    /// The memory of 1,000 observations, and of 100 events with one observation each.
    ///
    /// - Parameter isLater: Whether other threads deliver. They begin in their own time and take memory then, so they
    ///   are waited for; without an end to that, there are no figures.
    private static func memory<Way: OpenIdiom>(
        _ type: Way.Type, isLater: Bool, _ figures: inout Comparison.Observing
    ) where Way.Observer == SharedSum {
        waitForQuiet()
        let sum = SharedSum()
        let way = Way()
        var keys: [Way.Key] = []
        keys.reserveCapacity(2000)
        guard beginCountingAllocations() > 0 else { return }
        for _ in 0..<1000 { keys.append(way.add(sum)) }
        let isSettled = !isLater || isIdle(after: .seconds(1))
        let found = endCountingAllocations()
        if isSettled {
            figures.bytes = Double(found.bytesKept) / 1000
            figures.allocations = Double(found.blocks) / 1000
        }
        for key in keys { way.remove(key) }
        keys.removeAll(keepingCapacity: true)
        waitForQuiet()
        var ways: [Way] = []
        ways.reserveCapacity(100)
        guard beginCountingAllocations() > 0 else { return }
        for _ in 0..<100 {
            ways.append(Way())
            keys.append(ways[ways.count - 1].add(sum))
        }
        let areSettled = !isLater || isIdle(after: .seconds(1))
        let bytes = Double(endCountingAllocations().bytesKept) / 100
        if areSettled { figures.eventBytes = figures.bytes.map { max(0, bytes - $0) } }
        for (way, key) in zip(ways, keys) { way.remove(key) }
    }

    /// Waits until no thread allocates or frees: tasks of observers that left end in their own time.
    private static func waitForQuiet() {
        for _ in 0..<200 {
            guard beginCountingAllocations() > 0 else { return }
            usleep(5000)
            let found = endCountingAllocations()
            if found.blocks == 0, found.bytesKept == 0 { return }
        }
    }
}
