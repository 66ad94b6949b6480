import AllocationCount
import JuiceStand
import Platform

/// A till with its displays, whose posts are measured.
final class MeasuredTill {
    let choice: WiringChoice
    /// Another form; nil for the row of the table of speed.
    let option: Profile.Option?
    /// Posts in a pass.
    var count = 0
    /// Whether every observer has heard every post so far.
    private(set) var isSound = true
    /// Posts the orders from 1 to a number.
    private let post: (Int) -> Void
    private let displays: [Display]
    let isConcurrent: Bool
    private var expected: UInt64 = 0
    private var passes = 0

    /// The wiring's row in the table of speed; nil if it can't have that number of observers.
    init?(_ profile: Profile, observers: Int) {
        let isConcurrent = profile.make().isConcurrent
        let displays = (0..<observers).map { _ in Display(isShared: isConcurrent) }
        guard let (till, keys) = profile.till(displays) else { return nil }
        let window = isConcurrent ? profile.window : .max
        choice = profile.choice
        option = nil
        self.displays = displays
        self.isConcurrent = isConcurrent
        post = { count in
            withExtendedLifetime(keys) {
                guard window < .max else { return till.post(count, from: 1, by: 1) }
                till.post(count, inPartsOf: window, heardBy: displays)
            }
        }
    }

    /// An option with one observer.
    init(_ choice: WiringChoice, _ option: Profile.Option) {
        let display = Display(isShared: option.isConcurrent)
        displays = [display]
        self.choice = choice
        self.option = option
        isConcurrent = option.isConcurrent
        post = option.make(display)
    }

    /// Posts `count` times and returns the nanoseconds of processor time that this took on all threads.
    func pass(_ count: Int) -> Double {
        passes += 1
        let start = processorTime()
        // A post takes twice as long while a local variable and an observer's sum lie a multiple of 4,096 bytes apart.
        // So passes begin at different depths of the stack.
        unsafe withUnsafeTemporaryAllocation(byteCount: 16 * (passes % 61), alignment: 16) { _ in post(count) }
        expected &+= UInt64(count) * UInt64(count + 1) / 2
        if isConcurrent {
            let deadline = ContinuousClock.now + .seconds(20)
            while !hasHeardAll, ContinuousClock.now < deadline { usleep(200) }
        }
        let time = (processorTime() - start) / .nanoseconds(1)
        if !hasHeardAll { isSound = false }
        return time
    }

    private var hasHeardAll: Bool { displays.allSatisfy { $0.total == expected } }

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
