/// A quantity that changes at instants and is averaged over time.
///
/// Sums are whole numbers, so that a figure never depends on the instants at which it was looked at.
package struct TimeWeightedTally: BitwiseCopyable, Codable, Sendable {
    package private(set) var value: Int
    /// The smallest value, even of one that was gone in the same instant.
    package private(set) var minimum: Int
    /// `Int.min` before any value has lasted.
    private var lastingMaximum = Int.min
    private var changed: SimulationTime
    private var start: SimulationTime
    /// The integral of the value, in units times nanoseconds.
    private var area: Int128 = 0
    private var nanosecondsAtZero: Int64 = 0

    package init(_ value: Int = 0, at time: SimulationTime = .zero) {
        self.value = value
        minimum = value
        changed = time
        start = time
    }

    /// The quantity is `newValue` from `time` on.
    ///
    /// - Precondition: `time` is not before the last change.
    @inline(__always)
    package mutating func set(_ newValue: Int, at time: SimulationTime) {
        integrate(to: time)
        value = newValue
        minimum = min(minimum, newValue)
    }

    /// Forgets everything before `time` except the value.
    package mutating func restart(at time: SimulationTime) {
        self = TimeWeightedTally(value, at: time)
    }

    /// The largest value that lasted for any time up to `time`; the present one for no time at all.
    package func maximum(to time: SimulationTime) -> Int {
        let maximum = integrated(to: time).lastingMaximum
        return maximum == .min ? value : maximum
    }

    /// The integral up to `time`, in units times nanoseconds.
    package func area(to time: SimulationTime) -> Int128 { integrated(to: time).area }

    /// The integral up to `time`, in units times seconds.
    package func integral(to time: SimulationTime) -> Double { Double(integrated(to: time).area) / 1e9 }

    /// The average up to `time`; nil for no time at all.
    package func mean(to time: SimulationTime) -> Double? {
        time > start ? Double(integrated(to: time).area) / Double((time - start).nanoseconds) : nil
    }

    /// The fraction of the time up to `time` in which the value was 0; nil for no time at all.
    package func fractionAtZero(to time: SimulationTime) -> Double? {
        time > start ? Double(integrated(to: time).nanosecondsAtZero) / Double((time - start).nanoseconds) : nil
    }

    @inline(__always)
    private mutating func integrate(to time: SimulationTime) {
        guard time > changed else { return }
        let span = time.nanoseconds &- changed.nanoseconds
        lastingMaximum = max(lastingMaximum, value)
        area &+= Int128(value) &* Int128(span)
        nanosecondsAtZero &+= value == 0 ? span : 0
        changed = time
    }

    private func integrated(to time: SimulationTime) -> Self {
        var copy = self
        copy.integrate(to: time)
        return copy
    }
}
