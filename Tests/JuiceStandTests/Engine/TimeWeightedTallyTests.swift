import JuiceStand
import Testing

private func at(_ seconds: Double) -> SimulationTime { SimulationTime(seconds: seconds) }

/// 3 for two seconds, 0 for one, 7 for no time at all, 5 for four: the integral is 6 + 0 + 20.
private func example() -> TimeWeightedTally {
    var tally = TimeWeightedTally(3)
    tally.set(0, at: at(2))
    tally.set(7, at: at(3))
    tally.set(5, at: at(3))
    return tally
}

@Test func `a mean weights values by their duration`() {
    let tally = example()
    #expect(tally.value == 5)
    #expect(tally.integral(to: at(7)) == 26)
    #expect(tally.mean(to: at(7)) == 26.0 / 7)
    #expect(tally.fractionAtZero(to: at(7)) == 1.0 / 7)
    #expect(tally.mean(to: at(3)) == 2)
    #expect(tally.integral(to: at(3)) == 6)
}

@Test func `the minimum counts at once and the maximum only if it lasted`() {
    var tally = example()
    #expect(tally.minimum == 0)
    #expect(tally.maximum(to: at(3)) == 3)
    #expect(tally.maximum(to: at(3.5)) == 5)
    tally.set(-2, at: at(4))
    tally.set(9, at: at(4))
    #expect(tally.minimum == -2)
    #expect(tally.maximum(to: at(4)) == 5)
    #expect(tally.maximum(to: at(4.000000001)) == 9)
}

@Test func `without elapsed time there is no mean and the present value is the maximum`() {
    let tally = TimeWeightedTally(4, at: at(10))
    #expect(tally.mean(to: at(10)) == nil)
    #expect(tally.fractionAtZero(to: at(10)) == nil)
    #expect(tally.integral(to: at(10)) == 0)
    #expect(tally.maximum(to: at(10)) == 4)
    #expect(tally.minimum == 4)
}

@Test func `a restart keeps only the value`() {
    var tally = example().restarted(at: at(5))
    #expect(tally.value == 5)
    #expect(tally.minimum == 5)
    #expect(tally.mean(to: at(5)) == nil)
    tally.set(0, at: at(6))
    #expect(tally.mean(to: at(7)) == 2.5)
    #expect(tally.maximum(to: at(7)) == 5)
    #expect(tally.fractionAtZero(to: at(7)) == 0.5)
    #expect(tally.minimum == 0)
}

@Test func `an integral returns durations and ignores times before its last change`() {
    var integral = TimeIntegral(2, at: at(1))
    #expect(integral.set(5, at: at(4)) == 3_000_000_000)
    #expect(integral.set(0, at: at(4)) == 0)
    #expect(integral.area(to: at(9)) == 6_000_000_000)
    #expect(integral.integral(to: at(3)) == 6)
    #expect(integral.mean(to: at(7)) == 1)
    integral = integral.restarted(at: at(7))
    #expect(integral.mean(to: at(7)) == nil)
    #expect(integral.area(to: at(8)) == 0)
}
