import Foundation
import JuiceStand
import Platform
import TestSupport
import Testing
import TextFormats

extension PatientBrowserTests {
    /// The time bar, the controls, and what a reload keeps.
    struct InstantTests {
        @Test func `random instants of the scrubber equal the audit's replay`() async throws {
            try await OpenStand.visit(LiveTests.busy, ["--speed", "3000", "--ledger", "ledger.jsonl"], view: "live") {
                stand, browser in
                try await browser.wait(for: "\(LiveTests.sequence) > 2000")
                try await stand.send("POST", "api/v1/pause")
                let last = try #require(try await stand.status()["sequence"] as? Int)
                try await browser.wait(for: "\(LiveTests.sequence) === \(last)")
                let now = try await stand.status()
                let clock = StandClock(
                    opens: try #require(now["opens"] as? String),
                    seconds: try #require(now["time"] as? Double))
                try await browser.click("#ranges button:last-child")
                let lines = try stand.ledger().prefix(last)
                let times = lines.map { line in
                    Int(line.split(separator: ",")[1].dropFirst(5).filter { $0 != "." })! / 1_000_000
                }
                let seconds = Set(
                    (0..<Study.size(10, full: 50)).map { _ in Int.random(in: 10..<times[last - 1] / 1000) })
                for time in seconds.shuffled() {
                    try await browser.run(
                        """
                        const scrub = document.getElementById('scrub');
                        scrub.value = \(time).999;
                        scrub.oninput();
                        """)
                    try await browser.wait(for: "#instant", toSay: "As it was at \(clock.text(seconds: Double(time)))")
                    let before = Array(zip(lines, times).filter { $1 < time * 1000 + 999 }.map(\.0))
                    try await browser.wait(for: "\(LiveTests.sequence) === \(before.count)")
                    let shown = try await LiveTests.counts(browser)
                    #expect(try shown == LiveTests.counts(ledger: before), "\(time) s")
                    var audit = LedgerAudit()
                    audit.read(Array((before.joined(separator: "\n") + "\n").utf8), source: "ledger")
                    func count(_ event: String) -> Int {
                        before.count { $0.contains("\"event\":\"\(event)\"") }
                    }
                    let reneged = before.count { $0.contains("ranOutOfPatience") }
                    #expect(audit.finding.problems == [] && shown["present"] == audit.finding.present)
                    #expect(shown["queue"] == count("orderPlaced") - count("orderStarted") - reneged)
                    let row = try await browser.value(
                        "Number(document.querySelector('#log li:not(.later)').dataset.sequence)")
                    #expect(row as? Int == before.count, "\(time) s")
                }
                // The arrow keys step by event, and one click leads back to now.
                try await browser.run("document.getElementById('scrub').focus()")
                let number = try #require(try await browser.value(LiveTests.sequence) as? Int)
                try await browser.press(Key.left)
                try await browser.wait(for: "\(LiveTests.sequence) === \(number - 1)")
                try await browser.press(Key.right)
                try await browser.wait(for: "\(LiveTests.sequence) === \(number)")
                try await browser.click("#now")
                try await browser.wait(for: "\(LiveTests.sequence) === \(last)")
                try await browser.wait(for: "#instant", toSay: "Following now")
            }
        }

        @Test func `a chart shows the values under the pointer and by keyboard, and a drag zooms`() async throws {
            try await OpenStand.visit(LiveTests.busy, ["--speed", "600"], view: "live") { stand, browser in
                try await browser.wait(for: "\(LiveTests.sequence) > 100")
                try await stand.send("POST", "api/v1/pause")
                try await browser.wait(for: "#state", toSay: "paused")
                try await browser.run("document.querySelector('.plot').focus()")
                try await browser.press(Key.left, Key.left)
                try await browser.wait(for: "#instant", toSay: " · In the queue ")
                #expect(try await browser.value("document.querySelectorAll('.cursor.on').length > 3") as? Bool == true)
                #expect(try await browser.value(Self.badAxes) as? [String] == [])
                let whole = try await Self.range(browser)
                try await browser.run(
                    """
                    const chart = document.querySelector('.plot .chart');
                    const { left, width, top } = chart.getBoundingClientRect();
                    const at = (name, share) => chart.dispatchEvent(
                        new PointerEvent(name, { pointerId: 1, clientX: left + width * share, clientY: top + 5 }));
                    chart.setPointerCapture = () => {};
                    at('pointerdown', .4); at('pointermove', .47); at('pointerup', .47); at('pointerleave', .47);
                    """)
                try await browser.wait(for: "\(Self.end("min")) > \(whole.lowerBound)")
                let zoomed = try await Self.range(browser)
                let length = whole.upperBound - whole.lowerBound
                #expect(abs(zoomed.lowerBound - whole.lowerBound - 0.4 * length) <= 3)
                #expect(abs(zoomed.upperBound - whole.lowerBound - 0.47 * length) <= 3)
                #expect(
                    try await browser.value("document.querySelectorAll('#ranges [aria-pressed=true]').length")
                        as? Int == 0)
                try await browser.click("#now")
                try await browser.wait(for: "document.querySelector('#ranges [aria-pressed=true]')")
            }
        }

