/// The time-weighted mean of a quantity, its extremes, and the time for which it was 0.
package struct TimeWeightedTally: BitwiseCopyable, Codable, Sendable {
    private var integral: TimeIntegral
    /// The smallest value, even if it lasted no time.
    package private(set) var minimum: Int
    /// The largest value that lasted for any time; `Int.min` if none has.
    private var lastingMaximum = Int.min
    private var nanosecondsAtZero: Int64 = 0

    package init(_ value: Int = 0, at time: SimulationTime = .zero) {
        integral = TimeIntegral(value, at: time)
        minimum = value
    }

    package var value: Int { integral.value }

    /// Sets the quantity from `time` on.
    ///
    /// - Precondition: `time` is not before the last change.
    /// - Returns: Nanoseconds since the last change.
    @inline(__always)
    @discardableResult
    package mutating func set(_ newValue: Int, at time: SimulationTime) -> Int64 {
        let old = integral.value
        let span = integral.set(newValue, at: time)
        minimum = min(minimum, newValue)
        if span > 0 {
            lastingMaximum = max(lastingMaximum, old)
            nanosecondsAtZero &+= old == 0 ? span : 0
        }
        return span
    }

    /// The tally that starts anew at `time` with the present value.
    package func restarted(at time: SimulationTime) -> TimeWeightedTally { TimeWeightedTally(value, at: time) }

    /// The largest value that lasted for any time up to `time`; the present value if no time has passed.
    package func maximum(to time: SimulationTime) -> Int {
        lastingMaximum == .min || integral.lasting(to: time) > 0 ? max(lastingMaximum, value) : lastingMaximum
    }

    /// The integral up to `time`, in units × seconds.
    package func integral(to time: SimulationTime) -> Double { integral.integral(to: time) }

    /// The mean up to `time`; nil if no time has passed.
    package func mean(to time: SimulationTime) -> Double? { integral.mean(to: time) }

    /// The fraction of the time up to `time` for which the value was 0; nil if no time has passed.
    package func fractionAtZero(to time: SimulationTime) -> Double? {
        fraction(of: nanosecondsAtZero + (value == 0 ? integral.lasting(to: time) : 0), to: time)
    }

    /// Nanoseconds from the last change to `time`; 0 if `time` is earlier.
    func lasting(to time: SimulationTime) -> Int64 { integral.lasting(to: time) }

    /// The share of `nanoseconds` in the time up to `time`; nil if no time has passed.
    func fraction(of nanoseconds: Int64, to time: SimulationTime) -> Double? {
        let span = integral.span(to: time)
        return span > 0 ? Double(nanoseconds) / Double(span) : nil
    }
}
