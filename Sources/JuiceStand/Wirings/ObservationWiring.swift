import Observation
import Synchronization

extension WiringChoice {
    package static let observation = WiringChoice(
        "observation", "@Observable property, tracking armed again after each change", .nextTurn
    ) { ObservationWiring() }
}

/// Observation: the stand sets a property, and observation tracking announces that it will change.
///
/// Couples the observers to the object that holds the property. Tracking reports one change, before it happens, so the
/// observer reads the value and arms tracking again on the poster's next turn, which the stand takes after each fact. If
/// a property changed twice within a turn, observers would hear only the second value.
final class ObservationWiring: TableWiring, Wiring {
    private var boards: [AnyObject?] = Array(repeating: nil, count: FactKind.allCases.count)

    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        table.append(Tracker(board(of: type), observer), to: F.kind, of: observer)
    }

    func hear<F: Fact>(_ fact: F) {
        board(of: F.self).fact = fact
        for (_, tracker) in table.list(of: F.kind, Tracker<F>.self)?.elements ?? [] { tracker.turn() }
    }

    private func board<F: Fact>(of type: F.Type) -> Board<F> {
        if let board = boards[F.kind.rawValue] { return unsafe unsafeDowncast(board, to: Board<F>.self) }
        let board = Board<F>()
        boards[F.kind.rawValue] = board
        return board
    }
}

/// Holds the latest fact of a kind.
@Observable
final class Board<F: Fact> {
    var fact: F?
}

/// One observer's tracking of one board.
private final class Tracker<F: Fact> {
    /// Set by the system, from any thread.
    private final class Mark: Sendable {
        let isSet = Atomic(false)
    }

    private let board: Board<F>
    private let observer: any FactObserver & Sendable
    private let mark = Mark()

    init(_ board: Board<F>, _ observer: any FactObserver & Sendable) {
        self.board = board
        self.observer = observer
        _ = read()
    }

    /// Reads the fact and arms the tracking again if the property changed.
    func turn() {
        let isChanged = mark.isSet.exchange(false, ordering: .acquiringAndReleasing)
        if isChanged, let fact = read() { fact.hand(to: observer) }
    }

    private func read() -> F? {
        withObservationTracking {
            board.fact
        } onChange: { [mark] in
            mark.isSet.store(true, ordering: .releasing)
        }
    }
}
