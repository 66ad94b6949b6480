import Dispatch
import JuiceStand
import Synchronization

/// What a post takes while another thread posts too.
struct ThreadMeasurement {
    var passes: Int

    /// An observer's part of one thread's posts, on a cache line of its own.
    private final class Share: Sendable {
        private let before = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let sum = Atomic<UInt64>(0)
        private let after = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    }

    /// - Precondition: the wiring is safe from two threads.
    func slowdown(_ choice: WiringChoice) -> Spread {
        let wiring = Slot(choice.makeBareWiring())
        let shares = (0..<3).map { _ in [Share(), Share()] }
        let listeners = shares.map { shares in
            FactListener { shares[Int($0.order & 1)].sum.add($0.order, ordering: .relaxed) }
        }
        for listener in listeners { wiring.value.connect(listener, to: OrderPlaced.self) }
        let count = 4000
        @Sendable func post(_ thread: UInt64) -> Double {
            let start = DispatchTime.now().uptimeNanoseconds
            for number in 0..<UInt64(count) { wiring.value.announce(OrderPlaced(number: 2 * number + thread)) }
            return Double(DispatchTime.now().uptimeNanoseconds - start)
        }
        let threads = (0..<2).map { DispatchQueue(label: "poster \($0)") }
        var ratios: [Double] = []
        for pass in 0...passes {
            let alone = threads[pass % 2].sync { post(UInt64(pass % 2)) }
            let together = Atomic<UInt64>(0)
            let arrived = Atomic(0)
            let group = DispatchGroup()
            for (number, thread) in threads.enumerated() {
                thread.async(group: group) {
                    arrived.add(1, ordering: .acquiringAndReleasing)
                    while arrived.load(ordering: .acquiring) < 2 {}
                    together.add(UInt64(post(UInt64(number))), ordering: .relaxed)
                }
            }
            group.wait()
            wiring.value.settle()
            if pass > 0 { ratios.append(Double(together.load(ordering: .relaxed)) / 2 / alone) }
        }
        return withExtendedLifetime(listeners) { Spread(ratios) }
    }
}
