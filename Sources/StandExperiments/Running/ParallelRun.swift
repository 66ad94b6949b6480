import Dispatch
import Platform
import Synchronization

/// Calls `body` for every index below `count`, on up to `jobs` threads at a time.
///
/// - Parameter atLowPriority: Whether `body` runs on threads of low priority. These are not Dispatch threads, which
///   would keep the low priority for later work.
/// - Returns: The results in the order of the indices; nil for an index that was not begun before `goOn` returned
///   false.
package func inParallel<Result: Sendable>(
    _ count: Int, jobs: Int, atLowPriority: Bool = false, while goOn: @escaping @Sendable () -> Bool = { true },
    _ body: @escaping @Sendable (Int) -> Result
) -> [Result?] {
    let run = ParallelRun<Result>(count)
    let threads = max(1, min(jobs, count))
    guard atLowPriority else {
        DispatchQueue.concurrentPerform(iterations: threads) { _ in run.work(while: goOn, body) }
        return run.results.withLock { $0 }
    }
    let workers = DispatchGroup()
    for _ in 0..<threads {
        workers.enter()
        let status = startThread {
            lowerPriorityOfThread()
            run.work(while: goOn, body)
            workers.leave()
        }
        if status != 0 { workers.leave() }
    }
    workers.wait()
    // If the system refused every thread, nothing is computed yet.
    run.work(while: goOn, body)
    return run.results.withLock { $0 }
}

/// The results of ``inParallel(_:jobs:atLowPriority:while:_:)`` so far.
private final class ParallelRun<Result: Sendable>: Sendable {
    private let next = Atomic(0)
    private let count: Int
    let results: Mutex<[Result?]>

    init(_ count: Int) {
        self.count = count
        results = Mutex(Array(repeating: nil, count: count))
    }

    /// Computes results until all indices are taken.
    func work(while goOn: () -> Bool, _ body: (Int) -> Result) {
        while goOn() {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < count else { return }
            let result = body(index)
            results.withLock { $0[index] = result }
        }
    }
}
