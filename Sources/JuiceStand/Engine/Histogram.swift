/// Counts spans of time in log-linear buckets, 1,024 to an octave, for percentiles within 0.1%.
///
/// A bucket keeps its largest value, so a percentile is a recorded value, and exact if the values of its bucket are
/// equal. Memory grows with the logarithm of the largest value, not with the number of values. The layout is that of
/// HdrHistogram (Tene). The first spans are kept as they are, since they take less memory than buckets; every figure is
/// the same.
package struct Histogram: Sendable {
    /// A bucket below 2^43 ns, which is 2.4 hours. It is small because every span touches another one.
    private struct Bucket: BitwiseCopyable, Sendable {
        /// The lowest 32 bits of the count.
        var count: UInt32 = 0
        /// The largest value recorded, less the least value of the bucket.
        var excess: UInt32 = 0
    }

    /// The content of a bucket.
    private struct Content: BitwiseCopyable, Sendable {
        var count: UInt64 = 0
        var largest: Int64 = 0
    }

    private static let bucketsPerOctave: Int64 = 1024
    private static let linearLimit: Int64 = 2048
    /// The number of buckets below 2^43 ns.
    private static let small = 34 * 1024
    /// The number of spans that are kept without buckets. Most futures of a forecast have fewer.
    private static let mostFew = 2048

    /// The first spans, as long as there are no buckets.
    private var few = HotArray<Int64>()
    /// The small buckets, up to the last one filled.
    private var buckets = HotArray<Bucket>()
    /// The buckets from 2^43 ns, up to the last one filled.
    private var large = HotArray<Content>()
    /// The counts of small buckets beyond 32 bits, in units of 2^32.
    private var carried: [Int: UInt64] = [:]
    package private(set) var count: UInt64 = 0
    /// The sum of all spans in whole nanoseconds, so that it is exact.
    private var sum: UInt128 = 0

    package init() {}

    /// Counts a span.
    ///
    /// - Precondition: `span` is not negative.
    /// - Complexity: O(1) amortized.
    package mutating func record(_ span: SimulationTime) {
        own()
        recordOwned(span)
    }

    /// Counts a span after ``own()`` has been called; see ``HotArray``.
    @inline(__always)
    mutating func recordOwned(_ span: SimulationTime) {
        let value = span.nanoseconds
        precondition(value >= 0)
        let shift = Self.shift(of: value)
        let index = Self.index(of: value, shift)
        count &+= 1
        sum &+= UInt128(UInt64(bitPattern: value))
        guard index < buckets.count else { return recordOutside(value, at: index) }
        // The guard has checked the place.
        let old = unsafe buckets[unchecked: index]
        let excess = UInt32(truncatingIfNeeded: value & ~(-1 &<< shift))
        unsafe buckets[unchecked: index] = Bucket(count: old.count &+ 1, excess: max(old.excess, excess))
        if old.count == .max { carry(1, from: index) }
    }

    /// The largest span; nil if nothing was recorded.
    package var maximum: SimulationTime? {
        guard count > 0 else { return nil }
        return SimulationTime(nanoseconds: few.max() ?? content(at: bucketCount - 1).largest)
    }

    /// The mean in seconds; nil if nothing was recorded.
    package var mean: Double? { count > 0 ? Double(nearest: sum) / Double(count) / 1e9 : nil }

    /// The sum of all spans in seconds.
    package var total: Double { Double(nearest: sum) / 1e9 }

    /// The number of spans at or below each bound, which holds within 0.1%.
    ///
    /// - Parameter bounds: In ascending order.
    /// - Complexity: O(*b* + *n*) for *b* buckets and *n* bounds.
    package func counts(atMost bounds: [SimulationTime]) -> [UInt64] {
        var counts: [UInt64] = []
        var seen: UInt64 = 0
        var index = 0
        let spread = spread
        for bound in bounds {
            while index < spread.bucketCount, spread.content(at: index).largest <= bound.nanoseconds {
                seen += spread.content(at: index).count
                index += 1
            }
            counts.append(seen)
        }
        return counts
    }

    /// The smallest recorded span, within 0.1%, with at least `perMille` thousandths of all spans at or below it; nil
    /// if nothing was recorded.
    ///
    /// - Parameter perMille: In ascending order.
    /// - Complexity: O(*b* + *n*) for *b* buckets and *n* percentiles.
    package func percentiles(perMille: [UInt64]) -> [SimulationTime?] {
        guard count > 0 else { return perMille.map { _ in nil } }
        let (whole, rest) = count.quotientAndRemainder(dividingBy: 1000)
        let ranks = perMille.map { perMille in
            min(count, max(1, whole * perMille + (rest * perMille + 999) / 1000))
        }
        guard few.isEmpty else { return percentilesOfFew(ranks) }
        var index = 0
        var seen = count(at: 0)
        return ranks.map { rank in
            while seen < rank {
                index += 1
                seen += count(at: index)
            }
            return SimulationTime(nanoseconds: content(at: index).largest)
        }
    }

    /// One of the ``percentiles(perMille:)``.
    package func percentile(perMille: UInt64) -> SimulationTime? { percentiles(perMille: [perMille])[0] }

    /// Calls `body` with the largest span and the count of each filled bucket, in ascending order.
    package func forEachBucket(_ body: (SimulationTime, UInt64) -> Void) {
        let spread = spread
        for index in 0..<spread.bucketCount {
            let bucket = spread.content(at: index)
            if bucket.count > 0 { body(SimulationTime(nanoseconds: bucket.largest), bucket.count) }
        }
    }

    /// See ``HotArray/own()``.
    mutating func own() {
        few.own()
        buckets.own()
        large.own()
    }
}

