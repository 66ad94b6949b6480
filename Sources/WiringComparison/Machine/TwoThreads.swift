import Dispatch
import Platform
import Synchronization

/// Runs `work` on two threads that begin together. If they have not met after a second or more, each begins alone.
///
/// - Returns: whether both had a processor, from before they began until they were done or slept of their own accord;
///   true if the system does not tell.
@discardableResult
func onTwoThreads(_ work: @escaping @Sendable (Int) -> Void) -> Bool {
    // 1: one thread waits, 2: both are here.
    let meeting = Atomic(0)
    let disturbed = Atomic(0)
    let group = DispatchGroup()
    for thread in 0..<2 {
        // A queue for each: a shared pool might have one thread.
        DispatchQueue(label: "thread \(thread)").async(group: group) {
            var preempted: Int?
            var isHere = false
            var place: ProcessorOfThread?
            var tries = 0
            while !isHere && tries < 1000 {
                tries += 1
                preempted = timesPreempted()
                isHere = meeting.compareExchange(expected: 1, desired: 2, ordering: .acquiringAndReleasing).exchanged
                if isHere
                    || !meeting.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged
                {
                    continue
                }
                // The other may have no processor, so this one waits for a moment and tries again later.
                let end = monotonicNanoseconds() + (place == nil ? 50_000 : 500_000)
                while meeting.load(ordering: .acquiring) == 1, monotonicNanoseconds() < end {}
                isHere = !meeting.compareExchange(expected: 1, desired: 0, ordering: .acquiringAndReleasing).exchanged
                if isHere { break }
                // A busy machine may keep both on one processor for long. So each gets one of its own, and both sleep
                // until the next full millisecond. A thread that wakes up soon gets its processor.
                if place == nil { place = ProcessorOfThread(thread) }
                usleep(1000 - UInt32(monotonicNanoseconds() / 1000 % 1000))
            }
            place?.leave()
            work(thread)
            if !isHere || timesPreempted() != preempted { disturbed.add(1, ordering: .relaxed) }
        }
    }
    group.wait()
    return disturbed.load(ordering: .relaxed) == 0
}

/// Binds the current thread to one of the processors that it may use, until ``leave()``.
private struct ProcessorOfThread {
    #if os(Linux)
        private var before = [UInt64](repeating: 0, count: 16)
    #endif

    /// - Parameter number: The index of the processor, modulo the number of allowed ones.
    init(_ number: Int) {
        #if os(Linux)
            guard unsafe juicestand_get_processors(&before) > 0 else { return }
            let allowed = (0..<1024).filter { before[$0 / 64] >> ($0 % 64) & 1 == 1 }
            guard !allowed.isEmpty else { return }
            let one = allowed[number % allowed.count]
            var mask = [UInt64](repeating: 0, count: 16)
            mask[one / 64] = 1 << (one % 64)
            unsafe juicestand_set_processors(mask)
        #endif
    }

    func leave() {
        #if os(Linux)
            unsafe juicestand_set_processors(before)
        #endif
    }
}

/// The wall time and the processor time of this process so far.
///
/// Processor time alone would never run out on a machine that gives none; wall time alone runs out early on a busy one.
struct Expense {
    private let begun = ContinuousClock.now
    private let usedBefore = processorTime()

    func exceeds(work: Duration, wall: Duration) -> Bool {
        processorTime() - usedBefore > work || ContinuousClock.now - begun > wall
    }
}

/// Processor time of all threads of this process.
func processorTime(_ clock: clockid_t = CLOCK_PROCESS_CPUTIME_ID) -> Duration {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// How often the system took a processor from the calling thread; nil if it does not tell.
func timesPreempted() -> Int? {
    #if os(Linux)
        // 1 is RUSAGE_THREAD, which Swift's module of the C library leaves out.
        var usage = rusage()
        return unsafe getrusage(1, &usage) == 0 ? usage.ru_nivcsw : nil
    #else
        return nil
    #endif
}
