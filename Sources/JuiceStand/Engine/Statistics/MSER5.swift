/// Finds the length of the warm-up of a series.
///
/// MSER-5 averages a series in batches of five and cuts the beginning after which the standard error of the rest is
/// smallest.
///
/// Sources: White, "An effective truncation heuristic for bias reduction in simulation output", Simulation 69 (1997).
/// White, Cobb and Spratt, "A comparison of five steady-state truncation heuristics for simulation", Winter Simulation
/// Conference 2000, for the batches and the bound of one half. Hoad, Robinson and Davies, "Automating warm-up length
/// estimation", Journal of the Operational Research Society 61 (2010), for leaving out the last five cuts.
package enum MSER5 {
    package static let batch = 5
    /// Cuts that leave fewer batches are not considered, because a few batches may be nearly equal by chance.
    private static let fewestBatchesLeft = 5

    package static func batches(_ series: [Double]) -> [Double] {
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
        var sum = 0.0
        var squares = 0.0
        var count = 0.0
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
