import Foundation
import Platform
import StandClient
import StandService
import TestSupport
import Testing

extension PatientBrowserTests {
    /// The page of many stands.
    struct StandsTests {
        private static let names =
            "[...document.querySelectorAll('#stands tr:not([hidden]) th a')].map((link) => link.textContent)"

        /// Calls `body` with three stands and their page.
        private static func with(
            _ body: @escaping @Sendable ([Program.Running], StandChain, StandsPageTests.Overview) async throws -> Void
        ) async throws {
            try await Program.withTemporaryFolder { folder in
                let chain = StandChain(folder: folder)
                let (stands, overview) = try await onItsOwnThread {
                    // Nothing is left of the second one's fruit.
                    let empty = ["--set", "fruits.banana.initial=0"]
                    let stands = [
                        try chain.open("corner", listen: "127.0.0.1:0"),
                        try chain.open("north", empty[0], empty[1], listen: "127.0.0.1:0"),
                        try chain.open("south", listen: "127.0.0.1:0"),
                    ]
                    let sockets = ["corner", "north", "south"].map(chain.socket)
                    return (stands, try StandsPageTests.Overview(chain, sockets))
                }
                defer { chain.endAll() }
                try await body(stands, chain, overview)
            }
        }

        @Test func `the page lists the stands, finds one by name, opens its page, and says which is away`()
            async throws
        {
            try await Self.with { stands, chain, overview in
                try await Browser.with { browser in
                    try await browser.open(overview.url)
                    try await browser.wait(for: "#state", toSay: "Stands: 3")
                    // Out of fruit comes first.
                    try await browser.wait(for: "\(Self.names).length === 3 && \(Self.names)[0] === 'north'")
                    try await browser.wait(for: "#stands tr", toSay: "Banana out")
                    try await browser.wait(for: "document.querySelectorAll('#stands svg path[d^=M]').length > 2")
                    try await browser.press("/", "o", "r", "n")
                    try await browser.wait(for: "\(Self.names).join() === 'corner'")
                    try await browser.press(Key.escape)
                    try await browser.wait(for: "\(Self.names).length === 3")
                    kill(stands[2].process.processIdentifier, SIGKILL)
                    try await browser.wait(for: "#state", toSay: "Stands: 3, away: 1")
                    try await browser.wait(for: "#stands tr:first-child", toSay: "Away")
                    #expect(try await browser.text("#stands tr:first-child th").hasPrefix("south"))
                    try await browser.click("#language")
                    try await browser.wait(for: "#state", toSay: "가게 3곳, 연결 끊김 1곳")
                    // The keyboard alone leads from the filter to a stand.
                    try await browser.press("/", Key.down, Key.down)
                    let link = try await browser.value("document.activeElement.href") as? String
                    #expect(link?.hasPrefix("http://127.0.0.1:") == true)
                    #expect(try await browser.errors() == [])
                    let others = try await browser.requests().filter {
                        !$0.hasPrefix(overview.url + "/") && !$0.hasPrefix("data:")
                    }
                    #expect(others == [])
                    try await browser.press(Key.enter)
                    try await browser.wait(for: "document.getElementById('tab-live')")
                }
            }
        }

        /// The status of a stand that is none of ours.
        private static func status(_ name: String, _ more: String) -> String {
            "HTTP/1.1 200 OK\r\n\r\n{\"opens\": \"2026-01-01\", \"seed\": 1, \"sequence\": 0, \"stand\": \"\(name)\", \(more)}"
        }

        @Test func `a stand that can't be drawn and alerts that nobody knows leave the others on the page`()
            async throws
        {
            try await Program.withTemporaryFolder { folder in
                let chain = StandChain(folder: folder)
                let alerts = ["constructor", "__proto__", "a b", "", "lowStock"].enumerated().map { number, event in
                    "{\"seq\": \(number + 1), \"at\": \(number), \"event\": \"\(event)\", \"fruit\": \"kiwi\", \"level\": 1}"
                }
                // A picture would be too small for these bars, so none is drawn.
                let fruits = (0..<200_000).map { "\"f\($0)\": 1" }.joined(separator: ", ")
                let answers = [
                    "strange": Self.status("strange", "\"alerts\": [\(alerts.joined(separator: ", "))]"),
                    "huge": Self.status("huge", "\"stock\": {\(fruits)}"),
                    "plain": Self.status("plain", "\"orders\": 7"),
                ]
                let isOver = Guarded(false)
                for (name, answer) in answers {
                    let server = try RawServer(path: chain.socket(name))
                    Thread { while !isOver.withLock({ $0 }) { server.answer { _ in answer } } }.start()
                }
                defer {
                    isOver.withLock { $0 = true }
                    for name in answers.keys {
                        _ = try? StandClient(path: chain.socket(name), timeout: 1).send(.get, "/")
                    }
                }
                let overview = try await onItsOwnThread {
                    try StandsPageTests.Overview(chain, answers.keys.sorted().map(chain.socket))
                }
                defer { chain.endAll() }
                try await Browser.with { browser in
                    try await browser.open(overview.url)
                    try await browser.wait(for: "#state", toSay: "Stands: 3")
                    try await browser.wait(for: "#problem", toSay: "huge: ")
                    try await browser.wait(for: "document.querySelectorAll('#alerts li').length === 5")
                    #expect(try await browser.text("#alerts").contains("constructor"))
                    #expect(
                        try await browser.value("document.querySelectorAll('#alerts li.lowStock').length") as? Int == 1)
                    try await browser.wait(
                        for:
                            "[...document.querySelectorAll('#stands tr')].filter((row) => row.children[1].textContent).length === 3"
                    )
                    #expect(try await browser.errors() == [])
                }
            }
        }

        @Test(.enabled(if: BrowserTests.AccessTests.axe != nil, "axe is not installed"))
        func `axe finds nothing on the page of many stands`() async throws {
            let script = try String(contentsOf: #require(BrowserTests.AccessTests.axe), encoding: .utf8)
            try await Self.with { stands, _, overview in
                kill(stands[2].process.processIdentifier, SIGKILL)
                for language in ["en", "ko"] {
                    try await Browser.with(Browser.Look(language: language, isCalm: true)) { browser in
                        try await browser.open(overview.url)
                        try await browser.wait(for: "document.querySelectorAll('#stands svg path[d^=M]').length > 2")
                        try await browser.wait(for: "document.querySelector('#stands p')")
                        try await browser.run(script)
                        for (isDark, width) in [(false, 360), (true, 360), (false, 1280), (true, 1280)] {
                            try await browser.show(isDark: isDark, width: width)
                            let found = try await browser.findings()
                            #expect(found == [], "\(language), dark: \(isDark), \(width) pixels")
                        }
                    }
                }
            }
        }
    }
}
