import TextFormats

/// All combinations of the values of some keys.
package struct Grid: Sendable {
    package struct Axis: Equatable, Sendable {
        package var keyPath: String
        /// The values in the form that `--set` takes.
        package var values: [String]

        package init(keyPath: String, values: [String]) {
            self.keyPath = keyPath
            self.values = values
        }
    }

    package let axes: [Axis]
    /// The number of combinations.
    package let count: Int

    /// - Returns: nil if there are more than 2^53 combinations.
    package init?(_ axes: [Axis]) {
        var count = 1
        for axis in axes {
            let (product, overflow) = count.multipliedReportingOverflow(by: axis.values.count)
            guard !overflow, product <= 1 << 53 else { return nil }
            count = product
        }
        self.axes = axes
        self.count = count
    }

    /// The index of the value on each axis. The last axis varies fastest.
    package func place(of index: Int) -> [Int] {
        var rest = index
        return axes.reversed().map { axis in
            defer { rest /= axis.values.count }
            return rest % axis.values.count
        }.reversed()
    }

    /// The number of the combination with these values.
    package func index(of place: [Int]) -> Int {
        zip(axes, place).reduce(0) { $0 * $1.0.values.count + $1.1 }
    }
}
