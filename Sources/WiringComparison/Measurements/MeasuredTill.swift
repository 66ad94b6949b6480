import AllocationCount
import JuiceStand
import Platform
import Synchronization

/// A form of a wiring with its displays, whose posts are measured.
final class MeasuredTill {
    let choice: WiringChoice
    let form: Form
    let observers: Int
    /// Posts in a pass.
    var count = 0
    /// Whether every observer has heard every post so far.
    private(set) var isSound = true
    private let till: any Idiom
    private let keys: [Any]
    /// The sum of the orders that each observer has heard.
    private let totals: () -> [UInt64]
    private var expected: UInt64 = 0
    private var passes = 0

    /// - Returns: nil if the form can't have that number of observers.
    init?(_ choice: WiringChoice, _ form: Form, observers: Int) {
        let plain = (0..<observers).map { _ in Display() }
        let sums = (0..<observers).map { _ in SharedSum() }
        let isConcurrent = form.make(plain).isConcurrent
        let displays = isConcurrent ? sums.map { sum in Display { sum.add($0) } } : plain
        guard let (till, keys) = form.till(displays) else { return nil }
        self.choice = choice
        self.form = form
        self.observers = observers
        self.till = till
        self.keys = keys
        totals = { isConcurrent ? sums.map(\.total) : displays.map(\.total) }
    }

    var isConcurrent: Bool { till.isConcurrent }

    /// Posts `count` times and returns the nanoseconds of processor time that this took on all threads.
    func pass(_ count: Int) -> Double {
        passes += 1
        let start = processorTime()
        // A post takes twice as long while a local variable and an observer's sum lie a multiple of 4,096 bytes apart.
        // So passes begin at different depths of the stack.
        unsafe withUnsafeTemporaryAllocation(byteCount: 16 * (passes % 61), alignment: 16) { _ in
            if isConcurrent, form.window < .max {
                postInParts(count)
            } else {
                till.post(count, from: 1, by: 1)
            }
        }
        expected &+= UInt64(count) * UInt64(count + 1) / 2
        if isConcurrent {
            let deadline = ContinuousClock.now + .seconds(20)
            while !hasHeardAll, ContinuousClock.now < deadline { usleep(200) }
        }
        let time = (processorTime() - start) / .nanoseconds(1)
        if !hasHeardAll { isSound = false }
        return time
    }

    private var hasHeardAll: Bool { totals().allSatisfy { $0 == expected } }

    /// Posts the orders from 1 to `count` in parts that the till keeps for its observers. Of more posts, some would be
    /// dropped.
    private func postInParts(_ count: Int) {
        var sum = expected
        for first in stride(from: 1, through: count, by: form.window) {
            let part = min(form.window, count - first + 1)
            till.post(part, from: UInt64(first), by: 1)
            sum &+= UInt64(part * (2 * first + part - 1) / 2)
            // The pauses grow, because each check takes processor time, which is measured.
            var pause = UInt32(10)
            var pauses = 0
            while pauses < 10_000, totals().contains(where: { $0 != sum }) {
                if till.turn() { continue }
                usleep(pause)
                pause = min(2 * pause, 1000)
                pauses += 1
            }
        }
    }

    /// Sets ``count`` to as many posts as take about `nanoseconds`.
    func calibrate(_ nanoseconds: Double) {
        _ = pass(8)
        count = 16
        // The least of three passes: threads may still handle earlier posts.
        while count < 1 << 20, (0..<3).map({ _ in pass(count) }).min()! < nanoseconds / 2 { count *= 2 }
    }

    /// Heap blocks of a post; nil if they can't be counted.
    func blocks() -> Double? {
        let posts = max(16, min(count, 2000))
        _ = pass(posts)
        func counted(_ posts: Int) -> Int? {
            guard beginCountingAllocations() > 0 else { return nil }
            _ = pass(posts)
            return endCountingAllocations().blocks
        }
        // The count of a single post is subtracted, since it includes what a pass allocates once. Other threads may
        // still handle earlier posts, so the least of several counts is right.
        return (0..<4).compactMap { _ in
            guard let many = counted(posts), let one = counted(1) else { return nil }
            return Swift.max(0, Double(many - one) / Double(posts - 1))
        }.min()
    }
}

/// Adds up orders on any number of threads.
private final class SharedSum: Sendable {
    private let sum = Atomic<UInt64>(0)

    var total: UInt64 { sum.load(ordering: .relaxed) }

    func add(_ sale: Sale) { sum.add(sale.order, ordering: .relaxed) }
}
