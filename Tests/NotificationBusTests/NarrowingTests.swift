import NotificationBus
import Testing

/// Promise 7: narrowing by sender.
@Suite(.timeLimit(.minutes(60)))
struct NarrowingTests {
    final class Stand: Sendable {}

    let center = TypedNotificationCenter()

    @Test func `an observer of a sender hears no other, watched or not, however many there are`() {
        let corner = Stand()
        // One in 1,024 shares a branch with `corner`.
        let others = (0..<20_000).map { _ in Stand() }
        let record = Record<Int>()
        let token = center.observe(LowStock.self, from: corner) { record.note($0.level) }
        for other in others { center.post(LowStock(level: 1), from: other) }
        let unheard = Cell(0)
        center.onDelivery = { observation, _, _ in if observation == nil { unheard.add(1) } }
        for other in others { center.post(LowStock(level: 2), from: other) }
        center.post(LowStock(level: 3))
        center.post(LowStock(level: 4), from: corner)
        #expect(unheard.value == others.count + 1)
        #expect(record.entries == [4])
        token.cancel()
    }

    @Test func `an observer of a sender may observe, post and cancel during a post of that sender`() {
        let center = TypedNotificationCenter()
        let till = Stand()
        let record = Record<String>()
        let later = TokenBox()
        let added = TokenBox()
        let all = center.observe(LowStock.self) { record.note("all \($0.level)") }
        let first = center.observe(LowStock.self, from: till) { note in
            record.note("first \(note.level)")
            guard note.level == 1 else { return }
            added.keep(center.observe(LowStock.self, from: till) { record.note("added \($0.level)") })
            center.post(LowStock(level: 2), from: till)
            center.post(LowStock(level: 3), from: Stand())
            later.cancel()
        }
        later.keep(center.observe(LowStock.self, from: till) { record.note("later \($0.level)") })
        center.post(LowStock(level: 1), from: till)
        center.post(LowStock(level: 4))
        #expect(
            record.entries == ["all 1", "first 1", "all 2", "first 2", "later 2", "added 2", "all 3", "all 4"])
        for box in [later, added] { box.cancel() }
        withExtendedLifetime((all, first)) {}
    }

    @Test func `a sender is not kept alive, and no other object is taken for it`() {
        let record = Record<Int>()
        var sender: Stand? = Stand()
        weak let watched = sender
        let token = center.observe(LowStock.self, from: sender!) { record.note($0.level) }
        center.post(LowStock(level: 1), from: sender!)
        sender = nil
        #expect(watched == nil)
        // Objects of the same size, one after the other, would soon get the memory of the one that is gone.
        for level in 2..<1000 { center.post(LowStock(level: level), from: Stand()) }
        #expect(record.entries == [1])
        withExtendedLifetime(token) {}
    }
}
