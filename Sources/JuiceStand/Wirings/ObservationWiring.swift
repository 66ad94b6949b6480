import Observation
import Synchronization

/// Observation: the stand sets a property, and observation tracking announces that it will change.
///
/// Couples the observers to the object that holds the property. Tracking reports one change, before it happens, so the
/// observer reads the value and arms tracking again on the poster's next turn, which the stand takes after each fact. If
/// a property changed twice within a turn, observers would hear only the second value.
final class ObservationWiring: TableWiring, Wiring {
    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let board = table.list(of: F.kind, Tracker<F>.self)?.elements.first?.element.board ?? Board<F>()
        table.append(Tracker(board, observer), to: F.kind, of: observer)
    }

    func hear<F: Fact>(_ fact: F) {
        guard let trackers = table.list(of: F.kind, Tracker<F>.self)?.elements else { return }
        trackers.first?.element.board.fact = fact
        for (_, tracker) in trackers { tracker.turn() }
    }
}

/// Holds the latest fact of a kind.
@Observable
final class Board<F: Fact> {
    var fact: F?
}

/// One observer's tracking of the board that all observers of a kind share.
private final class Tracker<F: Fact> {
    /// Set by the system, from any thread.
    private final class Mark: Sendable {
        let isSet = Atomic(false)
    }

    let board: Board<F>
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

extension WiringChoice {
    package static let observation = WiringChoice(
        "observation", "@Observable property, tracking armed again after each change", .nextTurn
    ) { ObservationWiring() }
}
