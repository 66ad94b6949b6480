import AllocationCount
import Dispatch
import JuiceStand
import Synchronization

/// The cost of one notification, under every wiring in turn.
///
/// Passes take turns, so that what the machine does besides falls on all alike, and every observer's sum is checked, so that nothing
/// is optimized away. A pass of a wiring that delivers later ends when the last was delivered.
struct SpeedMeasurement {
    /// One wiring with its observers.
    final class Contender {
        let choice: WiringChoice
        let wiring: any Wiring
        /// Posts a pass.
        var count = 0
        /// Whether every sum has come out as it should.
        private(set) var isSound = true
        private let observers: [AnyObject]
        private let sums: [() -> UInt64]
        private var expected: UInt64 = 0

        /// For calls of one observer that may overlap.
        private final class SharedSum: Sendable {
            let total = Atomic<UInt64>(0)
        }

        init(_ choice: WiringChoice, observers: Int) {
            self.choice = choice
            wiring = choice.makeBareWiring()
            if choice.delivery == .later {
                let shared = (0..<observers).map { _ in SharedSum() }
                let listeners = shared.map { sum in FactListener { sum.total.add($0.order, ordering: .relaxed) } }
                for listener in listeners { wiring.connect(listener, to: OrderPlaced.self) }
                self.observers = listeners
                sums = shared.map { sum in { sum.total.load(ordering: .relaxed) } }
            } else {
                let plain = (0..<observers).map { _ in FactSum() }
                for sum in plain { wiring.connect(sum, to: OrderPlaced.self) }
                self.observers = plain
                sums = plain.map { sum in { sum.value } }
            }
        }

        /// Posts `count` times and returns the nanoseconds of all together.
        func pass(_ count: Int) -> Double {
            let isNextTurn = choice.delivery == .nextTurn
            let isPinned = choice.delivery == .atOnce && stayOnThisProcessor() >= 0
            let start = DispatchTime.now().uptimeNanoseconds
            for number in 1...UInt64(count) {
                wiring.announce(OrderPlaced(number: number))
                if isNextTurn { wiring.settle() }
            }
            wiring.settle()
            let time = DispatchTime.now().uptimeNanoseconds - start
            if isPinned { goWhereverThereIsRoom() }
            expected &+= UInt64(count) * UInt64(count + 1) / 2
            if !sums.allSatisfy({ $0() == expected }) { isSound = false }
            return Double(time)
        }

        /// As many posts as take about `nanoseconds`.
        func calibrate(_ nanoseconds: Double) {
            _ = pass(8)
            count = max(16, min(1 << 20, Int(nanoseconds / (pass(64) / 64))))
        }

        /// Heap blocks a post; nil where they can't be counted.
        func allocations() -> Double? {
            let posts = max(16, min(count, 2000))
            _ = pass(posts)
            guard beginCountingAllocations() > 0 else { return nil }
            _ = pass(posts)
            let blocks = endCountingAllocations().blocks
            // Once more with a single post, which pays what is paid a pass.
            guard beginCountingAllocations() > 0 else { return nil }
            _ = pass(1)
            let fixed = endCountingAllocations().blocks
            return max(0, Double(blocks - fixed) / Double(posts - 1))
        }
    }

    /// Passes that are made in any case; up to four times as many where the medians are not settled by then.
    var passes: Int
    var nanosecondsAPass: Double
    /// How well the medians are to be known.
    private static let precision = 0.02

    /// The figures of each wiring, and of `direct` whether or not it is among them.
    func measure(_ choices: [WiringChoice], observers: Int, while goOn: () -> Bool) -> [WiringChoice: Comparison.Speed]?
    {
        let all = choices.contains(.direct) ? choices : [.direct] + choices
        let contenders = all.map { Contender($0, observers: observers) }
        for contender in contenders { contender.calibrate(nanosecondsAPass) }
        var times = contenders.map { _ in [Double]() }
        for pass in 0...4 * passes {
            guard goOn() else { return nil }
            if pass > passes, times.allSatisfy({ Spread($0).isSettled(within: Self.precision, $0) }) { break }
            for turn in contenders.indices {
                // Another one begins each pass, so that none always comes after the same other.
                let index = (turn + pass) % contenders.count
                // The quicker half: what else the machine does only ever takes time.
                let count = contenders[index].count / 2
                let time = (0..<2).map { _ in contenders[index].pass(count) / Double(count) }.min()!
                // The first pass warms up.
                if pass > 0 { times[index].append(time) }
            }
        }
        let direct = times[all.firstIndex(of: .direct)!]
        var speeds: [WiringChoice: Comparison.Speed] = [:]
        // What has lost or doubled something has not done the work that is compared.
        for (index, contender) in contenders.enumerated() where contender.isSound {
            speeds[contender.choice] = Comparison.Speed(
                observers: observers, nanoseconds: Spread(times[index]),
                ratioToDirect: Spread(zip(times[index], direct).map { $0 / $1 }).median,
                allocations: contender.allocations())
        }
        return speeds
    }
}

/// The cost of observing.
struct ObservingMeasurement {
    var passes: Int

    func measure(_ choice: WiringChoice) -> Comparison.Observing {
        let wiring = choice.makeBareWiring()
        let sum = FactSum()
        wiring.connect(FactSum(), to: OrderPlaced.self)
        let count = 200
        var times: [Double] = []
        for pass in 0...passes {
            let time = (0..<3).map { _ in
                let start = DispatchTime.now().uptimeNanoseconds
                for _ in 0..<count {
                    wiring.connect(sum, to: OrderPlaced.self)
                    wiring.disconnect(sum)
                }
                return DispatchTime.now().uptimeNanoseconds - start
            }.min()!
            if pass > 0 { times.append(Double(time) / Double(count)) }
        }
        wiring.settle()
        let many = (0..<1000).map { _ in FactSum() }
        var figures = Comparison.Observing(nanoseconds: Spread(times))
        if beginCountingAllocations() > 0 {
            for sum in many { wiring.connect(sum, to: OrderPlaced.self) }
            let found = endCountingAllocations()
            figures.bytes = Double(found.bytesKept) / Double(many.count)
            figures.allocations = Double(found.blocks) / Double(many.count)
        }
        for sum in many { wiring.disconnect(sum) }
        wiring.settle()
        return figures
    }
}
