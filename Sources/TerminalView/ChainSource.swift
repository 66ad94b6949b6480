import Dispatch
import Platform
import StandService
import TextFormats

/// Follows the status of many stands, for their table.
package final class ChainSource: Sendable {
    /// News of one of the stands.
    struct News: Sendable {
        let target: StandTarget
        /// The name; nil before the first contact.
        let name: String?
        /// The status; nil if the stand is away.
        let status: JSONValue?
    }

    /// What has happened since it was last asked.
    struct Inbox: Sendable {
        /// Only the latest of each stand counts, so a busy terminal gets no more than one for each.
        var news: [StandTarget: News] = [:]
        /// The stands that are followed now; nil if they are as before.
        var targets: [StandTarget]?
        /// Why the list of stands could not be read again.
        var problem: String?
    }

    /// Milliseconds between two looks at a stand.
    private static let interval: UInt64 = 1000

    private let stop = StopSignal()
    private let inbox: Guarded<Inbox>

    package init(_ targets: StandTargets) {
        inbox = Guarded(Inbox(targets: targets.targets.map(\.target)))
        // A thread of its own, because it blocks. It ends with this object.
        DispatchQueue(label: "stands").async { [weak self, stop] in
            var targets = targets
            var follower = StandsFollower(.status(every: Self.interval), stop: stop)
            follower.follow(targets.targets)
            var lastLook = monotonicNanoseconds()
            while follower.advance({ self?.take($0, $1) }) {
                guard monotonicNanoseconds() - lastLook > Self.interval * 1_000_000 else { continue }
                lastLook = monotonicNanoseconds()
                do throws(StandTargets.Problem) {
                    guard try targets.refresh() else { continue }
                    follower.follow(targets.targets)
                    self?.inbox.withLock { $0.targets = targets.targets.map(\.target) }
                } catch {
                    self?.inbox.withLock { $0.problem = "\(error)" }
                }
            }
            follower.close()
        }
    }

    deinit { stop.stop() }

    private func take(_ stand: FollowedStand, _ news: StandsFollower.News) {
        let status: JSONValue?
        switch news {
        case .status(let found): status = found
        case .away: status = nil
        default: return
        }
        let entry = News(target: stand.target, name: stand.name, status: status)
        inbox.withLock { $0.news[entry.target] = entry }
    }

    func news() -> Inbox {
        inbox.withLock { inbox in
            defer { inbox = Inbox() }
            return inbox
        }
    }
}
