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
}

/// Nanoseconds a delivery for each contender: medians of passes that take turns. Every sum is checked.
func medians(_ contenders: [Contender], count: Int, passes: Int) -> [Double] {
    var times = Array(repeating: [Double](), count: contenders.count)
    let expected = count * (count - 1) / 2
    for pass in 0...passes {
        for (index, contender) in contenders.enumerated() {
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
    return times.map(\.median)
}

extension Double {
    /// With so many digits behind the point.
    func text(_ digits: Int, width: Int = 0) -> String {
        let scale = digits == 0 ? 1.0 : (digits == 1 ? 10 : 100)
        let whole = Int((self * scale).rounded())
        var text = "\(whole / Int(scale))"
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
