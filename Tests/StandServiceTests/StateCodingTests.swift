import StandState
import Testing

/// How snapshots and records are written as JSON.
struct StateCodingTests {
    private enum Kind: Codable, Equatable {
        case plain
        case named(by: String, [Int64])
    }

    private struct Sample: Codable, Equatable {
        var text: String
        var numbers: [Int64]
        var small: [UInt8]
        var wide: UInt128
        var narrow: Int128
        var real: Double
        var isTrue: Bool
        var absent: Int?
        var levels: [Int?]
        var kinds: [Kind]
    }

    private static let sample = Sample(
        text: "a \"quote\", a \\, a line\nfeed, \u{1}, 딸기쥬스 and 🍓", numbers: [0, -1, .min, .max], small: [], wide: .max,
        narrow: .min, real: -0.1, isTrue: true, absent: nil, levels: [nil, 3, nil],
        kinds: [.plain, .named(by: "}", [])])

    private static func text(_ value: some Encodable) -> String {
        String(decoding: StateEncoder.encode(value), as: UTF8.self)
    }

    @Test func `a value is one line of JSON, and is read again`() throws {
        let text = Self.text(Self.sample)
        #expect(
            text == """
                {"text":"a \\"quote\\", a \\\\, a line\\u000afeed, \\u0001, 딸기쥬스 and 🍓",\
                "numbers":[0,-1,-9223372036854775808,9223372036854775807],"small":[],"wide":\(UInt128.max),\
                "narrow":\(Int128.min),"real":-0.1,"isTrue":true,"levels":[null,3,null],\
                "kinds":[{"plain":{}},{"named":{"by":"}","_1":[]}}]}
                """)
        #expect(try StateDecoder.decode(Sample.self, from: Array(text.utf8)[...]) == Self.sample)
    }

    @Test(arguments: [0.0, -0.0, Double.leastNonzeroMagnitude, 1e300, 0.1, .infinity, -.infinity, 1 / 3])
    func `a real number keeps its bits`(number: Double) throws {
        let bytes = StateEncoder.encode([number])
        #expect(try StateDecoder.decode([Double].self, from: bytes[...]).map(\.bitPattern) == [number.bitPattern])
    }

    @Test func `a text that is cut or of another layout is refused`() throws {
        struct More: Codable {
            var first = 1
            var second = "two"
            var third: [Int64] = [3, 33]
        }
        struct Fewer: Codable {
            var first = 1
            var second = "two"
        }
        struct Others: Codable {
            var first = 1
            var zweite = "two"
            var third: [Int64] = [3, 33]
        }
        let whole = StateEncoder.encode(More())
        #expect(try StateDecoder.decode(More.self, from: whole[...]).third == [3, 33])
        for length in whole.indices {
            #expect(throws: (any Error).self) { try StateDecoder.decode(More.self, from: whole[..<length]) }
        }
        #expect(throws: (any Error).self) { try StateDecoder.decode(More.self, from: (whole + whole)[...]) }
        #expect(throws: (any Error).self) { try StateDecoder.decode(Fewer.self, from: whole[...]) }
        #expect(throws: (any Error).self) { try StateDecoder.decode(Others.self, from: whole[...]) }
        #expect(throws: (any Error).self) {
            try StateDecoder.decode(More.self, from: StateEncoder.encode(Fewer())[...])
        }
        for text in ["256", "-1", "18446744073709551616", "1.5", "", "null", "\"1\""] {
            #expect(throws: (any Error).self, "\(text)") {
                try StateDecoder.decode(UInt8.self, from: Array(text.utf8)[...])
            }
        }
    }
}
