import NotificationBus
import Testing

/// Promise 8: questions.
@Suite(.timeLimit(.minutes(60)))
struct AskingTests {
    let center = TypedNotificationCenter()
    private let question = "NotificationBusTests.HowMuchIsLeft"

    @Test func `without an answerer asking is an error`() {
        #expect(throws: AskError.noAnswerer(question: question)) { try center.ask(HowMuchIsLeft()) }
        center.answer(HowMuchIsLeft.self) { _ in 1 }.cancel()
        #expect(throws: AskError.noAnswerer(question: question)) { try center.ask(HowMuchIsLeft()) }
    }

    @Test func `with a second answerer asking is an error, and none is called`() throws {
        let record = Record<Int>()
        let first = center.answer(HowMuchIsLeft.self) { _ in
            record.note(1)
            return 1
        }
        let second = center.answer(HowMuchIsLeft.self) { question in
            record.note(2)
            return question.fruit == "kiwi" ? 2 : 0
        }
        #expect(throws: AskError.severalAnswerers(question: question, count: 2)) { try center.ask(HowMuchIsLeft()) }
        #expect(record.entries.isEmpty)
        first.cancel()
        #expect(try center.ask(HowMuchIsLeft(fruit: "kiwi")) == 2)
        second.cancel()
    }

    @Test func `the errors read as one sentence`() {
        #expect("\(AskError.noAnswerer(question: "Q"))" == "nobody answers Q")
        #expect("\(AskError.severalAnswerers(question: "Q", count: 2))" == "2 answer Q, where exactly one should")
    }

    @Test func `an answerer may ask and post itself`() throws {
        struct Total: TypedQuestion {
            typealias Answer = Int
        }
        let record = Record<Int>()
        let tokens = [
            center.answer(HowMuchIsLeft.self) { _ in 4 },
            center.answer(Total.self) { _ in
                center.post(LowStock(level: 4))
                return 2 * ((try? center.ask(HowMuchIsLeft())) ?? 0)
            },
            center.observe(LowStock.self) { record.note($0.level) },
        ]
        #expect(try center.ask(Total()) == 8)
        #expect(record.entries == [4])
        withExtendedLifetime(tokens) {}
    }
}
