import Foundation
import JuiceStand
import TestSupport
import Testing
import TextFormats

/// `juicestand wiring`, run as a user would.
@Suite(.serialized, .onItsOwnThread)
struct WiringCommandTests {
    private func draw(_ format: String, _ more: String...) throws -> String {
        let ending = try Program.start(["wiring", "--for", "10m", "--format", format] + more).wait()
        #expect(ending.status == 0 && ending.diagnostics == "")
        return ending.output
    }

    @Test func `the text fits 80 columns and names every fact`() throws {
        for wiring in ["observation", "foundation-notification"] {
            let lines = try draw("text", "--wiring", wiring).split(separator: "\n")
            #expect(lines.allSatisfy { TextWidth.columns(of: String($0)) <= 80 }, "\(wiring)")
            #expect(lines.contains("Only the notification wiring times the calls of each observer."))
        }
        let text = try draw("text")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "corner, wired by notification: TypedNotificationCenter: a type for each fact")
        #expect(lines[1] == "Measured for 600 s of stand time." && lines[2].hasPrefix("Timing a call makes it "))
        #expect(lines.allSatisfy { TextWidth.columns(of: String($0)) <= 80 })
        let facts = Set(text.matches(of: #/(?m)^([a-z]\w+) +(?:stand|orders|stock|commands) /#).map { String($0.1) })
        #expect(facts.count == FactKind.allCases.count && facts.contains("orderPlaced"))
        #expect(lines.contains { $0.hasPrefix("Slowest call: ") } && lines.contains("Every fact has an observer."))
    }

    @Test func `counts come from the configuration and its seed`() throws {
        func counts(_ more: String...) throws -> [Int?] {
            let ending = try Program.start(["wiring", "--format", "json", "--for", "2h"] + more).wait()
            let json = try #require(JSON5Parser.parse(Array(ending.output.utf8), source: "wiring").root)
            return JSONValue(json)?["facts"]?.elements.map { $0["count"]?.whole } ?? []
        }
        let standard = try counts()
        #expect(standard.count == FactKind.allCases.count && standard.allSatisfy { $0 != nil })
        #expect(try counts("--wiring", "delegate") == standard)
        #expect(try counts("--seed", "7") != standard)
    }

    /// Mermaid's grammar of flowcharts, as far as the command uses it: every node is declared once, in double quotes, before it is used.
    @Test func `Mermaid gets nodes and edges in its grammar`() throws {
        for name in ["corner", #"a\"b\"#] {
            let lines = try draw("mermaid", "--set", "stand=\(name)").split(separator: "\n")
            #expect(lines[0] == "---" && lines[2] == "---" && lines[3] == "flowchart LR")
            #expect(lines[1].wholeMatch(of: #/title: "([^"\\]|\\\\)*"/#) != nil, "\(lines[1])")
            var nodes: Set<Substring> = []
            var edges = 0
            for line in lines.dropFirst(4) {
                let poster = line.wholeMatch(of: #/    (\w+)\["[^"]*"\]/#)?.1
                let fact = line.wholeMatch(of: #/    (\w+)\(\["[^"]*"\]\)/#)?.1
                let observer = line.wholeMatch(of: #/    (\w+)\[\["[^"]*"\]\]/#)?.1
                if let node = poster ?? fact ?? observer {
                    #expect(nodes.insert(node).inserted && node != "end", "\(line)")
                } else if let edge = line.wholeMatch(of: #/    (\w+) -->(?:\|"[^"|]*"\|)? (\w+)/#) {
                    #expect(nodes.contains(edge.1) && nodes.contains(edge.2), "\(line)")
                    edges += 1
                } else {
                    Issue.record("neither a node nor an edge: \(line)")
                }
            }
            // Four posters and four observers.
            #expect(nodes.count == FactKind.allCases.count + 8 && edges > FactKind.allCases.count * 3)
        }
    }

    @Test func `a running stand is measured over its socket`() async throws {
        try await StandChain.with { chain in
            let stand = try chain.run("stand", ["--listen", "off", "--speed", "600"])
            let ending = try chain.ask("wiring", "--socket", chain.socket("stand"), "--for", "200ms")
            #expect(ending.status == 0 && ending.diagnostics == "")
            #expect(ending.output.contains(" s of wall time.\n") && ending.output.contains("It is off again now."))
            #expect(ending.output.contains("Nobody observes "))
            #expect(try chain.ask("stop", "--socket", chain.socket("stand")).status == 0)
            #expect(try chain.end(stand).status == 0)
        }
    }
}
