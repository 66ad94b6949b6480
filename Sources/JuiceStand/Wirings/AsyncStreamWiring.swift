extension WiringChoice {
    package static let asyncStream = WiringChoice(
        "async-stream", "an AsyncStream and a task for each observer", .later
    ) { AsyncStreamWiring() }
}

/// Asynchronous streams: each observer has a stream for each kind of fact, and a task that reads it.
///
/// Couples the stand to the continuations and the observers to nothing but the facts. A stream has one consumer, so the
/// stand yields each fact to every stream.
final class AsyncStreamWiring: Wiring {
    private var continuations = FactTable()
    private let readers = ReaderTable()

    var wanted: FactSet { readers.wanted }

    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let (stream, continuation) = AsyncStream.makeStream(of: F.self)
        readers.append(observer, of: type) { hear in
            for await fact in stream { hear(fact) }
        }
        continuations.append(continuation, of: type, owner: observer)
    }

    func disconnect(_ observer: AnyObject) {
        readers.removeAll(of: observer)
        continuations.removeAll(of: observer)
    }

    func hear<F: Fact>(_ fact: F) {
        guard let list = continuations.list(of: F.self, AsyncStream<F>.Continuation.self) else { return }
        for (_, continuation) in list.elements { continuation.yield(fact) }
        readers.wait(for: F.kind)
    }
}
