import NotificationBus
import Platform
import Synchronization
import TestSupport
import Testing

/// Promise 5: any thread, any time, with real contention.
@Suite(.timeLimit(.minutes(60)))
struct ContentionTests {
    @Test(arguments: [1, 4, 16])
    func `the form that waits returns beside threads that post in a loop`(threads: Int) async {
        let center = TypedNotificationCenter()
        let isDone = Atomic(false)
        let calls = Atomic(0)
        _ = await onThreads(threads + 1) { number in
            if number > 0 {
                while !isDone.load(ordering: .acquiring) { center.post(LowStock()) }
                return
            }
            for _ in 0..<Study.size(10, full: 200) {
                let before = calls.load(ordering: .acquiring)
                let token = center.observe(LowStock.self) { _ in calls.add(1, ordering: .acquiringAndReleasing) }
                while calls.load(ordering: .acquiring) < before + threads { sched_yield() }
                token.cancelAndWait()
            }
            isDone.store(true, ordering: .releasing)
        }
    }

    @Test func `types met for the first time by several threads at once get one channel each`() async {
        for _ in 0..<50 {
            let center = TypedNotificationCenter()
            let sum = Cell(0)
            let tokens = await onThreads(4) { _ in
                [
                    center.observe(LowStock.self) { sum.add($0.level) },
                    center.observe(StockChanged.self) { sum.add($0.level) },
                    center.observe(StockLevels.self) { sum.add($0.level) },
                ]
            }
            center.post(LowStock(level: 1))
            center.post(StockChanged(level: 10))
            center.post(StockLevels(level: 100))
            #expect(sum.value == 444)
            withExtendedLifetime(tokens) {}
        }
    }

    @Test func `onDelivery may be set and taken away while others post`() async {
        let center = TypedNotificationCenter()
        let sum = Cell(0)
        let token = center.observe(LowStock.self) { sum.add($0.level) }
        _ = await onThreads(3) { number in
            for round in 0..<500 {
                if number > 0 {
                    center.post(LowStock(level: 1))
                } else if round.isMultiple(of: 10) {
                    if center.onDelivery == nil { center.onDelivery = { _, _, _ in } } else { center.onDelivery = nil }
                }
            }
        }
        #expect(sum.value == 1000)
        withExtendedLifetime(token) {}
    }
}
