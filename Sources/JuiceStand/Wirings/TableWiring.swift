import Dispatch

/// A wiring that has its observers in a table, to be used from one thread.
///
/// A subclass says how an observer joins the table and how a fact reaches those that are there.
package class TableWiring {
    final var table = FactTable()

    package init() {}

    package var wanted: FactSet { table.wanted }

    /// Releases what the table has of an observer.
    package func disconnect(_ observer: AnyObject) { _ = table.removeAll(of: observer) }
}

/// A wiring whose observers are called on other threads, and waited for after each fact.
class WaitingWiring: TableWiring {
    /// Signalled for each fact that an observer has heard.
    final let heard = DispatchSemaphore(value: 0)

    /// Waits until every observer of a kind of fact has heard the fact that was just announced.
    final func wait(for kind: FactKind) {
        for _ in 0..<table.count(of: kind) { heard.wait() }
    }

    /// Begins a task whose facts an observer hears.
    final func read<F: Fact>(
        _ observer: any FactObserver & Sendable, _ type: F.Type,
        reading read: sending @escaping (_ hear: (F) -> Void) async -> Void
    ) -> Reader {
        let task = Task { [heard] in
            await read { fact in
                fact.hand(to: observer)
                heard.signal()
            }
        }
        return Reader(task)
    }
}

/// A task that reads a sequence, until it is released.
final class Reader {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }
    deinit { task.cancel() }
}
