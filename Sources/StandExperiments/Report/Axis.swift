import JuiceStand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// One direction of a plot: which values it shows and where it is labelled.
package struct Axis: Equatable, Sendable {
    package struct Tick: Equatable, Sendable {
        package var value: Double
        package var label: String

        package init(_ value: Double, _ label: String) {
            self.value = value
            self.label = label
        }
    }

    /// What is counted, with its unit.
    package var title: String
    package private(set) var range: ClosedRange<Double>
    /// In ascending order, all within the range.
    package private(set) var ticks: [Tick]
    package private(set) var isLogarithmic = false

    /// Where a value lies, from 0 at the range's lower end to 1 at its upper end; beyond that what lies outside.
    package func fraction(of value: Double) -> Double {
        if isLogarithmic {
            return log10(max(value, .leastNormalMagnitude) / range.lowerBound)
                / log10(range.upperBound / range.lowerBound)
        }
        return (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    }
}

// MARK: - Linear

extension Axis {
    /// An axis labelled at round numbers.
    ///
    /// After Heckbert, "Nice numbers for graph labels", Graphics Gems (1990).
    /// - Parameters:
    ///   - values: What must lie on the axis; around a single value it is widened.
    ///   - count: About how many ticks.
    ///   - isExtended: Whether the axis goes on to the next tick at both ends.
    package init(_ title: String, _ values: ClosedRange<Double>, ticks count: Int = 5, isExtended: Bool = true) {
        let values = Self.widened(values)
        let size = values.upperBound - values.lowerBound
        let step = Self.niceNumber(nearest: size / Double(count - 1))
        let first = (values.lowerBound / step).rounded(isExtended ? .down : .up)
        let last = (values.upperBound / step).rounded(isExtended ? .up : .down)
        self.title = title
        range = isExtended ? first * step...last * step : values
        let decimals = Self.decimals(of: step)
        ticks = (0...max(0, Int(last - first))).map {
            let value = (first + Double($0)) * step
            return Tick(value, Self.label(value, decimals: decimals))
        }
    }

    /// An axis labelled at the values themselves, in any order, or at round numbers where they stand too close.
    package init(_ title: String, at values: [Tick]) {
        let values = values.sorted { $0.value < $1.value }
        let (low, high) = (values.first?.value ?? 0, values.last?.value ?? 0)
        let whole = Self.widened(low...high)
        let margin = (whole.upperBound - whole.lowerBound) * 0.06
        let narrowest = zip(values.dropFirst(), values).map { $0.value - $1.value }.min() ?? .infinity
        let longest = values.map(\.label.count).max() ?? 0
        // About sixty characters fit along an axis.
        let isRoomy = narrowest / (high - low) * 60 >= Double(longest + 2)
        self.title = title
        range = whole.lowerBound - margin...whole.upperBound + margin
        ticks = isRoomy ? values : Self(title, whole, ticks: 6, isExtended: false).ticks
    }

    /// The values, or some around them where they are one or not to be drawn.
    private static func widened(_ values: ClosedRange<Double>) -> ClosedRange<Double> {
        let (low, high) = (max(values.lowerBound, -1e300), min(values.upperBound, 1e300))
        // Closer together than this, ticks could not be told apart.
        guard high - low > 1e-9 * max(abs(low), abs(high), 1e-290) else {
            return low == 0 ? 0...1 : low - abs(low) / 10...low + abs(low) / 10
        }
        return low...high
    }

    /// 1, 2, 5 or 10 times a power of ten, whichever is about the value.
    private static func niceNumber(nearest value: Double) -> Double {
        let power = pow(10, log10(value).rounded(.down))
        return switch value / power {
        case ..<1.5: power
        case ..<3: 2 * power
        case ..<7: 5 * power
        default: 10 * power
        }
    }

    private static func decimals(of step: Double) -> Int {
        // The nudge is for 0.1 and the like, whose logarithm may be a little too small.
        max(0, Int(-(log10(step) + 1e-9).rounded(.down)))
    }

    private static func label(_ value: Double, decimals: Int) -> String {
        value != 0 && (abs(value) >= 1e9 || decimals > 6)
            ? "\(Float(value))" : Columns.fixed(value, decimals: decimals)
    }
}

// MARK: - Logarithmic

extension Axis {
    /// A share of all on a logarithmic scale, labelled in per cent at the powers of ten.
    ///
    /// - Parameter smallest: The smallest share to be shown, above 0; the axis goes on to the power of ten at or below it.
    package init(_ title: String, sharesDownTo smallest: Double) {
        let decades = max(1, Int((-log10(smallest) - 1e-9).rounded(.up)))
        self.title = title
        isLogarithmic = true
        ticks = (0...decades).reversed().map {
            Tick(pow(10, -Double($0)), Columns.fixed(pow(10, 2 - Double($0)), decimals: max(0, $0 - 2)) + "%")
        }
        range = pow(10, -Double(decades))...1
    }
}
