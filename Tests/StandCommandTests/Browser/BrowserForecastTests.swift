import Testing

extension BrowserTests {
    /// What the live view says about what may come.
    struct ForecastTests {
        /// The bananas are gone after 20 minutes, the kiwis never. Few customers, so that a forecast at low priority
        /// ends on a busy machine, too.
        private let paced = """
            { "fruits": { "banana": { "initial": 2 }, "kiwi": { "initial": 9 } },
              "menu": { "banana juice": { "recipe": { "banana": 2 }, "preparation": 5 } },
              "customers": { "arrivals": { "renewal": 1200 } } }
            """

        private func level(_ fruit: String) -> String { "#levels [data-fruit=\(fruit)]" }

        @Test func `each fruit says when it runs out, and what restocking changes is said before`() async throws {
            try await OpenStand.with(paced, []) { stand in
                try await Browser.with(forecasts: true) { browser in
                    try await browser.visit(stand.link)
                    try await browser.click("#tab-live")
                    try await browser.wait(
                        for:
                            "document.querySelector('\(level("banana"))').textContent.includes('short from about 00:20 (00:20–00:20)')"
                    )
                    #expect(try await browser.text(level("kiwi")).contains("lasts over 4 h"))
                    // Three polygons: under the line, and the bands of 90% and 50%.
                    try await browser.wait(
                        for: "document.querySelectorAll('\(level("banana")) polygon[points*=\",\"]').length === 3")
                    try await browser.click("\(level("banana")) .add")
                    try await browser.wait(
                        for:
                            "document.getElementById('question-extra').textContent.includes('→ short from about 02:00')"
                    )
                }
            }
        }
    }
}
