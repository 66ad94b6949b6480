import Dispatch
import Synchronization

/// Measures what the library promises about speed, each figure beside its baselines in the same run.
@main
enum BusBench {
    static func main() {
        var figures = Figures()
        postTable(&figures)
        countTable(&figures)
        featureTable(&figures)
        formTable()
        churnTable("one thread has posted", &figures)
        threadTable(&figures)
        churnTable("others have posted too", &figures)
        memoryTable(&figures)
        goalTable(figures)
    }
}

/// Runs `work` on threads at the same time, and returns what each returned.
func onThreads(_ count: Int, _ work: @Sendable (Int) -> Double) -> [Double] {
    let results = Mutex(Array(repeating: 0.0, count: count))
    let arrived = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: count) { number in
        arrived.add(1, ordering: .acquiringAndReleasing)
        while arrived.load(ordering: .acquiring) < count {}
        let result = work(number)
        results.withLock { $0[number] = result }
    }
    return results.withLock { $0 }
}
