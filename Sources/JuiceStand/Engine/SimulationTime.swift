/// An instant of stand time, or the span between two: whole nanoseconds, counted from the opening.
///
/// Integers keep runs exact: adding spans never rounds, and two events are simultaneous only if they really are.
/// The range is about 292 years; what lies beyond is ``never``.
public struct SimulationTime: Hashable, BitwiseCopyable, Sendable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The nearest whole nanosecond; `never` where the range ends.
    ///
    /// - Precondition: `seconds` is a number and not negative.
    public init(seconds: Double) {
        precondition(seconds >= 0, "a time of \(seconds) seconds")
        // Half a nanosecond and truncation: what rounding does, without a call.
        let raised = seconds * 1e9 + 0.5
        nanoseconds = raised < 0x1p63 ? Int64(raised) : .max
    }

    /// The opening of the stand.
    public static let zero = SimulationTime(nanoseconds: 0)

    /// Later than everything that happens.
    public static let never = SimulationTime(nanoseconds: .max)

    public var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension SimulationTime: Comparable {
    public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

    /// The sum, or `never` where the range ends.
    public static func + (a: Self, b: Self) -> Self {
        let (sum, overflow) = a.nanoseconds.addingReportingOverflow(b.nanoseconds)
        return overflow ? .never : Self(nanoseconds: sum)
    }

    public static func - (a: Self, b: Self) -> Self { Self(nanoseconds: a.nanoseconds - b.nanoseconds) }
}

extension SimulationTime: Codable {
    public init(from decoder: any Decoder) throws {
        nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }
}
