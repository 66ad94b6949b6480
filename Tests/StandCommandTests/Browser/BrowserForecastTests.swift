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

        @Test func `each fruit has its picture on its colour, and every time shown can be given to --at`() async throws
        {
            let faces = paced.replacing(
                #""kiwi": { "initial": 9 }"#, with: ##""kiwi": { "initial": 9, "colour": "#123456", "picture": "KW" }"##
            )
            try await OpenStand.visit(faces, ["--speed", "600"], view: "live", forecasts: true) { stand, browser in
                for (fruit, picture, colours) in [
                    ("kiwi", "KW", "rgb(18, 52, 86) rgb(255, 255, 255)"),
                    // Without coloured emoji it is the first letter.
                    ("banana", nil, "rgb(246, 215, 67) rgb(0, 0, 0)"),
                ] as [(String, String?, String)] {
                    try await browser.wait(
                        for:
                            "['🍌', 'B', '\(picture ?? "B")'].includes(document.querySelector('\(level(fruit)) .face')?.textContent)"
                    )
                    let style = "getComputedStyle(document.querySelector('\(level(fruit)) .face'))"
                    #expect(
                        try await browser.value("\(style).backgroundColor + ' ' + \(style).color") as? String
                            == colours)
                }
                try await browser.wait(for: "#forecast-age", toSay: " old")
                try await browser.wait(for: "document.querySelectorAll('#log time').length > 5")
                try await stand.send("POST", "api/v1/pause")
                try await browser.wait(for: "#state", toSay: "paused")
                // Times of events, and at the charts.
                let texts = try await browser.value(
                    """
                    [[...document.querySelectorAll('time')].map((time) => time.textContent),
                        [...document.querySelectorAll('.ticks span')].map((tick) => tick.textContent)]
                    """)
                let times = try #require(texts as? [[String]])
                #expect(times[0].count > 5 && times[1].count > 3, "\(times)")
                for (place, time) in times.enumerated().flatMap({ place, all in all.map { (place, $0) } }) {
                    let query = time.replacing(" ", with: "%20")
                    let answer = try await stand.send("GET", "api/v1/status?at=\(query)")
                    let isAhead = place > 0 && answer.text.contains("in the future")
                    #expect(answer.status == 200 || isAhead, "\(time): \(answer.text)")
                }
            }
        }

        @Test func `each fruit says when it runs out, and what restocking changes is said before`() async throws {
            try await OpenStand.visit(paced, [], view: "live", forecasts: true) { stand, browser in
                try await browser.wait(
                    for:
                        "document.querySelector('\(level("banana"))').textContent.includes('short from about 00:20 (00:20–00:20)')"
                )
                #expect(try await browser.text(level("kiwi")).contains("lasts over 4 h"))
                #expect(try await stand.send("GET", "api/v1/status?at=00:20").text.contains("in the future"))
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
