import NotificationBus
import TestSupport
import Testing

/// Promise 6: late observers.
@Suite(.timeLimit(.minutes(60)))
struct LatestTests {
    let center = TypedNotificationCenter()

    @Test func `the latest value can be read, also of posts from generic code and of any notification`() {
        func post<N: TypedNotification>(_ notification: N) { center.post(notification) }
        #expect(center.latest(StockLevels.self) == nil)
        center.post(StockLevels(level: 1))
        #expect(center.latest(StockLevels.self) == StockLevels(level: 1))
        post(StockLevels(level: 2))
        #expect(center.latest(StockLevels.self)?.level == 2)
        let notes: [any TypedNotification] = [LowStock(level: 2), StockLevels(level: 3)]
        for note in notes { center.post(note) }
        #expect(center.latest(StockLevels.self)?.level == 3)
    }

    @Test(arguments: [nil, Captive {}])
    func `the value before is released when no lock is held`(sender: Captive?) {
        struct Holding: KeptNotification { var captive: Captive? }
        let released = Cell(0)
        for _ in 0..<3 {
            let captive = Captive {
                center.observe(Holding.self) { _ in }.cancel()
                _ = center.latest(Holding.self)
                released.add(1)
            }
            center.post(Holding(captive: captive), by: sender)
        }
        center.post(Holding(), by: sender)
        #expect(released.value == 3)
    }

    @Test func `the value is there before any observer is called`() {
        let record = Record<Int?>()
        let token = center.observe(StockLevels.self) { _ in record.note(center.latest(StockLevels.self)?.level) }
        center.post(StockLevels(level: 3))
        #expect(record.entries == [3])
        withExtendedLifetime(token) {}
    }

    @Test func `a late observer starts with the latest value if it wants to`() {
        let record = Record<String>()
        center.post(StockLevels(level: 1))
        let replaying = center.observe(StockLevels.self, replayingLatest: true) { record.note("replaying \($0.level)") }
        let plain = center.observe(StockLevels.self) { record.note("plain \($0.level)") }
        center.post(StockLevels(level: 2))
        #expect(record.entries == ["replaying 1", "replaying 2", "plain 2"])
        withExtendedLifetime((replaying, plain)) {}
    }

    @Test func `observing late inside an observer of the same post gets its value once`() {
        let record = Record<String>()
        let box = TokenBox()
        let outer = center.observe(StockLevels.self) { note in
            guard note.level == 1 else { return }
            box.keep(center.observe(StockLevels.self, replayingLatest: true) { record.note("inner \($0.level)") })
        }
        center.post(StockLevels(level: 1))
        center.post(StockLevels(level: 2))
        #expect(record.entries == ["inner 1", "inner 2"])
        withExtendedLifetime(outer) {}
    }

    @Test(arguments: [nil, Captive {}])
    func `a late observer has no gap and no double against concurrent posts`(sender: Captive?) async {
        for _ in 0..<100 {
            let center = TypedNotificationCenter()
            @Sendable func post(_ level: Int) { center.post(StockLevels(level: level), by: sender) }
            post(0)
            let records = (0..<10).map { _ in Record<Int>() }
            let tokens = await onThreads(2) { number -> [ObservationToken] in
                if number == 0 {
                    for level in 1...100 { post(level) }
                    return []
                }
                return records.map { record in
                    center.observe(StockLevels.self, from: sender, replayingLatest: true) { record.note($0.level) }
                }
            }
            for record in records {
                let levels = record.entries
                #expect(levels == Array((levels.first ?? -1)...100))
            }
            withExtendedLifetime(tokens) {}
        }
    }

    @Test func `posting while it catches up, a late observer gets that too, in order`() {
        let record = Record<Int>()
        center.post(StockLevels(level: 3))
        let token = center.observe(StockLevels.self, replayingLatest: true) { note in
            if note.level > 0 { center.post(StockLevels(level: note.level - 1)) }
            record.note(note.level)
        }
        #expect(record.entries == [3, 2, 1, 0])
        withExtendedLifetime(token) {}
    }

    @Test(.onItsOwnThread) func `posting without end while it catches up is told like any other recursion`()
        async throws
    {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let center = TypedNotificationCenter()
            center.post(StockLevels())
            let token = center.observe(StockLevels.self, replayingLatest: true) { center.post($0) }
            withExtendedLifetime(token) {}
        }
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("posts are nested 256 deep"))
    }

    @Test func `a late observer that names a sender starts with the latest value if it is that sender's`() {
        let corner = NarrowingTests.Stand()
        let station = NarrowingTests.Stand()
        let record = Record<String>()
        center.post(StockLevels(level: 1), from: corner)
        let tokens = [
            center.observe(StockLevels.self, from: corner, replayingLatest: true) { record.note("corner \($0.level)") },
            center.observe(StockLevels.self, from: station, replayingLatest: true) {
                record.note("station \($0.level)")
            },
        ]
        center.post(StockLevels(level: 2), from: station)
        #expect(record.entries == ["corner 1", "station 2"])
        withExtendedLifetime(tokens) {}
    }
}