// MARK: - The first spans

extension Histogram {
    /// Counts a span beyond the last bucket, or while there are none.
    @inline(never)
    private mutating func recordOutside(_ value: Int64, at index: Int) {
        guard buckets.isEmpty, large.isEmpty else { return add(Content(count: 1, largest: value), at: index) }
        few.append(value)
        if few.count == Self.mostFew { self = spread }
    }

    /// The same histogram with all spans in buckets, in memory of its own.
    private var spread: Histogram {
        var spread = self
        spread.own()
        spread.few.removeAll()
        for value in few {
            spread.add(Content(count: 1, largest: value), at: Self.index(of: value, Self.shift(of: value)))
        }
        return spread
    }

    /// - Parameter ranks: From 1 to ``count``.
    private func percentilesOfFew(_ ranks: [UInt64]) -> [SimulationTime?] {
        var spans = Array(few)
        spans.select(ranks.map { Int($0) - 1 })
        return ranks.map { rank in
            let place = Int(rank) - 1
            // The largest span of the bucket. Larger spans come after this one.
            let bound = Self.largest(ofBucketWith: spans[place])
            return SimulationTime(
                nanoseconds: spans[place...].reduce(spans[place]) { $1 <= bound ? max($0, $1) : $0 })
        }
    }
}

// MARK: - Buckets

extension Histogram {
    /// The number of buckets up to the last one filled.
    private var bucketCount: Int { large.isEmpty ? buckets.count : Self.small + large.count }

    @inline(__always)
    private func count(at index: Int) -> UInt64 {
        guard index < buckets.count else { return index < Self.small ? 0 : large[index - Self.small].count }
        let count = UInt64(buckets[index].count)
        return carried.isEmpty ? count : carried[index, default: 0] << 32 + count
    }

    private func content(at index: Int) -> Content {
        guard index < Self.small else { return large[index - Self.small] }
        guard index < buckets.count else { return Content() }
        return Content(count: count(at: index), largest: Self.least(at: index) + Int64(buckets[index].excess))
    }

    /// Adds to a bucket.
    ///
    /// - Precondition: The largest value of `new` belongs to the bucket.
    @inline(never)
    private mutating func add(_ new: Content, at index: Int) {
        guard index < Self.small else {
            while large.count <= index - Self.small { large.append(Content()) }
            large[index - Self.small].count += new.count
            large[index - Self.small].largest = max(large[index - Self.small].largest, new.largest)
            return
        }
        while buckets.count <= index { buckets.append(Bucket()) }
        let count = UInt64(buckets[index].count) + new.count & 0xffff_ffff
        buckets[index].count = UInt32(truncatingIfNeeded: count)
        buckets[index].excess = max(buckets[index].excess, UInt32(new.largest - Self.least(at: index)))
        carry(new.count >> 32 + count >> 32, from: index)
    }

    @inline(never)
    private mutating func carry(_ more: UInt64, from index: Int) { if more > 0 { carried[index, default: 0] += more } }

    /// The number of low bits that do not influence a value's bucket.
    @inline(__always)
    private static func shift(of value: Int64) -> Int64 {
        // Below the limit no bit is dropped: setting the low bits makes the shift 0.
        Int64(53 &- (value | (linearLimit &- 1)).leadingZeroBitCount)
    }

    @inline(__always)
    private static func index(of value: Int64, _ shift: Int64) -> Int {
        Int(shift &* bucketsPerOctave &+ value &>> shift)
    }

    /// The largest value that shares a bucket with `value`.
    private static func largest(ofBucketWith value: Int64) -> Int64 { value | ~(-1 &<< shift(of: value)) }

    /// The least value of a bucket.
    private static func least(at index: Int) -> Int64 {
        let shift = max(0, Int64(index) / bucketsPerOctave - 1)
        return (Int64(index) - shift * bucketsPerOctave) << shift
    }
}

extension Histogram: Codable {
    private enum CodingKeys: String, CodingKey {
        case filled, sum
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let filled = try container.decode([UInt64].self, forKey: .filled)
        for start in stride(from: 0, to: filled.count - 2, by: 3) {
            let content = Content(count: filled[start + 1], largest: Int64(exactly: filled[start + 2]) ?? 0)
            let index = Self.index(of: content.largest, Self.shift(of: content.largest))
            let (sum, overflow) = count.addingReportingOverflow(content.count)
            guard filled[start] == UInt64(index), content.count > 0, !overflow else {
                throw DecodingError.dataCorruptedError(
                    forKey: .filled, in: container, debugDescription: "no such bucket")
            }
            add(content, at: index)
            count = sum
        }
        sum = try container.decode(UInt128.self, forKey: .sum)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        // One number at a time: an array of all would be as large as the histogram.
        var filled = container.nestedUnkeyedContainer(forKey: .filled)
        let spread = spread
        for index in 0..<spread.bucketCount {
            let bucket = spread.content(at: index)
            guard bucket.count > 0 else { continue }
            try filled.encode(UInt64(index))
            try filled.encode(bucket.count)
            try filled.encode(UInt64(bucket.largest))
        }
        try container.encode(sum, forKey: .sum)
    }
}
