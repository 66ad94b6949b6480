import JuiceStand

/// The beginning of each replication that the figures leave out.
package enum WarmUp: Equatable, Sendable {
    /// A given span of stand time.
    case fixed(SimulationTime)
    /// The span that MSER-5 finds.
    case automatic
}

/// Finds the end of the warm-up by MSER-5.
///
/// MSER-5 averages a series in batches of five and cuts the beginning after which the standard error of the rest is
/// smallest. The series are the customers present and the pieces on hand, averaged over slices of stand time and over
/// several replications.
///
/// Sources: White, "An effective truncation heuristic for bias reduction in simulation output", Simulation 69 (1997).
/// White, Cobb and Spratt, "A comparison of five steady-state truncation heuristics for simulation", Winter Simulation
/// Conference 2000, for the batches and the bound of one half. Hoad, Robinson and Davies, "Automating warm-up length
/// estimation", Journal of the Operational Research Society 61 (2010), for leaving out the last five cuts and for
/// rejecting a cut beyond one half.
package struct WarmUpSearch {
    /// The most replications that the search runs.
    static let mostReplications = 5
    /// Cuts that leave fewer batches are not considered: by chance, so few may be nearly equal.
    private static let fewestBatchesLeft = 5
    private static let slices: Int64 = 2000
    private static let batch = 5

    let interval: SimulationTime
    private var last = (time: SimulationTime.zero, present: 0.0)
    private var index = 0
    private var present: [Double] = []
    private var pieces: [Double] = []

    init(horizon: SimulationTime) {
        interval = SimulationTime(nanoseconds: max(1, horizon.nanoseconds / Self.slices))
    }

    /// Prepares for the samples of another replication.
    mutating func beginReplication() {
        index = 0
        last = (.zero, 0)
    }

    /// Takes the sample at the horizon, which the driver leaves out, so that the last batch is whole.
    ///
    /// - Parameter length: From the start of the replication to the horizon.
    mutating func endReplication(_ stand: Stand, at horizon: SimulationTime, length: SimulationTime) {
        if stand.now <= horizon, interval.nanoseconds * Int64(index + 1) == length.nanoseconds {
            look(stand, at: horizon)
        }
    }

    mutating func look(_ stand: Stand, at time: SimulationTime) {
        let area = stand.tally.present.integral(to: time)
        let level = stand.settings.menu.allFruits.reduce(0) { $0 + (stand.maker.stock(of: $1) ?? 0) }
        if index == present.count {
            present.append(0)
            pieces.append(0)
        }
        present[index] += area - last.present
        pieces[index] += Double(level)
        index += 1
        last = (time, area)
    }

    /// The length of the warm-up; nil if it is more than half of the run.
    var end: SimulationTime? {
        var longest = 0
        for series in [present, pieces] {
            guard let batches = Self.truncation(ofBatches: Self.batches(series)) else { return nil }
            longest = max(longest, batches)
        }
        return SimulationTime(nanoseconds: interval.nanoseconds * Int64(longest * Self.batch))
    }

    private static func batches(_ series: [Double]) -> [Double] {
        stride(from: 0, through: series.count - batch, by: batch).map {
            series[$0..<$0 + batch].reduce(0, +) / Double(batch)
        }
    }

    /// The number of batches to leave out; nil if the best cut lies at one half or beyond.
    ///
    /// - Complexity: O(*n*) for *n* batches.
    package static func truncation(ofBatches values: [Double]) -> Int? {
        let bound = values.count / 2
        guard bound > 0 else { return 0 }
        let last = max(bound, values.count - fewestBatchesLeft)
        // Relative to the last value, which is nearest to the steady state, so that squares cancel as little as
        // possible.
        let origin = values[values.count - 1]
        var (sum, squares, count) = (0.0, 0.0, 0.0)
        var best = (index: 0, error: Double.infinity)
        for index in values.indices.reversed() {
            let value = values[index] - origin
            sum += value
            squares += value * value
            count += 1
            guard index <= last else { continue }
            let error = max(0, squares - sum * sum / count) / (count * count)
            if error <= best.error { best = (index, error) }
        }
        return best.index < bound ? best.index : nil
    }
}
