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
    private struct Crowd {
        var profile: Profile
        /// The nanoseconds to observe and cancel: alone, beside a thousand others and, unless the wiring must be used
        /// from one thread, while another thread posts.
        var measures: [() -> Double]
        var times: [[Double]] = [[], [], []]
    }

    private var crowds: [Crowd]
    private static let rounds = 200

    /// Wirings whose observers are fixed, or that take only one observer, have no figures.
    package init(_ choices: [WiringChoice]) {
        crowds = choices.filter { choice in
            choice.profile.make().capacity > 1 && choice.profile.reasonNotToApply(.noCallAfterCancel) == nil
        }.map { Self.crowd($0.profile) }
    }

    private static func crowd(_ profile: Profile) -> Crowd {
        let sum = Display()
        func time(_ till: any Idiom) -> Double {
            (0..<3).map { _ in
                let start = processorTime(CLOCK_THREAD_CPUTIME_ID)
                till.observeAndCancel(sum, rounds)
                return (processorTime(CLOCK_THREAD_CPUTIME_ID) - start) / .nanoseconds(rounds)
            }.min()!
        }
        let alone = profile.make()
        let crowded = profile.make()
        let isSafe = !alone.isConcurrent && profile.reasonNotToApply(.oneCallOfAnObserverAtATime) == nil
        let keys = [alone.observe(sum)] + (0..<1000).map { _ in crowded.observe(sum) }
        var measures: [() -> Double] = [
            { withExtendedLifetime(keys) { time(alone) } }, { withExtendedLifetime(keys) { time(crowded) } },
        ]
        if isSafe { measures.append { Self.whilePosting(alone) { time(alone) } } }
        return Crowd(profile: profile, measures: measures)
    }

    /// Runs `work` while another thread posts all the time.
    private static func whilePosting(_ till: any Idiom, _ work: () -> Double) -> Double {
        let slot = Slot(till)
        let isDone = Atomic(false)
        let hasBegun = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        DispatchQueue(label: "poster").async(group: group) {
            let till = slot.value
            hasBegun.signal()
            while !isDone.load(ordering: .acquiring) { till.post(Sale(order: 0)) }
        }
        hasBegun.wait()
        let time = work()
        isDone.store(true, ordering: .releasing)
        group.wait()
        return time
    }

    /// The wirings whose observers come and go.
    package var wirings: [WiringChoice] { crowds.map(\.profile.choice) }

    /// Observes and cancels under each wiring.
    ///
    /// - Parameter counts: False to warm up.
    mutating func pass(counts: Bool = true) {
        for index in crowds.indices {
            for (place, measure) in crowds[index].measures.enumerated() {
                let time = measure()
                if counts { crowds[index].times[place].append(time) }
            }
        }
    }

    /// The figures of all passes; empty without a pass.
    func figures() -> [WiringChoice: Comparison.Observing] {
        var found: [WiringChoice: Comparison.Observing] = [:]
        for crowd in crowds where !crowd.times[0].isEmpty {
            var figures = Comparison.Observing(
                nanoseconds: Spread(crowd.times[0]), besideThousand: Spread(crowd.times[1]),
                whileAnotherPosts: crowd.times[2].isEmpty ? nil : Spread(crowd.times[2]))
            Self.measureMemory(crowd.profile, &figures)
            found[crowd.profile.choice] = figures
        }
        return found
    }

    /// The memory of 1,000 observations, and of 100 events with one observation each.
    ///
    /// Threads that deliver begin later and allocate memory then, so the measurement waits for them. If they are not
    /// idle after a second, there are no figures.
    private static func measureMemory(_ profile: Profile, _ figures: inout Comparison.Observing) {
        waitForQuiet()
        let sum = Display()
        let till = profile.make()
        let isLater = till.isConcurrent
        var keys: [Any] = []
        keys.reserveCapacity(2000)
        guard beginCountingAllocations() > 0 else { return }
        for _ in 0..<1000 { keys.append(till.observe(sum)) }
        let isSettled = !isLater || isIdle(after: .seconds(1))
        let found = endCountingAllocations()
        if isSettled {
            figures.bytes = Double(found.bytesKept) / 1000
            figures.allocations = Double(found.blocks) / 1000
        }
        end(keys, till)
        keys.removeAll(keepingCapacity: true)
        waitForQuiet()
        var tills: [any Idiom] = []
        tills.reserveCapacity(100)
        guard beginCountingAllocations() > 0 else { return }
        for _ in 0..<100 {
            let till = profile.make()
            tills.append(till)
            keys.append(till.observe(sum))
        }
        let areSettled = !isLater || isIdle(after: .seconds(1))
        let bytes = Double(endCountingAllocations().bytesKept) / 100
        if areSettled { figures.eventBytes = figures.bytes.map { max(0, bytes - $0) } }
        for (till, key) in zip(tills, keys) { end([key], till) }
    }

    private static func end<Till: Idiom>(_ keys: [Any], _ till: Till) {
        for case let key as Till.Key in keys { till.cancel(key) }
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
