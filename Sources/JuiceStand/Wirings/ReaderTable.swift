import Dispatch

/// The tasks that read sequences of facts, one for each observer and kind of fact. They end with the table.
final class ReaderTable {
    private var readers = Connections<Task<Void, Never>>()
    /// Signalled for each fact heard.
    private let heard = DispatchSemaphore(value: 0)

    var wanted: FactSet { readers.wanted }

    deinit { for task in readers.links { task.cancel() } }

    /// Begins a task whose facts an observer hears.
    func append<F: Fact>(
        _ observer: any FactObserver & Sendable, of type: F.Type,
        reading read: sending @escaping (_ hear: (F) -> Void) async -> Void
    ) {
        let task = Task { [heard] in
            await read { fact in
                fact.hand(to: observer)
                heard.signal()
            }
        }
        readers.append(task, to: F.kind, of: observer)
    }

    func removeAll(of owner: AnyObject) {
        for task in readers.removeAll(of: owner) { task.cancel() }
    }

    /// Waits until every reader of a kind of fact has heard the fact that was just announced.
    func wait(for kind: FactKind) {
        for _ in 0..<readers.count(of: kind) { heard.wait() }
    }
}