        /// The charts that lack a legend, or names, units and round ticks at their axes.
        private static let badAxes = """
            [...document.querySelectorAll('.plot')].filter((plot) => {
                const texts = (name) => [...plot.querySelectorAll(name)].map((node) => node.textContent);
                const marks = texts('.scale span').map((text) => Number(text.replaceAll(',', '')));
                const step = marks[1];
                return !(/^(customers \\(number\\)|orders \\(per minute\\))$/.test(texts('.unit'))
                    && /^time of day \\(h:min(:s)?\\)$/.test(texts('.hours')) && texts('.ticks span').length > 0
                    && plot.parentElement.querySelectorAll('.legend strong').length > 1
                    && marks[0] === 0 && marks.length > 1 && marks.length <= 6 && /^0*[125]0*$/.test(String(step).replace('.', ''))
                    && marks.every((mark, place) => Math.abs(mark - place * step) < 1e-9));
            }).map(({ innerText }) => innerText)
            """

        private static func end(_ name: String) -> String {
            "Number(document.querySelector('.plot').getAttribute('aria-value\(name)'))"
        }

        /// The first and the last second that the charts show.
        private static func range(_ browser: Browser) async throws -> ClosedRange<Double> {
            let ends = try await browser.value("[\(end("min")), \(end("max"))]")
            let found = try #require(ends as? [Double])
            return found[0]...found[1]
        }

        @Test func `the controls change the stand, the token survives a reload, and no request leaves the host`()
            async throws
        {
            try await OpenStand.visit { stand, browser in
                try await browser.run("location.reload()")
                try await browser.wait(for: "#state", toSay: "live")
                #expect(try await browser.value("location.href") as? String == stand.url)
                try await browser.wait(for: "document.getElementById('read-only').hidden")
                // Pages that were left keep no connections; a browser has six for a stand.
                for _ in 1...7 {
                    try await browser.open(stand.url + "page.css")
                    try await browser.open(stand.url)
                }
                try await browser.wait(for: "#state", toSay: "live")
                try await browser.click("#tab-live")
                try await browser.click("#double")
                try await browser.wait(for: "#rate-now", toSay: "Arrival rate × 2")
                #expect(try await stand.status()["rate"] as? Double == 2)
                try await browser.click("#half")
                try await browser.click("#half")
                try await browser.wait(for: "#rate-now", toSay: "Arrival rate × 0.5")
                try await browser.click("#faster")
                try await browser.wait(for: "#speed", toSay: "Speed × 120")
                #expect(try await stand.status()["speed"] as? Double == 120)
                try await browser.click("#slower")
                try await browser.wait(for: "#speed", toSay: "Speed × 60")
                try await browser.click("#pause")
                try await browser.wait(for: "#pause", toSay: "Resume")
                #expect(try await stand.status()["phase"] as? String == "paused")
                try await browser.click("#pause")
                try await browser.wait(for: "#pause", toSay: "Pause")
                try await browser.click("#levels [data-fruit=kiwi] .add")
                try await browser.wait(for: "#question-title", toSay: "Restock kiwi")
                try await browser.click("#question-actions .main")
                try await browser.wait(for: "#levels [data-fruit=kiwi] strong", toSay: "20")
                #expect(try await stand.levels()["kiwi"] == 20)
                let requests = try await browser.requests()
                #expect(requests.contains(stand.url + "page.js"))
                #expect(requests.filter { !$0.hasPrefix(stand.url) && !$0.hasPrefix("data:") } == [])
            }
        }

        @Test func `a closed stand says when it closed, and how the day went`() async throws {
            try await OpenStand.with(OpenStand.quiet) { stand in
                try await Browser.with { browser in
                    try await browser.visit(stand.link)
                    try await browser.wait(for: "#state", toSay: "live")
                    #expect(try await browser.value("document.getElementById('closing').hidden") as? Bool == true)
                    for (juice, cups) in [("kiwi juice", 1), ("strawberry juice", 9)] {
                        try await stand.send("POST", "api/v1/orders", "{\"juice\": \"\(juice)\", \"cups\": \(cups)}")
                    }
                    try await stand.wait { try await $0.status()["served"] as? Int == 1 }
                    let answer = try await stand.send("POST", "api/v1/stop").text
                    let at = try #require(answer.firstMatch(of: #/"at":([0-9.]+)/#).flatMap { Double($0.1) })
                    let clock = StandClock(opens: "2026-01-01T00:00:00", now: 0)
                    try await browser.wait(for: "#state", toSay: "closed at \(clock.text(seconds: at))")
                    try await browser.wait(
                        for: "#closing",
                        toSay: "1 of 2 orders were served (50%), 1 were lost (sold out 1). Low-stock alerts: ")
                }
            }
        }
    }
}
