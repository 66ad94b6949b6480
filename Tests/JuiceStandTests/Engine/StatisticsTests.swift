import JuiceStand
import Platform
import Testing

/// The statistics kit against published values.
@Suite(.timeLimit(.minutes(60)))
struct StatisticsTests {
    /// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.1.
    @Test(arguments: [(0.0, 0.5), (1, 0.1586552539), (1.96, 0.0249978951), (3, 0.0013498980), (-1, 0.8413447461)])
    func `the tail of the normal law is that of tables`(x: Double, p: Double) {
        #expect(abs(Normal.tail(x) - p) < 1e-9)
        #expect(abs(Normal.tail(Normal.z) - 0.025) < 1e-12)
    }

    /// Source: Abramowitz and Stegun, table 26.8: percentage points of chi-square.
    @Test(arguments: [
        (3.84146, 1.0, 0.05), (18.3070, 10, 0.05), (3.35669, 4, 0.5), (23.2093, 10, 0.01), (43.7730, 30, 0.05),
    ])
    func `the tail of chi-square is that of tables`(x: Double, degrees: Double, p: Double) {
        #expect(abs(Normal.chiSquareTail(x, degrees: degrees) - p) < 0.003)
        // Chi-square is a gamma law.
        #expect(abs(1 - GammaFunction.lower(degrees / 2, x / 2) - p) < 5e-6)
    }

    @Test func `half of the 95% point of chi-square is that of tables`() {
        #expect(abs(Normal.halfOfChiSquare - 3.84146 / 2) < 5e-6)
    }

    /// Source: Abramowitz and Stegun, table 6.1, and 6.3.2 with Euler's constant.
    @Test(arguments: [
        (1.0, -0.5772156649), (2, 0.4227843351), (1.5, 0.0364899740), (0.5, -1.9635100260), (10, 2.2517525891),
    ])
    func `the digamma function is that of tables`(x: Double, value: Double) {
        #expect(abs(GammaFunction.digamma(x) - value) < 1e-7)
    }

    /// Of whole shapes, it is the probability that a Poisson variable reaches them.
    @Test(arguments: [(1.0, 0.5), (3, 2.5), (5, 12), (20, 15)])
    func `the incomplete gamma function of a whole number is a sum of Poisson's law`(shape: Double, x: Double) {
        var term = exp(-x)
        var sum = 0.0
        for count in 0..<Int(shape) {
            sum += term
            term *= x / Double(count + 1)
        }
        #expect(abs(GammaFunction.lower(shape, x) - (1 - sum)) < 1e-12)
        #expect(GammaFunction.lower(shape, 0) == 0)
    }

    /// Source: Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998),
    /// table I, Wilson's score method.
    @Test(arguments: [
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718),
    ])
    func `the interval of a share is that of the paper`(hits: Int, count: Int, low: Double, high: Double) {
        let interval = Normal.interval(ofShare: hits, of: count)
        #expect(abs(interval.lowerBound - low) < 5.1e-5 && abs(interval.upperBound - high) < 5.1e-5, "\(interval)")
        // Hits and misses are mirrored.
        let others = Normal.interval(ofShare: count - hits, of: count)
        #expect(abs(1 - others.upperBound - interval.lowerBound) < 1e-12)
    }

    /// Garwood's exact limits of a count of 10 are 4.795 and 18.39. Jeffreys' are a little narrower.
    @Test func `the interval of a mean of counts is near that of Poisson's law`() {
        let interval = Normal.interval(ofCounts: 10, error: 10.0.squareRoot())
        #expect(abs(interval.lowerBound - 5.14) < 0.05 && abs(interval.upperBound - 17.74) < 0.05, "\(interval)")
        #expect(Normal.interval(ofCounts: 0, error: 0) == 0...0)
    }

    @Test func `bisection finds a root, and golden-section search a maximum`() {
        #expect(abs(bisection(0...2, steps: 50) { $0 * $0 < 2 } - 2.0.squareRoot()) < 1e-14)
        #expect(abs(goldenMaximum(0...4, steps: 60) { -($0 - 1.25) * ($0 - 1.25) } - 1.25) < 1e-7)
        #expect(goldenMaximum(1...2, steps: 60) { $0 } > 2 - 1e-9, "at an end")
    }

    /// By hand: means of 2 and 5 with variances of 1 and 4 over 3 and 4 values.
    @Test func `the degrees of freedom of Welch's test are those of its formula`() throws {
        let difference = try #require(
            MeanDifference(
                from: .init(mean: 2, standardError: (1.0 / 3).squareRoot(), count: 3),
                to: .init(mean: 5, standardError: 1, count: 4)))
        #expect(difference.difference == 3)
        #expect(abs(difference.standardError * difference.standardError - 4.0 / 3) < 1e-12)
        // (4/3)² / (1/18 + 1/3) = 4.57, rounded down.
        #expect(difference.degrees == 4)
        #expect(
            MeanDifference(
                from: .init(mean: 2, standardError: 1, count: 1), to: .init(mean: 5, standardError: 1, count: 4)) == nil
        )
    }
}
