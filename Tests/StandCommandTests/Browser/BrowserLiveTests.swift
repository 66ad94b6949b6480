import Foundation
import Testing

/// The live view of a stand that has customers.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Browser.isInstalled, "no chromedriver here; Debian has it in chromium-driver"))
struct BrowserLiveTests {
    /// Served, lost, restocked: something of everything, and a few events a second.
    private static let busy = """
        { "stand": "busy", "makers": 2, "queue": { "limit": 3 },
          "fruits": {
            "banana": { "initial": 40, "lowStock": 30, "restock": { "orderUpTo": { "reorderPoint": 25, "level": 60, "leadTime": "2m" } } },
            "mango": { "initial": 12, "lowStock": 5 } },
          "menu": { "banana juice": { "recipe": { "banana": 2 } }, "mango juice": { "recipe": { "mango": 3 } } },
          "customers": { "arrivals": { "poisson": { "perSecond": 0.06 } }, "patience": { "exponential": { "mean": "2m" } } } }
        """

    @Test func `every count equals that of the metrics at the same event`() async throws {
        try await OpenStand.with(Self.busy) { stand in
            try await Browser.with { browser in
                try await browser.open(stand.link)
                try await browser.click("#tab-live")
                try await browser.wait(for: "\(Self.sequence) > 150")
                try await stand.send("POST", "api/v1/pause")
                try await Self.compare(browser, stand)
                #expect(try await browser.text("#state") == "paused")
                #expect(try await browser.errors() == [])
            }
        }
    }

    @Test func `after the program was started again the page goes on without a gap or a double`() async throws {
        try await Program.withTemporaryFolder { folder in
            let arguments = ["--speed", OpenStand.speed, "--state", folder.appending(path: "state").path]
            var stand = try await OpenStand.start(Self.busy, arguments, in: folder)
            do {
                try await Browser.with { browser in
                    try await browser.open(stand.link)
                    try await browser.click("#tab-live")
                    try await browser.wait(for: "\(Self.sequence) > 60")
                    #expect(try stand.stop().status == 0)
                    try await browser.wait(for: "#state", toSay: "connecting")
                    let before = try #require(try await browser.value(Self.sequence) as? Int)
                    let address = stand.url.dropFirst("http://".count).dropLast()
                    stand = try await OpenStand.start(Self.busy, arguments, in: folder, listen: String(address))
                    try await browser.wait(for: "#state", toSay: "live")
                    let rows = "[...document.querySelectorAll('#log li')].map((row) => Number(row.dataset.sequence))"
                    try await browser.wait(for: "\(rows)[0] > \(before) + 5")
                    let shown = try #require(try await browser.value(rows) as? [Int])
                    let newest = try #require(shown.first)
                    #expect(shown == Array((0..<shown.count).map { newest - $0 }))
                    #expect(shown.count == 40 && shown.contains(before), "\(before) in \(shown)")
                    #expect(try await browser.text("#toasts") == "")
                    // The token is the same as before.
                    try await browser.click("#tab-order")
                    try await browser.click("[data-juice='banana juice'] .main")
                    try await browser.wait(for: "document.querySelector('#ordered li')")
                    try await browser.click("#tab-live")
                    try await stand.send("POST", "api/v1/pause")
                    try await Self.compare(browser, stand)
                }
                try stand.stop()
            } catch {
                _ = try? stand.stop()
                throw error
            }
        }
    }

    /// The number of the last event that the page has reckoned with.
    private static let sequence = "Number(document.getElementById('sequence').textContent.replaceAll(',', ''))"

    /// Compares a stand that pauses with what the page shows of it.
    private static func compare(_ browser: Browser, _ stand: OpenStand) async throws {
        let metrics = try await stand.metrics()
        let last = try #require(metrics["juicestand_events_total"])
        try await browser.wait(for: "\(sequence) === \(Int(last))")
        func figure(_ name: String) async throws -> Double? {
            Double(try await browser.text("[data-figure=\(name)]").replacing(",", with: ""))
        }
        let lost = ["queueFull", "soldOut", "ranOutOfPatience", "notOnMenu"].map {
            metrics["juicestand_orders_lost_total{reason=\"\($0)\"}"] ?? .nan
        }
        #expect(try await figure("served") == metrics["juicestand_orders_served_total"])
        #expect(try await figure("lost") == lost.reduce(0, +))
        #expect(try await figure("queue") == metrics["juicestand_queue_orders"])
        #expect(try await figure("present") == metrics["juicestand_present_orders"])
        #expect(try await figure("alerts") == metrics["juicestand_low_stock_alerts_total"])
        #expect(lost.reduce(0, +) > 0)
        for fruit in ["banana", "mango"] {
            let shown = Double(try await browser.text("#levels [data-fruit=\(fruit)] strong"))
            #expect(shown == metrics["juicestand_stock_pieces{fruit=\"\(fruit)\"}"])
        }
    }
}
