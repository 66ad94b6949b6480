import Foundation
import TestSupport
import Testing
import TextFormats

extension SceneBrowserTests {
    /// All that the page shows at one moment belongs to one event, and its clock is that of the stand.
    struct TruthTests {
        /// Every order is of one cup, so that the status after an event does not change before the next one.
        private static let configuration = """
            { "stand": "busy", "makers": 2, "queue": { "limit": 3 },
              "fruits": {
                "banana": { "initial": 40, "lowStock": 30, "restock": { "orderUpTo": { "reorderPoint": 25, "level": 60, "leadTime": "2m" } } },
                "mango": { "initial": 12, "lowStock": 5, "restock": { "orderUpTo": { "reorderPoint": 6, "level": 40, "leadTime": "9m" } } } },
              "menu": { "banana juice": { "recipe": { "banana": 2 }, "price": 4 }, "mango juice": { "recipe": { "mango": 3 }, "price": 5 } },
              "customers": { "arrivals": { "poisson": { "perSecond": 0.06 } }, "patience": { "exponential": { "mean": "2m" } } } }
            """

        /// Notes `window.most` moments: all figures of the live view, or the words of the picture, with the number of the event.
        private static let sampling = """
            window.moments = [];
            const text = (selector) => document.querySelector(selector)?.textContent ?? '';
            const look = () => {
                const isLive = !document.getElementById('live').hidden;
                const moment = { sequence: text('#sequence'), words: isLive ? null : text('#scene-words') };
                if (isLive) {
                    moment.figures = Object.fromEntries([...document.querySelectorAll('[data-figure]')].map((node) => [node.dataset.figure, node.textContent]));
                    moment.reasons = document.querySelector('[data-figure=lost]').nextElementSibling.textContent;
                    moment.levels = Object.fromEntries([...document.querySelectorAll('#levels li')].map((node) => [node.dataset.fruit, node.querySelector('strong').textContent]));
                    moment.legends = [...document.querySelectorAll('#charts figure:first-child .legend strong')].slice(1).map((node) => node.textContent);
                }
                window.moments.push(moment);
                if (window.moments.length < window.most) setTimeout(look, Math.random() * 40);
            };
            look();
            """

