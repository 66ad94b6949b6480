import Testing
import TextFormats

@Test(
    arguments: [
        ("250ms", 250_000_000), ("30s", 30_000_000_000), ("5m", 300_000_000_000), ("8h", 28_800_000_000_000),
        ("2d", 172_800_000_000_000), ("0s", 0), ("0.1s", 100_000_000), ("1.5h", 5_400_000_000_000),
        (".5m", 30_000_000_000),
        ("1.s", 1_000_000_000), ("007s", 7_000_000_000), ("0.3s", 300_000_000), ("0.000001ms", 1),
        ("1.000000001s", 1_000_000_001), ("0.0000000005s", 1), ("0.00000000049999999999999999999999999999s", 0),
        ("9223372036.854775807s", .max), ("9007199254.740993s", 9_007_199_254_740_993_000),
        ("1e9s", 1_000_000_000_000_000_000), ("1.5e3ms", 1_500_000_000), ("1E+2d", 8_640_000_000_000_000),
        ("5e-1m", 30_000_000_000), ("0.1d", 8_640_000_000_000),
        ("0.333333333333333333333333333333333m", 20_000_000_000),
        ("000000000000000000000000000000000000000000001s", 1_000_000_000),
    ] as [(String, Int64)])
func `a duration is read to the nanosecond`(text: String, nanoseconds: Int64) {
    #expect(DurationText.nanoseconds(text) == nanoseconds)
}

@Test(
    arguments: [
        "", "s", "5", "5 s", " 5s", "5s ", "-5s", "+5s", "5S", "5sec", "5min", "1h30m", "1es", "e3s", "1e1.5s", "1e10s",
        "1e3", "1e3e3s", "1.2.3s", ".s", "0x5s",
        "٣s",
        "9223372036.854775808s", "106752d", "99999999999999999999999999999999999999999999s", "Infinitys", "nans",
        "5s\0",
    ])
func `anything else is not a duration`(text: String) {
    #expect(DurationText.nanoseconds(text) == nil)
}

@Test(
    arguments: [
        (0, 0), (-0.0, 0), (0.1, 100_000_000), (30, 30_000_000_000), (1e-9, 1), (4e-10, 0), (.leastNonzeroMagnitude, 0),
        (1.5e-5, 15_000),
        (86400.1, 86_400_100_000_000), (9_000_000.12345, 9_000_000_123_450_000), (9.2e9, 9_200_000_000_000_000_000),
        (-1, nil), (.infinity, nil), (.nan, nil), (1e10, nil), (.greatestFiniteMagnitude, nil),
    ] as [(Double, Int64?)])
func `a number of seconds is read as its shortest decimal form`(seconds: Double, nanoseconds: Int64?) {
    #expect(DurationText.nanoseconds(seconds: seconds) == nanoseconds)
}
