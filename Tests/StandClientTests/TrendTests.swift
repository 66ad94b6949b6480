import StandClient
import Testing

/// Figures over the last ten minutes, as charts of the live display show them.
struct TrendTests {
    @Test func `growth begins with the first value, even if another one follows in the same second`() {
        var trend = Trend()
        trend.record(0, at: 0, speed: 1)
        trend.record(5, at: 0.5, speed: 1)
        trend.record(5, at: 30, speed: 1)
        #expect(trend.growth(3) == [5, 0, 0])
        #expect(trend.samples(3) == [5, 5, 5])
    }

    @Test func `of the values of a second the last one counts`() {
        var trend = Trend()
        trend.record(0, at: 0, speed: 1)
        for value in 1...9 { trend.record(Double(value), at: 12 + Double(value) / 10, speed: 1) }
        trend.record(9, at: 30, speed: 1)
        #expect(trend.samples(3) == [0, 9, 9])
    }
}
