import JuiceStand
import TestSupport
import Testing
import TextFormats

@Test(
    arguments: [
        (.null, "null"), (true, "true"), (-7, "-7"), (.integer(.min), "-9223372036854775808"), (.number(0.1), "0.1"),
        (.number(5), "5"), (.number(-3), "-3"), (.number(-0.0), "0"), (.number(0x1p53), "9007199254740992.0"),
        (.number(9_007_199_254_740_991), "9007199254740991"), (.number(1e300), "1e+300"),
        (.number(.leastNonzeroMagnitude), "5e-324"),
        ("a/é🍓\u{2028}\u{7F}", "\"a/é🍓\\u2028\\u007f\""),
        ("\"\\\u{8}\u{C}\n\r\t\0\u{1F}", #""\"\\\b\f\n\r\t\u0000\u001f""#),
        ([], "[]"), ([:], "{}"), ([1, [2], "a"], #"[1,[2],"a"]"#), (["b": 1, "a": [:]], #"{"b":1,"a":{}}"#),
    ] as [(JSONValue, String)])
func `a value is written compactly as JSON`(value: JSONValue, text: String) {
    #expect(value.compact() == text)
}

@Test func `a document that fits into the width takes one line`() {
    let value: JSONValue = ["a": [1, 2], "b": ["c": .null], "d": []]
    #expect(value.pretty() == #"{"a": [1, 2], "b": {"c": null}, "d": []}"#)
}

@Test func `only values that do not fit are broken into lines`() {
    let long = JSONValue.string(String(repeating: "딸", count: 60))
    let quoted = long.compact()
    let value: JSONValue = ["short": [1, 2], "long": [long, long, ["x": 1]]]
    #expect(
        value.pretty() == """
            {
              "short": [1, 2],
              "long": [
                \(quoted),
                \(quoted),
                {"x": 1}
              ]
            }
            """)
}

@Test(arguments: 80...110)
func `no line is longer than the width unless a single value is`(count: Int) {
    let inner: JSONValue = ["key": .string(String(repeating: "a", count: count - 30)), "b": 1]
    let value: JSONValue = ["outer": [inner, inner], "whole": [.string(String(repeating: "b", count: count - 20))]]
    for line in value.pretty().split(separator: "\n") { #expect(line.count <= 100) }
    #expect(JSONValue.array([.string(String(repeating: "b", count: 96))]).pretty().count == 100)
}

@Test(arguments: [11, 12, 13, 14] as [UInt64])
func `a random document is read back unchanged`(seed: UInt64) {
    print("seed \(seed)")
    var generator = SplitMix64(seed: seed)
    for _ in 0..<500 {
        let value = JSONValue.random(depth: 5, using: &generator)
        for text in [value.pretty(), value.compact()] {
            let (root, problems) = JSON5Parser.parse(Array(text.utf8), source: "written")
            #expect(problems == [])
            #expect(root.flatMap { JSONValue($0) } == value, "\(text)")
        }
    }
}

@Test func `a document with an invalid node has no value`() {
    let (root, _) = JSON5Parser.parse(Array("{a: [1, @]}".utf8), source: "f")
    #expect(root != nil)
    #expect(root.flatMap { JSONValue($0) } == nil)
}

@Test func `hidden characters are escaped wherever text is shown`() {
    let text = "a\u{1B}[2J\u{7F}\u{9B}\u{202E}\u{2066}\u{2028}é👨\u{200D}👩"
    #expect(text.visible == #"a\u{1b}[2J\u{7f}\u{9b}\u{202e}\u{2066}\u{2028}é"# + "👨\u{200D}👩")
    #expect(JSONValue.string(text).compact() == #""a\u001b[2J\u007f\u009b\u202e\u2066\u2028é"# + "👨\u{200D}👩\"")
    #expect("딸기쥬스".visible == "딸기쥬스")
    #expect("a\tb\nc\r\u{202E}".visibleLines == "a\tb\n" + #"c\u{d}\u{202e}"#)
    let json = JSONValue.string(text + "🏴\u{E0067}\u{E007F}").compact()
    #expect(json.visibleLines == json)
}
