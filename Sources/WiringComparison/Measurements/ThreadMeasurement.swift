import Dispatch
import JuiceStand
import Platform
import Synchronization

/// Measures how much processor time a post takes while another thread posts too, against a post alone.
///
/// Observers stay the same meanwhile, so wirings that are not thread-safe take part. They do nothing, so the threads
/// share what the mechanism shares, and no more. Only passes count in which both threads had a processor all the time.
struct ThreadMeasurement {
    /// The number of undisturbed passes to reach.
    var passes: Int
    /// The processor time to spend on them, in at most three times as much wall time.
    var budget: Duration
    /// A longer pass seldom keeps both processors.
    private static let nanosecondsAPass = 150_000.0

    func measure(_ profile: Profile) -> Comparison.Outcome<Spread> {
        if let why = profile.reasonNotToApply(.twoPostersDoNotSlowEachOther) { return .refused(why: why) }
        let (till, kept) = profile.plain.crowd { Display { _ in } }
        defer { withExtendedLifetime(kept) {} }
        let slot = Slot(till)
        /// - Returns: processor time of the calling thread.
        @Sendable func post(_ count: Int, _ thread: UInt64) -> Duration {
            let start = processorTime(CLOCK_THREAD_CPUTIME_ID)
            slot.value.post(count, from: thread, by: 2)
            return processorTime(CLOCK_THREAD_CPUTIME_ID) - start
        }
        _ = post(100, 0)
        let count = Int(max(100, Self.nanosecondsAPass / (post(100, 0) / .nanoseconds(100))))
        let expense = Expense()
        var ratios: [Double] = []
        while ratios.count < passes, !expense.exceeds(work: budget, wall: budget * 3) {
            let alone = post(count, 0)
            let together = Guarded(Duration.zero)
            let isUndisturbed = onTwoThreads { thread in
                let used = post(count, UInt64(thread))
                together.withLock { $0 += used }
            }
            if isUndisturbed { ratios.append(together.withLock { $0 } / alone / 2) }
        }
        return ratios.count < 5 ? .refused(why: "two threads seldom ran at once") : .measured(Spread(ratios))
    }
}
