import NotificationBus
import Testing

/// Promise 10: diagnostics.
@Suite(.timeLimit(.minutes(60)))
struct DiagnosticsTests {
    let center = TypedNotificationCenter()

    @Test func `observations are listed with their type, place and priority, in the order of delivery`() {
        let tokens = [
            center.observe(LowStock.self, fileID: "Stand/A.swift", line: 1) { _ in },
            center.observe(LowStock.self, priority: .high, fileID: "Stand/B.swift", line: 2) { _ in },
            center.answer(HowMuchIsLeft.self, fileID: "Stand/C.swift", line: 3) { _ in 0 },
        ]
        let reports = center.diagnostics.observations()
        #expect(reports.map(\.place.description) == ["Stand/B.swift:2", "Stand/A.swift:1", "Stand/C.swift:3"])
        #expect(reports.map(\.priority) == [.high, .normal, .normal])
        #expect(
            reports.map(\.notification) == [
                "NotificationBusTests.LowStock", "NotificationBusTests.LowStock", "NotificationBusTests.HowMuchIsLeft",
            ])
        tokens[1].cancel()
        #expect(center.diagnostics.observations().count == 2)
        withExtendedLifetime(tokens) {}
    }

    @Test func `the place of an observation is where it is written`() {
        let token = center.observe(LowStock.self) { _ in }
        let line = #line - 1
        let place = center.diagnostics.observations().first?.place
        #expect(place?.line == line)
        #expect(place?.fileID == "NotificationBusTests/DiagnosticsTests.swift")
        token.cancel()
    }

    @Test func `calls are counted and timed while measuring, and only then`() throws {
        let token = center.observe(LowStock.self) { _ in for _ in 0..<1000 { _ = currentThread() } }
        center.post(LowStock())
        center.diagnostics.isMeasuring = true
        for _ in 0..<5 { center.post(LowStock()) }
        center.diagnostics.isMeasuring = false
        center.post(LowStock())
        let report = try #require(center.diagnostics.observations().first)
        #expect(report.deliveries == 5)
        #expect(report.slowest > .zero)
        #expect(report.timeSpent >= report.slowest)
        center.diagnostics.reset()
        #expect(center.diagnostics.observations().first?.deliveries == 0)
        token.cancel()
    }

    @Test func `the slowest call is told apart from the time of all`() throws {
        let token = center.observe(LowStock.self) { note in
            let clock = ContinuousClock()
            let end = clock.now + .milliseconds(note.level)
            while clock.now < end {}
        }
        center.diagnostics.isMeasuring = true
        for level in [5, 20, 5] { center.post(LowStock(level: level)) }
        let report = try #require(center.diagnostics.observations().first)
        #expect(report.slowest >= .milliseconds(20))
        #expect(report.timeSpent >= report.slowest + .milliseconds(10))
        token.cancel()
    }

    @Test func `deliveries and unheard posts of several threads at once are counted exactly`() async {
        let center = center
        let token = center.observe(LowStock.self) { _ in }
        center.diagnostics.isMeasuring = true
        _ = await onThreads(3) { _ in
            for _ in 0..<300 {
                center.post(LowStock())
                center.post(StockChanged())
            }
        }
        #expect(center.diagnostics.observations().map(\.deliveries) == [900])
        #expect(center.diagnostics.unheardPosts().map(\.count) == [900])
        token.cancel()
    }

    @Test func `calls of an observer of a sender are counted, and a reset forgets all counts`() {
        let till = Captive {}
        let token = center.observe(LowStock.self, from: till) { _ in }
        center.diagnostics.isMeasuring = true
        func deliveries() -> [Int] { center.diagnostics.observations().map(\.deliveries) }
        center.post(LowStock(), from: till)
        center.post(LowStock())
        #expect(deliveries() == [1])
        #expect(center.diagnostics.unheardPosts().map(\.count) == [1])
        center.diagnostics.reset()
        #expect(deliveries() == [0])
        #expect(center.diagnostics.unheardPosts().isEmpty)
        center.post(LowStock(), from: till)
        let more = (0..<9).map { _ in center.observe(LowStock.self, from: till) { _ in } }
        #expect(deliveries() == [1] + more.map { _ in 0 }, "though the observers were laid out anew")
        token.cancel()
    }

    private struct Of<T>: TypedNotification {}

    @Test func `a tap goes on when another ends, when measuring ends, and when many types come`() {
        let record = Record<String>()
        let first = center.diagnostics.tap { _ in record.note("first") }
        let second = center.diagnostics.tap { _ in record.note("second") }
        center.diagnostics.isMeasuring = true
        center.diagnostics.isMeasuring = false
        first.cancel()
        var tokens: [ObservationToken] = []
        func post<T>(_ type: T.Type, _ left: Int) {
            tokens.append(center.observe(Of<T>.self) { _ in })
            center.post(Of<T>())
            if left > 1 { post(Of<T>.self, left - 1) }
        }
        post(Int.self, 20)
        #expect(record.entries == Array(repeating: "second", count: 20))
        withExtendedLifetime((second, tokens)) {}
    }

    @Test func `posts that nobody heard are counted while measuring`() {
        center.post(LowStock())
        center.diagnostics.isMeasuring = true
        let token = center.observe(StockChanged.self) { _ in }
        for _ in 0..<3 { center.post(LowStock()) }
        center.post(StockChanged())
        token.cancel()
        center.post(StockChanged())
        let unheard = center.diagnostics.unheardPosts().sorted { $0.count < $1.count }
        #expect(unheard.map(\.count) == [1, 3])
        #expect(unheard.first?.notification == StockChanged.self)
        #expect(unheard.last?.notification == LowStock.self)
    }

    @Test func `a tap sees every post before the observers do, heard or not, until it is cancelled`() {
        let record = Record<String>()
        let token = center.observe(LowStock.self) { record.note("observer \($0.level)") }
        let tap = center.diagnostics.tap { record.note("tap \($0)") }
        center.post(LowStock(level: 1))
        center.post(StockChanged(fruit: "kiwi", level: 2))
        tap.cancel()
        center.post(LowStock(level: 3))
        #expect(
            record.entries == [
                "tap LowStock(level: 1)", "observer 1", #"tap StockChanged(fruit: "kiwi", level: 2)"#, "observer 3",
            ])
        token.cancel()
    }

    @Test func `watching changes nothing about delivery`() {
        let record = Record<Int>()
        let center = center
        let tap = center.diagnostics.tap { _ in }
        center.diagnostics.isMeasuring = true
        let box = TokenBox()
        let tokens = [
            center.observe(LowStock.self) { note in
                record.note(note.level)
                if note.level == 1 {
                    center.post(LowStock(level: 2))
                    box.cancel()
                }
            }
        ]
        box.keep(center.observe(LowStock.self) { record.note(10 * $0.level) })
        center.post(LowStock(level: 1))
        #expect(record.entries == [1, 2, 20])
        withExtendedLifetime((tokens, tap)) {}
    }
}
