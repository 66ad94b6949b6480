/// Counts of spans of time in log-linear buckets, 1,024 to an octave, for percentiles within 0.1%.
///
/// A bucket remembers the largest value it saw, so that a percentile is a value that was recorded, exact where the
/// values of a bucket are equal. Memory grows with the logarithm of the largest value and not with the number of
/// values. The layout is that of HdrHistogram (Tene); merging adds counts.
package struct Histogram: Sendable {
    private struct Bucket: BitwiseCopyable, Sendable {
        var count: UInt64 = 0
        var largest: Int64 = 0
    }

    private static let bucketsPerOctave: Int64 = 1024
    private static let linearLimit: Int64 = 2048

    /// Up to the last that is filled.
    private var buckets = Table<Bucket>()
    package private(set) var count: UInt64 = 0
    /// Nanoseconds, in whole numbers, so that merging gives the same in any order.
    private var sum: UInt128 = 0

    package init() {}

    /// - Precondition: `span` is not negative.
    /// - Complexity: O(1) amortized
    package mutating func record(_ span: SimulationTime) {
        buckets.own()
        recordOwned(span)
    }

    /// As ``record(_:)``, where ``own()`` has been called before: see ``Table``.
    @inline(__always)
    mutating func recordOwned(_ span: SimulationTime) {
        let value = span.nanoseconds
        precondition(value >= 0)
        add(Bucket(count: 1, largest: value), at: Self.index(of: value))
        sum &+= UInt128(UInt64(bitPattern: value))
    }

    /// The largest span; nil where nothing was recorded.
    package var maximum: SimulationTime? { buckets.last.map { SimulationTime(nanoseconds: $0.largest) } }

    /// The average in seconds; nil where nothing was recorded.
    package var mean: Double? { count > 0 ? Double(sum) / Double(count) / 1e9 : nil }

    /// The sum of all spans in seconds.
    package var total: Double { Double(sum) / 1e9 }

    /// How many spans are at or below each of `bounds`, which ascend; bounds hold within 0.1%.
    ///
    /// - Complexity: O(*b* + *n*) for *b* buckets and *n* bounds
    package func counts(atMost bounds: [SimulationTime]) -> [UInt64] {
        var counts: [UInt64] = []
        var seen: UInt64 = 0
        var index = 0
        for bound in bounds {
            while index < buckets.count, buckets[index].largest <= bound.nanoseconds {
                seen += buckets[index].count
                index += 1
            }
            counts.append(seen)
        }
        return counts
    }

    /// The smallest recorded span, within 0.1%, with at least `perMille` thousandths of all at or below it; nil where
    /// nothing was recorded.
    ///
    /// - Complexity: O(*b*), the number of buckets
    package func percentile(perMille: UInt64) -> SimulationTime? {
        guard count > 0 else { return nil }
        let (whole, rest) = count.quotientAndRemainder(dividingBy: 1000)
        let rank = max(1, whole * perMille + (rest * perMille + 999) / 1000)
        var seen: UInt64 = 0
        // By hand: without optimization the iterator of a collection takes ten times as long, and there are many buckets.
        var index = 0
        while index < buckets.count {
            let bucket = buckets[index]
            seen += bucket.count
            if seen >= rank { return SimulationTime(nanoseconds: bucket.largest) }
            index += 1
        }
        return maximum
    }

    /// The filled buckets from the smallest value up: the largest span of each, and how many it holds.
    package func forEachBucket(_ body: (SimulationTime, UInt64) -> Void) {
        for bucket in buckets where bucket.count > 0 { body(SimulationTime(nanoseconds: bucket.largest), bucket.count) }
    }

    /// Adds what `other` recorded; the same in any order of merging.
    package mutating func merge(_ other: Histogram) {
        buckets.own()
        for (index, bucket) in other.buckets.enumerated() where bucket.count > 0 { add(bucket, at: index) }
        sum += other.sum
    }

    @inline(__always)
    private mutating func add(_ bucket: Bucket, at index: Int) {
        if index >= buckets.count { makeRoom(for: index) }
        // So its place need not be checked again.
        let old = unsafe buckets[unchecked: index]
        unsafe buckets[unchecked: index] = Bucket(
            count: old.count &+ bucket.count, largest: max(old.largest, bucket.largest))
        count &+= bucket.count
    }

    @inline(never)
    private mutating func makeRoom(for index: Int) {
        while buckets.count <= index { buckets.append(Bucket()) }
    }

    /// As ``Table/own()``.
    mutating func own() { buckets.own() }

    @inline(__always)
    private static func index(of value: Int64) -> Int {
        // Below the limit nothing is cut off; the lowest bits set only there make the shift 0.
        let shift = Int64(53 &- (value | (linearLimit &- 1)).leadingZeroBitCount)
        return Int(shift &* bucketsPerOctave &+ value &>> shift)
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
            guard filled[start] < 1 << 20, let largest = Int64(exactly: filled[start + 2]) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .filled, in: container, debugDescription: "no such bucket")
            }
            add(Bucket(count: filled[start + 1], largest: largest), at: Int(filled[start]))
        }
        sum = try container.decode(UInt128.self, forKey: .sum)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        // One number after the other: an array of them all would be as large as the histogram.
        var filled = container.nestedUnkeyedContainer(forKey: .filled)
        for (index, bucket) in buckets.enumerated() where bucket.count > 0 {
            try filled.encode(UInt64(index))
            try filled.encode(bucket.count)
            try filled.encode(UInt64(bucket.largest))
        }
        try container.encode(sum, forKey: .sum)
    }
}
