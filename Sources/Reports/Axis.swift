import JuiceStand
import Platform
import TextFormats

/// One axis of a plot: its range and its labels.
package struct Axis: Equatable, Sendable {
    package struct Tick: Equatable, Sendable {
        package var value: Double
        package var label: String

        package init(_ value: Double, _ label: String) {
            self.value = value
            self.label = label
        }
    }

    /// The quantity and its unit.
    package var title: String
    package private(set) var range: ClosedRange<Double>
    /// In ascending order, all within the range.
    package private(set) var ticks: [Tick]
    package private(set) var isLogarithmic = false

    /// The position of a value: 0 at the lower end of the range, 1 at its upper end, and beyond for values outside.
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
    ///   - values: The range to cover. A single value is widened.
    ///   - count: The approximate number of ticks.
    ///   - isExtended: Whether the axis extends to the next tick at both ends.
    package init(_ title: String, _ values: ClosedRange<Double>, ticks count: Int = 5, isExtended: Bool = true) {
        let values = Self.widened(values)
        let step = Step(nearest: (values.upperBound - values.lowerBound) / Double(count - 1))
        let first = (values.lowerBound / step.size).rounded(isExtended ? .down : .up)
        let last = (values.upperBound / step.size).rounded(isExtended ? .up : .down)
        self.title = title
        range = isExtended ? step.value(first)...step.value(last) : values
        ticks = stride(from: first, through: last, by: 1).map { Tick(step.value($0), step.label($0)) }
    }

    /// An axis labelled at the given values, or at round numbers if the values are too close together.
    package init(_ title: String, at values: [Tick]) {
        let values = values.sorted { $0.value < $1.value }
        let low = values.first?.value ?? 0
        let high = values.last?.value ?? 0
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

    /// The range, widened if it is too narrow or too small for plotting.
    private static func widened(_ values: ClosedRange<Double>) -> ClosedRange<Double> {
        let drawn = values.clamped(to: -1e200...1e200)
        let low = drawn.lowerBound
        let high = drawn.upperBound
        let size = max(abs(low), abs(high))
        guard size > 1e-200 else { return 0...1 }
        return high - low > 1e-9 * size ? low...high : low - size / 10...high + size / 10
    }

    /// The step between ticks: 1, 2 or 5 times a power of ten.
    private struct Step {
        private let digit: Double
        private let power: Int

        init(nearest value: Double) {
            let power = Int(log10(value).rounded(.down))
            switch value / pow(10, Double(power)) {
            case ..<1.5: (digit, self.power) = (1, power)
            case ..<3: (digit, self.power) = (2, power)
            case ..<7: (digit, self.power) = (5, power)
            default: (digit, self.power) = (1, power + 1)
            }
        }

        var size: Double { value(1) }

        /// `steps` steps from 0. Dividing keeps decimal fractions exact to the nearest `Double`.
        func value(_ steps: Double) -> Double {
            power < 0 ? steps * digit / pow(10, Double(-power)) : steps * digit * pow(10, Double(power))
        }

        func label(_ steps: Double) -> String {
            let value = value(steps)
            // Longer labels would leave no room for the plot.
            guard power >= -6, abs(value) < 1e9 else { return steps == 0 ? "0" : "\(Int(steps * digit))e\(power)" }
            return Columns.fixed(value, decimals: max(0, -power))
        }
    }
}

// MARK: - Logarithmic

extension Axis {
    /// A logarithmic axis of shares, labelled in per cent at the powers of ten.
    ///
    /// - Parameter smallest: The smallest share to show, above 0. The axis extends to the power of ten at or below it.
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
