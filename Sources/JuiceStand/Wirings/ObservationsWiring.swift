import Dispatch
import Observation

/// Values of tracked properties as sequences: the stand sets a property, and a task for each observer reads it.
///
/// Couples the observers to the actor that holds the property: the sequence must be read where the property is set. It
/// has the latest value alone.
final class ObservationsWiring: WaitingWiring, Wiring {
    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let begun = DispatchSemaphore(value: 0)
        let board = readers(of: type).first?.element.board ?? SharedBoard<F>()
        let reader = read(observer, type) { hear in
            var isFirst = true
            for await fact in await board.facts() {
                // The first is the fact from before. A task begins in its own time, so it is waited for.
                if isFirst { begun.signal() } else if let fact { hear(fact) }
                isFirst = false
            }
        }
        begun.wait()
        table.append((board: board, reader: reader), to: F.kind, of: observer)
    }

    func hear<F: Fact>(_ fact: F) {
        readers(of: F.self).first?.element.board.set(fact)
        wait(for: F.kind)
    }

    /// The readers of a kind of fact, which share a board.
    private func readers<F: Fact>(
        of type: F.Type
    ) -> [(owner: ObjectIdentifier, element: (board: SharedBoard<F>, reader: Reader))] {
        table.list(of: F.kind, (board: SharedBoard<F>, reader: Reader).self)?.elements ?? []
    }
}

/// Holds the latest fact of a kind, for any thread.
private actor SharedBoard<F: Fact> {
    private let executor = QueueExecutor(DispatchQueue(label: "board"))
    private let board = Board<F>()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func facts() -> Observations<F?, Never> { Observations { self.board.fact } }

    nonisolated func set(_ fact: F) {
        executor.queue.sync { assumeIsolated { $0.board.fact = fact } }
    }
}

extension WiringChoice {
    package static let observations = WiringChoice(
        "observations", "Observations: values of an @Observable property, read by a task", .later
    ) { ObservationsWiring() }
}
