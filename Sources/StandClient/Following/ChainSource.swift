import Dispatch
import Platform
import TextFormats

/// Follows the status of many stands, for their table.
package final class ChainSource: Sendable {
    /// The name of a stand, and its status, or why it is away.
    package typealias News = (name: String, status: Result<StatusDocument, Absence>)

    /// Why a stand is away.
    package struct Absence: Error {
        let reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// What has happened since it was last asked.
    package struct Inbox: Sendable {
        /// Only the latest of each stand counts, so a busy reader gets no more than one for each.
        package var news: [StandTarget: News] = [:]
        /// The stands that are followed now; nil if they are as before.
        package var targets: [StandTarget]?
        /// Why the list of stands could not be read again.
        package var problem: String?

        package init(targets: [StandTarget]? = nil) { self.targets = targets }
    }

    /// Milliseconds between two looks at a stand.
    private static let interval: UInt64 = 1000

    private let stop = StopSignal()
    private let inbox: Guarded<Inbox>

    package init(_ targets: StandTargets) {
        inbox = Guarded(Inbox(targets: targets.targets.map(\.target)))
        // A thread of its own, because it blocks. It ends with this object.
        DispatchQueue(label: "stands").async { [weak self, stop] in
            var follower = StandsFollower(targets, .status(every: Self.interval), stop: stop)
            while follower.advance({ self?.take($0, $1) }) {
                do throws(StandTargets.Problem) {
                    guard let targets = try follower.refresh() else { continue }
                    self?.inbox.withLock { $0.targets = targets.map(\.target) }
                } catch {
                    self?.inbox.withLock { $0.problem = error.lines[0] }
                }
            }
            follower.close()
        }
    }

    deinit { stop.stop() }

    private func take(_ stand: FollowedStand, _ news: StandsFollower.News) {
        let status: Result<StatusDocument, Absence>
        switch news {
        case .status(let found): status = .success(found)
        case .away(let reason): status = .failure(Absence(reason: reason))
        default: return
        }
        inbox.withLock { $0.news[stand.target] = (stand.nameOrTarget, status) }
    }

    package func news() -> Inbox {
        inbox.withLock { inbox in
            defer { inbox = Inbox() }
            return inbox
        }
    }
}
