import Foundation
import JuiceStand
import TestSupport
import Testing
import TextFormats

@Test(
    arguments: [
        (0, 0), (1, 1_000_000_000), (0.1, 100_000_000), (2.5e-9, 3), (0.4e-9, 0), (0.5e-9, 1), (1e-9, 1),
        (86_400, 86_400_000_000_000), (1.000000001, 1_000_000_001), (9.3e9, .max), (.infinity, .max), (1e300, .max),
        (9_223_372_036, 9_223_372_036_000_000_000), (9_223_372_037, .max),
    ] as [(Double, Int64)])
func `seconds are rounded to nanoseconds and become never beyond the range`(seconds: Double, nanoseconds: Int64) {
    #expect(SimulationTime(seconds: seconds).nanoseconds == nanoseconds)
}

@Test func `a time within weeks of the opening survives conversion to seconds`() {
    for seed: UInt64 in 0..<200 {
        var random = SplitMix64(seed: seed)
        // Up to 2^51 nanoseconds, which is 26 days: beyond, two roundings may come to half a nanosecond.
        let time = SimulationTime(nanoseconds: Int64(random.next() >> 13))
        #expect(SimulationTime(seconds: time.seconds) == time, "seed \(seed)")
    }
}

@Test func `times compare, add and subtract exactly`() {
    let day = SimulationTime(seconds: 86_400)
    let nanosecond = SimulationTime(nanoseconds: 1)
    #expect((day + nanosecond) - day == nanosecond)
    #expect(day < day + nanosecond)
    #expect(SimulationTime.zero < nanosecond && nanosecond < .never)
    #expect(SimulationTime.never + nanosecond == .never)
    #expect(SimulationTime.never + .never == .never)
    #expect(SimulationTime.never + .zero == .never)
    #expect(SimulationTime(nanoseconds: .max - 1) + nanosecond == .never)
    #expect(SimulationTime.never - .zero == .never)
}

@Test func `a time is encoded as its nanoseconds`() throws {
    let times = [SimulationTime.zero, SimulationTime(nanoseconds: 1_500_000_001), .never]
    let data = try JSONEncoder().encode(times)
    #expect(String(decoding: data, as: UTF8.self) == "[0,1500000001,9223372036854775807]")
    #expect(try JSONDecoder().decode([SimulationTime].self, from: data) == times)
}

@Test(.onItsOwnThread) func `a time that is negative or no number is refused`() async {
    await #expect(processExitsWith: .failure) { _ = SimulationTime(seconds: -1e-9) }
    await #expect(processExitsWith: .failure) { _ = SimulationTime(seconds: .nan) }
}
