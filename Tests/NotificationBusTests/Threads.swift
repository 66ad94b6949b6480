import Dispatch
import Platform
import Synchronization

/// Runs `work` on `count` threads of its own at the same time, and returns what each returned.
func onThreads<Result: Sendable>(_ count: Int, _ work: @escaping @Sendable (Int) -> Result) async -> [Result] {
    let arrivals = Gate(count)
    return await withTaskGroup(of: (Int, Result).self) { group in
        for number in 0..<count {
            // A queue of its own each: the shared pool may have fewer threads than are to run at the same time.
            let queue = DispatchQueue(label: "thread \(number)")
            group.addTask {
                await withCheckedContinuation { continuation in
                    queue.async {
                        arrivals.pass()
                        continuation.resume(returning: (number, work(number)))
                    }
                }
            }
        }
        var results: [(Int, Result)] = []
        for await result in group { results.append(result) }
        return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

/// A barrier for a number of threads.
///
/// Threads spin at first, so that they continue at the same time. They sleep after a long wait.
final class Gate: Sendable {
    private let missing: Atomic<Int>

    init(_ count: Int) {
        missing = Atomic(count)
    }

    func pass() {
        arrive()
        wait()
    }

    /// Comes without waiting for the others.
    func arrive() {
        missing.subtract(1, ordering: .acquiringAndReleasing)
    }

    /// Waits without being counted. For threads of a test's own: tasks share too few.
    func wait() {
        var looks = 0
        let deadline = ContinuousClock.now + .seconds(60)
        while missing.load(ordering: .acquiring) > 0 {
            looks += 1
            if looks < 1000 { sched_yield() } else { usleep(100) }
            precondition(looks % 1000 > 0 || .now < deadline, "waited 60 seconds for the other threads")
        }
    }
}

/// A generator that gives the same numbers for the same seed (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// A generator with a fresh seed, which is printed so that a failing run can be repeated.
    static func printed(_ test: String = #function) -> SeededRandom {
        let seed = UInt64.random(in: .min ... .max)
        print("\(test): seed \(seed)")
        return SeededRandom(seed: seed)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
