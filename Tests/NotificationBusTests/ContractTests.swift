import NotificationBus
import Testing

/// The calls that are to compile as they stand, whatever parameters are added.
@Suite(.timeLimit(.minutes(60)))
struct ContractTests {
    @Test func `the calls of the contract compile and work`() async throws {
        struct HowMuchIsLeft: TypedQuestion {
            enum Fruit { case banana }
            typealias Answer = Int
            var fruit: Fruit
        }
        let center = TypedNotificationCenter()
        let record = Record<Int>()
        let token = center.observe(StockChanged.self) { change in record.note(change.level) }
        center.post(StockChanged(level: 3))
        token.cancel()
        #expect(record.entries == [3])
        #expect(center.latest(StockLevels.self) == nil)
        let answerer = center.answer(HowMuchIsLeft.self) { question in question.fruit == .banana ? 2 : 0 }
        #expect(try center.ask(HowMuchIsLeft(fruit: .banana)) == 2)
        answerer.cancel()
        let task = Task { for await _ in center.notifications(of: LowStock.self, buffering: .newest(64)) {} }
        task.cancel()
        await task.value
        let function: @Sendable (StockChanged) -> Void = { record.note($0.level) }
        let other = center.observe(StockChanged.self, using: function)
        center.post(StockChanged(level: 4))
        #expect(record.entries == [3, 4])
        other.cancel()
    }
}
