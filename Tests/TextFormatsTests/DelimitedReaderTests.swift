import JuiceStand
import TestSupport
import Testing
import TextFormats

/// The records and problems of a text, as the caller sees them.
private func read(_ text: String, _ columns: [String]) -> (records: [[String?]], problems: [String]) {
    read(Array(text.utf8), columns)
}

extension DelimitedReader {
    fileprivate init(_ bytes: [UInt8], source: String) {
        var rest = bytes
        self.init(source: source) {
            defer { rest = [] }
            return rest
        }
    }
}

extension DelimitedRecord {
    fileprivate func texts(_ count: Int) -> [String?] { (0..<count).map { self[$0] } }
}

/// Reads all records of the text. Returns the problems in its order.
private func forEachRecord(
    of text: DelimitedReader, _ columns: [String], _ body: (DelimitedRecord) -> Void
) -> [TextProblem] {
    var reader = text
    var problems: [TextProblem] = []
    var record = DelimitedRecord(source: "f")
    do throws(TextProblem) { try reader.select(columns) } catch { return [error] }
    while true {
        do throws(TextProblem) {
            guard try reader.next(&record) else { return problems }
            body(record)
        } catch {
            problems.append(error)
        }
    }
}

private func read(_ bytes: [UInt8], _ columns: [String]) -> (records: [[String?]], problems: [String]) {
    var records: [[String?]] = []
    let problems = forEachRecord(of: DelimitedReader(bytes, source: "f"), columns) {
        records.append($0.texts(columns.count))
    }
    return (records, problems.map { "\($0)" })
}

// MARK: - CSV

@Test(
    arguments: [
        "aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n", "aaa,bbb,ccc\r\nzzz,yyy,xxx", "\"aaa\",\"bbb\",\"ccc\"\r\nzzz,yyy,xxx",
        "aaa,bbb,ccc\nzzz,yyy,xxx\n", "aaa,bbb,ccc\rzzz,yyy,xxx\r", "\u{FEFF}aaa,bbb,ccc\n\n\r\nzzz,yyy,xxx\n\n",
        "\n\naaa,bbb,ccc\nzzz,\"yyy\",xxx",
    ])
func `any line end is accepted and empty lines are skipped`(text: String) {
    let (records, problems) = read(text, ["ccc", "aaa"])
    #expect(records == [["xxx", "zzz"]])
    #expect(problems == [])
}

@Test(
    arguments: [
        // RFC 4180, 2.6 and 2.7.
        ("aaa,bbb,ccc\r\n\"aaa\",\"b \r\nbb\",\"ccc\"\r\n", ["aaa", "b \r\nbb", "ccc"]),
        ("aaa,bbb,ccc\r\n\"aaa\",\"b\"\"bb\",\"ccc\"", ["aaa", "b\"bb", "ccc"]),
        ("aaa,bbb,ccc\n\"\",\"\"\"\",\"\"\"\"\"\"", ["", "\"", "\"\""]), ("aaa,bbb,ccc\n,,", ["", "", ""]),
        ("aaa,bbb,ccc\n a ,\t,b\"c", [" a ", "\t", "b\"c"]), ("aaa,bbb,ccc\n\"a,b\",딸기,\"\n\"", ["a,b", "딸기", "\n"]),
    ] as [(String, [String])])
func `fields are kept verbatim, without their quotes`(text: String, fields: [String]) {
    let (records, problems) = read(text, ["aaa", "bbb", "ccc"])
    #expect(records == [fields])
    #expect(problems == [])
}

@Test(
    arguments: [
        ("", "f:1:1: expected a header line, found no text"),
        ("\n\n", "f:1:1: expected a header line, found no text"),
        ("time,x\n1,2", "f:1:1: expected a column 'item'; found 'time', 'x'"),
        ("\ntime,items\n1,2", "f:2:1: expected a column 'item'; did you mean 'items'?"),
        ("time,item,item\n1,2,3", "f:1:1: expected one column 'item', found 2"),
        ("time,\"item\n1,2", "f:1:6: expected '\"' to close the field that begins here, found none"),
    ])
func `a header without a wanted column is refused`(text: String, problem: String) {
    let (records, problems) = read(text, ["time", "item"])
    #expect(records == [])
    #expect(problems.first == problem)
}

@Test func `a faulty record is reported with its line and the others are read`() {
    let text = "time,item\n1,\"a\nb\"\n2\n3,c,d\n4,\"e\"f\n5,g\n6,\"h"
    let (records, problems) = read(text, ["time"])
    #expect(records == [["1"], ["5"]])
    #expect(
        problems == [
            "f:4:1: expected 2 fields as in the header, found 1",
            "f:5:1: expected 2 fields as in the header, found 3",
            "f:6:6: expected ',' or the end of the line after a closing quote",
            "f:8:3: expected '\"' to close the field that begins here, found none",
        ])
}

