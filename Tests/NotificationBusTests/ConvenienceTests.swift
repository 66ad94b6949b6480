import NotificationBus
import Testing

/// Bags of observations.
@Suite(.timeLimit(.minutes(60)))
struct ConvenienceTests {
    let center = TypedNotificationCenter()

    @Test func `a bag ends its observations when it is released`() {
        let record = Record<String>()
        do {
            let bag = ObservationBag()
            center.observe(LowStock.self) { _ in record.note("low") }.store(in: bag)
            center.observe(StockChanged.self) { _ in record.note("changed") }.store(in: bag)
            center.post(LowStock())
            center.post(StockChanged())
            withExtendedLifetime(bag) {}
        }
        center.post(LowStock())
        center.post(StockChanged())
        #expect(record.entries == ["low", "changed"])
        #expect(center.diagnostics.observations().isEmpty)
    }

    @Test func `an emptied bag ends its observations and can be used again`() {
        let record = Record<Int>()
        let bag = ObservationBag()
        let token = center.observe(LowStock.self) { _ in record.note(1) }
        token.store(in: bag)
        bag.cancelAll()
        center.post(LowStock())
        #expect(record.entries == [], "though the token is kept elsewhere, too")
        withExtendedLifetime(token) {}
        center.observe(LowStock.self) { _ in record.note(2) }.store(in: bag)
        center.post(LowStock())
        #expect(record.entries == [2])
    }

    @Test func `an emptied bag keeps nothing`() {
        let bag = ObservationBag()
        weak var token: ObservationToken?
        do {
            let kept = center.observe(LowStock.self) { _ in }
            kept.store(in: bag)
            token = kept
        }
        bag.cancelAll()
        #expect(token == nil)
    }

    /// An object that observes in its initializer.
    private final class Display: Sendable {
        private let observations = ObservationBag()
        let record: Record<Int>

        init(_ center: TypedNotificationCenter, _ record: Record<Int>) {
            self.record = record
            center.observe(LowStock.self, with: self) { display, note in display.record.note(note.level) }
                .store(in: observations)
        }
    }

    @Test func `an object that observes in its initializer is released, and its observation with it`() {
        let record = Record<Int>()
        weak var watched: Display?
        do {
            let display = Display(center, record)
            watched = display
            center.post(LowStock(level: 1))
            withExtendedLifetime(display) {}
        }
        #expect(watched == nil)
        #expect(center.diagnostics.observations().isEmpty)
        center.post(LowStock(level: 2))
        #expect(record.entries == [1])
    }
}
