import Foundation
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
            .answersBack: Self.option, .keepsOrderOfPosts: Finding(nil, "nothing to ask"),
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

    /// What an option gives.
    private static var option: Finding {
        var finding = Finding(true, "asked and told")
        finding.option = "ask"
        finding.price = 634
        return finding
    }

    private static func text(
        _ comparison: Comparison, parts: [ComparisonPart] = ComparisonPart.allCases, isColored: Bool = false
    ) -> String {
        comparison.report(parts).text(isVerbose: true, isColored: isColored)
    }

    @Test func `JSON has one entry for each wiring, and a property says group, verdict, evidence and price`() throws {
        let json = Self.comparison().json()
        #expect(json["schema"] == "juicestand.comparison/2")
        #expect(json["partial"] == nil)
        #expect(Self.comparison(partial: true).json()["partial"] == true)
        let wirings = try #require(json["wirings"]).elements
        #expect(wirings.map { $0["name"] } == ["delegate", "notification"])
        #expect(wirings[0]["stand"]?["why"] == "its ledger differs")
        let answer = try #require(wirings[1]["properties"]?["answersBack"])
        #expect(answer["group"] == "delivery")
        #expect(answer["holds"] == true)
        #expect(answer["applies"] == true)
        #expect(answer["evidence"] == "asked and told")
        #expect(answer["price"] == .number(634))
        #expect(answer["option"] == "ask")
        let order = try #require(wirings[0]["properties"]?["keepsOrderOfObservers"])
        #expect(order["holds"] == .null)
        #expect(order["applies"] == false)
    }

    @Test func `text marks a part, colours only on request, and says what an option costs`() {
        func text(partial: Bool = false, colored: Bool = false) -> String {
            Self.text(Self.comparison(partial: partial), isColored: colored)
        }
        #expect(text(partial: true).contains("not all could be established, missing: speed of closure"))
        #expect(!text().contains("\u{1b}") && text(colored: true).contains("\u{1b}"))
        #expect(text().contains("+ notification: asked and told; with ask, 634 ns a post"))
        #expect(text().contains("? keeps the order of those heard") == false)
    }

    /// All wirings, with the longest figures there are.
    private static func whole(_ counts: [Int]) -> Comparison {
        let wirings = WiringChoice.allCases.map { choice in
            var wiring = Comparison.Wiring(choice)
            wiring.speed = counts.map {
                Comparison.Speed(
                    observers: $0, times: (0..<20).map { 23_456.7 + 600 * Double($0) },
                    closure: Array(repeating: 3.5, count: 20), allocations: 959)
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

    @Test func `the first screen has 80 columns and 24 lines, five questions and advice for every wiring`() {
        let text = Self.whole([1, 3]).firstScreen
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // The machine's name may take a second line.
        #expect(lines.dropLast().count <= 25)
        for line in lines { #expect(line.count <= 80, "\(line)") }
        #expect(Advice.questions.count <= 5 && Advice.questions.last?.no != nil)
        for question in Advice.questions { #expect(text.contains(question.text)) }
        for profile in Profile.all {
            #expect(text.contains(profile.advice.text), "\(profile.choice)")
            #expect(profile.advice.text.split(separator: " ").count <= 8 && !profile.advice.rows.isEmpty)
        }
    }

    private static func guide() throws -> String {
        let guide = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/WiringComparison/WiringComparison.docc/Wirings.md")
        return try String(contentsOf: guide, encoding: .utf8)
    }

    @Test func `the guide begins with the five questions of the first screen`() throws {
        let beginning = try #require(try Self.guide().components(separatedBy: "\n## ").first)
        #expect(beginning.contains(Advice.tree.map { $0 + "\n" }.joined()))
    }

    /// The marks of probes and measurements are those of a run, so it is checked that a run can give them.
    @Test func `the matrix of the guide has every row and wiring, and no mark that the sources exclude`() throws {
        let lines = try Self.guide().split(separator: "\n")
        let names = lines.compactMap { $0.firstMatch(of: /([\w-]+) (?:│ )*┐$/)?.1 }
        #expect(names.map(String.init) == WiringChoice.allCases.map(\.rawValue))
        for property in Property.allCases {
            let line = try #require(lines.first { $0.hasPrefix("  \(property.title) ") }, "\(property)")
            let marks = line.split(separator: " ").suffix(names.count).map(String.init)
            for (choice, mark) in zip(WiringChoice.allCases, marks) {
                let profile = choice.profile
                #expect((mark == "–") == (profile.reasonNotToApply(property) != nil), "\(choice) \(property)")
                // Whether a handler can be awaited also depends on a probe: where it runs later, nobody can.
                if property.source == .compiler, property != .handlersCanBeAwaited, mark != "–" {
                    #expect(CompilerVerdicts.findings(choice)[property]?.mark == mark, "\(choice) \(property)")
                } else if property.source == .probe, ["✓", "○"].contains(mark) {
                    #expect(profile.judged(Finding(true, "seen"), property).mark == mark, "\(choice) \(property)")
                }
            }
        }
    }

    @Test func `a table can be asked for by itself`() {
        let text = Self.text(Self.whole([1, 3]), parts: [.speed])
        #expect(text.contains("One notification") && !text.contains("The whole stand") && !text.contains("Properties"))
    }

    @Test func `two wirings are told apart in words`() {
        let text = Self.comparison().differences.replacing(/\n +/, with: " ")
        #expect(text.contains("Choose delegate for one that must answer."), "\(text)")
        #expect(text.contains("notification with an option: a post can return an answer.\n"), "\(text)")
        // It is not known of the other.
        #expect(!text.contains("keeps the order of those heard"), "\(text)")
        #expect(!text.contains("keeps the order of observers"), "\(text)")
    }

    @Test func `two wirings with all their rows are told apart on one screen`() {
        var result = Self.whole([1, 3])
        result.wirings = result.wirings.filter { [.closure, .notification].contains($0.choice) }
        for (place, property) in Property.allCases.prefix(28).enumerated() {
            result.wirings[place % 2].findings[property] = Finding(true, "seen")
        }
        let text = result.differences
        let lines = text.split(separator: "\n")
        #expect(lines.count <= 24, "\(text)")
        for line in lines { #expect(line.count <= 80, "\(line)") }
    }

    @Test func `costs whose intervals overlap are said, in the table and in words`() {
        func speed(_ times: [Double]) -> Comparison.Speed {
            Comparison.Speed(observers: 3, times: times, closure: Array(repeating: 10, count: times.count))
        }
        var result = Self.comparison()
        result.wirings[0].speed = [speed((0..<20).map { 20 + Double($0) })]
        result.wirings[1].speed = [speed((0..<20).map { 21 + Double($0) })]
        #expect(result.overlaps(3).count == 1)
        let table = Self.text(result, parts: [.speed]).replacing(/\n +/, with: " ")
        #expect(
            table.contains("order not known with 3 observers: the intervals of the ratios of delegate and notification")
        )
        let words = result.differences
        #expect(words.replacing(/\n +/, with: " ").contains("the intervals overlap."))
        result.wirings[1].speed = [speed((0..<20).map { 90 + Double($0) })]
        #expect(result.overlaps(3).isEmpty)
    }

    @Test func `a machine under load is said, in text and JSON`() {
        var result = Self.comparison()
        result.machine.processors = 2
        result.machine.busyElsewhere = 1.9
        // At this width the line of the machine does not wrap.
        let text = result.report().text(width: 1000, isVerbose: true)
        #expect(text.contains("other programs used 1.9 processors: figures vary"))
        #expect(result.json()["machine"]?["underLoad"] == true)
        result.machine.busyElsewhere = 0.1
        #expect(!Self.text(result).contains("other programs"))
    }

    @Test func `bursts are told for each observer`() {
        var result = Self.comparison()
        result.wirings[0].burst = .init(heard: [20_000, 10], paced: [1000, 999])
        let burst: JSONValue = [
            "posted": 20_000, "heard": [20_000, 10], "paced": ["posted": 1000, "heard": [1000, 999]],
        ]
        #expect(result.json()["bursts"] == ["delegate": burst])
        #expect(Self.text(result, parts: [.live]).contains(#/delegate +0.05% +99.9% +– +– +– +all\n/#))
    }

    @Test func `the comparison has a profile of every wiring`() async {
        #expect(Profile.all.map(\.choice) == WiringChoice.allCases)
        // Some idioms wait for tasks to begin.
        let observing = await onItsOwnThread { Set(ObservingMeasurement(WiringChoice.allCases).wirings) }
        #expect(
            Set(WiringChoice.allCases).subtracting(observing) == [.direct, .delegate], "not in ObservingMeasurement")
    }

    @Test func `every property stands in a group and has a title of its own`() {
        #expect(Set(Property.allCases.map(\.title)).count == Property.allCases.count)
        #expect(Set(Property.allCases.map(\.group)).count == Property.Group.allCases.count)
    }
}
