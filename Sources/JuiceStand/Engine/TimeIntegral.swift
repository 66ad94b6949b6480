/// A whole quantity that changes at instants, integrated over time.
///
/// Sums are whole numbers, so that a figure never depends on the instants at which it was looked at.
package struct TimeIntegral: BitwiseCopyable, Codable, Sendable {
    package private(set) var value: Int
    private var changed: SimulationTime
    private var start: SimulationTime
    /// In units times nanoseconds.
    private var area: Int128 = 0

    package init(_ value: Int = 0, at time: SimulationTime = .zero) {
        self.value = value
        changed = time
        start = time
    }

    /// The quantity is `newValue` from `time` on.
    ///
    /// - Precondition: `time` is not before the last change.
    /// - Returns: the nanoseconds that the value before has lasted since the last call.
    @inline(__always)
    @discardableResult
    package mutating func set(_ newValue: Int, at time: SimulationTime) -> Int64 {
        let span = time.nanoseconds &- changed.nanoseconds
        area &+= Int128(value) &* Int128(span)
        value = newValue
        changed = time
        return span
    }

    /// Forgets everything before `time` except the value.
    package mutating func restart(at time: SimulationTime) {
        self = TimeIntegral(value, at: time)
    }

    /// The nanoseconds from the start to `time`.
    package func span(to time: SimulationTime) -> Int64 { (time - start).nanoseconds }

    /// The nanoseconds from the last change to `time`; 0 where it is before that.
    package func lasting(to time: SimulationTime) -> Int64 { max(0, (time - changed).nanoseconds) }

    /// The integral up to `time`, in units times nanoseconds.
    package func area(to time: SimulationTime) -> Int128 { area + Int128(value) * Int128(lasting(to: time)) }

    /// The integral up to `time`, in units times seconds.
    package func integral(to time: SimulationTime) -> Double { Double(area(to: time)) / 1e9 }

    /// The average up to `time`; nil for no time at all.
    package func mean(to time: SimulationTime) -> Double? {
        time > start ? Double(area(to: time)) / Double(span(to: time)) : nil
    }
}
