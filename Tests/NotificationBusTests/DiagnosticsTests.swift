import NotificationBus
import Testing

/// Promise 10: what can be learned about a center while it works.
@Suite(.timeLimit(.minutes(60)))
struct DiagnosticsTests {
    let center = TypedNotificationCenter()

    @Test func `observations are listed in the order in which they began, with their place in the source`() {
        let till = Captive {}
        let tokens = [
            center.observe(LowStock.self, fileID: "Stand/A.swift", line: 1) { _ in },
            center.observe(LowStock.self, from: till, fileID: "Stand/B.swift", line: 2) { _ in },
            center.observe(LowStock.self, fileID: "Stand/A.swift", line: 1) { _ in },
            center.answer(HowMuchIsLeft.self, fileID: "Stand/C.swift", line: 3) { _ in 0 },
        ]
        let reports = center.observations()
        #expect(
            reports.map(\.place) == [
                "Stand/A.swift:1", "Stand/B.swift:2", "Stand/A.swift:1", "Stand/C.swift:3",
            ])
        let names = reports.map { $0.notification.replacing("NotificationBusTests.", with: "") }
        #expect(names == ["LowStock", "LowStock", "LowStock", "HowMuchIsLeft"])
        #expect(reports.map(\.identity) == tokens.map(\.identity))
        for token in tokens.dropFirst() { token.cancel() }
        #expect(center.observations().map(\.identity) == [tokens[0].identity])
        let token = center.observe(StockChanged.self) { _ in }
        let place = center.observations().last?.place
        #expect(place == "NotificationBusTests/DiagnosticsTests.swift:\(#line - 2)")
        token.cancel()
    }

    @Test func `onDelivery is told of each call with its observation, type and time, and only while it is set`() {
        let tokens = (0..<2).map { number in
            center.observe(LowStock.self) { _ in
                let clock = ContinuousClock()
                let end = clock.now + .milliseconds(5 * number)
                while clock.now < end {}
            }
        }
        let record = Record<(identity: ObservationIdentity?, type: any TypedNotification.Type, time: Duration)>()
        center.post(LowStock())
        #expect(center.hasQuickPosts)
        center.onDelivery = { record.note(($0, $1, $2)) }
        center.post(LowStock())
        #expect(!center.hasQuickPosts)
        center.onDelivery = nil
        center.post(LowStock())
        #expect(center.hasQuickPosts, "posts take the quick path again")
        #expect(record.entries.map(\.identity) == tokens.map(\.identity))
        #expect(record.entries.allSatisfy { $0.type == LowStock.self })
        #expect(record.entries[1].time >= .milliseconds(5))
    }

    @Test func `onDelivery is told once, without an observation, of a post that nobody hears`() {
        let till = Captive {}
        let tokens = [
            center.observe(LowStock.self, from: till) { _ in }, center.observe(StockChanged.self) { _ in },
            center.observe(StockLevels.self) { _ in },
        ]
        let record = Record<String>()
        center.onDelivery = { observation, type, _ in
            record.note(observation == nil ? "unheard \(type)" : "heard \(type)")
        }
        center.post(LowStock())
        center.post(LowStock(), from: till)
        center.post(StockChanged())
        tokens[1].cancel()
        center.post(StockChanged())
        center.post(StockLevels())
        center.post(Of<Int>())
        #expect(
            record.entries == [
                "unheard LowStock", "heard LowStock", "heard StockChanged", "unheard StockChanged", "heard StockLevels",
                "unheard Of<Int>",
            ])
        #expect(center.latest(StockLevels.self) != nil)
        withExtendedLifetime(tokens) {}
    }

    private struct Of<T>: TypedNotification {}

    @Test func `onDelivery stays when many types come, and changes nothing about delivery`() {
        let calls = Cell(0)
        let record = Record<Int>()
        center.onDelivery = { _, _, _ in calls.add(1) }
        func post<T>(_ type: T.Type, _ left: Int) {
            center.observe(Of<T>.self) { _ in }.cancel()
            center.post(Of<T>())
            if left > 1 { post(Of<T>.self, left - 1) }
        }
        post(Int.self, 20)
        #expect(calls.value == 20)
        let box = TokenBox()
        let token = center.observe(LowStock.self) { note in
            record.note(note.level)
            if note.level == 1 {
                center.post(LowStock(level: 2))
                box.cancel()
            }
        }
        box.keep(center.observe(LowStock.self) { record.note(10 * $0.level) })
        center.post(LowStock(level: 1))
        #expect(record.entries == [1, 2, 20])
        center.onDelivery = nil
        withExtendedLifetime(token) {}
    }
}
