import Platform

/// The random streams of one replication, one for each purpose, by name.
///
/// All streams of a seed are parts of one xoshiro256** sequence. In replication *r*, the stream of a name with the
/// 64-bit fingerprint *h* starts after *r*·2^192 + *h*·2^128 numbers. Two streams of a seed overlap only after 2^128
/// draws, or if two names share a fingerprint, which ``stream(named:)`` refuses.
package struct RandomStreams: Sendable {
    /// The sequence of the seed, from its beginning.
    private let sequence: RandomStream
    /// The part of the sequence for the replication.
    private var base: RandomStream
    /// The jumps to a replication, by the place and the value of each hexadecimal digit of its number. Computed once,
    /// because computing them takes longer than a short replication.
    private static let replications = {
        let squares = JumpPolynomial.by2To192.squares()
        return stride(from: 0, to: 64, by: 4).map { place in
            (0..<16).map { JumpPolynomial.power(of: Array(squares[place..<place + 4]), UInt64($0)) }
        }
    }()
    private static let purposes = JumpPolynomial.by2To128.squares()
    /// The jumps to the starts of streams, by fingerprint. They are the same for all seeds and replications.
    private static let starts = Guarded<[UInt64: JumpPolynomial]>([:])
    /// The names requested so far.
    private var names: [String] = []
    /// The jumps to the starts of the streams of ``names``.
    private var jumps: [JumpPolynomial] = []
    /// The indices in ``names``, by fingerprint.
    private var places: [UInt64: Int] = [:]
    /// The streams of the first names, if they were computed together.
    private var ready: [RandomStream] = []

    /// The streams of one replication, counted from 0.
    package init(seed: UInt64, replication: UInt64 = 0) {
        // As Vigna advises, SplitMix64 fills the state. It never gives four zeros in a row.
        var filler = SplitMix64(seed: seed)
        sequence = RandomStream(state: (filler.next(), filler.next(), filler.next(), filler.next()))
        base = Self.part(of: sequence, forReplication: replication)
    }

    /// The streams of another replication. Those of the names requested so far are computed together.
    package func streams(ofReplication number: UInt64) -> RandomStreams {
        var streams = self
        streams.base = Self.part(of: sequence, forReplication: number)
        streams.ready = streams.base.advanced(byEach: jumps)
        return streams
    }

    /// The sequence after 2^192 · `number` steps. Several short jumps take less time than one jump by the product of
    /// their polynomials.
    private static func part(of sequence: RandomStream, forReplication number: UInt64) -> RandomStream {
        var part = sequence
        var rest = number
        var place = 0
        while rest > 0 {
            let digit = Int(rest & 15)
            if digit > 0 { part = part.advanced(by: replications[place][digit]) }
            rest >>= 4
            place += 1
        }
        return part
    }

    /// The jump to the start of the stream with that fingerprint. Cached, because computing a jump takes 30 times as
    /// long as jumping.
    private static func start(_ fingerprint: UInt64) -> JumpPolynomial {
        starts.withLock { starts in
            if let start = starts[fingerprint] { return start }
            let start = JumpPolynomial.power(of: purposes, fingerprint)
            starts[fingerprint] = start
            return start
        }
    }

    /// The stream called `name`, from its beginning.
    ///
    /// - Precondition: No other name requested so far has the same fingerprint.
    package mutating func stream(named name: String) -> RandomStream {
        let fingerprint = Fingerprint(name).value
        let place = places[fingerprint] ?? names.count
        if place == names.count {
            places[fingerprint] = place
            names.append(name)
            jumps.append(Self.start(fingerprint))
        }
        let known = names[place]
        precondition(known == name, "the streams \"\(known)\" and \"\(name)\" have the same fingerprint")
        return place < ready.count ? ready[place] : base.advanced(by: jumps[place])
    }
}

/// A number of steps of xoshiro256**, as a polynomial over GF(2) modulo the generator's characteristic polynomial P.
///
/// Advancing by *n* steps multiplies the state by x^n mod P. Multiplying polynomials adds their exponents.
/// Source: Haramoto, Matsumoto, Nishimura, Panneton and L'Ecuyer, "Efficient jump ahead for F2-linear random number
/// generators", INFORMS JoC 20 (2008).
struct JumpPolynomial: Equatable {
    var words: (UInt64, UInt64, UInt64, UInt64)

    static func == (a: Self, b: Self) -> Bool { a.words == b.words }

    /// No step: the polynomial 1.
    static let one = JumpPolynomial(words: (1, 0, 0, 0))

    /// x^(2^128) and x^(2^192), as published with the generator.
    static let by2To128 = JumpPolynomial(
        words: (0x180e_c6d3_3cfd_0aba, 0xd5a6_1266_f0c9_392c, 0xa958_2618_e03f_c9aa, 0x39ab_dc45_29b1_661c))
    static let by2To192 = JumpPolynomial(
        words: (0x76e1_5d3e_fefd_cbbf, 0xc500_4e44_1c52_2fb3, 0x7771_0069_854e_e241, 0x3910_9bb0_2acb_e635))

