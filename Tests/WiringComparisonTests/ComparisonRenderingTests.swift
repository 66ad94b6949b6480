import JuiceStand
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
        result.isPartial = partial
        return result
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

    @Test func `a load that was not reached is a row of question marks, and null in JSON`() {
        var result = Self.comparison()
        result.wirings[1].stand = .measured(ordersPerSecond: Spread([4]), loads: [.init(notReached: 10_000)])
        let text = ComparisonText(result, isVerbose: true, isColored: false).text()
        #expect(text.contains(#/notification +10,?\.?0*k? +\? +\? +\? +\? +\? +\?\n/#), "\(text)")
        guard case .array(let wirings)? = member(result.json(), "wirings"),
            case .array(let loads)? = member(member(wirings[1], "stand"), "loads")
        else {
            Issue.record("no loads")
            return
        }
        #expect(loads.map { member($0, "deliveryLatency") } == [.null])
        #expect(loads.map { member($0, "ordersPerSecond") } == [.number(10_000)])
    }

    @Test func `text marks a part, colours only on request, and points the advice at its rows`() {
        func text(partial: Bool = false, colored: Bool = false) -> String {
            ComparisonText(Self.comparison(partial: partial), isVerbose: true, isColored: colored).text()
        }
        #expect(text(partial: true).contains("interrupted"))
        #expect(!text().contains("\u{1b}") && text(colored: true).contains("\u{1b}"))
        #expect(text().contains("Choose a delegate for one observer"))
        #expect(text().contains("✗ a post can return an answer"))
        #expect(text().contains("asked and told, 634 ns a post"))
    }

    /// All wirings, with the longest figures there are.
    private static func whole(_ counts: [Int]) -> Comparison {
        let wirings = WiringChoice.compared.map { choice in
            var wiring = Comparison.Wiring(choice)
            wiring.speed = counts.map {
                Comparison.Speed(
                    observers: $0, nanoseconds: Spread([234_567.8, 345_678.9]), ratioToClosure: 9876.5, allocations: 959
                )
            }
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
        let text = ComparisonText(Self.whole(counts), isVerbose: true, isColored: false).text()
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        for count in counts { #expect(text.contains(" \(count)")) }
        #expect(text.contains("  key-value-observing: "))
    }

    @Test func `the comparison has an idiom of every wiring`() {
        let all = Set(WiringChoice.allCases)
        #expect(all.subtracting(WiringChoice.compared) == [], "not in Subject.all or WiringChoice.visit")
        let observing = Set(ObservingMeasurement(WiringChoice.allCases).wirings)
        #expect(all.subtracting(observing) == [.direct, .delegate], "not in ObservingMeasurement")
    }

    @Test func `every property stands in a group and has a title of its own`() {
        #expect(Set(Property.allCases.map(\.title)).count == Property.allCases.count)
        #expect(Set(Property.allCases.map(\.group)).count == Property.Group.allCases.count)
    }
}
