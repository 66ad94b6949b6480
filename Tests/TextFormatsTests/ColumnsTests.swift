import Testing
import TextFormats

@Test func `columns stay aligned beside hidden characters, which printing escapes`() {
    let table = Columns.table([["plain", "1"], ["a\u{202E}b", "20"], ["바나나", "3"]]).visibleLines
    #expect(table == "  plain        1\n  a\\u{202e}b  20\n  바나나       3\n")
    #expect(Columns.left("\u{9b}", 8).visibleLines == "\\u{9b}  ")
    #expect(Columns.right("\u{9b}", 8).visibleLines == "  \\u{9b}")
    #expect(Columns.width(of: ["👩\u{200D}🍳", "e\u{301}"]) == 2)
}

@Test(arguments: [
    (2, "2"), (0.5, "0.5"), (0.001, "0.001"), (1_048_576, "1,048,576"), (99.99999, "100"), (1.9999999, "2"),
])
func `a factor has no trailing zeros`(number: Double, text: String) {
    #expect(Columns.factor(number) == text)
}

@Test func `a table aligns texts on the left and figures on the right, without spaces at line ends`() {
    let rows = [["fruit", "level", "note"], ["kiwi", "5", "low"], ["mango", "120", ""]]
    #expect(Columns.table(rows, texts: [0, 2]) == ["fruit  level  note", "kiwi       5  low", "mango    120"])
    #expect(Columns.table(rows, texts: nil) == ["fruit  level  note", "kiwi   5      low", "mango  120"])
    #expect(Columns.table([], texts: nil) == [])
}

@Test func `a table that is too wide goes on below, with its first column again`() {
    let rows = [["", "one", "two", "three"], ["a", "1", "22", "333"]]
    #expect(
        Columns.table(rows, texts: [0], margin: "  ", width: 19) == [
            "     one  two", "  a    1   22", "     three", "  a    333",
        ])
    #expect(
        Columns.table(rows, texts: [0], margin: "  ", width: 20) == ["     one  two  three", "  a    1   22    333"])
    // A column that is wider than the table stands alone.
    #expect(Columns.table([["a", "long column"]], texts: [0], width: 5) == ["a  long column"])
}

@Test func `a paragraph is broken between words, and a longer word has a line of its own`() {
    #expect(Columns.flow("one two  three", width: 7) == ["one two", "three"])
    #expect(Columns.flow("extraordinary day", width: 7) == ["extraordinary", "day"])
    #expect(Columns.flow("one two three", width: 9, first: "- ", rest: "  ") == ["- one two", "  three"])
    #expect(Columns.flow("바나나 쥬스", width: 10) == ["바나나", "쥬스"])
    #expect(Columns.flow("") == [] && Columns.flow("", first: "name") == ["name"])
}

@Test(arguments: [
    (45.0, "45 s"), (1440, "24 min"), (11_100, "3 h 5 min"), (119, "119 s"), (120, "2 min"), (187_200, "2 d 4 h"),
    (259_200, "3 d"),
])
func `a span of time reads in one unit or two`(seconds: Double, long: String) {
    #expect(SpanText.long(seconds) == long)
}

@Test func `a short span has two digits or three`() {
    #expect(
        [9.94, 9.96, 119.4, 119.6, 7199, 7201, 172_801].map(SpanText.short)
            == ["9.9 s", "10 s", "119 s", "2 min", "120 min", "2.0 h", "2.0 d"])
}

@Test func `a half-width is 0 only if it is rounding error beside its mean`() {
    #expect(Columns.withoutNoise(1e-9, beside: 100) == 1e-9 && Columns.withoutNoise(1e-11, beside: 100) == 0)
}

@Test func `differences have their sign, and shares are per cent`() {
    #expect(
        [0.0123456, 0.987, 27.2491, 128.595, 4596.34, 863, -5.5].map(Columns.rounded)
            == ["0.0123", "0.987", "27.2", "129", "4,596", "863", "-5.50"])
    #expect(Columns.percent(0.125) == "12.5%" && Columns.percent(1, decimals: 0) == "100%")
}
