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
