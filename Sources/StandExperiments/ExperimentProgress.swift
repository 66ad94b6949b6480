import Synchronization

/// How far an experiment has come, for whoever watches from another thread.
package final class ExperimentProgress: Sendable {
    package struct Reading: Sendable {
        package var replicationsDone = 0
        /// As far as is known now: a wanted precision may ask for more.
        package var replicationsExpected = 0
        /// Stand time, of all replications together.
        package var secondsDone = 0.0
        package var secondsExpected = 0.0
        package var orders: UInt64 = 0
    }

    private let state = Mutex(Reading())

    package init() {}

    package var reading: Reading { state.withLock { $0 } }

    func expect(replications: Int, seconds: Double) {
        state.withLock {
            $0.replicationsExpected += replications
            $0.secondsExpected += seconds
        }
    }

    func add(seconds: Double, orders: UInt64) {
        state.withLock {
            $0.secondsDone += seconds
            $0.orders += orders
        }
    }

    func endReplication() {
        state.withLock { $0.replicationsDone += 1 }
    }
}
