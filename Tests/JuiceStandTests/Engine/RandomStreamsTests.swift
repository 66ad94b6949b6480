import JuiceStand
import TestSupport
import Testing

private func stream(_ seed: UInt64, _ name: String, _ replication: UInt64 = 0) -> RandomStream {
    var streams = RandomStreams(seed: seed, replication: replication)
    return streams.stream(named: name)
}

/// The generator's own long jump by 2^192 numbers: Blackman and Vigna, xoshiro256starstar.c, `long_jump`.
private func longJump(_ stream: RandomStream) -> RandomStream {
    var walker = stream
    var sum: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    for word: UInt64 in [
        0x76e1_5d3e_fefd_cbbf, 0xc500_4e44_1c52_2fb3, 0x7771_0069_854e_e241, 0x3910_9bb0_2acb_e635,
    ] {
        for bit in 0..<64 {
            if word >> bit & 1 == 1 {
                let state = walker.state
                sum = (sum.0 ^ state.0, sum.1 ^ state.1, sum.2 ^ state.2, sum.3 ^ state.3)
            }
            _ = walker.next()
        }
    }
    return RandomStream(state: sum)
}

// MARK: - Where a stream begins

// Source: the state filled by SplitMix64, multiplied by the power of the 256 × 256 matrix over GF(2) that the `jump`
// of Blackman and Vigna's xoshiro256starstar.c (2^128 numbers) is, to the FNV-1a of the name, then its `long_jump` for
// every replication; computed apart from this program, by squaring matrices instead of polynomials.
@Test(
    arguments: [
        (
            42, "arrivals", 0,
            [0xaaa7_8e20_1f7e_a6a2, 0x8a54_295a_1e30_5f6d, 0xc350_3115_c49c_f173, 0x57c3_2b73_d3d8_4c22]
        ),
        (
            42, "arrivals", 1,
            [0x90f5_281d_9f46_0125, 0xd94a_b45f_98ff_5624, 0x48ea_845a_1bd7_3684, 0x0b6a_b649_c134_09dd]
        ),
        (42, "juice", 0, [0x5b44_c4d6_c1bd_6f33, 0x1162_7f7b_e148_3287, 0x5ff4_6f6e_9bd6_cff1, 0xe5a3_d77a_5a19_4f8a]),
        (
            7, "lead time of mango", 3,
            [0x959b_e1ae_a8e1_dd6d, 0xb046_e077_b7f1_6763, 0x2554_851a_2409_ea25, 0xa7fa_d1ab_a26f_db0a]
        ),
    ] as [(UInt64, String, UInt64, [UInt64])])
func `seed, name and replication determine the start of a stream`(
    seed: UInt64, name: String, replication: UInt64, words: [UInt64]
) {
    let state = stream(seed, name, replication).state
    #expect([state.0, state.1, state.2, state.3] == words)
}

// The FNV-1a of this name is 0 (RFC 9923), so that its stream is the sequence from its beginning.
@Test func `SplitMix64 fills the state of the base stream`() {
    for seed: UInt64 in [0, 1, 42, .max] {
        var filler = SplitMix64(seed: seed)
        let state = stream(seed, "77kepQFQ8Kl").state
        #expect([state.0, state.1, state.2, state.3] == (0..<4).map { _ in filler.next() })
    }
}

@Test(arguments: ["arrivals", "preparation", "77kepQFQ8Kl", "딸기", ""])
func `each replication is one published long jump further`(name: String) {
    var expected = stream(20_260_504, name)
    for replication: UInt64 in 1...20 {
        expected = longJump(expected)
        #expect(stream(20_260_504, name, replication) == expected)
    }
}

@Test func `a stream does not depend on the order of requests`() {
    var streams = RandomStreams(seed: 42, replication: 3)
    let arrivals = streams.stream(named: "arrivals")
    let juice = streams.stream(named: "juice")
    #expect(streams.stream(named: "arrivals") == arrivals)
    var others = RandomStreams(seed: 42, replication: 3)
    #expect(others.stream(named: "juice") == juice)
    #expect(others.stream(named: "arrivals") == arrivals)
}

@Test(.onItsOwnThread) func `two names with one fingerprint are refused`() async {
    await #expect(processExitsWith: .failure) {
        var streams = RandomStreams(seed: 42)
        _ = streams.stream(named: "77kepQFQ8Kl")
        _ = streams.stream(named: "!0IC=VloaY")
    }
}
