import Dispatch
import Platform

/// Follows the status of many stands, and keeps their table.
package final class StandsSource: Sendable {
    /// The poll interval for the status of a stand, in milliseconds.
    private static let interval: UInt64 = 1000

    private let stop = StopSignal()
    private let latestTable: Guarded<StandTable>

    package init(_ targets: StandTargets) {
        latestTable = Guarded(StandTable(of: targets.targets.map(\.target)))
        // A thread of its own, because it blocks. It ends with this object.
        DispatchQueue(label: "stands").async { [weak self, stop] in
            var follower = StandsFollower(targets, .status(every: Self.interval), stop: stop)
            while follower.advance({ stand, news in self?.latestTable.withLock { $0.take(news, of: stand) } }) {
                do throws(StandTargetsError) {
                    guard let targets = try follower.refresh() else { continue }
                    self?.latestTable.withLock { $0.follow(targets.map(\.target)) }
                } catch {
                    self?.latestTable.withLock { $0.problem = error.lines[0] }
                }
            }
            follower.close()
        }
    }

    deinit { stop.stop() }

    package var table: StandTable { latestTable.withLock { $0 } }

    /// The table, and the alerts that are new since the last call.
    package func latest() -> (table: StandTable, alerts: [StandTable.Alert]) {
        latestTable.withLock { table in
            let alerts = table.takeAlerts()
            return (table, alerts)
        }
    }
}
