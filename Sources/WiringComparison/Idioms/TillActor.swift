import Synchronization

/// An actor that has the poster's thread, as the main actor has that of an app: its jobs run in the poster's turns.
@globalActor
actor TillActor {
    static let shared = TillActor()
    private let executor = TurnExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Runs the jobs that wait, and those that they add. Call it on the poster's thread.
    ///
    /// - Returns: whether there were jobs.
    static func turn() -> Bool { shared.executor.turn() }

    /// Runs `body` on the poster's thread, which is the actor's.
    static func assumeIsolated<Result: Sendable>(_ body: @TillActor () -> Result) -> Result {
        typealias Plain = () -> Result
        return withoutActuallyEscaping(body) { unsafe unsafeBitCast($0, to: Plain.self)() }
    }
}

/// Keeps jobs until the next turn.
private final class TurnExecutor: SerialExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    func turn() -> Bool {
        var hasRun = false
        while true {
            let waiting = jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            guard !waiting.isEmpty else { return hasRun }
            hasRun = true
            for job in waiting { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    /// The thread that takes the turns is the poster's, and no other thread uses a till of this actor.
    func checkIsolated() {}
}
