/// A test of many differences at once.
///
/// If no mean differs, the probability that any difference is shown is at most one minus the confidence. The same holds
/// for the means that do not differ if others do.
package struct FamilyTest: Equatable, Sendable {
    /// The probability of each difference, adjusted for the number of tests.
    package var probabilities: [Double]
    /// Half the width of each interval. With the given confidence all intervals contain their true differences.
    package var halfWidths: [Double]

    /// Student's t tests, adjusted by Holm's method. The intervals are Bonferroni's.
    ///
    /// Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6
    /// (1979).
    package init(holm differences: [MeanDifference], confidence: Double) {
        let count = differences.count
        let found = differences.map(\.probability)
        probabilities = found
        var largest = 0.0
        var left = count
        for index in found.indices.sorted(by: { found[$0] < found[$1] }) {
            largest = max(largest, min(1, found[index] * Double(left)))
            probabilities[index] = largest
            left -= 1
        }
        let each = 1 - (1 - confidence) / Double(max(1, count))
        halfWidths = differences.map {
            $0.standardError * StudentT.halfWidth(confidence: each, degrees: $0.degrees)
        }
    }

    /// The number of random permutations.
    package static let permutations = 1999

    /// The step-down test of the largest ratio, whose distribution permutations of the values show.
    ///
    /// Permutations keep the dependence between metrics, so this test finds smaller differences than Holm's method.
    /// Source: Westfall and Young, Resampling-Based Multiple Testing (1993), algorithm 4.1.
    ///
    /// - Parameters:
    ///   - permutation: The ratios of all differences after one random permutation.
    private init(
        _ differences: [MeanDifference], observed: [Double], confidence: Double,
        permutation: (inout SplitMix64) -> [Double]
    ) {
        // Rounding must not make a permutation smaller that gives the observed values again.
        let thresholds = observed.map { $0 * (1 - 1e-9) }
        let order = observed.indices.sorted { observed[$0] > observed[$1] }
        var reached = Array(repeating: 0, count: observed.count)
        var maxima: [Double] = []
        // A fixed seed: the same files give the same bytes.
        var random = SplitMix64(seed: 1)
        for _ in 0..<Self.permutations {
            let ratios = permutation(&random)
            var largest = 0.0
            for index in order.reversed() {
                largest = max(largest, ratios[index])
                if largest >= thresholds[index] { reached[index] += 1 }
            }
            maxima.append(largest)
        }
        probabilities = observed
        var largest = 0.0
        for index in order {
            largest = max(largest, Double(1 + reached[index]) / Double(1 + Self.permutations))
            // Two standard errors more, so that the choice of permutations raises no alarm.
            let error = (largest * (1 - largest) / Double(1 + Self.permutations)).squareRoot()
            probabilities[index] = min(1, largest + 2 * error)
        }
        maxima.sort()
        let rank = (Double(1 + Self.permutations) * confidence).rounded(.up)
        let critical = maxima[min(maxima.count, Int(rank)) - 1]
        halfWidths = differences.map { $0.standardError * critical }
    }
}

// MARK: - Permutations

extension FamilyTest {
    /// A variance below this share of the mean square is rounding.
    private static let leastVariance = 1e-12

    /// Tests differences of pairs by changing their signs.
    ///
    /// - Parameters:
    ///   - differences: The difference of each metric.
    ///   - pairs: For each metric, its differences by replication; nil where either has no observation.
    ///   - confidence: The confidence of all metrics together.
    package init(_ differences: [MeanDifference], pairs: [[Double?]], confidence: Double) {
        let metrics = pairs.map { values in
            (values: values.map { $0 ?? 0 }, count: Double(values.count { $0 != nil }))
        }
        let squares = metrics.map { $0.values.reduce(0) { $0 + $1 * $1 } }
        func ratio(_ metric: Int, _ signs: [Double]) -> Double {
            let (values, n) = metrics[metric]
            var sum = 0.0
            for index in values.indices { sum += values[index] * signs[index] }
            let mean = sum / n
            let square = squares[metric]
            guard square > 0 else { return 0 }
            let variance = max((square - n * mean * mean) / (n - 1), Self.leastVariance * square / n)
            return abs(mean) / (variance / n).squareRoot()
        }
        let count = pairs.first?.count ?? 0
        let signs = Array(repeating: 1.0, count: count)
        self.init(
            differences, observed: metrics.indices.map { ratio($0, signs) }, confidence: confidence,
            permutation: { random in
                let signs = (0..<count).map { _ in random.next() >> 63 == 0 ? 1.0 : -1.0 }
                return metrics.indices.map { ratio($0, signs) }
            })
    }

    /// Tests differences of independent samples by exchanging replications between them.
    ///
    /// The ratio is Welch's, so the test holds for many replications even if the variances differ: Janssen,
    /// "Studentized permutation tests for non-i.i.d. hypotheses and the generalized Behrens-Fisher problem", Statistics
    /// and Probability Letters 36 (1997).
    ///
    /// - Parameters:
    ///   - differences: The difference of each metric.
    ///   - first: For each metric, its values by replication; nil without an observation.
    ///   - second: For each metric, the values of the other sample.
    ///   - confidence: The confidence of all metrics together.
    package init(_ differences: [MeanDifference], _ first: [[Double?]], _ second: [[Double?]], confidence: Double) {
        let metrics = zip(first, second).map { Pool($0 + $1) }
        let count = first.first?.count ?? 0
        let size = count + (second.first?.count ?? 0)
        self.init(
            differences, observed: metrics.map { $0.ratio(of: Array(0..<count)) }, confidence: confidence,
            permutation: { random in
                // The beginning of a random order of all replications.
                var order = Array(0..<size)
                for index in 0..<count { order.swapAt(index, Int.random(in: index..<size, using: &random)) }
                let chosen = Array(order[..<count])
                return metrics.map { $0.ratio(of: chosen) }
            })
    }

    /// The values of both samples of one metric.
    private struct Pool {
        /// The values less their mean, so that squares cancel little; 0 without an observation.
        let values: [Double]
        /// The weights of the values: 1 with an observation, else 0.
        let weights: [Double]
        let sum: Double
        let squares: Double
        let count: Double

        init(_ found: [Double?]) {
            weights = found.map { $0 == nil ? 0 : 1 }
            let n = weights.reduce(0, +)
            let mean = found.reduce(0) { $0 + ($1 ?? 0) } / n
            let centred = found.map { ($0 ?? mean) - mean }
            values = centred
            sum = centred.reduce(0, +)
            squares = centred.reduce(0) { $0 + $1 * $1 }
            count = n
        }

        /// Welch's ratio between the chosen replications and the others.
        func ratio(of chosen: [Int]) -> Double {
            guard squares > 0 else { return 0 }
            var a = 0.0
            var aa = 0.0
            var n = 0.0
            for index in chosen {
                a += values[index]
                aa += values[index] * values[index]
                n += weights[index]
            }
            let m = count - n
            guard n > 1, m > 1 else { return 0 }
            let mean = a / n
            let other = (sum - a) / m
            let variance = max(0, aa - n * mean * mean) / (n - 1) / n
            let otherVariance = max(0, squares - aa - m * other * other) / (m - 1) / m
            let least = FamilyTest.leastVariance * squares / count
            return abs(mean - other) / max(variance + otherVariance, least).squareRoot()
        }
    }
}
