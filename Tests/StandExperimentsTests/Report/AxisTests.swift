import JuiceStand
import Reports
import Testing

@Suite(.timeLimit(.minutes(60)))
struct AxisTests {
    @Test(arguments: [
        (0.0...97.0, ["0", "20", "40", "60", "80", "100"]), (0.0...1.0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0.913...0.996, ["0.90", "0.92", "0.94", "0.96", "0.98", "1.00"]),
        (-30.0...55.0, ["-40", "-20", "0", "20", "40", "60"]),
        (0.0...14_553.9, ["0", "5,000", "10,000", "15,000"]), (7.0...7.0, ["6.0", "6.5", "7.0", "7.5", "8.0"]),
        (0.0...0.0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
    ])
    func `ticks are at round numbers that enclose the values`(values: ClosedRange<Double>, labels: [String]) {
        let axis = Axis("", values)
        #expect(axis.ticks.map(\.label) == labels)
        #expect(axis.range.lowerBound <= values.lowerBound && axis.range.upperBound >= values.upperBound)
    }

    @Test func `an axis that is not extended ends with its values`() {
        let axis = Axis("", 3...11.5, ticks: 6, isExtended: false)
        #expect(axis.range == 3...11.5)
        #expect(axis.ticks.map(\.value) == [4, 6, 8, 10])
    }

    @Test func `given values are labelled if there is room`() {
        let makers = Axis("makers", at: [.init(3, "3"), .init(1, "1"), .init(2, "2")])
        #expect(makers.ticks.map(\.label) == ["1", "2", "3"])
        #expect(makers.range.lowerBound < 1 && makers.range.upperBound > 3)
        let close = Axis("places", at: (0...100).map { .init(Double($0), "\($0)") })
        #expect(close.ticks.map(\.label) == ["0", "20", "40", "60", "80", "100"])
        #expect(Axis("one", at: [.init(5, "5")]).ticks.map(\.label) == ["5"])
    }

    @Test(arguments: [
        (0.5, ["10%", "100%"]), (0.1, ["10%", "100%"]), (0.099, ["1%", "10%", "100%"]), (0.01, ["1%", "10%", "100%"]),
        (1e-4, ["0.01%", "0.1%", "1%", "10%", "100%"]), (0.0012, ["0.1%", "1%", "10%", "100%"]),
    ])
    func `shares in per cent go down to the power of ten at or below the smallest`(smallest: Double, labels: [String]) {
        let axis = Axis("", sharesDownTo: smallest)
        #expect(axis.ticks.map(\.label) == labels)
        #expect(axis.range.lowerBound <= smallest * 1.000_001)
        #expect(abs(axis.fraction(of: 0.1) - (1 - 1 / Double(labels.count - 1))) < 1e-12)
    }

    @Test func `ticks are few, ordered and on the axis for any values`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        for _ in 0..<20_000 {
            let a = Self.number(&random)
            let b = Self.number(&random)
            for isExtended in [true, false] {
                let axis = Axis(
                    "", min(a, b)...max(a, b), ticks: Int.random(in: 2...8, using: &random), isExtended: isExtended)
                let values = axis.ticks.map(\.value)
                #expect(values.count <= 20 && (!isExtended || values.count >= 2), "\(a), \(b)")
                #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 }, "\(a), \(b): \(values)")
                #expect(
                    values.allSatisfy { (-1e-9...1 + 1e-9).contains(axis.fraction(of: $0)) }, "\(a), \(b): \(values)")
                #expect(Set(axis.ticks.map(\.label)).count == values.count, "\(a), \(b): \(axis.ticks)")
            }
        }
    }

    /// Of any size: mostly of everyday ones, some enormous, some 0.
    private static func number(_ random: inout SplitMix64) -> Double {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: 0
        case 1: Double(sign: .plus, exponent: Int.random(in: -1000...1000, using: &random), significand: 1.3)
        case 2: -Double(sign: .plus, exponent: Int.random(in: -1000...1000, using: &random), significand: 1.7)
        case 3: Double.random(in: 999_999...1_000_001, using: &random)
        default: Double.random(in: -100...1000, using: &random)
        }
    }
}
