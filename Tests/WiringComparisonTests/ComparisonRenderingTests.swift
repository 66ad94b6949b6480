import JuiceStand
import RegexBuilder
import Testing
import TextFormats
import WiringComparison

@Suite(.timeLimit(.minutes(60)))
struct ComparisonRenderingTests {
    /// A comparison of two wirings whose texts would do harm where they are not escaped.
    private static func comparison(partial: Bool = false) -> Comparison {
        var machine = Machine()
        machine.processor = "<b>fast|one</b>"
        var notification = Comparison.Wiring(.notification)
        notification.properties = [
            (.answersBack, Finding(holds: true, evidence: "asked and told")),
            (.keepsOrderOfPosts, Finding(holds: nil, evidence: "nothing to ask")),
        ]
        var closure = Comparison.Wiring(.closure)
        closure.properties = [
            (.answersBack, Finding(holds: false, evidence: "<script>alert(\"&\")</script> a|b")),
            (.keepsOrderOfPosts, Finding(holds: true, evidence: "in order")),
        ]
        closure.stand = .refused(why: "its ledger differs")
        var result = Comparison(machine: machine, wirings: [closure, notification])
        result.isPartial = partial
        return result
    }

    private func member(_ value: JSONValue?, _ key: String) -> JSONValue? {
        guard case .object(let members)? = value else { return nil }
        return members.first { $0.key == key }?.value
    }

    @Test func `JSON is what the contract says`() throws {
        let json = Self.comparison().json()
        #expect(member(json, "schema") == "juicestand.comparison/1")
        #expect(member(json, "partial") == nil)
        #expect(member(Self.comparison(partial: true).json(), "partial") == true)
        guard case .array(let wirings)? = member(json, "wirings") else {
            Issue.record("no wirings")
            return
        }
        #expect(wirings.map { member($0, "name") } == ["closure", "notification"])
        #expect(member(member(wirings[0], "stand"), "why") == "its ledger differs")
        let properties = member(wirings[1], "properties")
        #expect(member(member(properties, "answersBack"), "holds") == true)
        #expect(member(member(properties, "keepsOrderOfPosts"), "holds") == .null)
        #expect(member(member(properties, "answersBack"), "evidence") == "asked and told")
    }

    @Test func `a page escapes what it quotes and loads nothing`() {
        let page = ComparisonPage(Self.comparison()).html()
        #expect(!page.contains("<script"))
        #expect(!page.contains("<b>"))
        #expect(page.contains("&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;"))
        #expect(!page.contains("http"))
    }

    @Test func `Markdown escapes what it quotes`() {
        let text = ComparisonMarkdown(Self.comparison()).text()
        #expect(!text.contains("<script"))
        #expect(text.contains(#"&lt;b&gt;fast\|one&lt;/b&gt;"#))
        #expect(text.contains(#"a\|b"#))
    }

    @Test func `a part is marked as one in every form`() {
        let partial = Self.comparison(partial: true)
        #expect(ComparisonText(partial, isVerbose: false, isColored: false).text().contains("interrupted"))
        #expect(ComparisonMarkdown(partial).text().contains("interrupted"))
        #expect(ComparisonPage(partial).html().contains("interrupted"))
    }

    @Test func `colour comes only where it is wanted`() {
        #expect(!ComparisonText(Self.comparison(), isVerbose: true, isColored: false).text().contains("\u{1b}"))
        #expect(ComparisonText(Self.comparison(), isVerbose: true, isColored: true).text().contains("\u{1b}"))
    }

    @Test func `what notification lacks, and what is not known of it, is said plainly`() {
        var comparison = Self.comparison()
        func text() -> String { ComparisonMarkdown(comparison).text() }
        #expect(text().contains("Of notification it could not be established: keeps the order of posts."))
        comparison.wirings[1].properties[1].finding.holds = false
        #expect(text().contains("notification lacks what others have: keeps the order of posts"))
        comparison.wirings[1].properties[1].finding.holds = true
        #expect(text().contains("lacks none that another wiring has"))
        #expect(!text().contains("could not be established:"))
    }

    /// All wirings, with figures as long as they come.
    private static func whole(_ counts: [Int]) -> Comparison {
        let wirings = WiringChoice.allCases.map { choice in
            var wiring = Comparison.Wiring(choice)
            wiring.speed = counts.map {
                Comparison.Speed(
                    observers: $0, nanoseconds: Spread([234_567.8, 345_678.9]), ratioToDirect: 9876.5, allocations: 959)
            }
            wiring.stand = .refused(why: String(repeating: "it can't be run because of this and that ", count: 4))
            wiring.properties = Property.allCases.map {
                ($0, Finding(holds: false, evidence: String(repeating: "saw 3 of 4; ", count: 20)))
            }
            return wiring
        }
        return Comparison(machine: Machine(), wirings: wirings)
    }

    @Test(arguments: [[1], [1, 3, 10, 100], [1, 2, 3, 5, 10, 30, 100, 300, 900]])
    func `a comparison fits 80 columns, however many numbers of observers there are`(counts: [Int]) {
        let text = ComparisonText(Self.whole(counts), isVerbose: true, isColored: false).text()
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        for count in counts {
            #expect(
                text.contains(
                    Regex {
                        Anchor.wordBoundary
                        "\(count)"
                        Anchor.wordBoundary
                    }))
        }
    }

    @Test func `the four usual numbers of observers stand side by side, and what is absent is in the table`() {
        let comparison = Self.whole([1, 3, 10, 100])
        let lines = ComparisonText(comparison, isVerbose: false, isColored: false).text().split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("  delegate ") && $0.contains("346k 9.9k×") } == 1)
        #expect(lines.contains { $0.hasPrefix("  key-value-observing: ") })
        #expect(ComparisonMarkdown(comparison).text().contains("| key-value-observing | "))
        #expect(ComparisonPage(comparison).html().contains("<td>key-value-observing</td>"))
    }

    @Test func `who is faster than notification is named with the numbers of observers`() {
        var comparison = Self.whole([1, 3, 10])
        let own = comparison.wirings.firstIndex { $0.choice == .notification }!
        #expect(
            ComparisonMarkdown(comparison).text().contains("Nothing was faster than notification"))
        for index in 1...2 { comparison.wirings[own].speed[index].nanoseconds = Spread([400_000]) }
        for index in comparison.wirings.indices.dropFirst() where index != own { comparison.wirings[index].speed = [] }
        #expect(
            ComparisonText(comparison, isVerbose: false, isColored: false).text()
                .contains("Faster than notification, by number of observers: direct (with 3, 10)."))
    }
}
