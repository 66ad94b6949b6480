import Foundation
import JuiceStand
import Testing

/// Spans over many magnitudes, with repetitions and zeros.
private func randomSpans(_ random: inout SplitMix64) -> [Int64] {
    let count = Int.random(in: 1...1500, using: &random)
    let magnitudes = Double.random(in: 1...18.9, using: &random)
    var spans = (0..<count).map { _ in Int64(pow(10, random.uniform() * magnitudes)) - 1 }
    for index in spans.indices where random.uniform() < 0.1 { spans[index] = spans[0] }
    return spans
}

private func histogram(of spans: some Sequence<Int64>) -> Histogram {
    var histogram = Histogram()
    for span in spans { histogram.record(SimulationTime(nanoseconds: span)) }
    return histogram
}

/// Many equal spans, read as from a snapshot.
private func histogram(of span: Int64, count: UInt64) throws -> Histogram {
    struct Saved: Codable {
        var filled: [UInt64]
        var sum: UInt128
    }
    var saved = try JSONDecoder().decode(Saved.self, from: JSONEncoder().encode(histogram(of: [span])))
    saved.filled[1] = count
    saved.sum *= UInt128(count)
    return try JSONDecoder().decode(Histogram.self, from: JSONEncoder().encode(saved))
}

/// A percentile by counting: the smallest value with at least `perMille` thousandths of all values at or below it.
private func exactPercentile(_ sorted: [Int64], perMille: Int) -> Int64 {
    sorted[(0..<sorted.count).first { ($0 + 1) * 1000 >= sorted.count * perMille }!]
}

@Test(arguments: 0..<25 as Range<UInt64>)
func `a percentile is a recorded value within 0.1% of the exact one`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let spans = randomSpans(&random)
    let sorted = spans.sorted()
    let recorded = Set(spans)
    let histogram = histogram(of: spans)
    #expect(histogram.count == UInt64(spans.count))
    #expect(histogram.maximum?.nanoseconds == sorted.last)
    let mean = spans.reduce(0) { $0 + Double($1) } / Double(spans.count) / 1e9
    #expect(abs(histogram.mean! - mean) <= mean * 1e-12, "seed \(seed)")
    for perMille in [1, 10, 250, 500, 900, 950, 990, 999, 1000] {
        let found = histogram.percentile(perMille: UInt64(perMille))!.nanoseconds
        let exact = exactPercentile(sorted, perMille: perMille)
        #expect(recorded.contains(found), "seed \(seed), \(perMille) ‰: \(found) was never recorded")
        #expect(
            Double(abs(found - exact)) <= 0.001 * Double(exact), "seed \(seed), \(perMille) ‰: \(found), not \(exact)")
    }
}

@Test func `equal values and small ones give exact percentiles`() {
    let equal = histogram(of: Array(repeating: 123_456_789_012_345, count: 1000))
    for perMille: UInt64 in [1, 500, 999, 1000] {
        #expect(equal.percentile(perMille: perMille)?.nanoseconds == 123_456_789_012_345)
    }
    let small = histogram(of: 1...1000)
    for perMille: UInt64 in 1...1000 {
        #expect(small.percentile(perMille: perMille)?.nanoseconds == Int64(perMille))
    }
    // Half of two values lie at or below the first of them; of three it takes two.
    #expect(histogram(of: [10, 20]).percentile(perMille: 500)?.nanoseconds == 10)
    #expect(histogram(of: [10, 20]).percentile(perMille: 501)?.nanoseconds == 20)
    #expect(histogram(of: [10, 20, 30]).percentile(perMille: 500)?.nanoseconds == 20)
}

@Test func `an empty histogram has no figures`() {
    let nothing = Histogram()
    #expect(nothing.count == 0)
    #expect(nothing.mean == nil)
    #expect(nothing.maximum == nil)
    #expect(nothing.percentile(perMille: 500) == nil)
}

