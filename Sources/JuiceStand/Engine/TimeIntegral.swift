/// The integral of a whole quantity over time.
///
/// The sum is a whole number, so that it does not depend on when it was read.
package struct TimeIntegral: BitwiseCopyable, Codable, Sendable {
    package private(set) var value: Int
    private var changed: SimulationTime
    private var start: SimulationTime
    /// The integral up to the last change, in units × nanoseconds.
    private var area: Int128 = 0

    package init(_ value: Int = 0, at time: SimulationTime = .zero) {
        self.value = value
        changed = time
        start = time
    }

    /// Sets the quantity from `time` on.
    ///
    /// - Precondition: `time` is not before the last change.
    /// - Returns: Nanoseconds since the last change.
    @inline(__always)
    @discardableResult
    package mutating func set(_ newValue: Int, at time: SimulationTime) -> Int64 {
        let span = time.nanoseconds &- changed.nanoseconds
        area &+= Int128(value) &* Int128(span)
        value = newValue
        changed = time
        return span
    }

    /// The integral that starts anew at `time` with the present value.
    package func restarted(at time: SimulationTime) -> TimeIntegral { TimeIntegral(value, at: time) }

    /// Nanoseconds from the start to `time`.
    package func span(to time: SimulationTime) -> Int64 { (time - start).nanoseconds }

    /// Nanoseconds from the last change to `time`; 0 if `time` is earlier.
    package func lasting(to time: SimulationTime) -> Int64 { max(0, (time - changed).nanoseconds) }

    /// The integral up to `time`, in units × nanoseconds.
    package func area(to time: SimulationTime) -> Int128 { area + Int128(value) * Int128(lasting(to: time)) }

    /// The integral up to `time`, in units × seconds.
    package func integral(to time: SimulationTime) -> Double { Double(nearest: area(to: time)) / 1e9 }

    /// The mean up to `time`; nil if no time has passed.
    package func mean(to time: SimulationTime) -> Double? {
        time > start ? Double(nearest: area(to: time)) / Double(span(to: time)) : nil
    }
}

extension Double {
    /// The nearest value. The standard library's conversion of 128 bits is slow, and most values fit in 64.
    init(nearest value: Int128) {
        let low = Int64(truncatingIfNeeded: value)
        self = Int128(low) == value ? Double(low) : Double(value)
    }

    init(nearest value: UInt128) {
        let low = UInt64(truncatingIfNeeded: value)
        self = UInt128(low) == value ? Double(low) : Double(value)
    }
}
