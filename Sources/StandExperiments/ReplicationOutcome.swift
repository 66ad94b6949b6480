import JuiceStand

/// What one replication of one setting came to.
package struct ReplicationOutcome: Equatable, Sendable {
    /// From 0.
    package var number: Int
    /// By the names of the run it belongs to; nil where there was no observation.
    package var values: [Double?]
    package var charts: ReplicationCharts?
    /// Whether it got to its end.
    package var isWhole = true
    /// What shows that the program is at fault; nil where nothing does.
    package var fault: String?

    package init(number: Int, values: [Double?], charts: ReplicationCharts? = nil) {
        self.number = number
        self.values = values
        self.charts = charts
    }
}

/// What the plots of a report are drawn from, of one replication.
package struct ReplicationCharts: Equatable, Sendable {
    /// Waits of served customers.
    package var waits = SpanDistribution()
    /// Customers in line, averaged over the time the stand was open in each hour of the day; nil where it was not.
    package var lineByHour: [Double?] = Array(repeating: nil, count: 24)
    /// Of the first replication alone.
    package var levels: LevelSeries?

    package init() {}
}

/// The stock over time.
package struct LevelSeries: Equatable, Sendable {
    package struct Fruit: Equatable, Sendable {
        package var name: String
        package var reorderPoint: Int?
        /// At every multiple of the step, from the opening on.
        package var levels: [Int]

        package init(name: String, reorderPoint: Int?, levels: [Int]) {
            self.name = name
            self.reorderPoint = reorderPoint
            self.levels = levels
        }
    }

    package var step: SimulationTime
    /// Those that are not without limit.
    package var fruits: [Fruit]

    package init(step: SimulationTime, fruits: [Fruit]) {
        self.step = step
        self.fruits = fruits
    }
}

/// How many spans of time were how long, in buckets fine enough to be drawn, 32 to an octave.
///
/// A ``Histogram`` made coarser, so that it can be kept for each replication and written into a file.
package struct SpanDistribution: Equatable, Sendable {
    /// Spans in each bucket, the shortest first.
    package var counts: [UInt64] = []

    package init() {}

    package init(_ histogram: Histogram) {
        histogram.forEachBucket { add($1, at: Self.bucket(of: $0)) }
    }

    package mutating func merge(_ other: Self) {
        for (index, count) in other.counts.enumerated() where count > 0 { add(count, at: index) }
    }

    package mutating func add(_ count: UInt64, at bucket: Int) {
        if bucket >= counts.count {
            counts.append(contentsOf: repeatElement(0, count: bucket + 1 - counts.count))
        }
        counts[bucket] += count
    }

    /// The shortest span of a bucket, in seconds; 0 for the first.
    package static func start(of bucket: Int) -> Double {
        let octave = max(0, bucket / perOctave - 1)
        return Double((bucket - octave * perOctave) << octave) * resolution
    }

    /// The first bucket that is not meant for any span.
    package static let end = 64 * perOctave

    private static let perOctave = 32
    /// Seconds in one unit: 2^20 nanoseconds, about a millisecond.
    private static let resolution = Double(1 << 20) / 1e9

    private static func bucket(of span: SimulationTime) -> Int {
        let units = Int(span.nanoseconds >> 20)
        guard units >= 2 * perOctave else { return units }
        let octave = 64 - 6 - units.leadingZeroBitCount
        return octave * perOctave + units >> octave
    }
}
