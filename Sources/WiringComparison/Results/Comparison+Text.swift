import JuiceStand
import TextFormats

// The first screen of a comparison, in 24 lines of 80 columns.

extension Comparison {
    /// The cost of each wiring, and when to choose it.
    package var firstScreen: String {
        let header = ["ns a post to observers:", "1", "3", "heard", "choose it for"]
        let lines = beginning + Advice.tree + Columns.table([header] + overview, texts: [0, 4])
        return Self.text(isPartial ? lines : lines + ["\(Self.legend). More: --verbose"])
    }

    /// Two wirings in words: when to choose which, what each costs, and what only one of them can.
    package var differences: String {
        let first = wirings[0]
        let second = wirings[1]
        var lines = beginning
        for wiring in [first, second] {
            lines += Self.wrapped("Choose \(wiring.choice) for \(wiring.choice.profile.advice.text).")
        }
        for own in first.speed {
            guard let other = second.speed.first(where: { $0.observers == own.observers }) else { continue }
            lines += Self.wrapped(cost(first.choice, own, second.choice, other))
        }
        for (one, other) in [(first, second), (second, first)] {
            lines += sentence("Only \(one.choice)", one, other) {
                $0.holds == true && $0.option == nil && $1.holds != true
            }
            lines += sentence("\(one.choice) with an option", one, other) { $0.option != nil && $1.option == nil }
        }
        for wiring in [first, second] {
            lines += sentence("Not refuted for \(wiring.choice), and not guaranteed", wiring, wiring) { own, _ in
                own.holds == nil && own.tried != nil
            }
        }
        return Self.text(lines + ["More: --verbose, --code \(first.choice),\(second.choice)"])
    }

    /// The machine, and what is missing.
    private var beginning: [String] { ([machine.message] + missing).flatMap(Self.wrapped) }

    private func cost(
        _ first: WiringChoice, _ own: Speed, _ second: WiringChoice, _ other: Speed
    ) -> String {
        let one = own.nanoseconds.median
        let two = other.nanoseconds.median
        let slower = one > two ? first : second
        let ratio = Figure.ratio(max(one / two, two / one))
        let verdict =
            overlaps(own.observers).isEmpty ? "\(ratio) as much with \(slower)" : "the intervals overlap"
        return "A post to \(own.observers.of("observer")) takes \(own.cost) ns with \(first), \(other.cost) ns with "
            + "\(second): \(verdict)."
    }

    /// The rows of which `isMeant` is true, in one sentence; nothing without any.
    private func sentence(
        _ beginning: String, _ wiring: Wiring, _ other: Wiring, _ isMeant: (Finding, Finding) -> Bool
    ) -> [String] {
        let titles = rows.filter { row in
            guard let own = wiring.findings[row], let other = other.findings[row], !other.isUnknown else {
                return false
            }
            return isMeant(own, other)
        }.map(\.wholeTitle)
        return titles.isEmpty ? [] : Self.wrapped("\(beginning): \(titles.joined(separator: "; ")).")
    }

    private static func wrapped(_ text: String) -> [String] { Columns.flow(text, width: 80, rest: "  ") }

    private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
}
