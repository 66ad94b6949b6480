import Dispatch
import HTTPServer
import JuiceStand
import Platform
import TextFormats

/// A stand in another process, for its live display: follows its events and polls its status.
package final class RemoteStand: StandSource {
    /// Lines that wait for the display. If there are more, the first are dropped and counted.
    private static let mostLines = 400
    /// The number of earlier events that a display starts with.
    package static let history: UInt64 = 300
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
        /// Whether the marks and the menu have arrived. Lines wait for the menu, which has the names in the user's
        /// language.
        var hasShelves = false
        var hasEnded = false
        var hasClosed = false
        /// Whether the last answer was not that of a stand.
        var isFaulty = false

        /// The news in order.
        mutating func takeNews() -> [StandNews] {
            defer { news = [] }
            return hasShelves || hasEnded ? news + takeLines() : news
        }

        mutating func takeLines() -> [StandNews] {
            defer {
                lines = []
                skipped = 0
            }
            return (skipped > 0 ? [.skipped(skipped)] : []) + lines.compactMap { LedgerEvent($0).map { .event($0) } }
        }
    }

    private let target: StandTarget
    private let client: StandClient
    private let stop = StopSignal()
    private let inbox = Guarded(Inbox())
    /// Requests wait for their answers on this queue.
    private let asking = DispatchQueue(label: "asking")

    /// Follows a stand from the event after the one numbered `last`.
    package init(_ target: StandTarget, after last: UInt64) {
        self.target = target
        client = StandClient(target)
        // A thread of its own, because it blocks. It ends with the stand or with this object.
        DispatchQueue(label: "following").async { [weak self, stop] in
            var follower = StandsFollower(target, after: last, stop: stop)
            while follower.advance({ self?.take($1) }) {}
            follower.close()
            self?.inbox.withLock { $0.hasEnded = true }
        }
    }

    deinit { stop.stop() }

    /// Whether the stand's last event has arrived.
    package var hasClosed: Bool { inbox.withLock { $0.hasClosed } }

    private func take(_ news: StandsFollower.News) {
        inbox.withLock { inbox in
            switch news {
            case .event(let line, _):
                // A copy, because the rest of what arrived with it is not kept.
                inbox.lines.append(Array(line)[...])
                switch LedgerLine.head(line)?.event {
                case "configurationChanged": inbox.wantsShelves = true
                case "closed": inbox.hasClosed = true
                default: break
                }
                if inbox.lines.count >= 2 * Self.mostLines {
                    inbox.lines.removeFirst(Self.mostLines)
                    inbox.skipped += Self.mostLines
                }
            case .gap(let after, let first):
                inbox.skipped = Figures.sum([inbox.skipped, Int(clamping: first - after - 1)])
                // The configuration may have changed meanwhile.
                inbox.wantsShelves = true
            case .otherStand:
                // Earlier news is about the former stand.
                inbox.news += inbox.takeLines() + [.otherStand]
                inbox.wantsShelves = true
                inbox.hasShelves = false
            case .away(let reason): inbox.news.append(.away(reason))
            case .back:
                inbox.news.append(.back)
                inbox.wantsShelves = true
            case .status: break
            }
        }
    }

    package func news() -> [StandNews] {
        ask()
        return inbox.withLock { $0.takeNews() + ($0.hasEnded ? [.ended] : []) }
    }

    /// Requests the status, unless a request is under way or was made just now.
    private func ask() {
        let now = monotonicNanoseconds()
        let wantsShelves = inbox.withLock { inbox -> Bool? in
            guard !inbox.isAsking, now - inbox.askedAt >= Self.statusTime else { return nil }
            inbox.isAsking = true
            inbox.askedAt = now
            // A change during the request sets this again.
            defer { inbox.wantsShelves = false }
            return inbox.wantsShelves
        }
        guard let wantsShelves else { return }
        asking.async { [weak self] in self?.ask(forShelves: wantsShelves) }
    }

    private func ask(forShelves wantsShelves: Bool) {
        var news: [StandNews] = []
        var hasShelves = false
        var fault: String?
        do throws(StandClientError) {
            if wantsShelves, let stock = try client.send(.get, "/api/v1/stock").document(StockDocument.self),
                let menu = try client.send(.get, "/api/v1/menu").document(MenuDocument.self)
            {
                news.append(.shelves(stock: stock, menu: menu))
                hasShelves = true
            }
            let answer = try client.send(.get, "/api/v1/status", least: 0)
            if let status = answer.document(StatusDocument.self) { news.append(.status(status)) }
            if answer.isSuccess { fault = answer.problem }
        } catch {
            // The events report that the stand is away.
            news = []
            hasShelves = false
        }
        inbox.withLock { inbox in
            inbox.isAsking = false
            inbox.news += news
            if let fault {
                inbox.news.append(.away(fault.description))
            } else if inbox.isFaulty {
                inbox.news.append(.back)
            }
            inbox.isFaulty = fault != nil
            if hasShelves { inbox.hasShelves = true } else if wantsShelves { inbox.wantsShelves = true }
        }
    }

    package func make(_ wish: LiveWish, reply: @escaping @Sendable (LiveRefusal?) -> Void) {
        let request: (method: HTTPMethod, target: String, content: JSONValue?)
        switch wish {
        case .order(let juice, let cups):
            request = (.post, "/api/v1/orders", ["juice": .string(juice), "cups": .integer(Int64(cups))])
        case .restock(let fruit, let pieces):
            let changes: JSONValue = .object([.init(key: fruit, value: .integer(Int64(pieces)))])
            request = (.post, "/api/v1/stock/changes", ["changes": changes])
        case .rate(let factor): request = (.put, "/api/v1/rate", ["factor": .number(factor)])
        case .speed(let speed): request = (.put, "/api/v1/speed", ["speed": .number(speed)])
        case .pause: request = (.post, "/api/v1/pause", nil)
        case .resume: request = (.post, "/api/v1/resume", nil)
        case .look(let number): request = (.get, "/api/v1/status?seq=\(number)", nil)
        case .quit: return
        }
        asking.async { [client, weak self] in
            do throws(StandClientError) {
                // A retry with the same key changes nothing.
                let answer = try client.send(
                    request.method, request.target, fields: [("Idempotency-Key", SecretToken().text)],
                    content: request.content)
                if case .look = wish, let status = answer.document(StatusDocument.self) {
                    self?.inbox.withLock { $0.news.append(.instant(status)) }
                    return
                }
                reply(answer.isSuccess ? nil : .problem(answer.refusal))
            } catch {
                reply(.noAnswer(error.reason))
            }
        }
    }
}
