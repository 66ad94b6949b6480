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
/// observer reads the value and arms tracking again on the poster's next turn, which is ``settle()`` here. If a
/// property changes twice within a turn, observers hear only the second value.
final class ObservationWiring: Wiring {
    private var boards: [AnyObject?] = Array(repeating: nil, count: FactKind.allCases.count)
    private var trackers: [any Tracking] = []
    private(set) var wanted: FactSet = []

    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        trackers.append(Tracker(board(of: type), observer))
        wanted.insert(FactSet(F.kind))
    }

    func disconnect(_ observer: AnyObject) { trackers.removeAll { $0.owner == ObjectIdentifier(observer) } }

    func hear<F: Fact>(_ fact: F) { board(of: F.self).fact = fact }

    func settle() {
        var isChanged = true
        while isChanged {
            isChanged = false
            for tracker in trackers where tracker.isChanged {
                isChanged = true
                tracker.readAgain()
            }
        }
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

private protocol Tracking: AnyObject {
    var owner: ObjectIdentifier { get }
    var isChanged: Bool { get }
    func readAgain()
}

/// One observer's tracking of one board.
private final class Tracker<F: Fact>: Tracking {
    /// Set by the system, from any thread.
    private final class Mark: Sendable {
        let isSet = Atomic(false)
    }

    let owner: ObjectIdentifier
    private let board: Board<F>
    private let observer: any FactObserver & Sendable
    private let mark = Mark()

    init(_ board: Board<F>, _ observer: any FactObserver & Sendable) {
        self.board = board
        self.observer = observer
        owner = ObjectIdentifier(observer)
        _ = read()
    }

    var isChanged: Bool { mark.isSet.load(ordering: .acquiring) }

    func readAgain() {
        mark.isSet.store(false, ordering: .releasing)
        if let fact = read() { fact.hand(to: observer) }
    }

    private func read() -> F? {
        withObservationTracking {
            board.fact
        } onChange: { [mark] in
            mark.isSet.store(true, ordering: .releasing)
        }
    }
}
