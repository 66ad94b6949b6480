import JuiceStand
import Testing
import TextFormats

private func parse(_ text: String) -> (root: JSONNode?, problems: [TextProblem]) {
    JSON5Parser.parse(Array(text.utf8), source: "stand.json")
}

private func value(_ text: String) -> JSONValue? {
    let (root, problems) = parse(text)
    #expect(problems == [])
    return root.flatMap { JSONValue($0) }
}

private func problems(_ text: String) -> [String] {
    parse(text).problems.map { "\($0.place.line):\($0.place.column) \($0.message)" }
}

// MARK: - What is JSON5

@Test func `reads the example of the specification`() {
    let example = #"""
        {
          // comments
          unquoted: 'and you can quote me on that',
          singleQuotes: 'I can use "double quotes" here',
          lineBreaks: "Look, Mom! \
        No \\n's!",
          hexadecimal: 0xdecaf,
          leadingDecimalPoint: .8675309, andTrailing: 8675309.,
          positiveSign: +1,
          trailingComma: 'in objects', andIn: ['arrays',],
          "backwardsCompatible": "with JSON",
        }
        """#
    #expect(
        value(example) == [
            "unquoted": "and you can quote me on that",
            "singleQuotes": "I can use \"double quotes\" here",
            "lineBreaks": "Look, Mom! No \\n's!",
            "hexadecimal": 0xdecaf,
            "leadingDecimalPoint": .number(0.8_675_309),
            "andTrailing": .number(8_675_309),
            "positiveSign": 1,
            "trailingComma": "in objects",
            "andIn": ["arrays"],
            "backwardsCompatible": "with JSON",
        ])
}

@Test(
    arguments: [
        ("null", .null), ("true", true), (" false ", false), ("'a'", "a"), (#""a""#, "a"), ("[]", []), ("{}", [:]),
        ("[1,]", [1]), ("{a:1,}", ["a": 1]), ("/* a */ 1 // b", 1), ("/***/[/*/*/]", []), ("1 // b", 1),
        ("{$_a1: 1}", ["$_a1": 1]), ("{딸기: 1}", ["딸기": 1]), (#"{\u0061b: 1}"#, ["ab": 1]),
        ("{null: 1, NaN: 2}", ["null": 1, "NaN": 2]), ("{'a b': 1}", ["a b": 1]), ("{a: 1, a: 2}", ["a": 1, "a": 2]),
        (#"'\b\f\n\r\t\v\0\x41\u00e9\'\"\\\/\a'"#, "\u{8}\u{C}\n\r\t\u{B}\0A\u{E9}'\"\\/a"),
        (#""\ud83c\udf53""#, "🍓"), ("'a\\\r\nb\\\u{2028}c'", "abc"), ("'a\u{2028}b\tc'", "a\u{2028}b\tc"),
        ("\u{FEFF}1", 1), ("\u{A0}\u{2003}\u{B}\u{C}\u{FEFF}1", 1),
    ] as [(String, JSONValue)])
func `reads everything that JSON5 allows`(text: String, expected: JSONValue) {
    #expect(value(text) == expected)
}

@Test(
    arguments: [
        ("0", 0), ("-0", 0), ("12", 12), ("+12", 12), ("-12", -12), ("1.5", 1.5), (".5", 0.5), ("-.5", -0.5), ("5.", 5),
        ("5.e1", 50), ("1e3", 1000), ("1E+3", 1000), ("1e-3", 0.001), ("0.1", 0.1), ("0x1F", 31), ("0Xff", 255),
        ("-0x10", -16), ("+0xe", 14), ("9007199254740993", 9_007_199_254_740_992), ("1e-999", 0),
        ("1.7976931348623157e308", Double.greatestFiniteMagnitude), ("0xffffffffffffffffff", 0x1p72),
    ] as [(String, Double)])
func `a number becomes the nearest double and keeps its text`(text: String, expected: Double) {
    let (root, problems) = parse(text)
    #expect(problems == [])
    #expect(root?.value == .number(expected, text: text))
}

@Test(
    arguments: [
        ("9223372036854775807", .integer(.max)), ("-0x10", -16), ("+7", 7), ("9223372036854775808", .number(0x1p63)),
        ("1e3", .number(1000)), ("2.0", .number(2)),
    ] as [(String, JSONValue)])
func `a number written as an integer becomes an integer`(text: String, expected: JSONValue) {
    #expect(value(text) == expected)
}

// MARK: - JSON alone

@Test(arguments: [
    ("{\n \"a\": 1,\n}", "2:8 expected no comma before '}', found one"),
    ("[1, /* two */]", "1:3 expected no comma before ']', found one"),
    ("[1, /* two */ 2]", "1:5 expected no comment, found one"),
    ("{a: 1}", "1:2 expected a name in double quotes, found 'a'"),
    ("{null: 1}", "1:2 expected a name in double quotes, found 'null'"),
    ("['x']", "1:2 expected double quotes, found a single one"),
    ("[\"é\", +1]", "1:7 expected a decimal number, found '+1'"),
    ("[0x10]", "1:2 expected a decimal number, found '0x10'"),
    ("[1.]", "1:2 expected a decimal number, found '1.'"),
    ("[1.e3]", "1:2 expected a decimal number, found '1.e3'"),
    ("[-.5]", "1:2 expected a decimal number, found '-.5'"),
    (#"["\x41"]"#, #"1:3 expected an escape of JSON such as '\n' or '\u00e9', found another"#),
    ("[\"a\tb\"]", "1:4 expected '\\u0009' in a string, found the control character itself"),
    ("[1,\u{A0}2]", "1:4 expected white space of JSON, found 'U+00A0'"),
    ("\u{FEFF}1", "1:1 expected white space of JSON, found 'U+FEFF'"),
])
func `what JSON5 adds to JSON is a problem in JSON`(text: String, problem: String) {
    #expect(parse(text).problems.isEmpty)
    let problems = JSON5Parser.parse(Array(text.utf8), as: .json, source: "f").problems
    #expect(problems.first.map { "\($0.place.line):\($0.place.column) \($0.message)" } == problem)
}

@Test(arguments: ["[-0.5e-3, 1E+2, 0]", #"{"a": ["\/\u00e9\"", true, null, {}]}"#, "\t\r\n[ ]"])
func `JSON is read as JSON`(text: String) {
    #expect(JSON5Parser.parse(Array(text.utf8), as: .json, source: "f").problems.isEmpty)
}

// MARK: - Places

@Test func `places count lines and Unicode scalars from 1`() throws {
    let (root, problems) = parse("{ // 딸기\r\n '🍓': [1,\r  x2: 3]}")
    let members = try #require(root?.members)
    #expect(members.map { "\($0.keyPlace)" } == ["stand.json:2:2"])
    #expect("\(members[0].node.place)" == "stand.json:2:7")
    #expect(problems.map { "\($0)" } == ["stand.json:3:3: expected a value, found 'x2'; a string needs quotes"])
}

@Test func `places in a text without lines name the source alone`() {
    let (root, problems) = JSON5Parser.parse(Array("[1".utf8), source: "--set makers=[1", firstLine: 0)
    #expect(root.map { "\($0.place)" } == "--set makers=[1")
    #expect(problems.map { "\($0.place)" } == ["--set makers=[1"])
}

@Test func `a byte order mark takes no column`() {
    #expect(parse("\u{FEFF}1").root?.place.column == 1)
}

// MARK: - What is wrong

private let forty = String(repeating: "a", count: 40)

@Test(arguments: [
    ("", "1:1 expected a value, found the end of the text"),
    ("// only a comment", "1:18 expected a value, found the end of the text"),
    ("{a: 1; b: 2}", "1:6 expected ',' or '}' after a member, found ';'"),
    ("[1 2]", "1:4 expected ',' or ']' after an element, found '2'"),
    ("[1,,2]", "1:4 expected a value, found ','"),
    ("[,]", "1:2 expected a value, found ','"),
    ("{,}", "1:2 expected a key or '}', found ','"),
    ("{1: 2}", "1:2 expected a key or '}', found '1'"),
    ("{a 1}", "1:4 expected ':' after a key, found '1'"),
    ("{a = 1}", "1:4 expected ':' after a key, found '='"),
    ("{a:}", "1:4 expected a value, found '}'"),
    ("True", "1:1 expected a value, found 'True'; did you mean true?"),
    ("corner", "1:1 expected a value, found 'corner'; a string needs quotes"),
    (String(repeating: "a", count: 99), "1:1 expected a value, found '\(forty)…'; a string needs quotes"),
    ("30s", "1:1 expected a number, found '30s'; a string needs quotes"),
    ("010", "1:1 expected a number, found '010'; a string needs quotes"),
    ("0x", "1:1 expected a number, found '0x'; a string needs quotes"),
    ("1.2.3", "1:1 expected a number, found '1.2.3'; a string needs quotes"),
    ("- 1", "1:1 expected a number, found '-'; a string needs quotes"),
    (".", "1:1 expected a number, found '.'; a string needs quotes"),
    ("1e", "1:1 expected a number, found '1e'; a string needs quotes"),
    ("Infinity", "1:1 expected a finite number, found Infinity"),
    ("-Infinity", "1:1 expected a finite number, found -Infinity"),
    ("+NaN", "1:1 expected a finite number, found +NaN"),
    ("1e309", "1:1 expected a number of at most 1.797e308, found '1e309'"),
    ("1 2", "1:3 expected nothing more after the document, found '2'"),
    ("{}}", "1:3 expected nothing more after the document, found '}'"),
    ("'a", "1:1 expected \"'\" to close the string, found the end of the text"),
    ("\"a\n\"", "1:1 expected '\"' to close the string, found the end of the line"),
    ("1 /* a", "1:3 expected '*/' to close the comment, found the end of the text"),
    ("/", "1:1 expected a value, found '/'"),
    ("\u{7}", "1:1 expected a value, found 'U+0007'"),
    ("'\u{7}'", "1:2 expected '\\u0007' in a string, found the control character itself"),
    ("'\\\u{7}'", "1:3 expected '\\u0007' in a string, found the control character itself"),
    (#"'\x4g'"#, "1:2 expected two hexadecimal digits after '\\x', found 'g'"),
    (#"'\u12'"#, "1:2 expected four hexadecimal digits after '\\u', found \"'\""),
    (#"'\1'"#, "1:2 expected an escape such as '\\n' or '\\u00e9', found '\\1'"),
    (#"'\ud83c'"#, "1:2 expected both halves of a surrogate pair, found '\\uD83C' alone"),
    (#"'\udf53'"#, "1:2 expected both halves of a surrogate pair, found '\\uDF53' alone"),
    (#"'\ud83c\u0041'"#, "1:2 expected both halves of a surrogate pair, found '\\uD83C' alone"),
    (#"{\u0031a: 1}"#, "1:2 expected '\\u' and four digits that stand for a letter in a key without quotes"),
    ("[1", "1:3 expected ']' to close the bracket at stand.json:1:1, found the end of the text"),
    ("{a: [1}", "1:7 expected ',' or ']' after an element, found '}'"),
    ("[1}]", "1:3 expected ',' or ']' after an element, found '}'"),
])
func `a syntax error is one problem: what was expected and what was found`(text: String, problem: String) {
    #expect(problems(text) == [problem])
}

@Test(
    arguments: [
        ([0x22, 0xFC, 0x22], "1:2", "0xFC"), ([0x5B, 0x0A, 0xC0, 0x80, 0x5D], "2:1", "0xC0"),
        ([0x22, 0xED, 0xA0, 0x80, 0x22], "1:2", "0xED"), ([0x22, 0xE2, 0x82], "1:2", "0xE2"),
    ] as [([UInt8], String, String)])
func `invalid UTF-8 is reported once, at its first byte`(bytes: [UInt8], place: String, byte: String) {
    let problems = JSON5Parser.parse(bytes, source: "f").problems
    #expect(problems.contains { "\($0)" == "f:\(place): expected UTF-8, found the byte \(byte)" })
    #expect(problems.count { $0.message.description.contains("UTF-8") } == 1)
}

@Test func `deeper nesting is refused and the rest is still read`() {
    func nested(_ depth: Int) -> String {
        "[" + String(repeating: "[", count: depth - 1) + "0, ']'" + String(repeating: "]", count: depth - 1) + ", ;]"
    }
    #expect(problems(nested(64)).count == 1)
    #expect(
        problems(nested(65)) == [
            "1:65 nested too deep: expected at most 64 levels",
            "1:138 expected a value, found ';'",
        ])
}

// MARK: - Recovery

@Test func `all syntax errors of a file are reported in one pass`() throws {
    let text = """
        {
          "stand": "corner"
          "seed": 30s,
          "makers" 2,
          "queue": { "limit": 4O, },
          "fruits": { "kiwi": [1, 2; 3, @], "mango": True },
          menu: "open,
          "opens": "today"
        }
        """
    #expect(
        problems(text) == [
            "3:3 expected ',' or '}' after a member, found '\"'",
            "3:11 expected a number, found '30s'; a string needs quotes",
            "4:12 expected ':' after a key, found '2'",
            "5:23 expected a number, found '4O'; a string needs quotes",
            "6:28 expected ',' or ']' after an element, found ';'",
            "6:33 expected a value, found '@'",
            "6:46 expected a value, found 'True'; did you mean true?",
            "7:9 expected '\"' to close the string, found the end of the line",
        ])
    let keys = try #require(parse(text).root?.members).map(\.key)
    #expect(keys == ["stand", "seed", "makers", "queue", "fruits", "menu", "opens"])
}

@Test(
    arguments: [
        ("{a: [1, 2, b: 3}", ["a"]), ("{a: {b: [1}, c: 2}", ["a", "c"]), ("{a: 1], b: 2}", ["a", "b"]),
        ("{a: (1, 2), b: 2}", ["a", "b"]), ("{a: x'}', b: 2}", ["a", "b"]), ("{a: @[1, 2, {x: 3}], b: 2}", ["a", "b"]),
        ("{a: ; /* , */ b: 2, c: 3}", ["a", "c"]), ("{a\nb: 2}", ["a"]), ("{a: 1\n[2]\n, b: 3}", ["a", "b"]),
    ] as [(String, [String])])
func `after an error the next part of the same level is read`(text: String, keys: [String]) {
    let (root, problems) = parse(text)
    #expect(!problems.isEmpty)
    #expect(root?.members?.map(\.key).prefix(keys.count).elementsEqual(keys) == true)
}

@Test func `reports at most fifty problems`() {
    let text = "[" + String(repeating: "@,\n", count: 1000) + "]"
    #expect(problems(text).count == 50)
    #expect(problems(text).last == "50:1 expected a value, found '@'")
}

// MARK: - Hostile texts

@Test(
    arguments: [
        ("", "["), ("", "{a:"), ("", "]"), ("", "[}"), ("", "'\n"), ("[", "'\n"), ("'", "\\a"), ("", "/*"), ("", "9"),
        ("0x", "f"), ("{", "a\n"), ("[", "[},"), ("{", "a:1 "), ("[", "/**/'"), ("", "[/*"), ("{", "\\u"),
    ] as [(String, String)])
func `a huge invalid text is refused with few problems`(beginning: String, piece: String) {
    let count = problems(beginning + String(repeating: piece, count: 100_000)).count
    #expect((1...50).contains(count))
}

@Test(arguments: [1, 2, 3, 4] as [UInt64])
func `random bytes never crash the parser`(seed: UInt64) {
    print("seed \(seed)")
    var generator = SplitMix64(seed: seed)
    let alphabet = Array("{}[]:,'\"\\/*\n\r 0x1e+-.tnuIN\u{FEFF}é;".utf8) + [0xFF, 0xC3, 0x00]
    for _ in 0..<3_000 {
        let isWild = Bool.random(using: &generator)
        let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
            isWild ? UInt8.random(in: 0...255, using: &generator) : alphabet.randomElement(using: &generator) ?? 0
        }
        let (root, problems) = JSON5Parser.parse(bytes, source: "f")
        #expect(problems.count <= 50)
        // Without a problem the document is whole.
        if problems.isEmpty { #expect(root.flatMap { JSONValue($0) } != nil, "\(bytes)") }
    }
}

extension JSONNode {
    fileprivate var members: [Member]? {
        if case .object(let members) = value { members } else { nil }
    }
}
