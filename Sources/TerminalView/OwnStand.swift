import JuiceStand
import Platform
import StandService
import StandState
import TextFormats

/// The stand of this process, for its live display.
final class OwnStand: StandSource {
    /// Bytes of events that are read at once. If more are waiting, some are shown and the others counted.
    private static let mostBytes = 32_768
    /// The poll interval for the status while nothing happens, in seconds.
    private static let statusTime: UInt64 = 250_000_000
    /// The poll interval for marks and menu while events are skipped, in nanoseconds.
    private static let shelvesTime: UInt64 = 1_000_000_000

    private struct State {
        var place: UInt64
        var lookedAt: UInt64?
        /// Whether marks and menu may have changed: at first, and after events were skipped.
        var wantsShelves = true
        var shelvesAt: UInt64?
        /// The status of an instant that was asked for.
        var instant: JSONValue?
    }

    private let control: StandControl
    private let state: Guarded<State>

    init(_ control: StandControl) {
        self.control = control
        state = Guarded(State(place: control.status.sequence))
        control.follow { [weak self] last in self?.state.withLock { $0.place = max($0.place, last) } }
    }

    func news() -> [StandNews] {
        let (lines, skipped) = events()
        let now = monotonicNanoseconds()
        let isDue = state.withLock { state in
            if skipped > 0 { state.wantsShelves = true }
            guard !lines.isEmpty || now - (state.lookedAt ?? 0) > Self.statusTime else { return false }
            state.lookedAt = now
            return true
        }
        var news: [StandNews] = []
        let status = isDue ? control.status : nil
        let isChanged = lines.contains { LedgerEvent.name(of: $0) == "configurationChanged" }
        if let status, takesShelves(now, isChanged) {
            news.append(.shelves(stock: status.stockJSON, menu: status.menuJSON))
        }
        if skipped > 0 { news.append(.skipped(skipped)) }
        news += lines.map { .line($0) }
        if let status { news.append(.status(status.json)) }
        let instant = state.withLock { state in
            defer { state.instant = nil }
            return state.instant
        }
        if let instant { news.append(.instant(instant)) }
        return news
    }

    /// Whether marks and menu are sent now.
    private func takesShelves(_ now: UInt64, _ isChanged: Bool) -> Bool {
        state.withLock { state in
            let isDue = state.shelvesAt.map { now - $0 >= Self.shelvesTime } ?? true
            guard isChanged || (state.wantsShelves && isDue) else { return false }
            (state.wantsShelves, state.shelvesAt) = (false, now)
            return true
        }
    }

    /// The new lines, or the last of them if there are too many.
    private func events() -> (lines: [ArraySlice<UInt8>], skipped: Int) {
        let place = state.withLock { $0.place }
        var (next, bytes, skipped) = (place, [UInt8](), 0)
        reading: while bytes.count < Self.mostBytes {
            switch control.events(after: next, limit: Self.mostBytes) {
            case .upToDate: break reading
            case .gone(let first):
                skipped += Int(clamping: first - 1 - next)
                next = first - 1
            case .lines(let more, let last):
                bytes += more
                next = last
            }
        }
        // Far behind: more lines than a person can read.
        let present = control.status.sequence
        if bytes.count >= Self.mostBytes, present > next {
            skipped += Int(clamping: present - next)
            next = present
        }
        state.withLock { $0.place = next }
        return (bytes.split(separator: UInt8(ascii: "\n")), skipped)
    }

    func make(_ wish: LiveWish, reply: @escaping @Sendable (String) -> Void) {
        /// Describes the outcome; `loss` is why an order was lost.
        @Sendable func tell<Answer>(
            _ result: Result<Answer, ControlError>, _ loss: (Answer) -> String? = { _ in nil }
        ) {
            switch result {
            case .success(let answer): reply(wish.outcome(loss(answer)))
            case .failure(let error): reply(wish.outcome("\(error)"))
            }
        }
        switch wish {
        case .order(let juice, let cups): control.order(juice, cups: cups) { tell($0, \.loss) }
        case .restock(let fruit, let pieces):
            control.changeStock([.init(fruit: fruit, pieces: pieces)]) { tell($0) }
        case .rate(let factor): control.setRate(factor) { tell($0) }
        case .pause: control.pause { tell($0) }
        case .resume: control.resume { tell($0) }
        case .look(let number):
            control.instant(.event(UInt64(number))) { [weak self, control] result in
                switch result {
                case .success(let view): self?.state.withLock { $0.instant = control.status.json(at: view) }
                case .failure: reply(wish.outcome("that instant is not kept"))
                }
            }
        case .quit: break
        }
    }
}

extension OrderAnswer {
    /// Why the order was lost; nil if it was not.
    fileprivate var loss: String? {
        switch outcome {
        case .placed: nil
        case .soldOut(let fruit, let missing, _): "\(Columns.grouped(missing)) more \(fruit) needed"
        case .lineFull: "the line is full"
        }
    }
}

extension LiveWish {
    /// The message after the change was made or refused.
    func outcome(_ obstacle: String?) -> String {
        if let obstacle { return "not done: \(obstacle.split(separator: "\n").first ?? "")" }
        return switch self {
        case .order(let juice, let cups): "ordered: \(Columns.grouped(cups)) \(juice)"
        case .restock(let fruit, let pieces): "added: \(Columns.grouped(pieces)) \(fruit)"
        case .rate(let factor): "customers × \(Columns.readable(factor))"
        case .pause: "paused"
        case .resume: "resumed"
        case .look, .quit: ""
        }
    }
}
