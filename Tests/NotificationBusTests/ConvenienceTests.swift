import NotificationBus
import Testing

/// Bags of tokens, observing once, forgetting, and the recorder for tests.
@Suite(.timeLimit(.minutes(60)))
struct ConvenienceTests {
    let center = TypedNotificationCenter()

    @Test func `a set of tokens ends its observations together`() {
        let record = Record<String>()
        var tokens: Set<ObservationToken> = []
        center.observe(LowStock.self) { _ in record.note("low") }.store(in: &tokens)
        center.observe(StockChanged.self) { _ in record.note("changed") }.store(in: &tokens)
        #expect(tokens.count == 2)
        center.post(LowStock())
        center.post(StockChanged())
        tokens = []
        center.post(LowStock())
        center.post(StockChanged())
        #expect(record.entries == ["low", "changed"])
    }

    @Test func `an array of tokens does too`() {
        let record = Record<Int>()
        var tokens: [ObservationToken] = []
        for number in 1...3 { center.observe(LowStock.self) { _ in record.note(number) }.store(in: &tokens) }
        tokens.removeFirst()
        center.post(LowStock())
        #expect(record.entries == [2, 3])
    }

    @Test func `observing once gets the next post alone`() {
        let record = Record<Int>()
        let released = Cell(0)
        let token: ObservationToken
        do {
            let captive = Captive { released.add(1) }
            token = center.observeOnce(LowStock.self) { note in
                captive.touch()
                record.note(note.level)
            }
        }
        for level in 1...3 { center.post(LowStock(level: level)) }
        #expect(record.entries == [1])
        #expect(released.value == 1)
        #expect(center.diagnostics.observations().isEmpty)
        token.cancel()
    }

    @Test func `observing once is called once, whatever threads post and whatever it posts itself`() async {
        for _ in 0..<200 {
            let center = TypedNotificationCenter()
            let calls = Cell(0)
            let token = center.observeOnce(LowStock.self) { _ in
                calls.add(1)
                center.post(LowStock())
            }
            _ = await onThreads(2) { _ in center.post(LowStock()) }
            #expect(calls.value == 1)
            token.cancel()
        }
    }

    @Test func `observing once with the latest value needs no further post`() {
        let record = Record<Int>()
        center.post(StockLevels(level: 1))
        let token = center.observeOnce(StockLevels.self, replayingLatest: true) { record.note($0.level) }
        #expect(center.diagnostics.observations().isEmpty)
        center.post(StockLevels(level: 2))
        #expect(record.entries == [1])
        token.cancel()
    }

    @Test func `a forgotten latest value is released and given to nobody`() {
        struct Kept: TypedNotification {
            static var keepsLatest: Bool { true }
            var captive: Captive
        }
        let record = Record<String>()
        center.post(Kept(captive: Captive { record.note("released") }))
        center.forgetLatest(Kept.self)
        #expect(record.entries == ["released"])
        #expect(center.latest(Kept.self) == nil)
        center.observe(Kept.self, replayingLatest: true) { _ in record.note("called") }.cancel()
        #expect(record.entries == ["released"])
        center.forgetLatest(LowStock.self)
    }

    @Test func `a recorder keeps what is posted, for as long as it exists`() {
        do {
            let recorder = NotificationRecorder(of: LowStock.self, at: center)
            for level in 1...3 { center.post(LowStock(level: level)) }
            center.post(StockChanged())
            #expect(recorder.notifications == [1, 2, 3].map(LowStock.init))
            recorder.removeAll()
            center.post(LowStock(level: 4))
            #expect(recorder.notifications == [LowStock(level: 4)])
        }
        #expect(center.diagnostics.observations().isEmpty)
    }
}
