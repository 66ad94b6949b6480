import Dispatch

/// The tasks that read sequences of facts, one for each observer and kind of fact. They end with the table.
final class ReaderTable {
    private var readers: [(owner: ObjectIdentifier, kind: FactKind, task: Task<Void, Never>)] = []
    /// Signalled for each fact heard. A group would not do: sequences may drop facts, which then are never heard.
    private let heard = DispatchSemaphore(value: 0)
    private var underWay = 0
    private(set) var wanted: FactSet = []

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
        readers.append((ObjectIdentifier(observer), F.kind, task))
        wanted.insert(FactSet(F.kind))
    }

    deinit { for reader in readers { reader.task.cancel() } }

    func removeAll(of owner: AnyObject) {
        for reader in readers where reader.owner == ObjectIdentifier(owner) { reader.task.cancel() }
        readers.removeAll { $0.owner == ObjectIdentifier(owner) }
    }

    /// To be called before a fact is announced.
    func expect(_ kind: FactKind) { underWay += readers.count { $0.kind == kind } }

    /// Waits until everything announced has been heard.
    func settle() {
        while underWay > 0 {
            heard.wait()
            underWay -= 1
        }
    }
}