    /// P without its leading x^256. The Berlekamp–Massey algorithm found it from the generator's output.
    private static let characteristic: (UInt64, UInt64, UInt64, UInt64) =
        (0x9d11_6f2b_b0f0_f001, 0x0280_002b_cefd_1a5e, 0x04b4_edcf_2625_9f85, 0x0003_c03c_3f3e_cb19)

    /// The coefficients from x^(64 · `place`) on.
    @inline(__always)
    fileprivate func word(_ place: Int) -> UInt64 {
        switch place {
        case 0: words.0
        case 1: words.1
        case 2: words.2
        default: words.3
        }
    }

    func times(_ other: JumpPolynomial) -> JumpPolynomial {
        var product: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        var shifted = words
        other.forEachCoefficient { coefficient in
            Self.add(shifted, to: &product, if: coefficient)
            let carry = shifted.3 >> 63
            shifted.3 = shifted.3 << 1 | shifted.2 >> 63
            shifted.2 = shifted.2 << 1 | shifted.1 >> 63
            shifted.1 = shifted.1 << 1 | shifted.0 >> 63
            shifted.0 <<= 1
            Self.add(Self.characteristic, to: &shifted, if: carry)
        }
        return JumpPolynomial(words: product)
    }

    /// The polynomial to the powers 1, 2, 4, … 2^63.
    func squares() -> [JumpPolynomial] {
        var squares = [self]
        for _ in 1..<64 { squares.append(squares[squares.count - 1].times(squares[squares.count - 1])) }
        return squares
    }

    /// The power `exponent` of the polynomial whose ``squares()`` are given.
    static func power(of squares: [JumpPolynomial], _ exponent: UInt64) -> JumpPolynomial {
        var result = one
        for (bit, square) in squares.enumerated() where exponent >> bit & 1 == 1 { result = result.times(square) }
        return result
    }

    /// Calls `body` with the coefficients of x^0 to x^255, in that order: 0 or 1.
    @inline(__always)
    fileprivate func forEachCoefficient(_ body: (UInt64) -> Void) {
        // Loops without an iterator: also debug builds make many streams.
        func forEachBit(of word: UInt64) {
            var bit: UInt64 = 0
            while bit < 64 {
                body(word &>> bit & 1)
                bit &+= 1
            }
        }
        forEachBit(of: words.0)
        forEachBit(of: words.1)
        forEachBit(of: words.2)
        forEachBit(of: words.3)
    }

    /// Adds if `coefficient` is 1 and not 0. Without a branch, which would be mispredicted half of the time.
    @inline(__always)
    fileprivate static func add(
        _ other: (UInt64, UInt64, UInt64, UInt64), to sum: inout (UInt64, UInt64, UInt64, UInt64),
        if coefficient: UInt64
    ) {
        let mask = 0 &- coefficient
        sum.0 ^= other.0 & mask
        sum.1 ^= other.1 & mask
        sum.2 ^= other.2 & mask
        sum.3 ^= other.3 & mask
    }
}

extension RandomStream {
    /// The stream after the steps of `jump`.
    func advanced(by jump: JumpPolynomial) -> RandomStream {
        var sum: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        var walker = self
        jump.forEachCoefficient { coefficient in
            JumpPolynomial.add(walker.state, to: &sum, if: coefficient)
            _ = walker.next()
        }
        return RandomStream(state: sum)
    }

    /// The streams after the steps of each jump.
    ///
    /// The sums of four states at a time are computed once for all jumps: the method of Arlazarov, Dinic, Kronrod and
    /// Faradzhev, "On economical construction of the transitive closure of a directed graph", Soviet Mathematics
    /// Doklady 11 (1970).
    func advanced(byEach jumps: [JumpPolynomial]) -> [RandomStream] {
        var found = [SIMD4<UInt64>](repeating: .zero, count: jumps.count)
        var sums = [SIMD4<UInt64>](repeating: .zero, count: 16)
        var walker = self
        for word in 0..<4 {
            for shift in stride(from: UInt64(0), to: 64, by: 4) {
                for power in 0..<4 {
                    let state = SIMD4(walker.s0, walker.s1, walker.s2, walker.s3)
                    for sum in 0..<1 << power { sums[1 << power | sum] = sums[sum] ^ state }
                    _ = walker.next()
                }
                for place in jumps.indices {
                    let digit = jumps[place].word(word) &>> shift & 15
                    found[place] = found[place] ^ sums[Int(truncatingIfNeeded: digit)]
                }
            }
        }
        return found.map { RandomStream(state: ($0[0], $0[1], $0[2], $0[3])) }
    }
}
