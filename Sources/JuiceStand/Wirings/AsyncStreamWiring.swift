import Dispatch

extension WiringChoice {
    package static let asyncStream = WiringChoice(
        "async-stream", "an AsyncStream and a task for each observer", .later
    ) { AsyncStreamWiring() }
}

/// Asynchronous streams: each observer has one for each kind of fact, and a task that takes facts out of it.
///
/// Couples the stand to the streams' ends and the observers to nothing but the facts. A stream has one consumer, so
/// the stand yields to each; it never waits, and what is not taken yet is kept without a bound.
package final class AsyncStreamWiring: Wiring {
    private var feeds = FactTable()
    /// Facts that have yet to be taken.
    private let underWay = DispatchGroup()

    package init() {}

    package var wanted: FactSet { feeds.wanted }

    package func connect<F: Fact>(_ observer: F.Observer, to type: F.Type) {
        let (stream, continuation) = AsyncStream.makeStream(of: F.self)
        Task { [underWay] in
            for await fact in stream {
                fact.hand(to: observer)
                underWay.leave()
            }
        }
        feeds.append(Feed(continuation), of: type, owner: observer as AnyObject)
    }

    package func disconnect(_ observer: AnyObject) {
        feeds.removeAll(of: observer)
    }

    package func announce<F: Fact>(_ fact: F) {
        guard let list = feeds.list(of: F.self, Feed<F>.self) else { return }
        for (_, feed) in list.elements {
            underWay.enter()
            feed.continuation.yield(fact)
        }
    }

    package func settle() {
        underWay.wait()
    }
}

/// The stand's end of a stream, which ends with it when what was yielded has been taken.
private final class Feed<F: Fact> {
    let continuation: AsyncStream<F>.Continuation

    init(_ continuation: AsyncStream<F>.Continuation) {
        self.continuation = continuation
    }

    deinit {
        continuation.finish()
    }
}
