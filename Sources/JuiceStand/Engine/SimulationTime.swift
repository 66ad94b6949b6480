/// An instant of stand time, or the span between two, in whole nanoseconds since the opening.
///
/// Integers keep runs exact: adding spans never rounds. The range is about 292 years; any later time is ``never``.
///
/// ```swift
/// let time = SimulationTime(seconds: 1.5) + SimulationTime(seconds: 2)
/// print(time.nanoseconds)
/// ```
public struct SimulationTime: Hashable, BitwiseCopyable, Sendable {
    /// Nanoseconds since the opening, or the length of a span. A difference of two times can be negative.
    public var nanoseconds: Int64

    /// The time `nanoseconds` after the opening, or a span of this length.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Rounds to the nearest nanosecond. From about 292 years on, the time is ``never``.
    ///
    /// - Precondition: `seconds` is not negative and not NaN.
    public init(seconds: Double) {
        precondition(seconds >= 0, "a time of \(seconds) seconds")
        // Adding one half and truncating rounds without a function call.
        let raised = seconds * 1e9 + 0.5
        nanoseconds = raised < 0x1p63 ? Int64(raised) : .max
    }

    /// The opening of the stand, or a span of no length.
    public static let zero = SimulationTime(nanoseconds: 0)

    /// Later than every event. Adding to it gives `never` again.
    public static let never = SimulationTime(nanoseconds: .max)

    /// The time in seconds, rounded to the nearest `Double`: exact to the nanosecond up to about 104 days.
    public var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension SimulationTime: Comparable {
    /// Whether `a` is earlier, or shorter, than `b`.
    public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

    /// The sum; ``never`` beyond the range.
    public static func + (a: Self, b: Self) -> Self {
        let (sum, overflow) = a.nanoseconds.addingReportingOverflow(b.nanoseconds)
        return overflow ? .never : Self(nanoseconds: sum)
    }

    /// The span from `b` to `a`; negative if `a` is earlier.
    ///
    /// - Precondition: The difference fits 64 bits. Neither side is ``never``, unless the other is not negative.
    public static func - (a: Self, b: Self) -> Self { Self(nanoseconds: a.nanoseconds - b.nanoseconds) }
}

extension SimulationTime: Codable {
    /// Reads the number of nanoseconds.
    public init(from decoder: any Decoder) throws {
        nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes the number of nanoseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }
}
