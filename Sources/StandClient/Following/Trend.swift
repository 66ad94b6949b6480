import TextFormats

/// A figure over the last ten minutes of wall time, or since the display has known it.
///
/// Between two recorded values, the figure stays the same.
package struct Trend: Sendable {
    /// The longest span shown, in wall seconds. In stand time it is multiplied by the speed.
    package static let longest = 600.0
    /// Wall seconds between two drawings of a chart that grows.
    private static let step = 10.0
    /// Wall seconds between two points.
    private static let grain = 1.0
    /// Slower stands are taken to have this speed.
    private static let leastSpeed = 0.001
    /// News that is this late, in wall seconds, comes from a restarted stand.
    private static let mostLate = 2.0
    /// The least wall seconds of a column that counts growth.
    private static let leastGrowth = 2.0

    /// Where the value changed, oldest first.
    private var points: [(time: Double, value: Double)] = []
    /// Stand time of the latest news.
    private var latest = -Double.infinity
    private var speed = 1.0

    package init() {}

    /// Records the value at a stand time.
    ///
    /// A value from just before the latest one is ignored. A much earlier time, or one after a long silence, means a
    /// restarted stand, and the trend starts again.
    package mutating func record(_ value: Double, at time: Double, speed: Double) {
        // The speed comes from another program and may be 0.
        let speed = max(speed, Self.leastSpeed)
        self.speed = speed
        if time < latest - Self.mostLate * speed || time - latest > Self.longest * speed { points = [] }
        guard let last = points.last else {
            points = [(time, value)]
            latest = time
            return
        }
        guard time >= latest else { return }
        latest = time
        guard value != last.value else { return }
        let size = Self.grain * speed
        if points.count > 1, (time / size).rounded(.down) == (last.time / size).rounded(.down) {
            points[points.count - 1].value = value
        } else {
            points.append((time, value))
        }
        // Keeps a quarter more than the chart shows. The last point before the start has the value at the start.
        let start = latest - 1.25 * Self.longest * speed
        if let first = points.lastIndex(where: { $0.time <= start }) {
            points.removeFirst(first)
            points[0].time = start
        }
    }

    /// Stand seconds from the first column to the last of a chart; 0 if there is nothing to show yet.
    ///
    /// The end moves in steps, so that a chart is not redrawn with every frame.
    package func span(_ columns: Int) -> Double { window(columns).map { $0.upperBound - $0.lowerBound } ?? 0 }

    private func window(_ columns: Int) -> ClosedRange<Double>? {
        guard let first = points.first, columns > 0 else { return nil }
        let known = (latest - first.time) / speed
        guard known < Self.longest - 1 else {
            // The chart moves by whole columns.
            let step = Self.longest * speed / Double(columns)
            let end = (latest / step).rounded(.down) * step
            let start = max(first.time, end - Self.longest * speed)
            return end > start ? start...end : nil
        }
        return settled.map { first.time...$0 }
    }

    /// The latest time that a chart shows while it grows; nil before there is one. It moves seldom: with each move all
    /// columns change.
    private var settled: Double? {
        guard let first = points.first else { return nil }
        let known = (latest - first.time) / speed
        guard known >= Self.step else { return nil }
        return first.time + (known / Self.step).rounded(.down) * Self.step * speed
    }

    /// The value at the end of each of `columns` equal parts of the time shown; nil if there is nothing to show yet.
    ///
    /// - Complexity: O(*n* + *c*) for *n* points and *c* columns
    package func samples(_ columns: Int) -> [Double?] {
        guard let window = window(columns) else { return Array(repeating: nil, count: max(0, columns)) }
        return values(window, columns)
    }

    private func values(_ window: ClosedRange<Double>, _ columns: Int) -> [Double] {
        let width = (window.upperBound - window.lowerBound) / Double(columns)
        var index = 0
        return (1...columns).map { column in
            let time = window.lowerBound + width * Double(column)
            while index + 1 < points.count, points[index + 1].time <= time { index += 1 }
            return points[index].value
        }
    }

    /// The growth of the value in each of `columns` parts of the time shown. In a short time, neighbours share a part.
    package func growth(_ columns: Int) -> [Double?] {
        guard let window = window(columns) else { return Array(repeating: nil, count: max(0, columns)) }
        let most = (window.upperBound - window.lowerBound) / speed / Self.leastGrowth
        let parts = max(1, min(columns, Int(nearest: most.rounded(.down))))
        let values = [points[0].value] + values(window, parts)
        let growth = zip(values, values.dropFirst()).map { max(0, $1 - $0) }
        return (0..<columns).map { growth[$0 * parts / columns] }
    }

    /// The growth in a stand second, over the last minute of wall time; nil if less than ten seconds are known.
    package var rate: Double? {
        guard let first = points.first, let end = settled else { return nil }
        let start = max(first.time, end - 60 * speed)
        guard end - start >= 10 * speed else { return nil }
        func value(at time: Double) -> Double { (points.last { $0.time <= time } ?? first).value }
        return max(0, value(at: end) - value(at: start)) / (end - start)
    }
}
