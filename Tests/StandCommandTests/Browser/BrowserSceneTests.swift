import Foundation
import JuiceStand
import StandService
import TestSupport
import Testing
import TextFormats

extension SceneBrowserTests {
    /// The view of the stand: the scene as the ledger tells it, its drawing, and its words.
    struct SceneTests {
        // MARK: - The scene

        @Test func `scenes at random instants of random stands are what the ledger tells`() async throws {
            let seed = UInt64.random(in: 0...UInt64(Int.max))
            var random = SplitMix64(seed: seed)
            try await Browser.with { browser in
                for round in 1...10 {
                    let configuration = Self.configuration(&random)
                    let named: Comment = "seed \(seed), stand \(round): \(configuration)"
                    let cases = try await Self.cases(Study.size(30, full: 500), of: configuration, &random)
                    let scenes = try await Self.scenes(cases, in: browser)
                    #expect(scenes.count == cases.count, named)
                    for (found, instant) in zip(scenes, cases) {
                        let expected = try Reckoning(instant.lines, at: instant.time).json
                        #expect(found.compact() == expected.compact(), "\(named) at \(instant.time) s")
                    }
                }
            }
        }

        /// An instant: a status before it, the lines after that status, also some after the instant, and all lines up to it.
        private struct Instant {
            var status: String
            var later: ArraySlice<String>
            var lines: ArraySlice<String>
            var time: Double
        }

