import Foundation
import JuiceStand
import TestSupport
import Testing

/// Always the same number.
private struct Stuck: RandomNumberGenerator {
    let number: UInt64

    mutating func next() -> UInt64 { number }
}

// Source: Vigna, splitmix64.c; the numbers are those of Rosetta Code, "Pseudo-random numbers/Splitmix64".
@Test func `SplitMix64 gives the published numbers`() {
    var random = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in random.next() }
    #expect(
        numbers == [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ])
}

// Source: the reference test of the crate rand_xoshiro, made with Blackman and Vigna's xoshiro256starstar.c.
@Test func `xoshiro256** gives the published numbers`() {
    var random = RandomStream(state: (1, 2, 3, 4))
    let numbers = (0..<10).map { _ in random.next() }
    #expect(
        numbers == [
            11520, 0, 1_509_978_240, 1_215_971_899_390_074_240, 1_216_172_134_540_287_360, 607_988_272_756_665_600,
            16_172_922_978_634_559_625, 8_476_171_486_693_032_832, 10_595_114_339_597_558_777,
            2_904_607_092_377_533_576,
        ])
}

@Test func `a decoded stream continues`() throws {
    var random = RandomStream(state: (1, 2, 3, 4))
    for _ in 0..<100 { _ = random.next() }
    var copy = try JSONDecoder().decode(RandomStream.self, from: JSONEncoder().encode(random))
    #expect(copy == random)
    #expect((0..<10).map { _ in copy.next() } == (0..<10).map { _ in random.next() })

    var short = SplitMix64(seed: .max)
    _ = short.next()
    #expect(try JSONDecoder().decode(SplitMix64.self, from: JSONEncoder().encode(short)) == short)
}

@Test(
    arguments: [
        (0, 0, 0x1p-53), (.max, 1 - 0x1p-53, 1), (1 << 63, 0.5, 0.5 + 0x1p-53), (0x7ff, 0, 0x1p-53),
        (0x800, 0x1p-53, 0x1p-52),
    ] as [(UInt64, Double, Double)])
func `uniform numbers are below 1 and those for logarithms above 0`(bits: UInt64, uniform: Double, positive: Double) {
    var random = Stuck(number: bits)
    #expect(random.uniform() == uniform)
    #expect(random.positiveUniform() == positive)
}

@Test(.onItsOwnThread) func `a stream without a state is refused`() async {
    await #expect(processExitsWith: .failure) { _ = RandomStream(state: (0, 0, 0, 0)) }
}
