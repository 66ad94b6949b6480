import Reports
import Testing

@Suite(.timeLimit(.minutes(60)))
struct MarkupTests {
    @Test func `interpolated text is escaped`() {
        let name = #"<script>alert("1")</script> & 'so on'"#
        let markup: Markup = "<b title=\"\(name)\">\(name)</b>"
        let escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;so on&#39;"
        #expect(markup.source == "<b title=\"\(escaped)\">\(escaped)</b>")
    }

    @Test func `markup within markup stays as it is`() {
        let cells = ["1 < 2", "b"].map { "<td>\($0)</td>" as Markup }
        #expect(("<tr>\(cells)</tr>" as Markup).source == "<tr><td>1 &lt; 2</td><td>b</td></tr>")
    }

    @Test func `forbidden characters are replaced and all others kept`() throws {
        let kept = "딸기 \u{1F353} é\t\n ~"
        let page = HTMLPage.source(title: "a\0b\u{1B}[31m\u{7F}\u{FFFF}", body: "<p>\(kept)</p>")
        let reading = try #require(PageReading(page))
        #expect(reading.all("title").map(\.text) == ["a\u{FFFD}b\u{FFFD}[31m\u{FFFD}\u{FFFD}"])
        #expect(reading.all("p").map(\.text) == [kept])
    }

    @Test func `marks of direction are shown as escapes`() {
        #expect(
            ("<p>\("a\u{202E}b\u{200B}👨\u{200D}👩")</p>" as Markup).source == #"<p>a\u{202e}b\u{200b}"#
                + "👨\u{200D}👩</p>")
    }
}
