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

    @Test(arguments: [false, true])
    func `cancelling, or the end of the center, drops what is still in the queue and releases what was captured`(
        isCancelled: Bool
    ) {
        let record = Record<String>()
        var center: TypedNotificationCenter? = TypedNotificationCenter()
        func observe() -> ObservationToken? {
            let captive = Captive { record.note("released") }
            return center?.observe(LowStock.self, on: queue) { _ in
                captive.touch()
                record.note("called")
            }
        }
        let token = observe()
        queue.suspend()
        center?.post(LowStock())
        if isCancelled { token?.cancel() } else { center = nil }
        #expect(record.entries == ["released"])
        queue.resume()
        queue.sync {}
        #expect(record.entries == ["released"])
        withExtendedLifetime((center, token)) {}
    }

    @Test(arguments: [false, true])
    func `an observer that cancels itself on its queue is not called again, and what waits is released`(waits: Bool) {
        struct Holding: TypedNotification { var captive: Captive }
        let record = Record<String>()
        let box = TokenBox()
        box.keep(
            center.observe(Holding.self, on: queue) { _ in
                if waits { box.cancelAndWait() } else { box.cancel() }
                record.note("called")
            })
        queue.suspend()
        for _ in 1...3 { center.post(Holding(captive: Captive { record.note("released") })) }
        queue.resume()
        queue.sync {}
        #expect(record.entries == ["released", "released", "called", "released"])
    }

    @Test(arguments: [
        (NotificationBuffering.newest(3), [8, 9, 10]), (.oldest(3), [1, 2, 3]), (.unbounded, Array(1...10)),
    ])
    func `an observer on a queue is called there, in order, and a bounded queue drops what does not fit`(
        buffering: NotificationBuffering, levels: [Int]
    ) {
        let record = Record<Int>()
        let token = center.observe(LowStock.self, on: queue, buffering: buffering) { [queue] note in
            dispatchPrecondition(condition: .onQueue(queue))
            record.note(note.level)
        }
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
        _ = await onThreads(1) { _ in for level in 11...20 { center.post(LowStock(level: level)) } }
        for await _ in done {}
        #expect(levels == Array(1...20))
        token.cancel()
    }

    @Test func `whoever waits for the queue after a post has waited for its call, beside other posters too`() async {
        let heard = (0..<3).map { _ in Cell(0) }
        let token = center.observe(StockChanged.self, on: queue) { heard[Int($0.fruit)!].value = $0.level }
        let missing = await onThreads(3) { number -> Int in
            var missing = 0
            for level in 1...300 {
                center.post(StockChanged(fruit: "\(number)", level: level))
                // Bursts longer than a turn of the queue, too.
                guard level % 10 == 0 && level < 100 || level % 100 == 0 else { continue }
                queue.sync {}
                if heard[number].value != level { missing += 1 }
            }
            return missing
        }
        #expect(missing == [0, 0, 0])
        token.cancel()
    }

    @Test func `what the queue is given between two bursts comes between their calls`() {
        let record = Record<String>()
        let token = center.observe(LowStock.self, on: queue) { _ in record.note("call") }
        queue.suspend()
        for level in 1...64 { center.post(LowStock(level: level)) }
        queue.async { record.note("other") }
        for level in 1...64 { center.post(LowStock(level: level)) }
        queue.resume()
        queue.sync {}
        #expect(record.entries.count == 129)
        #expect(record.entries.firstIndex(of: "other") == 64)
        token.cancel()
    }

    @Test func `on a concurrent queue calls overlap, those of one burst too`() async throws {
        let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
        for _ in 0..<20 {
            let meeting = Gate(2)
            let heard = Cell(0)
            let token = center.observe(LowStock.self, on: concurrent) { _ in
                meeting.pass()
                heard.add(1)
            }
            concurrent.suspend()
            for level in 1...2 { center.post(LowStock(level: level)) }
            concurrent.resume()
            try await eventually("two calls at once") { heard.value == 2 }
            token.cancelAndWait()
        }
    }

    @Test
    func `the form that waits waits for a call that the queue has begun, and misses none that it is about to make`()
        async
    {
        for round in 0..<100 {
            let isRunning = Gate(1)
            let isAwaited = Cell(false)
            let late = Cell(0)
            let token = center.observe(LowStock.self, on: queue) { _ in
                if isAwaited.value { late.add(1) }
                isRunning.arrive()
                usleep(1000)
                if isAwaited.value { late.add(1) }
            }
            _ = await onThreads(2) { number in
                if number == 0 { return center.post(LowStock()) }
                if round.isMultiple(of: 2) { isRunning.wait() }
                token.cancelAndWait()
                isAwaited.value = true
            }
            queue.sync {}
            #expect(late.value == 0)
        }
    }

    /// An object of the main actor that keeps its token.
    @MainActor
    private final class Display {
        private(set) var levels: [Int] = []
        private var token: ObservationToken?

        init(_ center: TypedNotificationCenter) {
            token = center.observeOnMainActor(LowStock.self, with: self) { $0.levels.append($1.level) }
        }
    }

    @MainActor
    @Test func `an object of the main actor may keep the token of its own observation`() async throws {
        var display: Display? = Display(center)
        weak let watched = display
        center.post(LowStock(level: 1))
        try await eventually("the call") { display?.levels == [1] }
        display = nil
        #expect(watched == nil)
        #expect(center.observations().isEmpty)
    }
}
