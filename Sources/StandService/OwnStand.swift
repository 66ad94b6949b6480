import Dispatch
import JuiceStand
import Platform
import StandClient
import StandState
import TextFormats

/// The stand of this process, for its live display.
package final class OwnStand: StandSource {
    /// The poll interval for the status while nothing happens, in nanoseconds.
    private static let statusTime: UInt64 = 250_000_000

    /// If more than twice as many events wait, all but this many are skipped.
    private static let mostEvents: UInt64 = 100
    private static let mostBytes = 1 << 16

    private struct State {
        var lookedAt: UInt64 = 0
        /// The number of the last event that was taken; nil until the stand keeps lines.
        var taken: UInt64?
        /// The event after which marks and menu are to be sent again; nil if none is due.
        var shelvesFrom: UInt64? = 0
        /// Instants that were asked for and are not sent yet.
        var answers: [StandNews] = []
    }

    private let control: StandControl
    private let state = Guarded(State())

    package init(_ control: StandControl) {
        self.control = control
        control.follow { [weak self] last in self?.state.withLock { $0.taken = last } }
    }

    package func news() -> [StandNews] {
        let status = control.status
        let now = monotonicNanoseconds()
        return state.withLock { state in
            var news = takeEvents(&state, upTo: status.sequence)
            let isDue = !news.isEmpty || state.shelvesFrom != nil || now - state.lookedAt > Self.statusTime
            // A reload is in the lines before it is in the status.
            if let event = state.shelvesFrom, status.sequence >= event {
                news.insert(.shelves(stock: status.stockDocument, menu: status.menuDocument), at: 0)
                state.shelvesFrom = nil
            }
            if isDue {
                news.append(.status(status.document))
                state.lookedAt = now
            }
            defer { state.answers = [] }
            return news + state.answers
        }
    }

    /// The events since the last call, from their lines.
    private func takeEvents(_ state: inout State, upTo last: UInt64) -> [StandNews] {
        guard let taken = state.taken else { return [] }
        var next = last > taken + 2 * Self.mostEvents ? last - Self.mostEvents : taken
        var events: [LedgerEvent] = []
        state.taken = next
        switch control.events(after: next, limit: Self.mostBytes) {
        case .upToDate: break
        case .gone(let first):
            next = first - 1
            state.taken = next
        case .lines(let bytes, let last):
            events = bytes.split(separator: UInt8(ascii: "\n")).compactMap { LedgerEvent($0) }
            state.taken = last
        }
        let reload = events.last { $0.name == FactKind.configurationChanged.name }?.sequence
        let skipped = next - taken
        // Among the skipped events may be a reload.
        state.shelvesFrom = reload ?? (skipped > 0 ? next : state.shelvesFrom)
        return (skipped > 0 ? [.skipped(Int(skipped))] : []) + events.map { .event($0) }
    }

    package func make(_ wish: LiveWish, reply: @escaping @Sendable (LiveRefusal?) -> Void) {
        /// Describes the outcome; `loss` is why an order was lost.
        @Sendable func tell<Answer>(
            _ result: Result<Answer, ControlError>, _ loss: (Answer) -> ProblemDocument? = { _ in nil }
        ) {
            let problem =
                switch result {
                case .success(let answer): loss(answer)
                case .failure(let error): error.problem
                }
            reply(problem.map { .problem($0) })
        }
        switch wish {
        case .order(let juice, let cups):
            control.submit(.order(juice, cups: cups)) { tell($0) { $0.problem(wish: juice) } }
        case .restock(let fruit, let pieces):
            control.submit(.stock([.init(fruit: fruit, pieces: pieces)])) { tell($0) }
        case .rate(let factor): control.submit(.rate(factor)) { tell($0) }
        case .speed(let speed): control.setSpeed(speed) { tell($0) }
        case .pause: control.submit(.pause) { tell($0) }
        case .resume: control.submit(.resume) { tell($0) }
        case .look(let number):
            control.instant(.fact(UInt64(number))) { [weak self] result in
                switch result {
                case .success(let view):
                    self?.state.withLock { $0.answers.append(.instant(view.document)) }
                case .failure:
                    reply(.problem(ProblemDocument(.notKept, "that instant is not kept")))
                }
            }
        case .quit: break
        }
    }
}
