import Dispatch
import Platform

/// A wiring that has its observers in a table, to be used from one thread.
///
/// A subclass says how an observer joins the table and how a fact reaches those that are there.
package class TableWiring {
    final var table = FactTable()

    package init() {}

    package var wanted: FactSet { table.wanted }

    /// Releases the entries of an observer.
    package func disconnect(_ observer: AnyObject) { _ = table.removeAll(of: observer) }
}

/// A wiring that has its observers in a table under a lock, so that they come and go on any thread.
package class LockedTableWiring {
    final let table = Guarded(FactTable())

    package init() {}

    package var wanted: FactSet { table.withLock { $0.wanted } }

    /// Releases the entries of an observer, after unlocking.
    package func disconnect(_ observer: AnyObject) {
        let removed = table.withLock { $0.removeAll(of: observer) }
        withExtendedLifetime(removed) {}
    }

    /// A copy of the list for one kind of fact, to be gone through after unlocking.
    @inline(__always)
    final func elements<Element>(
        of kind: FactKind, _ type: Element.Type
    ) -> [(owner: ObjectIdentifier, element: Element)] {
        table.withLock { $0.list(of: kind, type)?.elements } ?? []
    }
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
