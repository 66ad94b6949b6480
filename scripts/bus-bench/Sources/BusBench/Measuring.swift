import NotificationBus
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What is posted: a stamp of 16 bytes and three integers.
struct Sale: TypedNotification {
    var at: Int64 = 0
    var sequence: UInt64 = 0
    var amount: Int
    var poster = 0
    var cups = 1
}

/// What an observer adds up, on cache lines of its own.
final class Sum: Sendable {
    private let before = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    private let total = Atomic(0)
    private let after = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    var value: Int {
        get { total.load(ordering: .relaxed) }
        set { total.store(newValue, ordering: .relaxed) }
    }

    /// One thread adds at a time, so this is a load and a store, as with any variable.
    func add(_ amount: Int) { value = value &+ amount }
}

/// A way to reach observers, as the benchmark sees it.
struct Contender {
    var name: String
    /// One in so many posts of a pass is enough for it, because it is slow.
    var share = 1
    /// Delivers the amounts 0 to `count` - 1 and returns the sums the observers have then.
    var run: (_ count: Int) -> [Int]
}

/// Nanoseconds on a clock that only goes forward.
func now() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Keeps the optimizer from knowing what a value is.
@inline(never)
@_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }

extension [Double] {
    var median: Double { sorted()[count / 2] }
    var best: Double { self.min() ?? .nan }
}

/// Nanoseconds a delivery for each contender, pass by pass, while they take turns. Every sum is checked.
func times(_ contenders: [Contender], count: Int, passes: Int) -> [[Double]] {
    var times = Array(repeating: [Double](), count: contenders.count)
    for pass in 0...passes {
        for turn in contenders.indices {
            // Another one begins each pass, so that none always comes after the same other.
            let index = (turn + pass) % contenders.count
            let contender = contenders[index]
            let count = max(count / contender.share, 20)
            let expected = count * (count - 1) / 2
            let start = now()
            let sums = contender.run(opaque(count))
            let time = Double(now() - start) / Double(count)
            precondition(
                sums.allSatisfy { $0 == expected * (pass + 1) },
                "\(contender.name): observers have \(sums), each should have \(expected * (pass + 1))")
            // The first pass warms up.
            if pass > 0 { times[index].append(time) }
        }
    }
    return times
}

/// The medians of ``times(_:count:passes:)``.
func medians(_ contenders: [Contender], count: Int, passes: Int) -> [Double] {
    times(contenders, count: count, passes: passes).map(\.median)
}

extension Double {
    /// With so many digits behind the point.
    func text(_ digits: Int, width: Int = 0) -> String {
        let scale = [1.0, 10, 100, 1000, 10_000][digits]
        let whole = Int((self * scale).rounded())
        var text = "\(whole < 0 ? "-" : "")\(abs(whole) / Int(scale))"
        if digits > 0 {
            let rest = "\(abs(whole) % Int(scale))"
            text += "." + String(repeating: "0", count: digits - rest.count) + rest
        }
        return text.leading(width)
    }
}

extension String {
    func leading(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
    func trailing(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
