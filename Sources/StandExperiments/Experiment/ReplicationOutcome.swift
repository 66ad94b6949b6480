import JuiceStand

/// The result of one replication of one setting.
package struct ReplicationOutcome: Equatable, Sendable {
    /// Counted from 0.
    package var number: Int
    /// The values of the metrics, in the order of the run's names; nil without an observation.
    package var values: [Double?]
    /// The customers who left without juice.
    package var losses = LossTable()
    /// The length of the measured period, in days of 24 hours.
    package var days = 0.0
    package var charts: ReplicationCharts?
    /// Whether the replication ran to its end.
    package var isWhole = true
    /// A contradiction that proves an error of the program; nil if there is none.
    package var fault: String?

    package init(number: Int, values: [Double?], charts: ReplicationCharts? = nil) {
        self.number = number
        self.values = values
        self.charts = charts
    }
}

/// The data of one replication for the plots of a report.
package struct ReplicationCharts: Equatable, Sendable {
    /// Waits of served customers.
    package var waits = SpanDistribution()
    /// The mean number of customers in the queue in each hour of the day; nil for hours when the stand was closed.
    package var lineByHour: [Double?] = Array(repeating: nil, count: 24)
    /// Kept for the first replication only.
    package var levels: LevelSeries?
}

/// The stock over time.
package struct LevelSeries: Equatable, Sendable {
    package struct Fruit: Equatable, Sendable {
        package var name: String
        package var reorderPoint: Int?
        /// The level at every multiple of the step, from the opening on.
        package var levels: [Int]
    }

    package var step: SimulationTime
    /// The fruits that are not unlimited.
    package var fruits: [Fruit]
}

/// Counts of spans of time in buckets for plots, 32 to an octave.
///
/// It is coarser than a ``Histogram``, so that it can be kept for each replication and written to a file.
package struct SpanDistribution: Equatable, Sendable {
    /// The count of each bucket, the shortest spans first.
    package var counts: [UInt64] = []

    package init() {}

    package init(_ histogram: Histogram) {
        histogram.forEachBucket { add($1, at: Self.bucket(of: $0)) }
    }

    package mutating func add(_ count: UInt64, at bucket: Int) {
        if bucket >= counts.count {
            counts.append(contentsOf: repeatElement(0, count: bucket + 1 - counts.count))
        }
        // The counts of a damaged file may be too large.
        let (sum, isTooLarge) = counts[bucket].addingReportingOverflow(count)
        counts[bucket] = isTooLarge ? .max : sum
    }

    /// The shortest span of a bucket, in seconds; 0 for the first.
    package static func start(of bucket: Int) -> Double {
        let octave = max(0, bucket / perOctave - 1)
        return Double((bucket - octave * perOctave) << octave) * resolution
    }

    /// The number of buckets; the last one has the index before it.
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
