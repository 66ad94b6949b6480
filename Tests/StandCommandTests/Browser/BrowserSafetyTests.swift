import Foundation
import Platform
import TestSupport
import Testing

extension BrowserTests {
    /// What a page must not do or allow.
    struct SafetyTests {
        @Test func `a page of another origin changes nothing, even with the token`() async throws {
            try await OpenStand.with(OpenStand.quiet) { stand in
                try await Browser.with { browser in
                    try await browser.open("data:text/html,<p>elsewhere")
                    let request = """
                        fetch('\(stand.url)api/v1/orders', { method: 'POST', mode: MODE, body: '{"juice": "kiwi juice"}',
                            headers: { authorization: 'Bearer \(stand.token)', 'content-type': 'application/json' } })
                        """
                    for mode in ["'cors'", "'no-cors'"] {
                        let outcome =
                            "\(request.replacing("MODE", with: mode)).then((r) => r.type + r.status, () => 'refused')"
                        try await browser.run(
                            "window.outcome = null; \(outcome).then((text) => { window.outcome = text })")
                        let text = try await browser.wait(for: "window.outcome") as? String
                        #expect(text == "refused" || text == "opaque0", "\(mode): \(text ?? "")")
                    }
                }
                #expect(try await stand.status()["orders"] as? Int == 0)
            }
        }

        @Test func `without the token the page is read-only, says where to find it and accepts it`() async throws {
            try await OpenStand.with(OpenStand.quiet) { stand in
                try await Browser.with { browser in
                    try await browser.visit(stand.url, view: "live")
                    try await browser.wait(for: "document.getElementById('pause').disabled")
                    for id in ["slower", "faster", "half", "rate", "double"] {
                        #expect(try await browser.value("document.getElementById('\(id)').disabled") as? Bool == true)
                    }
                    try await browser.click("#read-only")
                    try await browser.wait(for: "#question-title", toSay: "Changes need the stand’s token")
                    try await browser.click("#question-actions button:first-child")
                    try await browser.click("#tab-order")
                    try await browser.click("[data-juice='kiwi juice'] .main")
                    try await browser.wait(for: "#question-words", toSay: "for a link with it")
                    try await browser.press(stand.token.map { String($0) })
                    try await browser.click("#question-actions .main")
                    try await browser.click("[data-juice='kiwi juice'] .main")
                    try await browser.wait(toHear: "Kiwi juice is ready, enjoy!")
                    // The token is kept for this tab alone.
                    let kept = try await browser.value("JSON.stringify([localStorage, document.cookie, location.href])")
                    #expect((kept as? String)?.contains(stand.token) == false)
                    #expect(try await browser.errors() == [])
                }
            }
        }

        @Test(arguments: ["<img src=x onerror=alert(1)>", "constructor", "__proto__", "toString"])
        func `names with markup, and names that JavaScript has itself, are shown as text everywhere`(
            name: String
        ) async throws {
            let configuration = """
                { "stand": "<i>\(name)</i>", "customers": { "arrivals": { "renewal": "1000d" } },
                  "fruits": { "\(name)": { "initial": 10, "lowStock": 9 } },
                  "menu": { "\(name)": { "recipe": { "\(name)": 2 }, "category": "\(name)", "method": "\(name)" } } }
                """
            try await OpenStand.visit(configuration) { _, browser in
                // A sentence begins with a capital.
                let shown = name.prefix(1).uppercased() + name.dropFirst()
                try await browser.wait(for: "#juices p.small", toSay: "\(name) · \(name)")
                #expect(try await browser.text("#juices h3") == shown)
                #expect(try await browser.text("#name") == "<i>\(name)</i>")
                try await browser.click("#juices .main")
                try await browser.wait(toHear: "\(shown) is ready, enjoy!")
                try await browser.click("#tab-live")
                try await browser.wait(for: "#log", toSay: "1 \(name)")
                try await browser.wait(for: "#alerts", toSay: "\(shown) is low: 8 left")
                try await browser.click("#stock-button")
                try await browser.wait(for: "#stock-rows td", toSay: "8")
                #expect(try await browser.text("#stock-rows th").hasSuffix(shown))
                #expect(try await browser.value("document.querySelectorAll('img, #name *').length") as? Int == 0)
            }
        }
    }
}
