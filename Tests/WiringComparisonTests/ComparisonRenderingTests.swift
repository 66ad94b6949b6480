import JuiceStand
import TestSupport
import Testing
import TextFormats
import WiringComparison

@Suite(.timeLimit(.minutes(60)))
struct ComparisonRenderingTests {
    private static func comparison(partial: Bool = false) -> Comparison {
        var notification = Comparison.Wiring(.notification)
        notification.findings = [
            .answersBack: Finding(true, "asked and told", price: 634),
            .keepsOrderOfPosts: Finding(nil, "nothing to ask"),
        ]
        var delegate = Comparison.Wiring(.delegate)
        delegate.findings = [
            .answersBack: Finding(false, "no answer"), .keepsOrderOfPosts: Finding(true, "in order"),
            .keepsOrderOfObservers: Finding(nil, "there is one observer", applies: false),
        ]
        delegate.stand = .refused(why: "its ledger differs")
        var result = Comparison(machine: Machine(), wirings: [delegate, notification])
        if partial { result.cutOff = ["speed of closure"] }
        return result
    }

    private static func text(
        _ comparison: Comparison, parts: [ComparisonPart]? = ComparisonPart.allCases, isColored: Bool = false
    ) -> String {
        ComparisonText(comparison, parts: parts, isVerbose: parts != nil, isColored: isColored).text()
    }

    private func member(_ value: JSONValue?, _ key: String) -> JSONValue? {
        guard case .object(let members)? = value else { return nil }
        return members.first { $0.key == key }?.value
    }

    @Test func `JSON has one entry for each wiring, and a property says group, verdict, evidence and price`() throws {
        let json = Self.comparison().json()
        #expect(member(json, "schema") == "juicestand.comparison/2")
        #expect(member(json, "partial") == nil)
        #expect(member(Self.comparison(partial: true).json(), "partial") == true)
        guard case .array(let wirings)? = member(json, "wirings") else {
            Issue.record("no wirings")
            return
        }
        #expect(wirings.map { member($0, "name") } == ["delegate", "notification"])
        #expect(member(member(wirings[0], "stand"), "why") == "its ledger differs")
        let answer = member(member(wirings[1], "properties"), "answersBack")
        #expect(member(answer, "group") == "delivery")
        #expect(member(answer, "holds") == true)
        #expect(member(answer, "applies") == true)
        #expect(member(answer, "evidence") == "asked and told")
        #expect(member(answer, "price") == .number(634))
        let order = member(member(wirings[0], "properties"), "keepsOrderOfObservers")
        #expect(member(order, "holds") == .null)
        #expect(member(order, "applies") == false)
    }

    @Test func `text marks a part, colours only on request, and points the advice at its rows`() {
        func text(partial: Bool = false, colored: Bool = false) -> String {
            Self.text(Self.comparison(partial: partial), isColored: colored)
        }
        #expect(text(partial: true).contains("there was no time for all, missing: speed of closure"))
        #expect(!text().contains("\u{1b}") && text(colored: true).contains("\u{1b}"))
        #expect(text().contains("Choose a delegate for one observer"))
        #expect(text().contains("(✗ a post can return an"))
        #expect(text().contains("asked and told, 634 ns a post"))
    }

    /// All wirings, with the longest figures there are.
    private static func whole(_ counts: [Int]) -> Comparison {
        let wirings = WiringChoice.compared.map { choice in
            var wiring = Comparison.Wiring(choice)
            wiring.speed = counts.map {
                Comparison.Speed(
                    observers: $0, nanoseconds: Spread([23_456.7, 34_567.8]), ratioToClosure: 9876.5, allocations: 959
                )
            }
            wiring.burst = .init(heard: [6160], paced: [1000])
            wiring.stand = .refused(why: String(repeating: "it can't be run because of this and that ", count: 4))
            for property in Property.allCases {
                wiring.findings[property] = Finding(false, String(repeating: "saw 3 of 4; ", count: 20))
            }
            return wiring
        }
        return Comparison(machine: Machine(), wirings: wirings)
    }

    @Test(arguments: [[1], [1, 3, 10, 100], [1, 2, 3, 5, 10, 30, 100, 300, 900]])
    func `a comparison fits 80 columns with any number of observers`(counts: [Int]) {
        let text = Self.text(Self.whole(counts))
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        for count in counts { #expect(text.contains(" \(count)")) }
        #expect(text.contains("  key-value-observing: "))
    }

    @Test func `the first screen has 80 columns and 24 lines, and advice for every wiring`() {
        let text = Self.text(Self.whole([1, 3]), parts: nil)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 24)
        for line in lines { #expect(line.count <= 80, "\(line)") }
        #expect(Advice.all.map(\.choice) == WiringChoice.compared)
        for advice in Advice.all {
            #expect(text.contains(advice.text))
            #expect(advice.text.split(separator: " ").count <= 8 && !advice.rows.isEmpty)
        }
    }

    @Test func `a table can be asked for by itself`() {
        let text = Self.text(Self.whole([1, 3]), parts: [.speed])
        #expect(text.contains("One notification") && !text.contains("The whole stand") && !text.contains("Properties"))
    }

    @Test func `two wirings are told apart by the rows in which they differ`() {
        let text = ComparisonText(Self.comparison(), parts: nil, isVerbose: false, isColored: false)
            .differences()
        #expect(text.contains(#/a post can return an answer +no +yes, at 634 ns\n/#), "\(text)")
        #expect(text.contains(#/keeps the order of observers +does not apply +does not apply/#) == false, "\(text)")
    }

    @Test func `bursts are told for each observer`() {
        var result = Self.comparison()
        result.wirings[0].burst = .init(heard: [20_000, 10], paced: [1000, 999])
        #expect(
            member(result.json(), "bursts")
                == [
                    "delegate": [
                        "posted": 20_000, "heard": [20_000, 10], "paced": ["posted": 1000, "heard": [1000, 999]],
                    ]
                ])
        #expect(Self.text(result, parts: [.live]).contains(#/delegate +0.05% +99.9% +– +– +– +all\n/#))
    }

    @Test func `the comparison has an idiom of every wiring`() async {
        let all = Set(WiringChoice.allCases)
        #expect(all.subtracting(WiringChoice.compared) == [], "not in Subject.all")
        // Some idioms wait for tasks to begin.
        let (shown, observing) = await onItsOwnThread {
            (
                all.filter { WiringCode($0, observers: 1).text != nil },
                Set(ObservingMeasurement(WiringChoice.allCases).wirings)
            )
        }
        #expect(all.subtracting(shown) == [], "not in WiringChoice.visit")
        #expect(all.subtracting(observing) == [.direct, .delegate], "not in ObservingMeasurement")
    }

    @Test func `every property stands in a group and has a title of its own`() {
        #expect(Set(Property.allCases.map(\.title)).count == Property.allCases.count)
        #expect(Set(Property.allCases.map(\.group)).count == Property.Group.allCases.count)
    }
}
