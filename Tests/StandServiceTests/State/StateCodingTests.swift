import JuiceStand
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
        String(decoding: StateCoding.encode(value), as: UTF8.self)
    }

    @Test func `a value is one line of JSON, and is read again`() throws {
        let text = Self.text(Self.sample)
        #expect(
            text == """
                {"isTrue":true,"kinds":[{"plain":{}},{"named":{"_1":[],"by":"}"}}],"levels":[null,3,null],\
                "narrow":\(Int128.min),"numbers":[0,-1,-9223372036854775808,9223372036854775807],"real":-0.1,\
                "small":[],"text":"a \\"quote\\", a \\\\, a line\\nfeed, \\u0001, 딸기쥬스 and 🍓",\
                "wide":\(UInt128.max)}
                """)
        #expect(try StateCoding.decode(Sample.self, from: Array(text.utf8)[...]) == Self.sample)
    }

    @Test(arguments: [0.0, -0.0, Double.leastNonzeroMagnitude, 1e300, 0.1, .infinity, -.infinity, 1 / 3])
    func `a real number keeps its bits`(number: Double) throws {
        let bytes = StateCoding.encode([number])
        #expect(try StateCoding.decode([Double].self, from: bytes[...]).map(\.bitPattern) == [number.bitPattern])
    }

    // MARK: - Tables

    private struct Row: HotArrayElement, Equatable {
        var time: SimulationTime
        var word: UInt64
        var small: Int32

        static var blank: Row? { Row(time: .zero, word: 0, small: 0) }

        mutating func pass(_ row: inout HotArrayRow) {
            row.pass(&time)
            row.pass(&word)
            row.pass(&small)
        }
    }

    @Test func `a text that is cut, lacks a member or has a number out of range is refused`() throws {
        struct Whole: Codable {
            var first = 1
            var second = "two"
            var third: [Int64] = [3, 33]
        }
        let whole = Self.text(Whole())
        #expect(try StateCoding.decode(Whole.self, from: Array(whole.utf8)[...]).third == [3, 33])
        let cut = (0..<whole.utf8.count).map { String(whole.prefix($0)) }
        let others = [whole + whole, #"{"first":1,"second":"two"}"#, #"{"first":1,"other":"two","third":[3,33]}"#]
        for text in cut + others {
            #expect(throws: (any Error).self, "\(text)") {
                try StateCoding.decode(Whole.self, from: Array(text.utf8)[...])
            }
        }
        for text in ["256", "-1", "18446744073709551616", "1.5", "", "null", "\"1\""] {
            #expect(throws: (any Error).self, "\(text)") {
                try StateCoding.decode(UInt8.self, from: Array(text.utf8)[...])
            }
        }
    }

    @Test func `a hot array is one text of numbers, each member in its place`() throws {
        let rows = [
            Row(time: .never, word: .max, small: .min), Row(time: .zero, word: 1, small: 10),
            Row(time: SimulationTime(nanoseconds: .min), word: 1 << 63, small: .max),
        ]
        let bytes = StateCoding.encode(HotArray(rows))
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                {"numbers":"9223372036854775807 -1 -2147483648 0 1 10 -9223372036854775808 -9223372036854775808 2147483647 "}
                """)
        #expect(try Array(StateCoding.decode(HotArray<Row>.self, from: bytes[...])) == rows)
        let earlier = Array(#"{"rows":[9223372036854775807,-1,-2147483648,0,1,10]}"#.utf8)
        #expect(try Array(StateCoding.decode(HotArray<Row>.self, from: earlier[...])) == Array(rows[..<2]))
    }

    @Test(arguments: [
        "1 2 ", "1 2 3", "1 2 3 4 ", "1 2 2147483648 ", "1 2 -2147483649 ", "9223372036854775808 2 3 ",
        "-9223372036854775809 2 3 ", "18446744073709551617 2 3 ", "1  2 3 ", "1 - 3 ", "1 2 3 x", "1,2,3 ",
    ])
    func `a hot array with a number too few, too many or too large is refused`(numbers: String) {
        let text = "{\"numbers\":\"\(numbers)\"}"
        #expect(throws: (any Error).self) { try StateCoding.decode(HotArray<Row>.self, from: Array(text.utf8)[...]) }
    }
}
