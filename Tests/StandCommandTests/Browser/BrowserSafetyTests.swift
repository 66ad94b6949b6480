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
                // Requests with another Origin or Host are refused.
                for fields in [["host": "elsewhere.example"], ["host": "elsewhere.example:80"]] {
                    #expect(try await stand.send("GET", "api/v1/status", fields).status == 421, "\(fields)")
                }
                let forged = try await stand.send(
                    "POST", "api/v1/orders", ["origin": "http://elsewhere.example"], #"{"juice": "kiwi juice"}"#)
                #expect(forged.status == 403)
                #expect(try await stand.status()["orders"] as? Int == 0)
                let own = try await stand.send(
                    "POST", "api/v1/orders", ["origin": String(stand.url.dropLast())], #"{"juice": "kiwi juice"}"#)
                #expect(own.status == 201)
            }
        }

        @Test func `without the token the page says where to find it and accepts it`() async throws {
            try await OpenStand.with(OpenStand.quiet) { stand in
                try await Browser.with { browser in
                    try await browser.visit(stand.url)
                    try await browser.click("[data-juice='kiwi juice'] .main")
                    try await browser.wait(for: "#question-words", toSay: "for a link with it")
                    try await browser.press(stand.token.map { String($0) })
                    try await browser.click("#question-actions .main")
                    try await browser.click("[data-juice='kiwi juice'] .main")
                    try await browser.wait(toHear: "Kiwi juice is ready, enjoy!")
                    // The token is kept for this tab alone.
                    let kept = try await browser.value(
                        "JSON.stringify([localStorage, document.cookie, location.href])")
                    #expect((kept as? String)?.contains(stand.token) == false)
                    #expect(try await browser.errors() == [])
                }
            }
        }

        @Test func `names with markup are shown as text everywhere`() async throws {
            let configuration = """
                { "stand": "<i>stand</i>", "customers": { "arrivals": { "renewal": "1000d" } },
                  "fruits": { "<b>fruit</b>": { "initial": 10, "lowStock": 9 } },
                  "menu": { "<img src=x onerror=alert(1)>": { "recipe": { "<b>fruit</b>": 2 }, "category": "<u>c</u>", "method": "<s>m</s>" } } }
                """
            try await OpenStand.with(configuration) { stand in
                try await Browser.with { browser in
                    try await browser.visit(stand.link)
                    try await browser.click("#juices .main")
                    try await browser.wait(toHear: "<img src=x onerror=alert(1)> is ready, enjoy!")
                    #expect(try await browser.text("#juices h3") == "<img src=x onerror=alert(1)>")
                    #expect(try await browser.text("#name") == "<i>stand</i>")
                    try await browser.click("#tab-live")
                    try await browser.wait(for: "#log", toSay: "1 <img src=x onerror=alert(1)>")
                    try await browser.wait(for: "#alerts", toSay: "<b>fruit</b> is low: 8 left")
                    try await browser.click("#stock-button")
                    try await browser.wait(for: "#stock-rows th", toSay: "<b>fruit</b>")
                    #expect(
                        try await browser.value("document.querySelectorAll('img, b, u, s, #name *').length") as? Int
                            == 0)
                    #expect(try await browser.errors() == [])
                }
            }
        }

        @Test(arguments: ["constructor", "__proto__", "toString"])
        func `fruit and juice may be called as JavaScript calls its own things`(name: String) async throws {
            let configuration = """
                { "customers": { "arrivals": { "renewal": "1000d" } }, "fruits": { "\(name)": { "initial": 10, "lowStock": 9 } },
                  "menu": { "\(name)": { "recipe": { "\(name)": 2 }, "category": "\(name)", "method": "\(name)" } } }
                """
            try await OpenStand.with(configuration) { stand in
                try await Browser.with { browser in
                    try await browser.visit(stand.link)
                    try await browser.wait(for: "#juices p.small", toSay: "\(name) · \(name)")
                    try await browser.click("#juices .main")
                    try await browser.click("#tab-live")
                    // A sentence begins with a capital.
                    let shown = name.prefix(1).uppercased() + name.dropFirst()
                    try await browser.wait(for: "#alerts", toSay: "\(shown) is low: 8 left")
                    try await browser.click("#stock-button")
                    try await browser.wait(for: "#stock-rows td", toSay: "8")
                    #expect(try await browser.text("#stock-rows th").lowercased().hasSuffix(name.lowercased()))
                    #expect(try await browser.errors() == [])
                }
            }
        }

        @Test func `no error reaches the console, and no request leaves the host`() async throws {
            try await OpenStand.with(OpenStand.quiet) { stand in
                try await Browser.with { browser in
                    try await browser.open(stand.link)
                    for click in [
                        "#tab-live", "#language", "#stock-button", "#stock-discard", "#tab-order", "#language",
                    ] {
                        try await browser.click(click)
                    }
                    try await browser.wait(for: "#state", toSay: "live")
                    let requests = try await browser.requests()
                    #expect(requests.contains(stand.url + "page.js"))
                    #expect(requests.filter { !$0.hasPrefix(stand.url) && !$0.hasPrefix("data:") } == [])
                    #expect(try await browser.errors() == [])
                }
            }
        }
    }
}
