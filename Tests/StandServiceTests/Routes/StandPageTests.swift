import Foundation
import JuiceStand
import StandService
import Terms
import Testing
import TextFormats

/// The embedded page. Its behaviour is tested in a browser.
@Suite(.timeLimit(.minutes(60)))
struct StandPageTests {
    private static func text(_ path: String, _ isOfMany: Bool = false) throws -> String {
        let files = isOfMany ? StandPage.filesOfMany : StandPage.files
        return try String(decoding: #require(files.first { $0.path == path }).content, as: UTF8.self)
    }

    @Test func `the whole page is at most 160,000 bytes`() {
        #expect(StandPage.files.map(\.path) == ["/", "/page.css", "/page.js"])
        #expect(StandPage.files.allSatisfy { $0.content.count > 3000 })
        let size = StandPage.files.map(\.content.count).reduce(0, +)
        #expect(size <= 160_000, "\(size) bytes")
    }

    @Test(arguments: [false, true])
    func `the page has no inline code and loads nothing from elsewhere`(isOfMany: Bool) throws {
        let html = try Self.text("/", isOfMany)
        let css = try Self.text("/page.css", isOfMany)
        let script = try Self.text("/page.js", isOfMany)
        #expect(
            html.firstMatch(
                of: /<style|\sstyle=|\son\w+=|javascript:|<script(?! type="module" src="\/page.js"><\/script>)/) == nil)
        #expect(
            html.matches(of: /(?:src|href)="([^"]*)"/).map { String($0.1) }.allSatisfy {
                ["/page.css", "/page.js", "#main"].contains($0) || $0.hasPrefix("data:image/svg+xml,")
            })
        #expect(css.firstMatch(of: /@import|url\(/) == nil)
        // Everything from the stand becomes text.
        #expect(
            script.firstMatch(
                of:
                    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|DOMParser|\beval\b|new Function|cssText/
            )
                == nil)
        let addresses = script.matches(of: /[a-z]+:\/\/[^'"` ]*/).map { String($0.0) }
        #expect(addresses == ["http://www.w3.org/2000/svg"])
    }

    @Test func `the page uses the texts of the list, and all that the list has for it`() throws {
        let html = try Self.text("/") + Self.text("/", true)
        let scripts = try [Self.text("/page.js"), Self.text("/page.js", true)]
        let script = scripts.joined()
        let onPage = Term.all.filter(\.isOnPage)
        for term in onPage { #expect(script.contains(JSONValue.string(term.korean).compact()), "\(term.key)") }
        let named =
            html.matches(of: /data-(?:t|label|none)="(\w+)"/).map { String($0.1) }
            + script.matches(of: /say\('(\w+)'/).map { String($0.1) }
        let keys = Set(onPage.map { String($0.key.prefix { $0 != "." }) })
        #expect(Set(named).count > 60)
        #expect(Set(named).subtracting(keys) == [])
        // Without the texts themselves, which come first.
        let code = try scripts.reduce(html) { try $0 + #require($1.split(separator: "\n", maxSplits: 3).last) }
        let words = Set(code.matches(of: /\w+/).map { String($0.0) })
        #expect(keys.subtracting(words) == [])
    }

    @Test(arguments: [false, true])
    func `the page has every element that the script looks up`(isOfMany: Bool) throws {
        let html = try Self.text("/", isOfMany)
        let script = try Self.text("/page.js", isOfMany)
        let there = Set(html.matches(of: /id="([\w-]+)"/).map { String($0.1) })
        let wanted = Set(script.matches(of: /(?:byId\('|write\(')([\w-]+)'[,)]/).map { String($0.1) })
        #expect(wanted.count > (isOfMany ? 7 : 30))
        #expect(wanted.subtracting(there) == [])
    }
}
