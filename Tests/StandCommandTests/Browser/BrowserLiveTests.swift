import Foundation
import JuiceStand
import Platform
import TestSupport
import Testing

/// Other suites use its stands and its counts.
typealias LiveTests = PatientBrowserTests.LiveTests

extension PatientBrowserTests {
    /// The live view, also while a stand restarts.
    struct LiveTests {
        /// Some customers are served, some are lost, and fruit is restocked.
        static let busy = """
            { "stand": "busy", "makers": 2, "queue": { "limit": 3 },
              "fruits": {
                "banana": { "initial": 40, "lowStock": 30, "restock": { "orderUpTo": { "reorderPoint": 25, "level": 60, "leadTime": "2m" } } },
                "mango": { "initial": 12, "lowStock": 5 } },
              "menu": { "banana juice": { "recipe": { "banana": 2 } }, "mango juice": { "recipe": { "mango": 3 } } },
              "customers": { "arrivals": { "poisson": { "perSecond": 0.06 } }, "patience": { "exponential": { "mean": "2m" } } } }
            """

        @Test func `charts of a stand that is sped up show what the ledger has, from second to second`() async throws {
            try await OpenStand.visit(Self.busy, ["--speed", "600", "--ledger", "ledger.jsonl"], view: "live") {
                stand, browser in
                let first = try #require(try await stand.status()["sequence"] as? Int)
                // The last ten minutes have happened before the eyes of the page.
                try await browser.wait(for: "\(Self.sequence) > \(first + 600)")
                try await stand.send("POST", "api/v1/pause")
                let last = try #require(try await stand.status()["sequence"] as? Int)
                try await browser.wait(for: "\(Self.sequence) === \(last)")
                try await browser.run(
                    """
                    URL.createObjectURL = (blob) => { blob.text().then((text) => { window.table = text; }); return '#'; };
                    document.getElementById('get-figures').click();
                    """)
                let table = try #require(try await browser.wait(for: "window.table") as? String)
                let rows = table.split(separator: "\n").map { $0.split(separator: ",") }
                let names = rows[0].map { String($0.filter { $0 != "\"" }) }
                let samples = try rows.dropFirst().map { try $0.map { try #require(Double($0)) } }
                let lines = try stand.ledger().prefix(last)
                let times = lines.map { Double($0.split(separator: ",")[1].dropFirst(5))! }
                for sample in samples.shuffled().prefix(20) {
                    let before = zip(lines, times).filter { $1 <= sample[0] + 1e-9 }.map(\.0)
                    let counts = try Self.counts(ledger: before)
                    for (name, value) in zip(names, sample) where counts[name] != nil {
                        #expect(counts[name].map { Double($0) } == value, "\(name) at \(sample[0]) s")
                    }
                }
                // Two samples of the 240 in ten minutes are 2.5 s apart.
                for time in times where time >= samples[0][0] {
                    #expect(samples.contains { abs($0[0] - time) < 6 }, "no sample near the event at \(time) s")
                }
                #expect(names.count == 11 && times[last - 1] - samples[0][0] > 500)
            }
        }

        /// Events happen while the program is stopped and the page is disconnected.
        @Test(arguments: [["--ledger", "ledger.jsonl"], []])
        func `the page continues after a restart without gaps or duplicates`(options: [String]) async throws {
            try await Program.withTemporaryFolder { folder in
                let arguments = ["--speed", OpenStand.speed, "--state", "state"] + options
                var stand = try await OpenStand.start(OpenStand.quiet, arguments, in: folder)
                do {
                    try await Browser.with { browser in
                        try await browser.visit(stand.link)
                        try await Self.order(2, of: stand)
                        try await browser.click("#tab-live")
                        try await browser.wait(
                            for: "document.querySelector('[data-figure=served]').textContent === '2'")
                        // A connection of the page is still open when the program ends.
                        try await stand.send("POST", "api/v1/pause")
                        try await browser.click("#tab-order")
                        try await browser.click("[data-juice='kiwi juice'] .main")
                        try await browser.wait(for: "#ordered", toSay: "Order 3: kiwi juice × 1")
                        #expect(try await browser.text("#ordered").contains("served") == false)
                        try await browser.block("*/api/v1/events*")
                        #expect(await stand.stop() == 0)
                        try await browser.wait(for: "#state", toSay: "away since ")
                        let address = stand.url.dropFirst("http://".count).dropLast()
                        stand = try await OpenStand.start(
                            OpenStand.quiet, arguments, in: folder, listen: String(address))
                        try await stand.send("POST", "api/v1/resume")
                        try await stand.wait { try await $0.status()["served"] as? Int == 3 }
                        try await Self.order(1, of: stand)
                        try await browser.block()
                        try await browser.wait(for: "#state", toSay: "live")
                        try await browser.wait(for: "#ordered", toSay: "Order 3: kiwi juice × 1, ready")
                        try await browser.wait(toHear: "Kiwi juice is ready, enjoy!")
                        // The token is the same as before.
                        try await browser.click("[data-juice='banana juice'] .main")
                        try await browser.wait(for: "#ordered", toSay: "Order 5: banana juice × 1, ready")
                        try await browser.run(
                            "window.said = window.said.filter((text) => !/(banana|kiwi) juice/i.test(text))")
                        try await browser.click("#tab-live")
                        let metrics = try await stand.metrics()
                        let last = Int(try #require(metrics["juicestand_events_total"]))
                        try await browser.wait(for: "\(Self.sequence) === \(last)")
                        #expect(try await Self.counts(browser) == Self.counts(metrics))
                        // The log has every event of the time away once, and no message about a loss.
                        try await browser.wait(for: "\(Self.rows).length === \(last)")
                        #expect(try await browser.value(Self.rows) as? [Int] == Array((1...last).reversed()))
                        #expect(try await browser.value("window.said.join()") as? String == "")
                    }
                    await stand.stop()
                } catch {
                    await stand.stop()
                    throw error
                }
            }
        }

        @Test func `without a ledger the page reports dropped events and still counts correctly`() async throws {
            try await Program.withTemporaryFolder { folder in
                let state = ["--state", "state"]
                var stand = try await OpenStand.start(Self.busy, ["--speed", "60"] + state, in: folder)
                do {
                    try await Browser.with { browser in
                        try await browser.visit(stand.link)
                        try await browser.click("#tab-live")
                        try await browser.wait(for: "\(Self.sequence) > 5")
                        try await browser.block("*/api/v1/events*")
                        #expect(await stand.stop() == 0)
                        let address = stand.url.dropFirst("http://".count).dropLast()
                        stand = try await OpenStand.start(
                            Self.busy, ["--speed", "50000"] + state, in: folder, listen: String(address))
                        // Far more than the two million bytes of events that a stand keeps in memory.
                        try await stand.wait { try await $0.metrics()["juicestand_events_total"] ?? 0 >= 26_000 }
                        try await stand.send("POST", "api/v1/pause")
                        let metrics = try await stand.metrics()
                        try await browser.block()
                        let last = Int(try #require(metrics["juicestand_events_total"]))
                        try await browser.wait(for: "\(Self.sequence) === \(last)")
                        #expect(try await Self.counts(browser) == Self.counts(metrics))
                        try await browser.wait(toHear: "Older events not kept")
                        // A question to the stand that has just ended is refused by the system.
                        let errors = try await browser.errors().filter { !$0.contains("ERR_CONNECTION_REFUSED") }
                        #expect(errors == [])
                    }
                    await stand.stop()
                } catch {
                    await stand.stop()
                    throw error
                }
            }
        }

        @Test func `the page starts over when another stand answers`() async throws {
            try await Program.withTemporaryFolder { folder in
                var stand = try await OpenStand.start(OpenStand.quiet, ["--speed", OpenStand.speed], in: folder)
                do {
                    try await Browser.with { browser in
                        try await browser.visit(stand.link)
                        try await browser.click("#tab-live")
                        try await browser.click("#bus summary")
                        try await Self.order(2, of: stand)
                        try await browser.wait(
                            for: "document.querySelector('[data-figure=served]').textContent === '2'")
                        try await checkBus(browser, stand)
                        await stand.stop()
                        let address = stand.url.dropFirst("http://".count).dropLast()
                        stand = try await OpenStand.start(
                            OpenStand.quiet, ["--speed", OpenStand.speed], in: folder, listen: String(address))
                        try await browser.wait(toHear: "A new stand has opened.")
                        try await browser.wait(
                            for: "document.querySelector('[data-figure=served]').textContent === '0'")
                        try await Self.order(1, of: stand)
                        try await browser.wait(
                            for: "document.querySelector('[data-figure=served]').textContent === '1'")
                        try await browser.wait(for: "\(Self.rows)[0] === 5")
                        let rows = try await browser.value(Self.rows) as? [Int]
                        #expect(rows == [5, 4, 3, 2])
                        #expect(try await Self.counts(browser) == Self.counts(stand.metrics()))
                    }
                    await stand.stop()
                } catch {
                    await stand.stop()
                    throw error
                }
            }
        }

        /// The bus shows every wire, and the calls of orders that are made while it measures.
        private func checkBus(_ browser: Browser, _ stand: OpenStand) async throws {
            let rows = "[...document.querySelectorAll('#wiring tbody tr')]"
            try await browser.wait(for: "\(rows).length === \(FactKind.allCases.count)")
            let answer = try await stand.send("GET", "api/v1/wiring?for=1ms").text
            let wiring = try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
            let facts = try #require(wiring["facts"] as? [[String: Any]])
            let wires = facts.map { ($0["observers"] as? [Any])?.count ?? 0 }
            let dots = "\(rows).map((row) => row.querySelectorAll('.dot').length)"
            #expect(try await browser.value(dots) as? [Int] == wires && wires.reduce(0, +) > 20)
            for text in ["Posts that nobody heard: 0.", "each call is timed and takes "] {
                try await browser.wait(for: "#wiring p", toSay: text)
            }
            // Orders go on until a measurement has caught one.
            try await eventually("a call on the bus") {
                _ = try await stand.send("POST", "api/v1/orders", #"{"juice": "mango juice"}"#)
                return try await browser.value("Boolean(document.querySelector('#wiring .lost'))") as? Bool == true
            }
            let slowest = try await browser.text("#wiring p")
            #expect(slowest.contains(/^Slowest call: \w+ on \w+, [\d.,]+ µs\./), "\(slowest)")
        }

        /// Orders `count` banana juices, and waits until they are served.
        private static func order(_ number: Int, of stand: OpenStand) async throws {
            let before = try #require(try await stand.status()["served"] as? Int)
            for _ in 1...number {
                #expect(try await stand.send("POST", "api/v1/orders", #"{"juice": "banana juice"}"#).status == 201)
            }
            try await stand.wait { try await $0.status()["served"] as? Int == before + number }
        }

        /// The number of the last event in the page's counts.
        static let sequence = "Number(document.getElementById('sequence').textContent.replaceAll(',', ''))"
        /// The numbers of the events in the log, the newest first.
        private static let rows = "[...document.querySelectorAll('#log li')].map((row) => Number(row.dataset.sequence))"

        // MARK: - Counts of page, metrics and ledger

        static let figures = ["orders", "served", "lost", "queue", "present", "alerts"]

        static func counts(_ browser: Browser) async throws -> [String: Int] {
            var counts: [String: Int] = [:]
            for name in figures {
                counts[name] = Int(try await browser.text("[data-figure=\(name)]").replacing(",", with: ""))
            }
            let levels = try await browser.value(
                """
                Object.fromEntries([...document.querySelectorAll('#levels li')].map((row) =>
                    [row.dataset.fruit, Number(row.querySelector('strong').textContent)]))
                """)
            return counts.merging(try #require(levels as? [String: Int])) { $1 }
        }

        private static func counts(_ metrics: [String: Double]) -> [String: Int] {
            var counts: [String: Int] = [:]
            for (name, value) in metrics {
                if let fruit = name.wholeMatch(of: /juicestand_stock_pieces\{fruit="(.*)"\}/)?.1 {
                    counts[String(fruit)] = Int(value)
                } else if let reason = name.wholeMatch(of: /juicestand_orders_lost_total\{reason="(.*)"\}/)?.1 {
                    counts["lost", default: 0] += Int(value)
                    // These were lost before they were placed.
                    if reason != "ranOutOfPatience" { counts["orders", default: 0] += Int(value) }
                } else if name == "juicestand_orders_placed_total" {
                    counts["orders", default: 0] += Int(value)
                }
            }
            let names = [
                "served": "orders_served_total", "queue": "queue_orders",
                "present": "present_orders", "alerts": "low_stock_alerts_total",
            ]
            for (figure, name) in names { counts[figure] = metrics["juicestand_" + name].map { Int($0) } }
            return counts
        }

        /// The counts by the ledger's lines alone.
        static func counts(ledger lines: [Substring]) throws -> [String: Int] {
            var counts = Dictionary(uniqueKeysWithValues: figures.map { ($0, 0) })
            for line in lines {
                let fact = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                func add(_ numbers: [String: Int]) { counts.merge(numbers) { $0 + $1 } }
                switch fact["event"] as? String {
                case "opened": counts.merge(try #require(fact["stock"] as? [String: Int])) { $1 }
                case "orderPlaced": add(["orders": 1, "queue": 1, "present": 1])
                case "orderStarted": add(["queue": -1])
                case "orderServed": add(["served": 1, "present": -1])
                case "orderLost" where fact["reason"] as? String == "ranOutOfPatience":
                    add(["lost": 1, "queue": -1, "present": -1])
                case "orderLost": add(["orders": 1, "lost": 1])
                case "lowStock": add(["alerts": 1])
                case "stockChanged": counts[try #require(fact["fruit"] as? String)] = fact["to"] as? Int
                default: break
                }
            }
            return counts
        }
    }
}