        @Test(arguments: [1, 60, 600, 3000])
        func `whatever the page shows at a moment is the state after its event`(speed: Int) async throws {
            let most = Study.size(60, full: 250)
            try await OpenStand.visit(Self.configuration, ["--speed", String(speed)], view: "scene") { stand, browser in
                // A slow stand shows something, too.
                if speed == 1 { try await stand.send("PUT", "api/v1/rate", #"{"factor": 30}"#) }
                try await browser.wait(for: Self.knowsWhoIsServed)
                var states = 0
                for view in ["live", "scene"] {
                    try await browser.click("#tab-\(view)")
                    states += try await Self.compare(browser, stand, most: most / 2, "speed \(speed)")
                }
                #expect(speed < 600 || states > 3)
            }
        }

        /// While the answer is on its way, more facts arrive than the page keeps for its log.
        @Test func `a late answer does not bring back customers who have left`() async throws {
            try await OpenStand.visit(Self.configuration, ["--speed", "3000"], view: "scene") { stand, browser in
                try await browser.wait(for: Self.knowsWhoIsServed)
                try await browser.run(
                    """
                    const [real, number] = [window.fetch, () => Number(document.getElementById('sequence').textContent.replaceAll(',', ''))];
                    window.fetch = async (address, options) => {
                        let answer = await real(address, options);
                        if (!String(address).endsWith('status?at=now')) return answer;
                        // The first question has no answer.
                        if (!window.hasFailed) {
                            window.hasFailed = true;
                            throw new TypeError('the connection was lost');
                        }
                        // Answers with an instant at which two orders are being made, which are served soon after it.
                        const isBusy = async () => (await answer.clone().json()).making.length > 1;
                        while (!await isBusy()) answer = await real(address, options);
                        // The page's timeout is 5 s. On a busy machine, so many events may take longer.
                        const [first, asked] = [number(), performance.now()];
                        while (number() < first + 2000 && performance.now() < asked + 4000) {
                            await new Promise((done) => setTimeout(done, 50));
                        }
                        window.isLate = true;
                        return answer;
                    };
                    // The page follows anew, as after it was hidden.
                    document.onvisibilitychange();
                    """)
                try await browser.wait(for: "window.isLate && \(Self.knowsWhoIsServed)")
                let states = try await Self.compare(browser, stand, most: 20, "after a late answer")
                #expect(states > 1)
            }
        }

        /// Until the page hears of a lower speed, its clock runs ahead of the stand's.
        @Test func `a page whose clock is ahead asks for nothing that has not happened`() async throws {
            try await OpenStand.visit(Self.configuration, ["--speed", "3000"], view: "live") { stand, browser in
                try await browser.wait(for: "document.getElementById('sequence').textContent.length > 2")
                try await browser.run(
                    """
                    const real = window.fetch;
                    window.asked = [];
                    window.fetch = async (address, options) => {
                        const path = String(address);
                        if (path.endsWith('/status')) await new Promise((done) => setTimeout(done, 3000));
                        const answer = await real(address, options);
                        if (path.includes('history')) window.asked.push(answer.status);
                        return answer;
                    };
                    """)
                try await stand.send("PUT", "api/v1/speed", #"{"speed": 1}"#)
                // 600 of these seconds pass on the page in a fifth of a real one.
                try await Task.sleep(for: .seconds(1))
                try await browser.click("#ranges button:first-child")
                try await browser.wait(for: "window.asked.length > 0")
                #expect(try await browser.value("window.asked[0]") as? Int == 200)
            }
        }

        private static let knowsWhoIsServed =
            "document.getElementById('scene-words').textContent.includes('Being made')"

        /// Compares moments of the view that is shown with the status after the same event; returns the number of events.
        private static func compare(_ browser: Browser, _ stand: OpenStand, most: Int, _ comment: String) async throws
            -> Int
        {
            var states: [Int: JSONValue] = [:]
            try await browser.run("window.most = \(most); \(Self.sampling)")
            try await browser.wait(for: "window.moments.length === window.most")
            let text = try #require(try await browser.value("JSON.stringify(window.moments)") as? String)
            for moment in try #require(JSONValue(parsing: Array(text.utf8))).elements {
                let number = try #require(moment["sequence"]?.text.flatMap { Self.number($0) })
                if states[number] == nil {
                    let answer = try await stand.send("GET", "api/v1/status?seq=\(number)").text
                    states[number] = JSONValue(parsing: Array(answer.utf8))
                }
                try Self.check(moment, states[number]!, "\(comment), event \(number)")
            }
            return states.count
        }

        private static func number(_ text: String) -> Int? { Int(text.filter { $0 != "," }) }

        /// Compares what the page showed at a moment with the status.
        private static func check(_ moment: JSONValue, _ status: JSONValue, _ comment: String) throws {
            func whole(_ name: String) -> Int { status[name]?.whole ?? -1 }
            let lost = status["lost"]?.members.map { $0.value.whole ?? 0 }.reduce(0, +)
            let stock = status["stock"]?.members ?? []
            if let words = moment["words"]?.text {
                let making = try #require(status["making"]).elements.count
                func grouped(_ number: Int) -> String { number.formatted(.number.locale(Locale(identifier: "en"))) }
                for said in [
                    "Being made \(making) · Makers busy \(whole("busyMakers")) / \(whole("makers"))",
                    "Queue \(whole("queue")) / 3", "Served \(grouped(whole("served")))",
                    "Lost \(grouped(lost ?? -1))",
                ] + stock.map({ "\($0.key) \($0.value.whole ?? -1)" }) {
                    #expect(words.contains(said), "\(comment): \(said) in \(words)")
                }
                return
            }
            let figures = try #require(moment["figures"])
            func shown(_ name: String) -> Int? { figures[name]?.text.flatMap { number($0) } }
            for name in ["queue", "present", "orders", "served"] {
                #expect(shown(name) == whole(name), "\(comment): \(name)")
            }
            #expect(shown("alerts") == whole("lowStockAlerts"), "\(comment): alerts")
            #expect(shown("lost") == lost, "\(comment): lost")
            #expect(figures["makers"]?.text == "\(whole("busyMakers")) / \(whole("makers"))", "\(comment): makers")
            let revenue = figures["revenue"]?.text.map { $0.filter { $0.isNumber || $0 == "." } }.flatMap { Double($0) }
            #expect(abs((revenue ?? -1) - (status["revenue"]?.seconds ?? 0)) <= 0.5, "\(comment): revenue")
            let legends = moment["legends"]?.elements.map { $0.text.flatMap { number($0) } }
            #expect(legends == [whole("queue"), whole("present")], "\(comment): legends")
            for (fruit, level) in stock.map({ ($0.key, $0.value.whole) }) {
                #expect(moment["levels"]?[fruit]?.text.flatMap { number($0) } == level, "\(comment): \(fruit)")
            }
        }

        @Test func `after changes of speed and a pause the clock is that of the stand`() async throws {
            try await OpenStand.visit(OpenStand.quiet, ["--speed", "600"], view: "live") { stand, browser in
                // The clock of the page less the time that the stand says, in seconds of the stand.
                let difference = """
                    const done = arguments[0];
                    const seconds = () => document.getElementById('clock').textContent.split(/[ :]/).slice(-3)
                        .reduce((sum, part) => sum * 60 + Number(part), 0);
                    fetch('/api/v1/status').then((answer) => answer.json()).then(({ time }) => {
                        const days = Math.round((time - seconds()) / 86400);
                        done(seconds() + days * 86400 - time);
                    });
                    """
                func isRight(speed: Double) async throws -> Bool {
                    let found = try #require(try await browser.later(difference) as? Double)
                    // A second of real time, and one because the clock shows whole seconds.
                    return abs(found) <= speed + 1
                }
                for speed in [60.0, 3000, 1, 600] {
                    try await stand.send("PUT", "api/v1/speed", "{\"speed\": \(speed)}")
                    try await eventually("the clock at speed \(speed)") { try await isRight(speed: speed) }
                    #expect(try await isRight(speed: speed), "speed \(speed)")
                }
                try await stand.send("POST", "api/v1/pause")
                try await browser.wait(for: "#state", toSay: "paused")
                try await eventually("the clock of the pause") { try await isRight(speed: 0) }
                try await stand.send("POST", "api/v1/resume")
                try await browser.wait(for: "#state", toSay: "live")
                try await eventually("the clock after the pause") { try await isRight(speed: 600) }
                // A tab that was hidden follows again.
                try await browser.run(
                    """
                    Object.defineProperty(document, 'hidden', { get: () => window.isAway, configurable: true });
                    window.isAway = true;
                    document.onvisibilitychange();
                    """)
                try await stand.send("PUT", "api/v1/speed", #"{"speed": 5}"#)
                try await browser.run("window.isAway = false; document.onvisibilitychange()")
                try await eventually("the clock of a tab that was hidden") { try await isRight(speed: 5) }
            }
        }
    }
}
