import Synchronization

final class StreamTill: Sendable {
    private let streams = Mutex<[(key: Int, continuation: AsyncStream<Sale>.Continuation)]>([])
    private let lastKey = Atomic(0)
    func post(_ sale: Sale) { for stream in streams.withLock({ $0 }) { stream.continuation.yield(sale) } }
    func observe() -> (key: Int, sales: AsyncStream<Sale>) {
        let (sales, continuation) = AsyncStream.makeStream(of: Sale.self)
        let key = lastKey.add(1, ordering: .relaxed).newValue
        streams.withLock { $0.append((key, continuation)) }
        return (key, sales)
    }
    func cancel(_ key: Int) {
        let removed = streams.withLock { list in list.firstIndex { $0.key == key }.map { list.remove(at: $0) } }
        removed?.continuation.finish()
    }
}

// MARK: - In the comparison

extension StreamTill: SequenceIdiom {
    func observe(_ display: Display) -> Int {
        let (key, sales) = observe()
        Task { for await sale in sales { display.note(sale) } }
        return key
    }

    var isHeard: Bool? { streams.withLock { !$0.isEmpty } }

    func observe(asynchronously handle: @escaping @Sendable (Sale) async -> Void) -> Int? {
        let (key, sales) = observe()
        Task { for await sale in sales { await handle(sale) } }
        return key
    }
}

/// A stream for one observer that keeps the newest 100 sales. `yield` returns the dropped ones to the poster.
private final class BoundedStreamTill: Idiom {
    private let (sales, continuation) = AsyncStream.makeStream(of: Sale.self, bufferingPolicy: .bufferingNewest(100))
    private(set) var dropped = 0
    var isConcurrent: Bool { true }

    func observe(_ display: Display) -> Task<Void, Never> {
        Task { [sales] in for await sale in sales { display.note(sale) } }
    }

    func cancel(_ task: Task<Void, Never>) { task.cancel() }
    func post(_ sale: Sale) { if case .dropped = continuation.yield(sale) { dropped += 1 } }
}

extension Profile {
    static let asyncStream = Profile(
        choice: .asyncStream, file: "StreamTill.swift",
        configuration: "an unbounded AsyncStream and a task for each observer, their array under a Mutex",
        advice: Advice(
            "every event, in a task", (.deliversEachNotificationOnce, true), (.finishedWhenPosterGoesOn, false)),
        plain: Form { _ in StreamTill() }, exceptions: [.later],
        grounds: [
            .task, .lock, .poster,
            Reason(
                "the documentation says that a stream keeps every element until it is read, in order",
                .reachesManyObservers, .deliversEachNotificationOnce, .keepsOrderOfPosts,
                .hearsWhatWasPostedBeforeCancel),
            Reason("the loop ends when its stream is finished", .capturesReleasedOnCancel),
            Reason("a call goes on in its task while the list changes", .observeCancelAndPostInsideAnObserver),
            Reason("yield returns .dropped with the element", .slowObserverIsNoticed),
        ],
        refuted: [.mixed],
        options: [
            Form("bufferingNewest, whose yield tells what it drops", .slowObserverIsNoticed, window: 100) { _ in
                BoundedStreamTill()
            }
        ])
}
