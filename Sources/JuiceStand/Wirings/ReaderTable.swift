import Dispatch

/// The tasks that read sequences of facts, one for each observer and kind of fact.
struct ReaderTable {
    private var readers: [(owner: ObjectIdentifier, kind: FactKind, task: Task<Void, Never>)] = []
    /// Signalled for each fact heard. A group would not do: sequences may drop facts, which then are never heard.
    let heard = DispatchSemaphore(value: 0)
    private var underWay = 0
    private(set) var wanted: FactSet = []

    mutating func append(_ task: Task<Void, Never>, of kind: FactKind, owner: AnyObject) {
        readers.append((ObjectIdentifier(owner), kind, task))
        wanted.insert(FactSet(kind))
    }

    mutating func removeAll(of owner: AnyObject) {
        for reader in readers where reader.owner == ObjectIdentifier(owner) { reader.task.cancel() }
        readers.removeAll { $0.owner == ObjectIdentifier(owner) }
    }

    /// To be called before a fact is announced.
    mutating func expect(_ kind: FactKind) { underWay += readers.count { $0.kind == kind } }

    /// Waits until everything announced has been heard.
    mutating func settle() {
        while underWay > 0 {
            heard.wait()
            underWay -= 1
        }
    }
}