        private static func configuration(_ random: inout SplitMix64) -> String {
            func one<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random)! }
            func restock() -> String {
                let leadTime = one([30, 300])
                return one([
                    #""manual""#,
                    #"{ "orderUpTo": { "reorderPoint": 20, "level": 60, "leadTime": \#(leadTime) } }"#,
                    #"{ "fixedQuantity": { "reorderPoint": 25, "quantity": 15, "leadTime": \#(leadTime) } }"#,
                ])
            }
            let fruits = ["banana", "kiwi", "mango"].map { name in
                let kept = one([#""capacity": 50, "#, #""shelfLife": "20m", "#, ""])
                return
                    #""\#(name)": { "initial": \#(Int.random(in: 5...40, using: &random)), \#(kept)"restock": \#(restock()) }"#
            }
            return """
                { "seed": \(Int.random(in: 1...9999, using: &random)), "makers": \(one(["1", "2", "3", "\"unlimited\""])),
                  "queue": { "limit": \(one(["2", "8", "\"unlimited\""])) }, "fruits": { \(fruits.joined(separator: ", ")) },
                  "menu": { "banana juice": { "recipe": { "banana": 2 } }, "mango kiwi juice": { "recipe": { "mango": 2, "kiwi": 1 } } },
                  "customers": { "arrivals": { "poisson": { "perSecond": \(one([0.03, 0.06, 0.12])) } }, "cups": { "geometric": { "mean": 1.5 } },
                    \(one([#""patience": { "exponential": { "mean": "2m" } }, "#, ""]))
                    "whenSoldOut": "\(one(["leave", "substitute", "wait"]))" } }
                """
        }

        private static func cases(
            _ number: Int, of configuration: String, _ random: inout SplitMix64
        ) async throws -> [Instant] {
            try await OpenStand.with(configuration, ["--speed", "10000", "--ledger", "ledger.jsonl"]) { stand in
                try await stand.wait { try await $0.status()["sequence"] as? Int ?? 0 > 600 }
                try await stand.send("POST", "api/v1/pause")
                let last = try #require(try await stand.status()["sequence"] as? Int)
                // The ledger is written behind the events.
                var lines: [String] = []
                try await eventually("\(last) lines of the ledger") {
                    lines = try stand.ledger().map(String.init)
                    return lines.count >= last
                }
                lines = Array(lines.prefix(last))
                let times = try lines.map { try #require(Double($0.split(separator: ",")[1].dropFirst(5))) }
                var cases: [Instant] = []
                for _ in 1...number {
                    let start = Int.random(in: 1..<last, using: &random)
                    let end = Int.random(in: start...min(last, start + 200), using: &random)
                    let next = end < last ? times[end] : times[end - 1] + 10
                    let time = (times[end - 1] + (next - times[end - 1]) * .random(in: 0..<1, using: &random))
                    let through = times.lastIndex { $0 <= time }! + 1
                    cases.append(
                        Instant(
                            status: try await stand.send("GET", "api/v1/status?seq=\(start)").text,
                            later: lines[start..<min(last, through + 5)], lines: lines[..<through], time: time))
                }
                return cases
            }
        }

        /// The scenes that the page's own function makes, without what only the drawing needs.
        private static func scenes(_ cases: [Instant], in browser: Browser) async throws -> [JSONValue] {
            let source = try Program.text("Sources/StandService/Page/scene.js")
            let script = try #require(StandPage.files.first { $0.path == "/page.js" }).content
            let reasons = String(decoding: script.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            let given = cases.map {
                "{ status: \($0.status), facts: [\($0.later.joined(separator: ","))], time: \($0.time) }"
            }
            let text = try await browser.value(
                """
                (() => {
                    \(reasons)
                    \(source)
                    const order = ({ order, juice, cups, took }) => ({ order, juice, cups, took: took?.toFixed(6) });
                    return JSON.stringify([\(given.joined(separator: ",\n"))].map(({ status, facts, time }) => {
                        const state = stateOf(status);
                        for (const fact of facts) if (fact.at <= time) advance(state, fact);
                        const { line, making, left, shelf, served, lost } = sceneOf(state, time, 30);
                        return { line: line.map(order), making: making.map(order), shelf, served, lost,
                            left: left.map(({ order, reason }) => ({ order, reason })) };
                    }));
                })()
                """)
            let found = try #require(text as? String)
            return try #require(JSONValue(parsing: Array(found.utf8))).elements
        }

        /// What a ledger tells of an instant, in a program of its own.
        private struct Reckoning {
            private var orders: [Int: [String: Any]] = [:]
            private var levels: [(String, Int)] = []
            private var coming: [String: Int] = [:]
            private var served = 0
            private var lost: [String: Int] = [:]
            private var left: [JSONValue] = []
            private let time: Double

            init(_ lines: ArraySlice<String>, at time: Double) throws {
                self.time = time
                for line in lines {
                    let fact = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                    read(try #require(fact))
                }
                if let opened = lines.first.flatMap({ JSONValue(parsing: Array($0.utf8)) }) {
                    let names = opened["stock"]?.members.map(\.key) ?? []
                    levels.sort { names.firstIndex(of: $0.0)! < names.firstIndex(of: $1.0)! }
                }
            }

            private mutating func read(_ fact: [String: Any]) {
                func whole(_ key: String) -> Int { fact[key] as? Int ?? 0 }
                let fruit = fact["fruit"] as? String ?? ""
                switch fact["event"] as? String {
                case "opened": levels = (fact["stock"] as? [String: Int] ?? [:]).map { ($0.key, $0.value) }
                case "orderPlaced": orders[whole("order")] = fact
                case "orderStarted": orders[whole("order")]?["started"] = fact["at"]
                case "orderServed":
                    served += 1
                    leave(fact)
                case "orderLost":
                    lost[fact["reason"] as! String, default: 0] += 1
                    leave(fact)
                case "stockChanged": levels[levels.firstIndex { $0.0 == fruit }!].1 = whole("to")
                case "restockOrdered": coming[fruit, default: 0] += whole("pieces")
                case "restockDelivered": coming[fruit, default: 0] -= whole("pieces") + whole("refused")
                default: break
                }
            }

            private mutating func leave(_ fact: [String: Any]) {
                let number = fact["order"] as! Int
                orders[number] = nil
                guard fact["at"] as! Double > time - 30 else { return }
                let reason = (fact["reason"] as? String).map { JSONValue.string($0) }
                left.append(["order": .whole(number), "reason": reason])
            }

            private func people(_ isStarted: Bool) -> JSONValue {
                .array(
                    orders.sorted { $0.key < $1.key }.filter { ($1["started"] != nil) == isStarted }.map {
                        number, order in
                        let took = (order["started"] as? Double).map { String(format: "%.6f", time - $0) }
                        return [
                            "order": .whole(number), "juice": .string(order["juice"] as! String),
                            "cups": .whole(order["cups"] as! Int), "took": took.map { .string($0) },
                        ]
                    })
            }

            var json: JSONValue {
                [
                    "line": people(false), "making": people(true),
                    "shelf": .array(
                        levels.map {
                            ["fruit": .string($0), "pieces": .whole($1), "coming": .whole(coming[$0] ?? 0)]
                        }),
                    "served": .whole(served),
                    "lost": .object(LossReason.allCases.map { .init(key: $0.name, value: .whole(lost[$0.name] ?? 0)) }),
                    "left": .array(left),
                ]
            }
        }

        // MARK: - The picture

        /// Notes the place of every person that is drawn, and every text.
        private static let notes = """
            window.people = []; window.texts = [];
            // The people of each whole picture.
            window.crowds = [[]];
            const { clearRect, drawImage, fillText } = CanvasRenderingContext2D.prototype;
            CanvasRenderingContext2D.prototype.clearRect = function (...values) {
                window.crowds.push([]);
                return clearRect.apply(this, values);
            };
            CanvasRenderingContext2D.prototype.drawImage = function (...values) {
                if (values.length === 5 && Math.abs(values[4] / values[3] - 58 / 30) < 1e-6) {
                    window.people.push(values.slice(1, 3));
                    window.crowds.at(-1).push(String(values.slice(1, 3)));
                }
                return drawImage.apply(this, values);
            };
            CanvasRenderingContext2D.prototype.fillText = function (...values) {
                window.texts.push(values[0]);
                return fillText.apply(this, values);
            };
            """
        private static let words = "document.getElementById('scene-words').textContent"

        @Test func `the stand is the first view on a wide screen, and the menu on a narrow one`() async throws {
            try await OpenStand.with(OpenStand.quiet) { stand in
                for (width, tab) in [(1280, "tab-scene"), (390, "tab-order")] {
                    try await Browser.with(Browser.Look(width: width)) { browser in
                        try await browser.open(stand.url)
                        try await browser.wait(for: "#state", toSay: "live")
                        let chosen = "document.querySelector('[role=tab][aria-selected=true]').id"
                        #expect(try await browser.value(chosen) as? String == tab)
                    }
                }
            }
        }

        @Test func `the picture follows the time bar, and its words say the same`() async throws {
            try await OpenStand.visit(LiveTests.busy, ["--speed", "600", "--ledger", "ledger.jsonl"], view: "scene") {
                stand, browser in
                try await browser.wait(for: "\(LiveTests.sequence) > 300")
                try await stand.send("POST", "api/v1/pause")
                let last = try #require(try await stand.status()["sequence"] as? Int)
                try await browser.wait(for: "\(LiveTests.sequence) === \(last)")
                for step in 0...20 {
                    if step > 0 { try await browser.click("#back") }
                    let number = last - step
                    try await browser.wait(for: "\(LiveTests.sequence) === \(number)")
                    let text = try await stand.send("GET", "api/v1/status?seq=\(number)").text
                    let status = try #require(JSONValue(parsing: Array(text.utf8)))
                    func whole(_ name: String) -> Int { status[name]?.whole ?? -1 }
                    let making = status["making"]?.elements.count ?? -1
                    let level = { (fruit: String) in status["stock"]?[fruit]?.whole ?? -1 }
                    for said in [
                        "Being made \(making) · Makers busy \(whole("busyMakers")) / 2",
                        "Queue \(whole("queue")) / 3", "Served \(whole("served"))",
                        "banana \(level("banana"))", "mango \(level("mango"))",
                    ] { try await browser.wait(for: "#scene-words", toSay: said) }
                }
                let dots = """
                    (({ width, height }) => document.getElementById('picture').getContext('2d')
                        .getImageData(0, 0, width, height).data.some((value) => value))(document.getElementById('picture'))
                    """
                #expect(try await browser.value(dots) as? Bool == true)
            }
        }

        @Test(arguments: [false, true])
        func `people walk, unless the reader wants no motion`(isCalm: Bool) async throws {
            try await OpenStand.visit(OpenStand.quiet, ["--speed", "1"], look: .init(isCalm: isCalm), view: "scene") {
                stand, browser in
                try await browser.wait(for: "#scene-words", toSay: "Being made 0")
                // The second of them stands in line while the first is served.
                for _ in 1...2 {
                    try await stand.send("POST", "api/v1/orders", #"{"juice": "banana juice"}"#)
                    try await browser.run(Self.notes)
                }
                try await browser.wait(for: "#scene-words", toSay: "Queue 1")
                // The maker's place, the guest's place, and those on the way between the door and there.
                let places = "new Set(window.people.map(String)).size"
                if isCalm {
                    try await browser.wait(for: "window.people.length > 20")
                    #expect(try await browser.value(places) as? Int == 2)
                } else {
                    try await browser.wait(for: "\(places) > 4")
                }
                try await browser.wait(for: "#scene-words", toSay: "banana juice")
                #expect(try await browser.text("#scene-words").contains(/banana juice [\d.]+ sec \/ 30 sec/))
            }
        }

        @Test func `of a long line thirty are drawn, and a number stands for the rest`() async throws {
            let crowd = """
                { "makers": 1, "queue": { "limit": 300 }, "fruits": { "banana": { "initial": "unlimited" } },
                  "menu": { "banana juice": { "recipe": { "banana": 1 }, "preparation": "10000d" } },
                  "customers": { "arrivals": { "renewal": "10000d" } } }
                """
            try await OpenStand.with(crowd, ["--speed", "1"]) { stand in
                for _ in 1...301 {
                    _ = try await stand.send("POST", "api/v1/orders", #"{"juice": "banana juice"}"#)
                }
                #expect(try await stand.status()["queue"] as? Int == 300)
                try await stand.send("POST", "api/v1/pause")
                try await Browser.with { browser in
                    try await browser.open(stand.link)
                    try await browser.wait(for: "#state", toSay: "paused")
                    try await browser.run(Self.notes + "document.getElementById('tab-scene').click()")
                    try await browser.wait(for: "window.texts.includes('+270')")
                    try await browser.wait(for: "#scene-words", toSay: "Queue 300 / 300: 300 × banana juice")
                    // One is being made.
                    try await browser.run("window.crowds = [[]]")
                    try await eventually("a picture of 31 people") {
                        // Another language is another picture.
                        try await browser.run("document.getElementById('language').click()")
                        let drawn = "window.crowds.some((crowd) => new Set(crowd).size === 31)"
                        return try await browser.value(drawn) as? Bool == true
                    }
                    #expect(
                        try await browser.value("Math.max(...window.crowds.map(({ length }) => length))") as? Int == 31)
                    #expect(try await browser.errors() == [])
                }
            }
        }

        @Test func `a hidden tab draws nothing`() async throws {
            try await OpenStand.visit(LiveTests.busy, ["--speed", "600"], view: "scene") { _, browser in
                try await browser.run(Self.notes)
                try await browser.wait(for: "window.people.length > 20")
                try await browser.run(
                    """
                    Object.defineProperty(document, 'hidden', { get: () => !window.isBack, configurable: true });
                    window.heard = 0;
                    new EventSource('/api/v1/events').onmessage = () => { window.heard++; };
                    requestAnimationFrame(() => requestAnimationFrame(() => { window.people = []; }));
                    """)
                try await browser.wait(for: "window.heard > 100")
                #expect(try await browser.value("window.people.length") as? Int == 0)
                try await browser.run("window.isBack = true; document.onvisibilitychange()")
                try await browser.wait(for: "window.people.length > 0")
            }
        }
    }
}
