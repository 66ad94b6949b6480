import AllocationCount
import Dispatch
import JuiceStand
import Platform
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

    /// The figures of each wiring, and of `direct` whether or not it is among them, with each number of observers in turn.
    ///
    /// Every pass has every wiring with every number of observers: a machine whose speed changes does so under all of them.
    /// Interrupted, it tells of the passes there were.
    ///
    /// - Parameter beforePass: Called with the number of every pass but the first: what is measured there has as many moments.
    func measure(
        _ choices: [WiringChoice], observers: [Int], while goOn: () -> Bool, beforePass: (Int) -> Void = { _ in }
    ) -> [WiringChoice: [Comparison.Speed]] {
        let all = choices.contains(.direct) ? choices : [.direct] + choices
        let rows = observers.map { count in all.map { Contender($0, observers: count) } }
        for contender in rows.joined() {
            // Where threads have to be woken, a short pass would tell of little but whether they happened to be awake.
            contender.calibrate(contender.choice.delivery == .later ? 8 * nanosecondsAPass : nanosecondsAPass)
        }
        var times = rows.map { row in row.map { _ in [Double]() } }
        passes: for pass in 0...4 * passes {
            if pass > passes, times.joined().allSatisfy({ Spread($0).isSettled(within: Self.precision, $0) }) { break }
            if pass > 0 { beforePass(pass) }
            for row in rows.indices {
                guard goOn() else { break passes }
                for turn in all.indices {
                    // Another one begins each pass, so that none always comes after the same other.
                    let index = (turn + pass) % all.count
                    // The quicker half: what else the machine does only ever takes time.
                    let contender = rows[row][index]
                    let count = contender.count / 2
                    let time = (0..<2).map { _ in contender.pass(count) / Double(count) }.min()!
                    // The first pass warms up.
                    if pass > 0 { times[row][index].append(time) }
                }
            }
        }
        var speeds: [WiringChoice: [Comparison.Speed]] = [:]
        for (row, count) in observers.enumerated() {
            let direct = times[row][all.firstIndex(of: .direct)!]
            // What has lost or doubled something has not done the work that is compared.
            for (index, contender) in rows[row].enumerated() where contender.isSound && !times[row][index].isEmpty {
                speeds[contender.choice, default: []].append(
                    Comparison.Speed(
                        observers: count, nanoseconds: Spread(times[row][index]),
                        ratioToDirect: Spread(zip(times[row][index], direct).map { $0 / $1 }).median,
                        allocations: contender.allocations()))
            }
        }
        return speeds
    }
}

/// The cost of observing, under every wiring in turn.
struct ObservingMeasurement {
    private let choices: [WiringChoice]
    private let wirings: [any Wiring]
    private let sum = FactSum()
    private var times: [[Double]]
    private static let count = 200

    init(_ choices: [WiringChoice]) {
        self.choices = choices
        wirings = choices.map { $0.makeBareWiring() }
        times = choices.map { _ in [] }
        for wiring in wirings { wiring.connect(FactSum(), to: OrderPlaced.self) }
    }

    /// Observes and cancels under each wiring.
    ///
    /// - Parameter counts: False to warm up.
    mutating func pass(counts: Bool = true) {
        for (index, wiring) in wirings.enumerated() {
            let time = (0..<3).map { _ in
                let start = DispatchTime.now().uptimeNanoseconds
                for _ in 0..<Self.count {
                    wiring.connect(sum, to: OrderPlaced.self)
                    wiring.disconnect(sum)
                }
                return DispatchTime.now().uptimeNanoseconds - start
            }.min()!
            wiring.settle()
            if counts { times[index].append(Double(time) / Double(Self.count)) }
        }
    }

    /// What the passes found; empty where there were none.
    func figures() -> [WiringChoice: Comparison.Observing] {
        var found: [WiringChoice: Comparison.Observing] = [:]
        for (index, choice) in choices.enumerated() where !times[index].isEmpty {
            found[choice] = Comparison.Observing(nanoseconds: Spread(times[index]))
            memory(wirings[index], &found[choice]!)
        }
        return found
    }

    /// What 1,000 observers take.
    private func memory(_ wiring: any Wiring, _ figures: inout Comparison.Observing) {
        waitForQuiet()
        let many = (0..<1000).map { _ in FactSum() }
        if beginCountingAllocations() > 0 {
            for sum in many { wiring.connect(sum, to: OrderPlaced.self) }
            let found = endCountingAllocations()
            figures.bytes = Double(found.bytesKept) / Double(many.count)
            figures.allocations = Double(found.blocks) / Double(many.count)
        }
        for sum in many { wiring.disconnect(sum) }
        wiring.settle()
    }

    /// Waits until no thread takes memory or gives it back: tasks of observers that went end in their own time.
    private func waitForQuiet() {
        for _ in 0..<200 {
            guard beginCountingAllocations() > 0 else { return }
            usleep(5000)
            let found = endCountingAllocations()
            if found.blocks == 0, found.bytesKept == 0 { return }
        }
    }
}
