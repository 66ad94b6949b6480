import NotificationBus
import TestSupport
import Testing

/// Promise 3: depth first, and endless recursion is told.
@Suite(.timeLimit(.minutes(60)))
struct NestingTests {
    let center = TypedNotificationCenter()

    @Test func `posting inside an observer delivers depth first`() {
        let record = Record<String>()
        let tokens = [
            center.observe(StockChanged.self) { note in
                record.note("first stock \(note.level)")
                center.post(LowStock(level: note.level))
            },
            center.observe(StockChanged.self) { record.note("second stock \($0.level)") },
            center.observe(LowStock.self) { note in
                record.note("low \(note.level)")
                if note.level > 0 { center.post(StockChanged(level: note.level - 1)) }
            },
        ]
        center.post(StockChanged(level: 1))
        #expect(
            record.entries == [
                "first stock 1", "low 1", "first stock 0", "low 0", "second stock 0", "second stock 1",
            ])
        withExtendedLifetime(tokens) {}
    }

    @Test func `posts may be nested 200 deep`() {
        let record = Record<Int>()
        let token = center.observe(LowStock.self) { note in
            if note.level > 1 { center.post(LowStock(level: note.level - 1)) }
            record.note(note.level)
        }
        for _ in 0..<3 { center.post(LowStock(level: 200)) }
        #expect(record.entries == Array(1...200) + Array(1...200) + Array(1...200))
        withExtendedLifetime(token) {}
    }

    @Test(.onItsOwnThread) func `endless recursion ends the program with the type of the innermost post`() async throws
    {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let center = TypedNotificationCenter()
            let tokens = [
                center.observe(StockChanged.self) { _ in center.post(LowStock()) },
                center.observe(LowStock.self) { _ in center.post(StockChanged()) },
            ]
            center.post(StockChanged())
            withExtendedLifetime(tokens) {}
        }
        let words = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(words.contains("posts are nested 256 deep"))
        #expect(words.contains("an observer of NotificationBusTests.StockChanged"))
    }
}
