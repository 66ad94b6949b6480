import Dispatch

/// Runs an actor on a serial queue, so that code outside the actor can reach its state with `queue.sync`.
package final class QueueExecutor: SerialExecutor {
    package let queue: DispatchQueue

    package init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
