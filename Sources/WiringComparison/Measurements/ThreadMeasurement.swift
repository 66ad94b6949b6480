import Dispatch
import JuiceStand
import Platform
import Synchronization

/// Measures how much processor time a post takes while another thread posts too, against a post alone.
///
/// Observers stay the same meanwhile, so wirings that are not thread-safe take part. Only passes count in which both
/// threads had a processor all the time.
struct ThreadMeasurement: IdiomVisitor {
    typealias Observer = SharedSum

    /// Passes that must count.
    var passes: Int
    /// How much time to spend on getting them.
    var budget: Duration
    /// A longer pass seldom keeps both processors.
    private static let nanosecondsAPass = 150_000.0

    func measure(_ choice: WiringChoice) -> Comparison.TwoThreads {
        if let why = choice.reasonNotToApply(.twoPostersDoNotSlowEachOther) { return .refused(why: why) }
        let sums = (0..<(choice == .delegate ? 1 : 3)).map { _ in SharedSum() }
        return choice.visit(self, observers: sums) ?? .refused(why: "it has one observer")
    }

    func visit<Way: Idiom>(_ way: Way, keys: Any) -> Comparison.TwoThreads where Way.Observer == SharedSum {
        withExtendedLifetime(keys) { measure(way) }
    }

    private func measure<Way: Idiom>(_ way: Way) -> Comparison.TwoThreads {
        let slot = Slot(way)
        /// - Returns: processor time of the calling thread.
        @Sendable func post(_ count: UInt64, _ thread: Int) -> Duration {
            // Taken out once: threads that retain it at each post would slow each other.
            let way = slot.value
            let start = processorTime(CLOCK_THREAD_CPUTIME_ID)
            for number in 0..<count { way.post(Sale(order: 2 * number + UInt64(thread))) }
            return processorTime(CLOCK_THREAD_CPUTIME_ID) - start
        }
        _ = post(100, 0)
        let count = UInt64(max(100, Self.nanosecondsAPass / (post(100, 0) / .nanoseconds(100))))
        let expense = Expense()
        var ratios: [Double] = []
        while ratios.count < passes, !expense.exceeds(work: budget, wall: budget * 3) {
            let alone = post(count, 0)
            let together = Guarded(Duration.zero)
            let isUndisturbed = onTwoThreads { thread in
                let used = post(count, thread)
                together.withLock { $0 += used }
            }
            if isUndisturbed { ratios.append(together.withLock { $0 } / alone / 2) }
        }
        return ratios.count < 5 ? .refused(why: "two threads seldom ran at once") : .measured(slowdown: Spread(ratios))
    }
}
