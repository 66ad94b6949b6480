import NotificationBus
import Testing

/// Pausing one observation.
@Suite(.timeLimit(.minutes(60)))
struct PauseTests {
    let center = TypedNotificationCenter()

    @Test func `a paused observer is not called, and learns how much it has missed`() {
        let record = Record<Int>()
        let token = center.observe(LowStock.self) { record.note($0.level) }
        center.post(LowStock(level: 1))
        token.pause()
        token.pause()
        for level in 2...4 { center.post(LowStock(level: level)) }
        #expect(record.entries == [1])
        #expect(token.resume() == 3)
        #expect(token.resume() == 0)
        center.post(LowStock(level: 5))
        #expect(record.entries == [1, 5])
        token.cancel()
        token.pause()
        #expect(token.resume() == 0)
        center.post(LowStock(level: 6))
        #expect(record.entries == [1, 5])
    }

    @Test func `a pause keeps the newest, which come in order before anything newer`() {
        let record = Record<Int>()
        let center = center
        let token = center.observe(LowStock.self) { note in
            record.note(note.level)
            if note.level == 4 { center.post(LowStock(level: 10)) }
        }
        token.pause(keepingNewest: 2)
        for level in 1...5 { center.post(LowStock(level: level)) }
        #expect(token.resume() == 3)
        center.post(LowStock(level: 11))
        #expect(record.entries == [4, 5, 10, 11])
        token.cancel()
    }

    @Test func `a pause of a paused observer changes nothing, and a pause hears its sender alone`() {
        let record = Record<Int>()
        let sender = Captive {}
        let token = center.observe(LowStock.self, from: sender) { record.note($0.level) }
        token.pause(keepingNewest: 2)
        center.post(LowStock(level: 1), from: sender)
        token.pause(keepingNewest: 2)
        center.post(LowStock(level: 2))
        center.post(LowStock(level: 3), from: sender)
        #expect(token.resume() == 0)
        #expect(record.entries == [1, 3])
        token.cancel()
    }

    @Test func `an observer that cancels itself while it resumes gets no more of what was kept`() {
        let record = Record<Int>()
        let box = TokenBox()
        let token = center.observe(LowStock.self) { note in
            record.note(note.level)
            box.cancel()
        }
        box.keep(token)
        token.pause(keepingNewest: 3)
        for level in 1...3 { center.post(LowStock(level: level)) }
        token.resume()
        #expect(record.entries == [1])
        box.keep(nil)
    }

    @Test func `an observer that goes before others can be paused before the next post`() {
        let record = Record<Int>()
        let low = center.observe(LowStock.self, priority: .low) { _ in }
        let token = center.observe(LowStock.self) { record.note($0.level) }
        token.pause()
        center.post(LowStock(level: 1))
        #expect(token.resume() == 1)
        center.post(LowStock(level: 2))
        #expect(record.entries == [2])
        withExtendedLifetime((low, token)) {}
    }

    @Test func `a pause that begins while another ends goes on`() {
        let record = Record<Int>()
        let kept = Cell<ObservationToken?>(nil)
        let token = center.observe(LowStock.self) { note in
            record.note(note.level)
            guard note.level == 1, let token = kept.value else { return }
            token.resume()
            token.pause(keepingNewest: 1)
        }
        kept.value = token
        token.pause(keepingNewest: 2)
        for level in 1...2 { center.post(LowStock(level: level)) }
        token.resume()
        center.post(LowStock(level: 3))
        #expect(record.entries == [1, 2])
        #expect(token.resume() == 0)
        #expect(record.entries == [1, 2, 3])
        kept.value = nil
    }

    @Test func `a paused observer keeps its place among the others, and its sender`() {
        final class Till: Sendable {}
        let record = Record<String>()
        let till = Till()
        let first = center.observe(LowStock.self, from: till) { record.note("first \($0.level)") }
        let second = center.observe(LowStock.self) { record.note("second \($0.level)") }
        let places = center.diagnostics.observations().map(\.place)
        first.pause(keepingNewest: 9)
        #expect(center.diagnostics.observations().map(\.place) == places)
        center.post(LowStock(level: 1), from: till)
        center.post(LowStock(level: 2), from: Till())
        center.post(LowStock(level: 3))
        #expect(first.resume() == 0)
        center.post(LowStock(level: 4), from: till)
        #expect(record.entries == ["second 1", "second 2", "second 3", "first 1", "first 4", "second 4"])
        withExtendedLifetime((first, second)) {}
    }

    @Test func `what a pause kept is released with the observation, and not delivered after it`() {
        let record = Record<String>()
        struct Holding: TypedNotification {
            var captive: Captive
        }
        let captive = Captive { record.note("capture released") }
        let token = center.observe(Holding.self) { [captive] _ in
            captive.touch()
            record.note("called")
        }
        token.pause(keepingNewest: 1)
        center.post(Holding(captive: Captive { record.note("value released") }))
        #expect(record.entries == [])
        token.cancel()
        #expect(record.entries == ["value released"])
    }

    @Test func `each thread's posts are delivered once and in order, however often the observer pauses`() async {
        let center = TypedNotificationCenter()
        let record = Record<Int>()
        let token = center.observe(LowStock.self) { record.note($0.level) }
        let dropped = Cell(0)
        _ = await onThreads(3) { number in
            for round in 0..<500 {
                if number == 0 {
                    token.pause(keepingNewest: 3)
                    dropped.add(token.resume())
                } else {
                    center.post(LowStock(level: number * 1000 + round))
                }
            }
        }
        #expect(record.entries.count + dropped.value == 1000)
        for number in 1...2 {
            let own = record.entries.filter { $0 / 1000 == number }
            #expect(own == own.sorted(), "in order")
            #expect(Set(own).count == own.count, "once")
        }
        token.cancel()
    }
}
