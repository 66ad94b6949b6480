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

    private struct State: ~Copyable {
        var lookedAt: UInt64 = 0
        /// The event from which on marks and menu are to be shown; nil if they are shown.
        var shelvesFrom: UInt64? = 0
        var fields: FactFields
        /// Instants that were asked for.
        var answers: [StandNews] = []
    }

    private let control: StandControl
    private let facts = LatestFacts()
    private let state: Guarded<State>

    package init(_ control: StandControl) {
        self.control = control
        state = Guarded(State(fields: FactFields(control.status.settings.menu)))
        control.connect(facts)
        // For instants that have passed.
        control.follow { _ in }
    }

    package func news() -> [StandNews] {
        let (facts, skipped, reload) = facts.take()
        let now = monotonicNanoseconds()
        return state.withLock { state in
            var news: [StandNews] = []
            state.shelvesFrom = reload ?? state.shelvesFrom
            let isDue = !facts.isEmpty || state.shelvesFrom != nil || now - state.lookedAt > Self.statusTime
            let status = isDue ? control.status : nil
            // Observers hear of a reload before the status has it.
            if let status, let event = state.shelvesFrom, status.sequence >= event {
                news.append(.shelves(stock: status.stockDocument, menu: status.menuDocument))
                state.shelvesFrom = nil
            }
            if skipped > 0 { news.append(.skipped(skipped)) }
            news += facts.map { .event(LedgerEvent($0, &state.fields)) }
            if let status {
                news.append(.status(status.document))
                state.lookedAt = now
            }
            defer { state.answers = [] }
            return news + state.answers
        }
    }

    package func make(_ wish: LiveWish, reply: @escaping @Sendable (LiveOutcome) -> Void) {
        /// Describes the outcome; `loss` is why an order was lost.
        @Sendable func tell<Answer>(
            _ result: Result<Answer, ControlError>, _ loss: (Answer) -> ProblemDocument? = { _ in nil }
        ) {
            let problem =
                switch result {
                case .success(let answer): loss(answer)
                case .failure(let error): error.problem
                }
            reply(LiveOutcome(wish, problem.map { .problem($0) }))
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
                    reply(LiveOutcome(wish, .problem(ProblemDocument(.notKept, "that instant is not kept"))))
                }
            }
        case .quit: break
        }
    }
}

/// The latest facts, until the display takes them.
private final class LatestFacts: FactObserver, Sendable {
    private struct State {
        var facts: [any LedgerFact] = []
        var skipped = 0
        /// The number of the last change of a setting.
        var reload: UInt64?
    }

    /// Facts that are kept, at least. If there are twice as many, the first of them are skipped.
    private static let most = 200

    private let state = Guarded(State())

    var wanted: FactSet { .all }

    func hear<F: LedgerFact>(_ fact: F) {
        state.withLock { state in
            if F.kind == .configurationChanged { state.reload = fact.stamp.sequence }
            if state.facts.count == 2 * Self.most {
                state.facts.removeFirst(Self.most)
                state.skipped += Self.most
            }
            state.facts.append(fact)
        }
    }

    /// The facts since the last call.
    func take() -> (facts: [any LedgerFact], skipped: Int, reload: UInt64?) {
        let state = state.withLock { state in
            defer { state = State() }
            return state
        }
        return (state.facts, state.skipped, state.reload)
    }
}
