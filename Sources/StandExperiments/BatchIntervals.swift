import JuiceStand

/// Confidence intervals within one long replication, for means and percentiles of waits and stays.
///
/// The measured period is cut into ``batches`` of equal length, which are nearly independent if they are long. A mean
/// takes its interval from the means of the batches. For a percentile the share of spans at or below it is such a mean:
/// the interval of the share is turned into one of the percentile. That works for shorter runs than percentiles of
/// batches, which are biased.
///
/// Sources: Law, Simulation Modeling and Analysis, 9.5.3, for batch means. Woodruff, "Confidence intervals for medians
/// and other position measures", Journal of the American Statistical Association 47 (1952), for percentiles.
package struct BatchIntervals {
    static let batches = 20
    /// The spans of a batch, on average, below which there is no interval.
    private static let fewestInBatch = 10

    /// The spans so far of one kind, at the end of each batch.
    private struct Series {
        var name: String
        var ends: [Histogram] = []
    }

    private let start: SimulationTime
    private let length: SimulationTime
    private var series = [Series(name: "wait"), Series(name: "stay")]

    /// - Parameter horizon: After `warmUp`.
    init(warmUp: SimulationTime, horizon: SimulationTime) {
        start = warmUp
        length = SimulationTime(nanoseconds: max(1, (horizon - warmUp).nanoseconds / Int64(Self.batches)))
    }

    /// Notes the end of a batch. Samples must be much shorter than a batch.
    mutating func look(_ stand: Stand, at time: SimulationTime) {
        let ended = Int64(series[0].ends.count) + 1
        guard ended < Self.batches, time >= start + SimulationTime(nanoseconds: ended * length.nanoseconds) else {
            return
        }
        endBatch(stand)
    }

    private mutating func endBatch(_ stand: Stand) {
        series[0].ends.append(stand.tally.waits)
        series[1].ends.append(stand.tally.stays)
    }

    /// Half the width of the interval of each metric that has one.
    mutating func halfWidths(_ stand: Stand) -> [String: Double] {
        endBatch(stand)
        var widths: [String: Double] = [:]
        for series in series where series.ends.count == Self.batches {
            widths["\(series.name).mean"] = Self.halfWidthOfMean(series.ends)
            for percent in Self.percents {
                widths["\(series.name).p\(percent)"] = Self.halfWidth(perMille: percent * 10, series.ends)
            }
        }
        return widths
    }

    /// The metrics that have intervals within one replication.
    static let metrics = ["wait", "stay"].flatMap { name in
        ["\(name).mean"] + percents.map { "\(name).p\($0)" }
    }

    /// The percentiles that a stand reports.
    private static let percents = [50, 90, 95, 99]

    // MARK: - Intervals

    /// Half the width of the interval of a ratio of sums over batches; nil for too small a count.
    ///
    /// - Parameter sums: For each batch, the sum of the numerator and the count.
    package static func halfWidth(_ sums: [(sum: Double, count: Double)]) -> Double? {
        let b = Double(sums.count)
        let count = sums.reduce(0) { $0 + $1.count }
        guard count >= b * Double(fewestInBatch) else { return nil }
        let ratio = sums.reduce(0) { $0 + $1.sum } / count
        let squares = sums.reduce(0) { $0 + ($1.sum - ratio * $1.count) * ($1.sum - ratio * $1.count) }
        let error = (squares / (b - 1) / b).squareRoot() / (count / b)
        return error * StudentT.halfWidth(confidence: Estimate.confidence, degrees: sums.count - 1)
    }

    private static func halfWidthOfMean(_ ends: [Histogram]) -> Double? {
        halfWidth(differences(ends.map { (($0.mean ?? 0) * Double($0.count), Double($0.count)) }))
    }

    /// The sums of each batch, from those up to its end.
    private static func differences(_ totals: [(sum: Double, count: Double)]) -> [(sum: Double, count: Double)] {
        totals.indices.map { index in
            let before: (sum: Double, count: Double) = index > 0 ? totals[index - 1] : (0, 0)
            return (totals[index].sum - before.sum, totals[index].count - before.count)
        }
    }

    /// Half the width of the interval of a percentile, to its farther end; nil if the run is too short for it.
    private static func halfWidth(perMille: Int, _ ends: [Histogram]) -> Double? {
        guard let whole = ends.last, let found = whole.percentile(perMille: UInt64(perMille)) else { return nil }
        let below = ends.map { histogram -> (sum: Double, count: Double) in
            var count: UInt64 = 0
            histogram.forEachBucket { span, spans in if span <= found { count += spans } }
            return (sum: Double(count), count: Double(histogram.count))
        }
        guard let halfWidth = halfWidth(differences(below)) else { return nil }
        let share = Double(perMille) / 1000
        // Beyond the largest span nothing is known, and little if few are larger.
        guard share + halfWidth < 1, Double(whole.count) * (1 - share) >= Double(batches) else { return nil }
        let low = quantile(max(0, share - halfWidth), of: whole)
        let high = quantile(share + halfWidth, of: whole)
        return max(high - found, found - low).seconds
    }

    /// The smallest span with at least `share` of all spans at or below it.
    private static func quantile(_ share: Double, of histogram: Histogram) -> SimulationTime {
        let rank = share * Double(histogram.count)
        var (seen, found) = (0.0, SimulationTime.zero)
        histogram.forEachBucket { span, count in
            if seen < rank || seen == 0 { found = span }
            seen += Double(count)
        }
        return found
    }
}
