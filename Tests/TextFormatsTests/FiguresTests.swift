import Testing
import TextFormats

/// Figures from other programs, at the borders of what is taken and beyond.
struct FiguresTests {
    @Test(
        arguments: [
            ("9007199254740992", 9_007_199_254_740_992), ("-9007199254740992", -9_007_199_254_740_992), ("7.0", 7),
            ("9007199254740992.0", 9_007_199_254_740_992), ("9007199254740993", nil), ("-9007199254740993", nil),
            ("9223372036854775807", nil), ("1e16", nil), ("1e308", nil), ("0.5", nil), ("\"7\"", nil), ("null", nil),
            ("-1e3", -1000),
        ] as [(String, Int?)])
    func `a whole number is within 2 to the power of 53, however it is written`(text: String, number: Int?) {
        let value = JSONValue(parsing: Array(text.utf8))
        #expect(value?.whole == number)
        #expect(value?.count == number.flatMap { $0 < 0 ? nil : $0 })
    }

    /// What is wrong with a document; nil if nothing is.
    private static func problem(_ text: String, least: Int = 0) -> String? {
        do throws(TextProblem) {
            _ = try JSONValue(figuresIn: Array(text.utf8), least: least)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        ("{\"time\": 1e308}", "'time' must be a number from 0 to 9007199254740992, found '1e308'"),
        ("{\"a\": [{\"b\": -1}]}", "'b' must be a number from 0 to 9007199254740992, found '-1'"),
        (
            "[9007199254740993000]",
            "the document must be a number from 0 to 9007199254740992, found '9007199254740993000'"
        ),
        ("{\"seed\": -1}", "'seed' must be a number from 0 to 9007199254740992, found '-1'"),
        ("{\"seed\": 1e300}", "'seed' must be a number from 0 to 9007199254740992, found '1e300'"),
        ("{\"a\": 1e999}", "expected a number of at most 1.797e308, found '1e999'"),
        ("", "expected a value, found the end of the text"),
    ])
    func `a number that is no figure is named with its key`(text: String, problem: String) {
        #expect(Self.problem(text) == problem)
    }

    @Test func `a seed may have 64 bits, and negative figures are a matter of the document`() {
        #expect(Self.problem("{\"seed\": 18446744073709551615, \"at\": 9007199254740992, \"x\": 0.5}") == nil)
        #expect(Self.problem("{\"x\": -9007199254740992}", least: -Figures.most) == nil)
        #expect(Self.problem("{\"x\": -9007199254740993.5}", least: -Figures.most) != nil)
    }

    @Test func `a document of very many values is refused`() {
        let zeros = String(repeating: "0,", count: 600_000)
        #expect(Self.problem("[\(zeros)0]") == "too many values for one document")
        #expect(Self.problem("[\(zeros.prefix(900_000))0]") == nil)
    }

    @Test func `the sum of any numbers stays within 64 bits`() {
        #expect(Figures.sum([1, 2, -4]) == -1 && Figures.sum([]) == 0)
        #expect(Figures.sum(Array(repeating: Figures.most, count: 2000)) == .max)
        #expect(Figures.sum([.min, -1, .min]) == .min)
        #expect(Figures.sum([.max, 1]) == .max)
    }

    @Test(
        arguments: [
            (2.5, 3), (-2.5, -3), (1e308, Figures.most), (-.infinity, -Figures.most), (.nan, 0), (0.4, 0),
        ] as [(Double, Int)])
    func `the nearest whole number is one within 2 to the power of 53`(number: Double, nearest: Int) {
        #expect(Int(nearest: number) == nearest)
    }

    // MARK: - Shown

    @Test(
        arguments: [
            (1e308, "1e+308"), (-1e308, "-1e+308"), (.infinity, "infinite"), (-.infinity, "-infinite"),
            (.nan, "no number"),
            (-.nan, "no number"), (9.3e18, "9.3e+18"),
        ] as [(Double, String)])
    func `a number of any size is written`(number: Double, text: String) {
        #expect(Columns.fixed(number, decimals: 0) == text)
        #expect(Columns.fixed(number, decimals: 9) == text)
        #expect(Columns.readable(number) == text && Columns.rounded(number) == text && Columns.factor(number) == text)
        #expect(Columns.percent(number).hasSuffix("%"))
    }

    @Test func `the largest number with all its digits is written with them`() {
        #expect(Columns.fixed(9.2e18, decimals: 0) == "9,200,000,000,000,000,000")
        #expect(Columns.fixed(-9.2e15, decimals: 3) == "-9,200,000,000,000,000.000")
    }

    @Test(
        arguments: [
            (9.97, "10 s", "10 s"), (9.94, "9.9 s", "10 s"), (0, "0 s", "0 s"), (-3, "-3 s", "-3 s"),
            (1e308, "1.1574074074074075e+303 d", "375,299,968,947,541 d 8 h"),
            (-1e308, "-1e+308 s", "-9007199254740992 s"),
            (.infinity, "infinite d", "375,299,968,947,541 d 8 h"), (.nan, "no number d", "0 s"),
        ] as [(Double, String, String)])
    func `a span of any length is written`(seconds: Double, short: String, long: String) {
        #expect(SpanText.short(seconds) == short)
        #expect(SpanText.long(seconds) == long)
    }

    /// The plain lines are read in place, the others as JSON.
    @Test(arguments: [
        (#"{"seq":1,"at":0.000000000,"text":"a","flag":true,"stock":{"kiwi":3}}"#, true), (#"{"x":1e3}"#, true),
        (#"{"x":1e308}"#, false), (#"{"x":-1}"#, false), (#"{"x":-0.5}"#, false), (#"{"x":{"y":1e308}}"#, false),
        (#"{"x":9007199254740993.5}"#, false), (#"{"x":1,}"#, false), (#"{"x":01}"#, false), (#"{"x":1"#, false),
    ])
    func `a line is JSON with figures from 0 or it is refused`(line: String, isTaken: Bool) {
        #expect(Figures.areAll(in: Array(line.utf8)[...]) == isTaken)
    }

    @Test func `a number that JSON cannot have is written as null`() {
        #expect(JSONValue.array([.number(.nan), .number(.infinity), .number(1.5)]).compact() == "[null,null,1.5]")
    }

    // MARK: - In a line of fields

    @Test(arguments: [
        ("corner", "corner"), ("north@127.0.0.1:80", "north@127.0.0.1:80"), ("바나나", "바나나"), ("", "\"\""),
        ("two words", "\"two words\""), ("a=b", "\"a=b\""), ("say \"x\"", "\"say \\\"x\\\"\""),
        ("a\nb", "\"a\\nb\""), ("\u{1b}[2J", "\"\\u001b[2J\""), ("a\u{202e}b", "\"a\\u202eb\""),
        ("a\u{a0}b", "\"a\u{a0}b\""), ("back\\slash", "\"back\\\\slash\""),
    ])
    func `a text is one word of a line`(text: String, word: String) {
        #expect(text.word == word)
    }

    @Test func `a value is one field of a line`() {
        #expect(JSONValue.string("banana juice").field == "\"banana juice\"")
        #expect(JSONValue.object([.init(key: "kiwi", value: 3)]).field == "{\"kiwi\":3}")
        #expect(JSONValue.object([.init(key: "a event=closed", value: 3)]).field == "\"{\\\"a event=closed\\\":3}\"")
        #expect(JSONValue.integer(3).field == "3")
    }
}