@Test func `records spans from 0 to the longest`() {
    let histogram = histogram(of: [0, .max])
    #expect(histogram.percentile(perMille: 500) == .zero)
    #expect(histogram.percentile(perMille: 1000) == .never)
    #expect(histogram.maximum == .never)
}

@Test(arguments: 100..<110 as Range<UInt64>)
func `a histogram is read as it was saved`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let saved = histogram(of: randomSpans(&random) + randomSpans(&random))
    let read = try JSONDecoder().decode(Histogram.self, from: JSONEncoder().encode(saved))
    #expect(read.count == saved.count && read.total == saved.total, "seed \(seed)")
    #expect(read.maximum == saved.maximum && read.mean == saved.mean, "seed \(seed)")
    for perMille: UInt64 in stride(from: 1, through: 1000, by: 37) {
        #expect(read.percentile(perMille: perMille) == saved.percentile(perMille: perMille), "seed \(seed)")
    }
}

@Test func `a decoded histogram can record`() throws {
    var copy = try JSONDecoder().decode(Histogram.self, from: JSONEncoder().encode(Histogram()))
    #expect(copy.count == 0 && copy.maximum == nil)
    copy.record(SimulationTime(nanoseconds: 5_000_000))
    #expect(copy.percentile(perMille: 1000)?.nanoseconds == 5_000_000)
}

@Test(arguments: [2_000_000_000, 1 << 43 - 1, 1 << 43] as [Int64])
func `a bucket counts beyond 32 bits`(span: Int64) throws {
    // More than any of the four-byte counts holds.
    var histogram = try histogram(of: span, count: 1 << 34)
    #expect(histogram.count == 1 << 34)
    histogram.record(SimulationTime(nanoseconds: 5))
    for _ in 0..<3 { histogram.record(SimulationTime(nanoseconds: span)) }
    #expect(
        histogram.counts(atMost: [SimulationTime(nanoseconds: 5), SimulationTime(nanoseconds: span)])
            == [1, 1 << 34 + 4])
    #expect(histogram.percentiles(perMille: [1, 1000]).map { $0?.nanoseconds } == [span, span])
    let read = try JSONDecoder().decode(Histogram.self, from: JSONEncoder().encode(histogram))
    #expect(read.count == histogram.count && read.total == histogram.total)
    var buckets: [UInt64] = []
    read.forEachBucket { buckets.append($1) }
    #expect(buckets == [1, 1 << 34 + 3])
}

@Test func `a full count carries into the next 32 bits`() throws {
    let full = try histogram(of: 7, count: 1 << 32)
    // One less than fits.
    var almost = try histogram(of: 7, count: UInt64(UInt32.max))
    for more: UInt64 in 1...3 {
        almost.record(SimulationTime(nanoseconds: 7))
        #expect(almost.counts(atMost: [SimulationTime(nanoseconds: 7)]) == [UInt64(UInt32.max) + more])
    }
    #expect(full.count == 1 << 32 && full.percentile(perMille: 1)?.nanoseconds == 7)
}

@Test(arguments: [
    #"{"filled":[9223372036854775807,1,1],"sum":0}"#, #"{"filled":[1,1,18446744073709551615],"sum":0}"#,
    #"{"filled":[7,0,7],"sum":7}"#, #"{"filled":[8,1,7],"sum":7}"#,
    #"{"filled":[55295,1,9223372036854775808],"sum":7}"#,
    #"{"filled":[7,18446744073709551615,7,8,1,8],"sum":7}"#,
])
func `decoding refuses an impossible bucket`(text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Histogram.self, from: Data(text.utf8)) }
}

@Test(arguments: [5, 1 << 42, 1 << 44] as [Int64])
func `changing a histogram does not change its copy`(span: Int64) {
    var histogram = histogram(of: [span])
    let copy = histogram
    histogram.record(SimulationTime(nanoseconds: span))
    histogram.record(SimulationTime(nanoseconds: span / 2))
    #expect(copy.counts(atMost: [SimulationTime(nanoseconds: span)]) == [1])
    #expect(histogram.counts(atMost: [SimulationTime(nanoseconds: span)]) == [3])
}