@Test(arguments: [
    // Never closed, closed in the middle of a later field, and open for more than a field may have.
    ("", 0, "expected '\"' to close the field that begins here, found none"),
    ("7,\"g\"\n", 1, "expected ',' or the end of the line after a closing quote"),
    ("8,h\n", 300_000, "expected '\"' to close the field that begins here, found none"),
])
func `an unclosed quote costs one line`(rest: String, count: Int, problem: String) {
    let text = "time,item\n1,a\n2,\"b\n3,c\n4,d\n" + String(repeating: rest, count: count)
    let (records, problems) = read(text, ["time"])
    #expect(records.prefix(3) == [["1"], ["3"], ["4"]])
    #expect(records.count == 3 + count)
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("f:3:3: ") == true || problems.first?.hasPrefix("f:6:4: ") == true)
    #expect(problems.first?.hasSuffix(problem) == true, "\(problems)")
}

@Test func `bytes that are not UTF-8 are read as Latin-1, field by field`() {
    let bytes = Array("time,item\n딸기,Caf".utf8) + [0xE9] + Array("\n2,b\n".utf8)
    #expect(read(bytes, ["time", "item"]).records == [["딸기", "Café"], ["2", "b"]])
    #expect(read(bytes, ["time", "item"]).problems == [])
}

/// Titles, a line for spreadsheets, and separators at the ends of lines.
@Test(arguments: [
    "sep=;\ntime;item\n1;a\n2;b,c\n", "\"SEP=;\"\r\ntime;item\r\n1;a\r\n2;b,c\r\n",
    "Sales report\n2026-08-01 to 2026-08-31\n\ntime;item\n1;a\n2;b,c\n",
    "Sales; of August\nShop;;;\ntime;item;;x\n1;a;;\n2;b,c;;\n", "time;item\n1;a;\n2;b,c;\n",
    "Report, with commas, in its title\ntime\titem\n1\ta\n2\tb,c\n",
])
func `the header stands below lines of a title, and a line names the separator`(text: String) {
    let (records, problems) = read(text, ["time", "item"])
    #expect(records == [["1", "a"], ["2", "b,c"]])
    #expect(problems == [])
}

@Test func `a row of separators alone is an empty record`() {
    var empty: [Int] = []
    let reader = DelimitedReader(Array("time,item\n1,a\n,\n,,,,\n2,b\n".utf8), source: "f")
    let problems = forEachRecord(of: reader, ["time"]) { if $0.isEmpty { empty.append($0.place.line) } }
    #expect(empty == [3, 4])
    #expect(problems == [])
}

@Test(arguments: [
    (",", "a,b;c,d\n1,2,3\n", ["a", "b;c", "d"]), (";", "a;b;c\n1;2;3\n", ["a", "b", "c"]),
    ("tab", "a\tb,c\td\n", ["a", "b,c", "d"]), ("|", "a|b\n1|2\n", ["a", "b"]),
    (";", "\"a,b,c,d\";b\n", ["a,b,c,d", "b"]), (";", "a;b\n1,50;2,50\n3,50;4,50\n", ["a", "b"]),
])
func `the separator is what makes the most columns`(name: String, text: String, columns: [String]) {
    #expect(DelimitedReader(Array(text.utf8), source: "f").names == columns)
}

// MARK: - JSON Lines

@Test func `each line of JSON Lines is a record and a missing key gives nil`() {
    let text = """
        \u{FEFF}
          {"time": "08:00", "item": "kiwi", "cups": 2}\r
        {"item": true, "time": 1.50, "more": [1]}

        {"time": null, "cups": -3}
        """
    let (records, problems) = read(text, ["time", "item", "cups"])
    #expect(records == [["08:00", "kiwi", "2"], ["1.50", "true", nil], [nil, nil, "-3"]])
    #expect(problems == [])
}

@Test func `a faulty line of JSON Lines is reported with its place and the others are read`() {
    let text = "{\"a\": 1}\n{\"a\": }\n{\"a\": [1]}\n[1]\n{\"a\": 1, \"a\": 2}\n\n{\"a\": 2} {\n{\"b\": []}"
    let (records, problems) = read(text, ["a"])
    #expect(records == [["1"], [nil]])
    #expect(
        problems == [
            "f:2:7: expected a value, found '}'",
            "f:3:7: expected a string, a number, true, false or null for 'a'",
            "f:4:1: expected an object on each line of JSON Lines",
            "f:5:10: expected the key 'a' once, found it twice",
            "f:7:10: expected nothing more after the document, found '{'",
        ])
}

/// The fields, places and problems of one line of JSON Lines.
private func line(_ text: String) -> [String] {
    var seen: [String] = []
    let reader = DelimitedReader(Array(text.utf8), source: "f")
    let problems = forEachRecord(of: reader, ["time", "item"]) { record in
        seen += record.texts(2).map { $0 ?? "nil" } + (0...1).map { "\(record.place(of: $0))" }
    }
    return seen + problems.map { "\($0)" }
}

