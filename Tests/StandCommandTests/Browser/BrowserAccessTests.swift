import Foundation
import Testing

extension BrowserTests {
    /// Whether everybody can use the page, by the rules of axe.
    struct AccessTests {
        /// The script of axe 4; nil if it is not installed.
        static let axe: URL? = {
            let given = ProcessInfo.processInfo.environment["JUICESTAND_AXE"].map { URL(filePath: $0) }
            let places = ["/usr/share/nodejs/axe-core/axe.min.js", "/usr/lib/node_modules/axe-core/axe.min.js"]
            return
                ([given].compactMap { $0 } + [Program.root.appending(path: ".build/axe/axe.min.js")]
                + places.map { URL(filePath: $0) }).first { FileManager.default.isReadableFile(atPath: $0.path) }
        }()

        /// What brings each screen forth, and what is true when it is there.
        private static let screens = [
            ("scene", "byId('tab-scene').click()", "document.querySelectorAll('#scene-words li').length === 5"),
            ("order", "byId('tab-order').click()", "document.querySelectorAll('#juices li').length > 1"),
            ("live", "byId('tab-live').click(); byId('bus').open = true", "document.querySelector('#wiring tr')"),
            ("past", "byId('back').click()", "document.querySelector('.past')"),
            ("question", "byId('now').click(); document.querySelector('.add').click()", "byId('question').open"),
            ("stock", "byId('question').close(); byId('stock-button').click()", "byId('stock').open"),
        ]

        /// Whether `scripts/page access` asks for everything.
        private static let isWhole = ProcessInfo.processInfo.environment["JUICESTAND_PAGE_ACCESS"] != nil

        /// The appearances in which a screen is looked at, each with how dark it is and its width. Of two neighbouring
        /// widths one is dark, in the other language the other one.
        private static func looks(in language: String) -> [(isDark: Bool, width: Int)] {
            let widths =
                switch (isWhole, language) {
                case (true, _): [360, 640, 960, 1280, 1920]
                case (false, "en"): [360]
                case (false, _): [1920]
                }
            return widths.enumerated().map { index, width in
                (isDark: index.isMultiple(of: 2) == (language == "ko"), width)
            }
        }

        @Test(
            .enabled(
                if: axe != nil, "axe is not installed: put axe.min.js in .build/axe, or name it in JUICESTAND_AXE"))
        func `axe finds nothing on any screen, in both languages, light and dark, from 360 to 1920 pixels`()
            async throws
        {
            let script = try String(contentsOf: #require(Self.axe), encoding: .utf8)
            let options = ["--speed", "600", "--ledger", "ledger.jsonl"]
            try await OpenStand.with(LiveTests.busy, options) { stand in
                for language in ["en", "ko"] {
                    let look = Browser.Look(language: language, isCalm: true)
                    try await Browser.with(look, forecasts: Self.isWhole) { browser in
                        try await browser.visit(stand.link)
                        try await browser.run(script + "\nwindow.byId = (id) => document.getElementById(id)")
                        for (screen, show, isShown) in Self.screens {
                            try await browser.run(show)
                            try await browser.wait(for: isShown)
                            for (isDark, width) in Self.looks(in: language) {
                                try await browser.show(isDark: isDark, width: width)
                                let found = try await browser.findings()
                                #expect(found == [], "\(screen), \(language), dark: \(isDark), \(width) pixels")
                            }
                        }
                        #expect(try await browser.errors() == [])
                    }
                }
            }
        }
    }
}

extension Browser {
    /// The rules of axe that the page breaks now, each with an element; and whether the page is wider than the window.
    func findings() async throws -> [String] {
        let script = """
            const done = arguments[0];
            axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => done([
                ...violations.map(({ id, nodes }) => id + ': ' + nodes[0].html),
                ...document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : [],
            ]), (error) => done([String(error)]));
            """
        return try #require(try await later(script) as? [String])
    }
}
