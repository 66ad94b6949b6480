/// Asynchronous streams: each observer has a stream for each kind of fact, and a task that reads it.
///
/// Couples the stand to the continuations and the observers to nothing but the facts. A stream has one consumer, so the
/// stand yields each fact to every stream.
final class AsyncStreamWiring: WaitingWiring, Wiring {
    func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let (stream, continuation) = AsyncStream.makeStream(of: F.self)
        let reader = read(observer, type) { hear in
            for await fact in stream { hear(fact) }
        }
        table.append((continuation, reader), to: F.kind, of: observer)
    }

    func hear<F: Fact>(_ fact: F) {
        guard let list = table.list(of: F.kind, (AsyncStream<F>.Continuation, Reader).self) else { return }
        for (_, (continuation, _)) in list.elements { continuation.yield(fact) }
        wait(for: F.kind)
    }
}

extension WiringChoice {
    package static let asyncStream = WiringChoice(
        "async-stream", "an AsyncStream and a task for each observer", .later
    ) { AsyncStreamWiring() }
}
