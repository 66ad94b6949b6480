/// A quantity averaged over time, with its extremes and the time it was 0.
package struct TimeWeightedTally: BitwiseCopyable, Codable, Sendable {
    private var integral: TimeIntegral
    /// The smallest value, even of one that was gone in the same instant.
    package private(set) var minimum: Int
    /// `Int.min` before any value has lasted.
    private var lastingMaximum = Int.min
    private var nanosecondsAtZero: Int64 = 0

    package init(_ value: Int = 0, at time: SimulationTime = .zero) {
        integral = TimeIntegral(value, at: time)
        minimum = value
    }

    package var value: Int { integral.value }

    /// The quantity is `newValue` from `time` on.
    ///
    /// - Precondition: `time` is not before the last change.
    @inline(__always)
    package mutating func set(_ newValue: Int, at time: SimulationTime) {
        let old = integral.value
        let span = integral.set(newValue, at: time)
        minimum = min(minimum, newValue)
        if span > 0 {
            lastingMaximum = max(lastingMaximum, old)
            nanosecondsAtZero &+= old == 0 ? span : 0
        }
    }

    /// Forgets everything before `time` except the value.
    package mutating func restart(at time: SimulationTime) {
        self = TimeWeightedTally(value, at: time)
    }

    /// The largest value that lasted for any time up to `time`; the present one for no time at all.
    package func maximum(to time: SimulationTime) -> Int {
        lastingMaximum == .min || integral.lasting(to: time) > 0 ? max(lastingMaximum, value) : lastingMaximum
    }

    /// The integral up to `time`, in units times seconds.
    package func integral(to time: SimulationTime) -> Double { integral.integral(to: time) }

    /// The average up to `time`; nil for no time at all.
    package func mean(to time: SimulationTime) -> Double? { integral.mean(to: time) }

    /// The fraction of the time up to `time` in which the value was 0; nil for no time at all.
    package func fractionAtZero(to time: SimulationTime) -> Double? {
        let span = integral.span(to: time)
        let atZero = nanosecondsAtZero + (value == 0 ? integral.lasting(to: time) : 0)
        return span > 0 ? Double(atZero) / Double(span) : nil
    }
}