@Test(arguments: [
    "1", "-0.5e+3", "0", "\"\"", "\"딸기, é\"", "true", "false", "null", "01", "1.", "-", "1e", "nul", "\"\t\"",
    "\"\\n\"", "[1]",
    "{}", "'x'", "+1", "\"é\" ,",
])
func `a line with nested values gives what the same line without them gives`(value: String) {
    let flat = "{ \"é\":\"ü\", \"time\" : \(value), \"item\":2 }"
    // An array leaves the line to the general parser.
    #expect(line(flat) == line(flat.replacing(":2 }", with: ":2,\"x\":[]}")))
}

@Test func `the names of JSON Lines are the keys of all objects, without nested ones`() {
    let text = "{\"a\": 1, \"b\": [1]}\n{\"c\": true, \"a\": 2}\n"
    #expect(DelimitedReader(Array(text.utf8), source: "f").names == ["a", "c"])
}

// MARK: - Both

@Test(
    arguments: [
        ("time,item\r\n\"x\ny\",딸기\n\"é\",b\n", ["f:2:1 f:2:1 f:3:4", "f:4:1 f:4:1 f:4:5"]),
        ("time,item\n\"x\r\ny\",b\n", ["f:2:1 f:2:1 f:3:4"]),
        (
            "{item: 'é', time: 1}\n{time: 'x', item: 1}\n{}",
            ["f:1:1 f:1:19 f:1:8", "f:2:1 f:2:8 f:2:19", "f:3:1 f:3:1 f:3:1"]
        ),
    ] as [(String, [String])])
func `a record knows the places of its fields`(text: String, expected: [String]) {
    var places: [String] = []
    let reader = DelimitedReader(Array(text.utf8), source: "f")
    let problems = forEachRecord(of: reader, ["time", "item"]) { record in
        places.append("\(record.place) \(record.place(of: 0)) \(record.place(of: 1))")
    }
    #expect(problems == [])
    #expect(places == expected)
}

@Test(arguments: [31, 32, 33] as [UInt64])
func `random records written as CSV are read back`(seed: UInt64) {
    print("seed \(seed)")
    var generator = SplitMix64(seed: seed)
    let alphabet = Array("ab,\"\n\r; é딸{".unicodeScalars)
    for _ in 0..<300 {
        let rows = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
            (0..<3).map { _ in
                var field = String.UnicodeScalarView()
                for _ in 0..<Int.random(in: 0...5, using: &generator) {
                    field.append(alphabet.randomElement(using: &generator) ?? "a")
                }
                return String(field)
            }
        }
        let lines = rows.map { row in
            row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
        }
        let text = "x,y,z\n" + lines.joined(separator: "\r\n")
        let (records, problems) = read(text, ["x", "y", "z"])
        #expect(records == rows)
        #expect(problems == [])
    }
}

@Test(arguments: [41, 42, 43] as [UInt64])
func `random bytes never crash the reader`(seed: UInt64) {
    print("seed \(seed)")
    var generator = SplitMix64(seed: seed)
    let alphabet = Array("a,\"\n\r{}[]: é1".utf8) + [0xFF, 0x00]
    for beginning in ["", "a,b\n", "{", "\u{FEFF}a\n", "a\n\""] {
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
                alphabet.randomElement(using: &generator)
            }
            let reader = DelimitedReader(Array(beginning.utf8) + bytes, source: "f")
            let problems = forEachRecord(of: reader, ["a"]) { _ = $0.place(of: 0) }
            #expect(problems.count <= 40)
        }
    }
}

@Test(arguments: [
    "a,b\n1,2\r\n\r\n\"x\r\ny\",\"\"\"q\"\"\"\n,\r3,4", "\u{FEFF}b,a\n\n1,2\n3\n\"4,5\n",
    " \n{\"a\": 1}\n\n{\"b\": \"ü\", \"a\": 2}",
    "\n \t", "", "\u{FEFF}", "a,b",
])
func `a text in pieces is read like the whole text`(text: String) {
    let bytes = Array(text.utf8)
    func read(_ size: Int) -> (records: [[String?]], places: [Place], problems: [TextProblem]) {
        var records: [[String?]] = []
        var places: [Place] = []
        var start = 0
        let reader = DelimitedReader(source: "f", held: 1) {
            defer { start = min(start + size, bytes.count) }
            return Array(bytes[start..<min(start + size, bytes.count)])
        }
        let problems = forEachRecord(of: reader, ["a", "b"]) { record in
            records.append(record.texts(2))
            places += [record.place, record.place(of: 0), record.place(of: 1)]
        }
        return (records, places, problems)
    }
    let whole = read(.max >> 1)
    for size in 1...8 { #expect(read(size) == whole, "pieces of \(size) bytes") }
}
