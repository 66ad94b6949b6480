/// A stream of random numbers: xoshiro256**, period 2^256 − 1.
///
/// Source: Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47 (2021).
package struct RandomStream: RandomNumberGenerator, Codable, Equatable, Sendable {
    var s0: UInt64
    var s1: UInt64
    var s2: UInt64
    var s3: UInt64

    /// - Precondition: At least one of the four words is not 0.
    package init(state: (UInt64, UInt64, UInt64, UInt64)) {
        (s0, s1, s2, s3) = state
        precondition(s0 | s1 | s2 | s3 != 0, "xoshiro256** never leaves the state of all zeros")
    }

    package var state: (UInt64, UInt64, UInt64, UInt64) { (s0, s1, s2, s3) }

    @inline(__always)
    package mutating func next() -> UInt64 {
        let product = s1 &* 5
        let result = ((product << 7) | (product >> 57)) &* 9
        let shifted = s1 << 17
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = (s3 << 45) | (s3 >> 19)
        return result
    }
}

/// SplitMix64: a short stream for one draw, seeded by one number of a ``RandomStream``.
///
/// A distribution may need one number or a dozen. A stream of its own keeps a draw from moving any other.
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
package struct SplitMix64: RandomNumberGenerator, BitwiseCopyable, Codable, Equatable, Sendable {
    package private(set) var state: UInt64

    package init(seed: UInt64) { state = seed }

    @inline(__always)
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func pass(_ row: inout HotArrayRow) { row.pass(&state) }
}

extension RandomNumberGenerator {
    /// Uniform on [0, 1), a multiple of 2^-53.
    @inline(__always)
    package mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Uniform on (0, 1], so that its logarithm is finite.
    @inline(__always)
    package mutating func positiveUniform() -> Double { Double((next() >> 11) + 1) * 0x1p-53 }
}
