import Dispatch
import Synchronization

/// Calls `body` for every index below `count`, up to `jobs` at a time, each on a thread of its own.
///
/// - Returns: what `body` returned, in the order of the indices; nil for those that were not begun when `goOn` said no.
func inParallel<Result: Sendable>(
    _ count: Int, jobs: Int, while goOn: @Sendable () -> Bool, _ body: @Sendable (Int) -> Result
) -> [Result?] {
    let next = Atomic(0)
    let results = Mutex([Result?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: max(1, min(jobs, count))) { _ in
        while goOn() {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < count else { return }
            let result = body(index)
            results.withLock { $0[index] = result }
        }
    }
    return results.withLock { $0 }
}
