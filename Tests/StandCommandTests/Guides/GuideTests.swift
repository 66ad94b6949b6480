import Foundation
import JuiceStand
import Testing

/// What the README and the guides name exists. `scripts/readme-examples` runs their examples.
@Suite(.timeLimit(.minutes(60)))
struct GuideTests {
    /// All files below a directory, relative to the root of the package.
    private static func files(in directory: String, _ suffix: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: Program.root.appending(path: directory).path)
            .filter { $0.hasSuffix(suffix) }.map { "\(directory)/\($0)" }
    }

    private static func guides() throws -> [String] {
        try ["README.md"] + files(in: "Sources", ".md").filter { $0.contains(".docc/") }
    }

    @Test func `every test that a guide names exists`() throws {
        let tests = try Self.files(in: "Tests", ".swift").map(Program.text).joined()
        var named = 0
        for guide in try Self.guides() {
            for match in try Program.text(guide).matches(of: #/<!-- test: (.+?) -->/#) {
                named += 1
                #expect(tests.contains("func `\(match.1)`"), "\(guide): no test is called \"\(match.1)\"")
            }
        }
        #expect(named >= 20)
    }

    @Test func `every script, configuration and source file that a guide names exists`() throws {
        let sources = try ["Sources", "Tests"].flatMap { try Self.files(in: $0, ".swift") }
        var named = 0
        for guide in try Self.guides() {
            let text = try Program.text(guide)
            for match in text.matches(of: #/[^\w/](?:\./)?((?:scripts|config)\/[\w.\/-]*\w)/#) {
                named += 1
                let path = Program.root.appending(path: String(match.1)).path
                #expect(FileManager.default.fileExists(atPath: path), "\(guide): there is no \(match.1)")
            }
            // Probes quote the Swift runtime's own files.
            for match in text.matches(of: #/[^\w\/]((?:\w+\/)+[\w+]+\.swift)/#)
            where !["Swift/", "Synchronization/"].contains(where: { match.1.hasPrefix($0) }) {
                named += 1
                let isThere = sources.contains { $0 == match.1 || $0.hasSuffix("/" + match.1) }
                #expect(isThere, "\(guide): there is no \(match.1)")
            }
        }
        #expect(named >= 20)
    }

    @Test func `every link of the README leads to a file`() throws {
        let links = try Program.text("README.md").matches(of: #/\]\(([^):]+)\)/#).map { String($0.1) }
        #expect(links.count >= 10)
        for link in links {
            #expect(FileManager.default.fileExists(atPath: Program.root.appending(path: link).path), "no \(link)")
        }
    }

    @Test func `the README is one page, and no guide is longer than five`() throws {
        for guide in try Self.guides() {
            let lines = try Program.text(guide).split(separator: "\n", omittingEmptySubsequences: false).count - 1
            #expect(lines <= (guide == "README.md" ? 160 : 300), "\(guide)")
        }
    }

    @Test func `the README names every guide of juicestand help, at most twelve`() throws {
        let rows = try Program.text("README.md").matches(of: #/\n\| .+ \| \[.+\]\((.+)\) \| `(\w+)` \|/#)
        let list = try Program.text("Sources/EmbeddedBytes/EmbeddedBytes.c")
        let guides = list.matches(of: #/\{"(\w+)\.md".*\n#embed "\.\./(.+)" suffix/#)
        #expect(rows.map { "\($0.2) \($0.1)" } == guides.map { "\($0.1) Sources/\($0.2)" })
        #expect(guides.count <= 12)
    }
}
