import Dispatch

extension WiringChoice {
    package static let asyncStream = WiringChoice(
        "async-stream", "an AsyncStream and a task for each observer", .later
    ) { AsyncStreamWiring() }
}

/// Asynchronous streams: each observer has a stream for each kind of fact, and a task that reads it.
///
/// Couples the stand to the continuations and the observers to nothing but the facts. A stream has one consumer, so the
/// stand yields each fact to every stream. It never waits; facts not yet read are buffered without a limit.
package final class AsyncStreamWiring: Wiring {
    private var feeds = FactTable()
    /// Facts that no task has handled yet.
    private let underWay = DispatchGroup()

    package init() {}

    package var wanted: FactSet { feeds.wanted }

    package func connect<F: Fact>(_ observer: any FactObserver & Sendable, to type: F.Type) {
        let (stream, continuation) = AsyncStream.makeStream(of: F.self)
        Task { [underWay] in
            for await fact in stream {
                fact.hand(to: observer)
                underWay.leave()
            }
        }
        feeds.append(Feed(continuation), of: type, owner: observer)
    }

    package func disconnect(_ observer: AnyObject) { feeds.removeAll(of: observer) }

    package func hear<F: Fact>(_ fact: F) {
        guard let list = feeds.list(of: F.self, Feed<F>.self) else { return }
        for (_, feed) in list.elements {
            underWay.enter()
            feed.continuation.yield(fact)
        }
    }

    package func settle() { underWay.wait() }
}

/// The stand's end of a stream. Its release finishes the stream; facts already yielded are still read.
private final class Feed<F: Fact> {
    let continuation: AsyncStream<F>.Continuation

    init(_ continuation: AsyncStream<F>.Continuation) {
        self.continuation = continuation
    }

    deinit { continuation.finish() }
}
