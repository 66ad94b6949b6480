import JuiceStand

/// What is left out of the figures at the beginning of each replication.
package enum WarmUp: Equatable, Sendable {
    /// So much stand time.
    case fixed(SimulationTime)
    /// As much as MSER-5 finds.
    case automatic
}

/// Finds the end of the warm-up by MSER-5: of a series averaged in batches of five it cuts the beginning after which the
/// standard error of the rest is smallest, at most half.
///
/// White, "An effective truncation heuristic for bias reduction in simulation output", Simulation 69 (1997); the batches
/// and the bound of one half after White, Cobb and Spratt, "A comparison of five steady-state truncation heuristics for
/// simulation", Winter Simulation Conference 2000. The series are the customers present and the pieces on hand, averaged
/// over slices of stand time and over several replications.
package struct WarmUpSearch {
    /// Replications that the search runs, where the experiment has as many.
    static let mostReplications = 5
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

    /// The next look is the first of another replication.
    mutating func beginReplication() {
        index = 0
        last = (.zero, 0)
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

    /// How long the warm-up takes; nil where half of the run does not reach its end.
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

    /// The number of batches to leave out; nil where the least error is at the bound of one half.
    ///
    /// - Complexity: O(*n*)
    package static func truncation(ofBatches values: [Double]) -> Int? {
        let bound = values.count / 2
        guard bound > 0 else { return 0 }
        // Around the last value, which is nearest to the steady state, so that squares cancel as little as possible.
        let origin = values[values.count - 1]
        var (sum, squares, count) = (0.0, 0.0, 0.0)
        var best = (index: 0, error: Double.infinity)
        for index in values.indices.reversed() {
            let value = values[index] - origin
            sum += value
            squares += value * value
            count += 1
            guard index <= bound else { continue }
            let error = max(0, squares - sum * sum / count) / (count * count)
            if error <= best.error { best = (index, error) }
        }
        return best.index < bound ? best.index : nil
    }
}
