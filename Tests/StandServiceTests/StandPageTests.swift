import Foundation
import JuiceStand
import StandService
import Testing

/// The embedded page. Its behaviour is tested in a browser.
@Suite(.timeLimit(.minutes(60)))
struct StandPageTests {
    private static func text(_ path: String) throws -> String {
        try String(decoding: #require(StandPage.files.first { $0.path == path }).content, as: UTF8.self)
    }

    /// A part of the script as it is written.
    private static func source(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "Sources/StandService/Page/\(name)"), encoding: .utf8)
    }

    @Test func `the whole page is at most 160,000 bytes`() {
        #expect(StandPage.files.map(\.path) == ["/", "/page.css", "/page.js"])
        #expect(StandPage.files.allSatisfy { $0.content.count > 3000 })
        let size = StandPage.files.map(\.content.count).reduce(0, +)
        #expect(size <= 160_000, "\(size) bytes")
    }

    @Test func `the page has no inline code and loads nothing from elsewhere`() throws {
        let (html, css) = (try Self.text("/"), try Self.text("/page.css"))
        let script = try Self.text("/page.js")
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

    @Test func `both languages have every phrase that the page uses`() throws {
        let (html, script) = (try Self.text("/"), try Self.text("/page.js"))
        let table = try #require(
            try Self.source("words.js")
                .firstMatch(of: /(?s)const \w+ = \{\n\ten: \{(.*?)\n\t\},\n\tko: \{(.*?)\n\t\},\n\};/))
        // Keys, and the names of what is filled in; texts in quotation marks are no keys.
        func keys(_ text: Substring) -> [String] {
            text.replacing(/'(?:\\.|[^'\\])*'/, with: "").matches(of: /\w+(?=:)/)
                .map { String($0.0) }
        }
        let english = keys(table.1)
        #expect(english.count > 100 && english == keys(table.2))
        func gaps(_ text: Substring) -> [String: Int] {
            text.matches(of: /\{(\w+)\}/).reduce(into: [:]) { $0[String($1.1), default: 0] += 1 }
        }
        #expect(gaps(table.1) == gaps(table.2))
        let named =
            html.matches(of: /data-(?:t|label|none)="(\w+)"/).map { String($0.1) }
            + script.matches(of: /say\('(\w+)'/).map { String($0.1) }
        #expect(named.count > 60)
        #expect(Set(named).subtracting(english) == [])
    }

    @Test func `every event has words in both languages`() throws {
        let words = try Self.source("words.js").matches(of: /(?s)\n\t\tevent: \{\n(.*?)\n\t\t\},/)
        try #require(words.count == 2)
        for kind in FactKind.allCases {
            for text in words { #expect(text.1.contains("\(kind.name): '"), "\(kind.name)") }
        }
    }

    @Test func `every reason of a loss reaches the page in both languages`() throws {
        let script = try Self.text("/page.js")
        for reason in LossReason.allCases {
            for text in [reason.name, reason.traits.english, reason.traits.korean] {
                #expect(script.contains("\"\(text)\""), "\(reason)")
            }
        }
    }

    @Test func `the page has every element that the script looks up`() throws {
        let (html, script) = (try Self.text("/"), try Self.text("/page.js"))
        let there = Set(html.matches(of: /id="([\w-]+)"/).map { String($0.1) })
        let wanted = Set(script.matches(of: /(?:byId\('|write\(')([\w-]+)'[,)]/).map { String($0.1) })
        #expect(wanted.count > 30)
        #expect(wanted.subtracting(there) == [])
    }
}
