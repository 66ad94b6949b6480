import Foundation
import Testing

extension BrowserTests {
    /// Pictures and measurements of the page, which `scripts/page` requests through the environment.
    struct PageStudies {
        private static let environment = ProcessInfo.processInfo.environment
        private static let looks = [
            "light": Browser.Look(), "dark": Browser.Look(isDark: true), "korean": Browser.Look(language: "ko"),
            "phone": Browser.Look(width: 390, height: 844, scale: 2, isPhone: true),
        ]

        @Test(.enabled(if: environment["JUICESTAND_PICTURES"] != nil, "scripts/page pictures runs it"))
        func `takes a picture of every screen`() async throws {
            let folder = URL(filePath: try #require(Self.environment["JUICESTAND_PICTURES"]))
            let configuration = try Program.text("config/stand.json")
            // With a ledger, the log reaches back to the opening.
            let arguments = ["--speed", "600", "--ledger", "ledger.jsonl"]
            try await OpenStand.with(configuration, arguments) { stand in
                try await stand.wait { try #require(try await $0.status()["time"] as? Double) > 7200 }
                try await stand.send("PUT", "api/v1/rate", #"{"factor": 0.1}"#)
                for (look, how) in Self.looks {
                    for (screen, show) in Self.screens {
                        try await Browser.with(how, forecasts: true) { browser in
                            try await browser.visit(stand.link)
                            try await browser.wait(for: "document.querySelector('#recommended li')")
                            try await show(browser)
                            // A dialog covers the window at its size.
                            if try await browser.value("!document.querySelector('dialog[open]')") as? Bool == true {
                                try await browser.grow()
                            }
                            let file = folder.appending(path: "\(screen)-\(look).png")
                            try await browser.picture().write(to: file)
                            print(file.path)
                        }
                    }
                }
            }
        }

        @Test(.enabled(if: environment["JUICESTAND_PICTURES"] != nil, "scripts/page pictures runs it"))
        func `takes a picture of the stand in the rush hour`() async throws {
            let folder = URL(filePath: try #require(Self.environment["JUICESTAND_PICTURES"]))
            let configuration = try Program.text("config/rush-hour.json")
            try await OpenStand.with(configuration, ["--speed", "600"]) { stand in
                try await stand.wait { try #require(try await $0.status()["time"] as? Double) > 7200 }
                try await stand.wait { try #require(try await $0.status()["queue"] as? Int) > 5 }
                try await stand.send("PUT", "api/v1/speed", #"{"speed": 10}"#)
                for (look, how) in Self.looks {
                    try await Browser.with(how, forecasts: true) { browser in
                        try await browser.visit(stand.link, view: "scene")
                        try await browser.wait(for: "document.querySelectorAll('#scene-words li').length === 5")
                        // Until those who are there have reached their places, and some have left.
                        try await Task.sleep(for: .seconds(3))
                        try await browser.grow()
                        let file = folder.appending(path: "stand-\(look).png")
                        try await browser.picture().write(to: file)
                        print(file.path)
                    }
                }
            }
        }

        /// How to reach each screen.
        private static let screens: [String: @Sendable (Browser) async throws -> Void] = [
            "order": { browser in
                try await browser.run("document.querySelector('#juices > :nth-child(5) .star').click()")
                try await browser.run("document.querySelector('#juices > :not(.short) .main').click()")
                try await browser.wait(for: "document.querySelector('#toasts .good')")
            },
            "shortage": { browser in
                try await browser.run(
                    """
                    const input = document.querySelector('#juices input');
                    input.value = 99;
                    input.oninput();
                    document.querySelector('#juices .main').click();
                    """)
                try await browser.wait(for: "document.getElementById('question').open")
            },
            "stock": { browser in
                try await browser.click("#stock-button")
                try await browser.wait(for: "document.getElementById('stock').open")
                try await browser.click("#stock-rows [data-fruit=strawberry] .stepper button:last-child")
                try await browser.click("#stock-rows [data-fruit=mango] .stepper button:first-child")
            },
            "live": { browser in
                try await browser.click("#tab-live")
                try await browser.wait(for: "document.querySelector('.chart polyline').getAttribute('points')")
                try await browser.wait(for: "document.querySelectorAll('#log li').length > 20")
            },
        ]

        @Test(.enabled(if: environment["JUICESTAND_PAGE_LOAD"] != nil, "scripts/page load runs it"))
        func `measures the processor time of the page`() async throws {
            let asked = try #require(Self.environment["JUICESTAND_PAGE_LOAD"]).split(separator: " ").compactMap {
                Double($0)
            }
            let configuration = try Program.text("config/stand.json")
            // 0.03 customers arrive a second.
            try await OpenStand.with(configuration, ["--speed", "\(asked[0] / 0.03)"]) { stand in
                try await Browser.with(forecasts: true) { browser in
                    try await browser.visit(stand.link)
                    for view in ["order", "scene", "live"] {
                        try await browser.click("#tab-\(view)")
                        // Until the page has the events from before.
                        try await Task.sleep(for: .seconds(5))
                        let before = try await figures(stand, browser)
                        try await Task.sleep(for: .seconds(asked[1]))
                        let after = try await figures(stand, browser)
                        let found = after.map { name, value in (name, (value - before[name]!) / asked[1]) }
                        print(
                            view,
                            found.sorted { $0.0 < $1.0 }.map { "\($0): \(($1 * 1000).rounded() / 1000)" }.joined(
                                separator: ", "))
                    }
                }
            }
        }

        /// Seconds of processor time so far, of the page's process and of the whole browser, and what the stand has done.
        private func figures(_ stand: OpenStand, _ browser: Browser) async throws -> [String: Double] {
            let status = try await stand.status()
            let processes = try browser.processorTimes()
            return [
                "page": processes.filter(\.isPage).map(\.seconds).reduce(0, +),
                "browser": processes.map(\.seconds).reduce(0, +),
                "orders/s": try #require(status["orders"] as? Double),
                "events/s": try #require(status["sequence"] as? Double),
            ]
        }
    }
}
