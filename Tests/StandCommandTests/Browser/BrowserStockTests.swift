import Foundation
import TerminalView
import Testing

extension BrowserTests {
    /// The stock screen edits a copy, and reports edits by others.
    struct StockTests {
        @Test func `two browsers that edit at once are told of each other, and no edit is lost`() async throws {
            try await OpenStand.with(OpenStand.quiet) { stand in
                try await Browser.with { first in
                    try await Browser.with { second in
                        for browser in [first, second] {
                            try await browser.visit(stand.link)
                            try await browser.click("#stock-button")
                            try await browser.wait(for: "document.getElementById('stock').open")
                        }
                        try await second.click("#stock-rows [data-fruit=kiwi] .stepper button:last-child")
                        try await first.click("#stock-rows [data-fruit=mango] .stepper button:last-child")
                        try await first.click("#stock-close")
                        try await second.wait(for: "#stock-notice", toSay: "mango 10 → 11")
                        #expect(try await second.text("#stock-notice").contains("Someone else changed the stock"))
                        #expect(try await second.text("#stock-rows [data-fruit=mango] td") == "11")
                        // The user decides: the screen stays open, and sends the batch when it closes.
                        #expect(try await second.value("document.getElementById('stock').open") as? Bool == true)
                        #expect(try await stand.levels()["kiwi"] == 10)
                        try await second.click("#stock-close")
                        try await second.wait(for: "!document.getElementById('stock').open")
                        let levels = try await stand.levels()
                        #expect(levels["mango"] == 11 && levels["kiwi"] == 11)
                        #expect(try await second.errors() == [])
                    }
                }
            }
        }

