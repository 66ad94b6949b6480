import Dispatch
import HTTPServer
import JuiceStand
import Platform
import StandService
import StandState
import TextFormats

/// A stand in another process, for its live display: follows its events and polls its status.
package final class RemoteStand: StandSource {
    /// Lines that wait for the display. If there are more, the first are dropped and counted.
    private static let mostLines = 400
    /// The poll interval for the status, in nanoseconds.
    private static let statusTime: UInt64 = 250_000_000

    private struct Inbox {
        var news: [StandNews] = []
        var lines: [ArraySlice<UInt8>] = []
        var skipped = 0
        var askedAt: UInt64 = 0
        var isAsking = false
        /// Whether the stock's marks and the menu may have changed.
        var wantsShelves = true
        var hasEnded = false
        var hasClosed = false

        /// The news in order.
        mutating func takeNews() -> [StandNews] {
            defer { (news, lines, skipped) = ([], [], 0) }
            return news + (skipped > 0 ? [.skipped(skipped)] : []) + lines.map { .line($0) }
        }
    }

    private let client: StandClient
    private let stop = StopSignal()
    private let inbox = Guarded(Inbox())
    /// Requests wait for their answers on this queue.
    private let asking = DispatchQueue(label: "asking")

    /// Follows the stand at `path` from the event after the one numbered `place`.
    package init(path: String, after place: UInt64) {
        client = StandClient(path: path)
        let follower = StandFollower(path: path, after: place, stop: stop)
        // A thread of its own, because it blocks. It ends with the stand or with this object.
        DispatchQueue(label: "following").async { [weak self] in
            var follower = follower
            while let news = follower.next() {
                guard let self else { break }
                self.take(news)
            }
            follower.close()
            self?.inbox.withLock { $0.hasEnded = true }
        }
    }

    deinit {
        stop.stop()
    }

    /// Whether the stand's last event has arrived.
    package var hasClosed: Bool { inbox.withLock { $0.hasClosed } }

    private func take(_ news: StandFollower.News) {
        inbox.withLock { inbox in
            switch news {
            case .event(let line, _):
                inbox.lines.append(line)
                switch LedgerEvent.name(of: line) {
                case "configurationChanged": inbox.wantsShelves = true
                case "closed": inbox.hasClosed = true
                default: break
                }
                if inbox.lines.count >= 2 * Self.mostLines {
                    inbox.lines.removeFirst(Self.mostLines)
                    inbox.skipped += Self.mostLines
                }
            case .gap(let after, let first):
                inbox.skipped += Int(clamping: first - after - 1)
                // The configuration may have changed meanwhile.
                inbox.wantsShelves = true
            case .otherStand:
                // Earlier news is about the former stand.
                inbox.news = inbox.takeNews() + [.otherStand]
                inbox.wantsShelves = true
            case .away(let reason): inbox.news.append(.away("the stand is away: \(reason); waiting for it"))
            case .back:
                inbox.news.append(.back)
                inbox.wantsShelves = true
            }
        }
    }

    func news() -> [StandNews] {
        ask()
        return inbox.withLock { $0.takeNews() + ($0.hasEnded ? [.ended] : []) }
    }

    /// Requests the status, unless a request is under way or was made just now.
    private func ask() {
        let now = monotonicNanoseconds()
        let isDue = inbox.withLock { inbox in
            guard !inbox.isAsking, now - inbox.askedAt >= Self.statusTime else { return false }
            (inbox.isAsking, inbox.askedAt) = (true, now)
            return true
        }
        guard isDue else { return }
        asking.async { [weak self] in self?.askNow() }
    }

    private func askNow() {
        // A later request needs newer ones.
        let wantsShelves = inbox.withLock { inbox in
            defer { inbox.wantsShelves = false }
            return inbox.wantsShelves
        }
        var news: [StandNews] = []
        var hasShelves = false
        do throws(StandClient.Failure) {
            if wantsShelves {
                let (stock, menu) = (try client.send(.get, "/api/v1/stock"), try client.send(.get, "/api/v1/menu"))
                if stock.isSuccess, menu.isSuccess, let stock = stock.json, let menu = menu.json {
                    news.append(.shelves(stock: stock, menu: menu))
                    hasShelves = true
                }
            }
            let status = try client.send(.get, "/api/v1/status")
            if status.isSuccess, let json = status.json { news.append(.status(json)) }
        } catch {
            // The events report that the stand is away.
            (news, hasShelves) = ([], false)
        }
        inbox.withLock { inbox in
            inbox.isAsking = false
            inbox.news += news
            if wantsShelves, !hasShelves { inbox.wantsShelves = true }
        }
    }

    func make(_ wish: LiveWish, reply: @escaping @Sendable (String) -> Void) {
        let request: (method: HTTPMethod, target: String, content: JSONValue?)
        switch wish {
        case .order(let juice, let cups):
            request = (.post, "/api/v1/orders", ["juice": .string(juice), "cups": .integer(Int64(cups))])
        case .restock(let fruit, let pieces):
            let changes: JSONValue = .object([.init(key: fruit, value: .integer(Int64(pieces)))])
            request = (.post, "/api/v1/stock/changes", ["changes": changes])
        case .rate(let factor): request = (.put, "/api/v1/rate", ["factor": .number(factor)])
        case .pause: request = (.post, "/api/v1/pause", nil)
        case .resume: request = (.post, "/api/v1/resume", nil)
        case .look(let number): request = (.get, "/api/v1/status?seq=\(number)", nil)
        case .quit: return
        }
        asking.async { [client, weak self] in
            do throws(StandClient.Failure) {
                // A retry with the same key changes nothing.
                let answer = try client.send(
                    request.method, request.target, fields: [("Idempotency-Key", SecretToken().text)],
                    content: request.content)
                if case .look = wish, answer.isSuccess, let status = answer.json {
                    self?.inbox.withLock { $0.news.append(.instant(status)) }
                    return
                }
                let detail = answer.json?["detail"]?.text ?? "the stand answered with status \(answer.status)"
                reply(wish.outcome(answer.isSuccess ? nil : detail))
            } catch {
                reply(wish.outcome(error.reason))
            }
        }
    }
}
