import Foundation
import JuiceStand
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60)))
struct StockDisplayTests {
    private func stamp(_ number: Int) -> Stamp {
        Stamp(sequence: UInt64(number), time: SimulationTime(nanoseconds: Int64(number)))
    }

    /// Facts on one thread, looks from two others: one fact changes three numbers, and no look tells them apart.
    @Test func `a reader never sees a stand between two facts`() {
        let display = StockDisplay()
        display.hear(
            Opened(stamp: stamp(0), stand: "corner", opens: "", seed: 1, configuration: "", stock: [5, nil]))
        let torn = Counter()
        let looks = Counter()
        let isOver = Counter()
        let watching = DispatchGroup()
        for _ in 0..<2 {
            watching.enter()
            Thread.detachNewThread {
                while isOver.value == 0 {
                    let view = display.current
                    if view.queue != view.present || Int64(view.queue) != view.time.nanoseconds { torn.add() }
                    looks.add()
                }
                watching.leave()
            }
        }
        var facts = 0
        while facts < 50_000 || looks.value < 50_000 {
            facts += 1
            display.hear(
                OrderPlaced(
                    stamp: stamp(facts), order: UInt64(facts), juice: Juice(index: 0), cups: 1, by: .customer))
        }
        isOver.add()
        watching.wait()
        #expect(torn.value == 0, "of \(looks.value)")
        #expect(display.current.queue == facts)
    }

    /// A number that several threads count up.
    private final class Counter: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }

    @Test func `the display keeps the latest 500 waits`() {
        let display = StockDisplay()
        for number in 1...502 {
            display.hear(
                OrderServed(
                    stamp: stamp(number), order: UInt64(number), juice: Juice(index: 0), cups: 1,
                    wait: SimulationTime(nanoseconds: Int64(number)), stay: .zero))
        }
        #expect(display.waits.sorted() == Array(3...502))
        let percentiles = [Int64]([40, 10, 30, 20]).percentiles(perMille: [1, 250, 251, 500, 501, 1000])
        #expect(percentiles.map { $0?.nanoseconds } == [10, 10, 20, 20, 30, 40])
        #expect([Int64]().percentiles(perMille: [500]) == [nil])
    }

    @Test func `each fact changes its own figures only`() {
        let display = StockDisplay()
        display.hear(
            Opened(stamp: stamp(0), stand: "corner", opens: "", seed: 1, configuration: "", stock: [5, nil, 0]))
        var view = StockDisplay.View()
        view.stand = "corner"
        view.levels = [5, nil, 0]
        view.onOrder = [0, 0, 0]
        view.isLow = [false, false, false]
        #expect(display.current == view)

        func expect(_ number: Int, _ change: (inout StockDisplay.View) -> Void) {
            view.time = stamp(number).time
            change(&view)
            #expect(display.current == view, "after fact \(number)")
        }
        let juice = Juice(index: 0)
        let first = Fruit(index: 0)
        let last = Fruit(index: 2)
        for number in [1, 2] {
            display.hear(
                OrderPlaced(stamp: stamp(number), order: UInt64(number), juice: juice, cups: 1, by: .customer))
        }
        expect(2) {
            $0.queue = 2
            $0.present = 2
        }
        display.hear(StockChanged(stamp: stamp(3), fruit: first, from: 5, to: 3, cause: .order, order: 1))
        expect(3) { $0.levels[0] = 3 }
        display.hear(LowStock(stamp: stamp(4), fruit: first, level: 3, threshold: 4))
        expect(4) { $0.isLow[0] = true }
        display.hear(RestockOrdered(stamp: stamp(5), fruit: last, pieces: 9))
        expect(5) { $0.onOrder[2] = 9 }
        display.hear(OrderStarted(stamp: stamp(6), order: 1))
        expect(6) { $0.queue = 1 }
        display.hear(
            OrderServed(stamp: stamp(7), order: 1, juice: juice, cups: 1, wait: .zero, stay: .zero))
        expect(7) {
            $0.served = 1
            $0.cupsServed = 1
            $0.present = 1
        }
        display.hear(RestockDelivered(stamp: stamp(8), fruit: last, pieces: 7, refused: 2))
        expect(8) { $0.onOrder[2] = 0 }
        display.hear(StockRecovered(stamp: stamp(9), fruit: first, level: 5, threshold: 4))
        expect(9) { $0.isLow[0] = false }
        for (place, reason) in LossReason.allCases.enumerated() {
            display.hear(OrderLost(stamp: stamp(10 + place), order: 2, juice: juice, cups: 1, reason: reason))
        }
        let ending = 9 + LossReason.allCases.count
        expect(ending) {
            for reason in LossReason.allCases { $0.lost[reason] = 1 }
            $0.queue = 0
            $0.present = 0
        }
        display.hear(Closed(stamp: stamp(ending + 1), open: 0, stock: [3, nil, 0]))
        expect(ending + 1) { $0.isClosed = true }
    }
}