        @Test(arguments: [true, false])
        func `an edit based on an old stock is refused, and the user decides`(confirms: Bool)
            async throws
        {
            try await OpenStand.with(OpenStand.quiet) { stand in
                try await Browser.with { browser in
                    try await browser.block("*/api/v1/events*")
                    try await browser.open(stand.link)
                    try await browser.wait(for: "document.querySelector('[data-juice]')")
                    try await browser.click("#stock-button")
                    try await browser.wait(for: "document.getElementById('stock').open")
                    try await stand.send("POST", "api/v1/stock/changes", #"{"changes": {"kiwi": 5}}"#)
                    try await browser.click("#stock-rows [data-fruit=kiwi] .stepper button:last-child")
                    try await browser.click("#stock-close")
                    try await browser.wait(for: "#stock-notice", toSay: "Someone else changed the stock")
                    #expect(try await stand.levels()["kiwi"] == 15)
                    #expect(try await browser.text("#stock-rows [data-fruit=kiwi] td") == "15")
                    #expect(try await browser.value("document.getElementById('stock').open") as? Bool == true)
                    try await browser.click(confirms ? "#stock-close" : "#stock-discard")
                    try await browser.wait(for: "!document.getElementById('stock').open")
                    #expect(try await stand.levels()["kiwi"] == (confirms ? 16 : 15))
                    // The browser logs the blocked requests and the refusal.
                    let errors = try await browser.errors().filter { !$0.contains("/api/v1/events") }
                    #expect(errors.count == 1 && errors[0].contains("412"), "\(errors)")
                }
            }
        }

        @Test func `a step changes one piece, even if the level shown is old, and a sale is not reported as an edit`()
            async throws
        {
            try await OpenStand.visit { stand, browser in
                try await browser.click("#stock-button")
                try await browser.wait(for: "document.getElementById('stock').open")
                // From now on the page receives events, but does not draw.
                try await browser.run("window.requestAnimationFrame = () => 0")
                try await browser.run("document.querySelector(`[data-juice='banana juice'] .main`).click()")
                try await browser.wait(toHear: "Banana juice is ready, enjoy!")
                #expect(try await browser.value("document.getElementById('stock-notice').hidden") as? Bool == true)
                try await browser.click("#stock-rows [data-fruit=banana] .stepper button:last-child")
                #expect(try await browser.text("#stock-rows [data-fruit=banana] td:last-child") == "+1")
                try await browser.click("#stock-close")
                try await browser.wait(for: "!document.getElementById('stock').open")
                #expect(try await stand.levels()["banana"] == 9)
            }
        }

        @Test func `at a busy stand a press of + is one piece, and the field follows the level`() async throws {
            let configuration = """
                { "stand": "busy", "makers": "unlimited", "fruits": { "banana": { "initial": 1000000 } },
                  "menu": { "banana juice": { "recipe": { "banana": 2 } } },
                  "customers": { "arrivals": { "poisson": { "perSecond": 1 } } } }
                """
            try await OpenStand.visit(configuration) { _, browser in
                try await browser.click("#stock-button")
                try await browser.wait(for: "document.activeElement.closest('#stock')")
                let row = "document.querySelector('#stock-rows [data-fruit=banana]')"
                let field = "Number(\(row).querySelector('input').value)"
                let level = "Number(\(row).querySelector('td').textContent.replaceAll(',', ''))"
                // The field follows, also while it has the focus.
                try await browser.run("\(row).querySelector('input').focus(); window.before = \(field)")
                try await browser.wait(for: "\(field) < window.before && \(field) === \(level)")
                try await browser.click("#stock-rows [data-fruit=banana] .stepper button:last-child")
                #expect(try await browser.text("#stock-rows [data-fruit=banana] td:last-child") == "+1")
                try await browser.wait(for: "\(field) === \(level) + 1")
                // At a busy stand the latest events soon lack the edit, so it is listened for.
                try await browser.run(
                    """
                    window.edits = [];
                    window.events = new EventSource('/api/v1/events');
                    window.events.onmessage = ({ data }) => {
                        const { cause, from, to } = JSON.parse(data);
                        if (cause === 'edit') window.edits.push(to - from);
                    };
                    """)
                try await browser.wait(for: "window.events.readyState === EventSource.OPEN")
                try await browser.click("#stock-close")
                try await browser.wait(for: "!document.getElementById('stock').open")
                try await browser.wait(for: "window.edits.length > 0")
                #expect(try await browser.value("window.edits.join()") as? String == "1")
            }
        }

        @Test func `everything can be done by keyboard`() async throws {
            try await OpenStand.visit { stand, browser in
                try await browser.press(Key.tab)
                #expect(try await browser.value("document.activeElement.className") as? String == "skip")
                try await browser.tab(to: "document.activeElement.id === 'tab-order'")
                try await browser.press(Key.right)
                try await browser.wait(
                    for: "document.activeElement.id === 'tab-live' && !document.getElementById('live').hidden")
                try await browser.press(Key.left)
                try await browser.tab(to: "document.activeElement.ariaLabel === 'Order strawberry juice'")
                try await browser.press(Key.enter)
                try await browser.wait(for: "document.activeElement.textContent === 'Yes'")
                // The focus stays in the dialog, apart from the browser's own controls.
                for _ in 1...6 {
                    try await browser.press(Key.tab)
                    let isInside = """
                        document.activeElement === document.body || !!document.activeElement.closest('#question')
                        """
                    #expect(try await browser.value(isInside) as? Bool == true)
                }
                try await browser.tab(to: "document.activeElement.textContent === 'Yes'")
                try await browser.press(Key.space)
                try await browser.wait(
                    for: """
                        document.activeElement.closest('#stock')?.open
                        && document.activeElement.ariaLabel === 'strawberry'
                        """)
                // The six that are missing are filled in.
                try await browser.press(Key.up)
                try await browser.press(Key.down)
                try await browser.tab(to: "document.activeElement.id === 'stock-close'")
                #expect(try await browser.text("#stock-close") == "Save (1)")
                try await browser.press(Key.enter)
                try await browser.wait(for: "!document.getElementById('stock').open")
                #expect(try await stand.levels()["strawberry"] == 16)
                try await browser.wait(for: "#question-title", toSay: "Place the order again?")
                try await browser.press(Key.enter)
                try await browser.wait(toHear: "Strawberry juice is ready, enjoy!")
                // The focus returns to where it was.
                try await browser.wait(for: "document.activeElement.ariaLabel === 'Order strawberry juice'")
                try await browser.tab(to: "document.activeElement.id === 'stock-button'")
                try await browser.press(Key.space)
                try await browser.wait(for: "document.getElementById('stock').open")
                try await browser.tab(to: "document.activeElement.ariaLabel === 'mango'")
                try await browser.press(Key.down)
                try await browser.wait(for: "#stock-close", toSay: "Save (1)")
                // Esc asks, and changes nothing.
                try await browser.press(Key.escape)
                try await browser.wait(for: "#question-title", toSay: "Discard your changes?")
                try await browser.press(Key.enter)
                try await browser.wait(for: "!document.getElementById('question').open")
                #expect(try await browser.value("document.getElementById('stock').open") as? Bool == true)
                #expect(try await browser.text("#stock-close") == "Save (1)")
                try await browser.press(Key.escape)
                try await browser.tab(to: "document.activeElement.textContent === 'Discard'")
                try await browser.press(Key.enter)
                try await browser.wait(for: "!document.getElementById('stock').open")
                try await browser.wait(for: "document.activeElement.id === 'stock-button'")
                #expect(try await stand.levels()["mango"] == 10)
                // The browser logs the refused order.
                #expect(try await browser.errors().allSatisfy { $0.contains("409") })
            }
        }

        @Test func `every control has a name, and nothing is wider than a phone`() async throws {
            try await OpenStand.visit(look: .init(width: 360, height: 740, isPhone: true)) { _, browser in
                let nameless = """
                    [...document.querySelectorAll('button, input, select, dialog, [role], a')].filter((node) =>
                        node.checkVisibility() && !(node.ariaLabel || node.textContent.trim() || node.labels?.length
                        || document.getElementById(node.getAttribute('aria-labelledby'))
                        || ['status', 'alert'].includes(node.role))).map((node) => node.outerHTML)
                    """
                for view in ["scene", "order", "live", "stock"] {
                    try await browser.click(view == "stock" ? "#stock-button" : "#tab-\(view)")
                    try await browser.wait(for: "document.getElementById('\(view)').checkVisibility()")
                    #expect(try await browser.value("document.documentElement.scrollWidth") as? Int == 360)
                    let found = try await browser.value(nameless) as? [String]
                    #expect(found == [])
                }
                let table = "document.querySelector('#stock .scroll')"
                let isCut = try await browser.value("\(table).scrollWidth > \(table).clientWidth") as? Bool
                #expect(isCut == false)
                let live =
                    "[...document.querySelectorAll('[aria-live], [role=status], [role=alert]')].map((n) => n.id)"
                #expect(
                    try await browser.value(live) as? [String]
                        == ["state", "closing", "alerts", "toasts", "stock-notice"])
            }
        }
    }
}
