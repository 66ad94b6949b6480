import Dispatch
import NotificationBus
import Platform
import TestSupport
import Testing

/// Promise 9, second half: observers on a queue and on the main actor.
@Suite(.timeLimit(.minutes(60)))
struct QueueTests {
    let center = TypedNotificationCenter()
    private let queue = DispatchQueue(label: "observers")

    @Test func `an observer on a queue is called there, in order`() {
        let record = Record<Int>()
        let queue = queue
        let token = center.observe(LowStock.self, on: queue) { note in
            dispatchPrecondition(condition: .onQueue(queue))
            record.note(note.level)
        }
        for level in 1...100 { center.post(LowStock(level: level)) }
        queue.sync {}
        #expect(record.entries == Array(1...100))
        token.cancel()
    }

    @Test func `an observer on a queue gets the posts of each of several threads in order`() async {
        let record = Record<StockChanged>()
        let token = center.observe(StockChanged.self, on: queue) { record.note($0) }
        let center = center
        _ = await onThreads(3) { number in
            for level in 0..<200 { center.post(StockChanged(fruit: "\(number)", level: level)) }
        }
        queue.sync {}
        for number in 0..<3 {
            #expect(record.entries.filter { $0.fruit == "\(number)" }.map(\.level) == Array(0..<200))
        }
        token.cancel()
    }

    @Test func `cancelling drops what is still in the queue, and releases what the observer captured`() {
        let record = Record<String>()
        let token: ObservationToken
        do {
            let captive = Captive { record.note("released") }
            token = center.observe(LowStock.self, on: queue) { _ in
                captive.touch()
                record.note("called")
            }
        }
        queue.suspend()
        center.post(LowStock())
        token.cancel()
        #expect(record.entries == ["released"])
        queue.resume()
        queue.sync {}
        #expect(record.entries == ["released"])
    }

    @Test func `the form that waits waits for a call on the queue`() async {
        for _ in 0..<20 {
            let running = Gate(1)
            let record = Record<String>()
            let token = center.observe(LowStock.self, on: queue) { _ in
                running.arrive()
                usleep(20_000)
                record.note("ended")
            }
            center.post(LowStock())
            _ = await onThreads(1) { _ in
                running.wait()
                token.cancelAndWait()
                record.note("waited")
            }
            #expect(record.entries == ["ended", "waited"])
        }
    }

    @Test func `the form that waits can be called inside its own observer on a queue`() async throws {
        let record = Record<Int>()
        let box = TokenBox()
        box.keep(
            center.observe(LowStock.self, on: queue) { note in
                box.cancelAndWait()
                record.note(note.level)
            })
        for level in 1...2 { center.post(LowStock(level: level)) }
        try await eventually("the end of the call") { record.entries == [1] }
        queue.sync {}
        #expect(record.entries == [1])
    }

    @Test(arguments: [
        (NotificationBuffering.newest(3), [8, 9, 10]), (.oldest(3), [1, 2, 3]), (.unbounded, Array(1...10)),
    ])
    func `a bounded queue drops what does not fit`(buffering: NotificationBuffering, levels: [Int]) {
        let record = Record<Int>()
        let token = center.observe(LowStock.self, on: queue, buffering: buffering) { record.note($0.level) }
        queue.suspend()
        for level in 1...10 { center.post(LowStock(level: level)) }
        queue.resume()
        queue.sync {}
        #expect(record.entries == levels)
        center.post(LowStock(level: 11))
        queue.sync {}
        #expect(record.entries == levels + [11])
        token.cancel()
    }

    @Test func `a center that goes away drops what is still in the queue`() {
        let record = Record<String>()
        var center: TypedNotificationCenter? = TypedNotificationCenter()
        let token = center?.observe(LowStock.self, on: queue) { _ in record.note("called") }
        queue.suspend()
        center?.post(LowStock())
        center = nil
        queue.resume()
        queue.sync {}
        #expect(record.entries.isEmpty)
        token?.cancel()
    }

    @MainActor
    @Test func `an observer on the main actor is called there, later and in order`() async {
        var levels: [Int] = []
        let (done, finish) = AsyncStream.makeStream(of: Void.self)
        let token = center.observeOnMainActor(LowStock.self) { note in
            MainActor.assertIsolated()
            levels.append(note.level)
            if note.level == 20 { finish.finish() }
        }
        for level in 1...10 { center.post(LowStock(level: level)) }
        #expect(levels.isEmpty)
        let center = center
        _ = await onThreads(1) { _ in for level in 11...20 { center.post(LowStock(level: level)) } }
        for await _ in done {}
        #expect(levels == Array(1...20))
        token.cancel()
    }

    @MainActor
    @Test func `a synchronous observer on the main actor is called before the post returns`() {
        var levels: [Int] = []
        let token = center.observeSynchronouslyOnMainActor(LowStock.self) { levels.append($0.level) }
        center.post(LowStock(level: 1))
        #expect(levels == [1])
        token.cancel()
    }

    @Test(.onItsOwnThread) func `a post elsewhere to a synchronous observer on the main actor ends the program`() async
    {
        await #expect(processExitsWith: .failure) {
            let center = TypedNotificationCenter()
            let token = await center.observeSynchronouslyOnMainActor(LowStock.self) { _ in }
            _ = await onThreads(1) { _ in center.post(LowStock()) }
            withExtendedLifetime(token) {}
        }
    }
}
