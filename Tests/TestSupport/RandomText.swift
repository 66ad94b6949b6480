import JuiceStand
import TextFormats

extension JSONValue {
    /// A random document without whole doubles, which would be read back as integers.
    package static func random(depth: Int, using generator: inout SplitMix64) -> JSONValue {
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

    private static func randomString(using generator: inout SplitMix64) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            let largest: UInt32 = [0x20, 0x7F, 0x2100, 0x10FFFF].randomElement(using: &generator) ?? 0x7F
            text.append(Unicode.Scalar(UInt32.random(in: 0...largest, using: &generator)) ?? "\"")
        }
        return String(text)
    }
}
