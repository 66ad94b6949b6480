import Testing
import TextFormats

/// The members of a line that `FlatLine` reads; nil if it leaves the line to the parser.
private func members(_ text: String) -> [JSONValue.Member]? {
    let bytes = Array("before\(text)after".utf8)
    var line = FlatLine(bytes, in: 6..<bytes.count - 5)
    var members: [JSONValue.Member] = []
    while let (key, value) = line.member() {
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        let found: JSONValue? =
            switch value {
            case .null: .null
            case .bool(let range), .number(let range): JSONValue(parsing: bytes[range])
            case .text(let range): .string(text(range))
            }
        guard let found else { return nil }
        members.append(.init(key: text(key), value: found))
    }
    return line.end() ? members : nil
}

@Test(arguments: [
    #"{"a":1}"#, #"{"a":-0.5e+3,"b":"x","c":true,"d":false,"e":null}"#, #" { "a" : "딸기" , "b" : 12 } "#,
    #"{"same":1,"same":2}"#, "\t{\"a\":0}\r",
])
func `a flat line has the members that the parser finds`(line: String) throws {
    #expect(members(line) == (try #require(JSONValue(parsing: line.utf8)).members))
}

@Test(arguments: [
    "", "{", "{}", "[]", "1", #"{"a"}"#, #"{"a":}"#, #"{"a":1"#, #"{"a":1,}"#, #"{"a":1}}"#, #"{"a":1} x"#,
    #"{"a":[1]}"#, #"{"a":{"b":1}}"#, #"{"a":"b\n"}"#, #"{"a\"":1}"#, "{\"a\":\"b\tc\"}", "{a:1}", "{'a':1}",
    #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":+1}"#, #"{"a":-}"#, #"{"a":1e}"#, #"{"a":nul}"#, #"{"a":truee}"#,
    #"{"a":1 "b":2}"#, #"{,"a":1}"#,
])
func `any other line is left to the parser`(line: String) {
    #expect(members(line) == nil)
}

@Test func `a line in a known form is read part by part`() {
    let bytes = Array(#"{"seq":17,"at":0.5,"event":"주문"}"#.utf8)
    var line = FlatLine(bytes, in: bytes.indices)
    #expect(line.take(Array(#"{"seq":"#.utf8)) && line.number() == 7..<9)
    #expect(!line.take(Array(#", "at":"#.utf8)) && line.take(Array(#","at":"#.utf8)))
    #expect(line.number() == 15..<18)
    #expect(line.take(Array(#","event":"#.utf8)) && line.text().map { line.isEqual($0, Array("주문".utf8)) } == true)
    #expect(!line.isAtEnd && line.end() && line.isAtEnd)
}

@Test(arguments: [(Array("é".utf8), true), ([0xE9], false)])
func `a line with other bytes than UTF-8 in a text is recognized`(text: [UInt8], isUTF8: Bool) {
    let bytes = Array(#"{"item":""#.utf8) + text + Array(#""}"#.utf8)
    var line = FlatLine(bytes, in: bytes.indices)
    #expect(line.member() != nil && line.end() && line.isUTF8 == isUTF8)
}
