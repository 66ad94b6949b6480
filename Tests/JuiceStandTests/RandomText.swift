import JuiceStand

/// A small generator with a seed that a failing test can name (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

extension JSONValue {
    /// A random document without whole doubles, which are written as integers and therefore read back as such.
    static func random(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 8 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .integer(Int64.random(in: .min ... .max, using: &generator))
        case 3:
            let value = Double(bitPattern: generator.next())
            return value.isFinite && value != value.rounded() ? .number(value) : .number(0.1)
        case 4, 5: return .string(randomString(using: &generator))
        case 6:
            return .array(
                (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                    random(depth: depth - 1, using: &generator)
                })
        default:
            return .object(
                (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                    Member(key: randomString(using: &generator), value: random(depth: depth - 1, using: &generator))
                })
        }
    }

    private static func randomString(using generator: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            let largest: UInt32 = [0x20, 0x7F, 0x2100, 0x10FFFF].randomElement(using: &generator) ?? 0x7F
            text.append(Unicode.Scalar(UInt32.random(in: 0...largest, using: &generator)) ?? "\"")
        }
        return String(text)
    }
}
