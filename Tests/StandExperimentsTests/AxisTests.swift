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

    @Test func `values lie between the ends in proportion`() {
        let axis = Axis("", 0...100)
        #expect(axis.fraction(of: 0) == 0)
        #expect(axis.fraction(of: 25) == 0.25)
        #expect(axis.fraction(of: 100) == 1)
        #expect(axis.fraction(of: 150) == 1.5)
    }

    @Test func `given values are labelled if there is room`() {
        let makers = Axis("makers", at: [.init(3, "3"), .init(1, "1"), .init(2, "2")])
        #expect(makers.ticks.map(\.label) == ["1", "2", "3"])
        #expect(makers.range.lowerBound < 1 && makers.range.upperBound > 3)
        let close = Axis("places", at: (0...100).map { .init(Double($0), "\($0)") })
        #expect(close.ticks.map(\.label) == ["0", "20", "40", "60", "80", "100"])
        #expect(Axis("one", at: [.init(5, "5")]).ticks.map(\.label) == ["5"])
    }

    @Test(arguments: [(0.5, 1), (0.1, 1), (0.099, 2), (0.01, 2), (1e-4, 4), (0.0012, 3)])
    func `shares go down to the power of ten at or below the smallest`(smallest: Double, decades: Int) {
        let axis = Axis("", sharesDownTo: smallest)
        #expect(axis.ticks.count == decades + 1)
        #expect(axis.ticks.last?.label == "100%")
        #expect(axis.range.lowerBound <= smallest * 1.000_001)
        #expect(abs(axis.fraction(of: 0.1) - (1 - 1 / Double(decades))) < 1e-12)
    }

    @Test func `shares are labelled in per cent`() {
        #expect(Axis("", sharesDownTo: 1e-4).ticks.map(\.label) == ["0.01%", "0.1%", "1%", "10%", "100%"])
    }

    @Test func `ticks are few, ordered and on the axis for any values`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SplitMix(state: seed)
        for _ in 0..<20_000 {
            let a = random.number()
            let b = random.number()
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
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    /// Of any size: mostly of everyday ones, some enormous, some 0.
    mutating func number() -> Double {
        switch Int.random(in: 0..<8, using: &self) {
        case 0: 0
        case 1: Double(sign: .plus, exponent: Int.random(in: -1000...1000, using: &self), significand: 1.3)
        case 2: -Double(sign: .plus, exponent: Int.random(in: -1000...1000, using: &self), significand: 1.7)
        case 3: Double.random(in: 999_999...1_000_001, using: &self)
        default: Double.random(in: -100...1000, using: &self)
        }
    }
}
