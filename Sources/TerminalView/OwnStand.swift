import Dispatch
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
        /// Instants and histories that were asked for.
        var answers: [StandNews] = []
    }

    private let control: StandControl
    /// Histories are read on this queue.
    private let reading = DispatchQueue(label: "history", qos: .utility)
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
        let answers = state.withLock { state in
            defer { state.answers = [] }
            return state.answers
        }
        return news + answers
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

    func make(_ wish: LiveWish, reply: @escaping @Sendable (LiveOutcome) -> Void) {
        /// Describes the outcome; `loss` is why an order was lost.
        @Sendable func tell<Answer>(
            _ result: Result<Answer, ControlError>, _ loss: (Answer) -> LiveOutcome.Refusal? = { _ in nil }
        ) {
            switch result {
            case .success(let answer): reply(LiveOutcome(wish, loss(answer)))
            case .failure(let error): reply(LiveOutcome(wish, LiveOutcome.Refusal(error)))
            }
        }
        switch wish {
        case .order(let juice, let cups): control.order(juice, cups: cups) { tell($0, \.loss) }
        case .restock(let fruit, let pieces):
            control.changeStock([.init(fruit: fruit, pieces: pieces)]) { tell($0) }
        case .rate(let factor): control.setRate(factor) { tell($0) }
        case .speed(let speed): control.setSpeed(speed) { tell($0) }
        case .pause: control.pause { tell($0) }
        case .resume: control.resume { tell($0) }
        case .look(let number):
            control.instant(.event(UInt64(number))) { [weak self, control] result in
                switch result {
                case .success(let view):
                    self?.state.withLock { $0.answers.append(.instant(control.status.json(at: view))) }
                case .failure: reply(LiveOutcome(wish, .notKept))
                }
            }
        case .history(let subject):
            reading.async { [weak self, control] in
                let history = History(
                    of: subject, last: control.status.sequence, orders: { control.orders(upTo: $0) },
                    read: { control.lines(after: $0, $1) })
                self?.state.withLock { $0.answers.append(.history(history)) }
            }
        case .quit: break
        }
    }
}

extension StandControl {
    /// The number of orders up to an event; nil if that is not kept. Blocks.
    fileprivate func orders(upTo event: UInt64) -> Int? {
        awaited { answer in
            instant(.event(event)) { result in
                if case .success(let view) = result { answer(view.stand.finding.orders) } else { answer(nil) }
            }
        }
    }

    /// Calls `take` with each line after an event and its number, until it returns false or there are no more. Blocks.
    fileprivate func lines(after event: UInt64, _ take: (UInt64, ArraySlice<UInt8>) -> Bool) {
        let limit = 1 << 17
        var number = event
        while true {
            let bytes: [UInt8]
            switch events(after: number, limit: limit) {
            case .upToDate: return
            case .lines(let lines, _): bytes = lines
            case .gone(let first):
                let found: [UInt8]? = awaited { answer in
                    recall(after: number, limit: limit, from: nil) { answer($0?.bytes) }
                }
                guard let lines = found else {
                    number = first - 1
                    continue
                }
                bytes = lines
            }
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                number += 1
                guard take(number, line) else { return }
            }
        }
    }
}

extension OrderAnswer {
    /// Why the order was lost; nil if it was not.
    fileprivate var loss: LiveOutcome.Refusal? {
        switch outcome {
        case .placed: nil
        case .soldOut(let fruit, let missing, _):
            .problem("soldOut", ["fruit": .string(fruit), "missing": .integer(Int64(missing))], detail: "")
        case .lineFull: .problem("queueFull", [:], detail: "")
        }
    }
}

extension LiveOutcome.Refusal {
    /// The same as the service's problem document.
    fileprivate init(_ error: ControlError) {
        func about(_ fruit: String, _ pieces: Int) -> JSONValue {
            ["fruit": .string(fruit), "by": .integer(Int64(pieces))]
        }
        let (kind, members): (String, JSONValue) =
            switch error {
            case .wouldBeNegative(let fruit, let pieces): ("notEnoughFruit", about(fruit, pieces))
            case .doesNotFit(let fruit, let pieces): ("shelfFull", about(fruit, pieces))
            case .isUnlimited(let fruit): ("unlimitedFruit", ["fruit": .string(fruit)])
            case .invalid: ("invalidValue", [:])
            case .diskFailing: ("diskFailing", [:])
            case .inDoubt: ("inDoubt", [:])
            case .closed: ("closed", [:])
            case .stopping: ("stopping", [:])
            case .notOnMenu, .unknownFruit, .tagMismatch, .keyReused, .badConfiguration, .cannotChange: ("", [:])
            }
        self = .problem(kind, members, detail: "\(error)")
    }
}
