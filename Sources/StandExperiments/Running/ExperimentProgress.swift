import Synchronization

/// The progress of an experiment. It may be read on any thread.
package final class ExperimentProgress: Sendable {
    package struct Reading: Sendable {
        package var replicationsDone = 0
        /// The number known so far. A wanted precision may need more.
        package var replicationsExpected = 0
        /// Stand time of all replications together.
        package var secondsDone = 0.0
        package var secondsExpected = 0.0
        package var orders: UInt64 = 0
        /// For a plan, the number of settings still in the race, and of all settings.
        package var race: (left: Int, all: Int)?
    }

    private let state = Mutex(Reading())

    package init() {}

    package var reading: Reading { state.withLock { $0 } }

    func update(_ change: (inout Reading) -> Void) { state.withLock { change(&$0) } }
}
