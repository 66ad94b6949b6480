import JuiceStand
import TextFormats

/// When to choose a wiring, and the rows that say why.
package struct Advice: Sendable {
    package var choice: WiringChoice
    package var text: String
    package var rows: [Property]

    package static let all = [
        Advice(
            choice: .delegate, text: "Choose a delegate for one observer that must handle every event and may answer.",
            rows: [.everyObserverHandlesEveryEvent, .answersBack, .reachesManyObservers]),
        Advice(
            choice: .closure,
            text: "Choose a closure for a few observers on one thread that share state with the poster.",
            rows: [.callersIsolationIsKept, .acceptsInoutPayload, .safeFromTwoThreads]),
        Advice(
            choice: .notification, text: "Choose a notification for parts that don't know each other, on any thread.",
            rows: [.anyPosterReachesTheObserver, .safeFromTwoThreads, .everyObserverHandlesEveryEvent]),
    ]

    /// The advice with the findings of its rows and the cost of a post; nil if its wiring was left out, or if its rows
    /// have no finding.
    func line(_ comparison: Comparison) -> String? {
        guard let wiring = comparison.wirings.first(where: { $0.choice == choice }) else { return nil }
        let findings = rows.compactMap { row in wiring.findings[row].map { (row, $0) } }
        let known = findings.filter { $1.holds != nil || !$1.applies }
        guard !known.isEmpty || findings.isEmpty else { return nil }
        let found = known.map { "\($1.mark) \($0.title)" }
        let cost = wiring.speed.map { "\(Figure.number($0.nanoseconds.median)) ns with \($0.observers.of("observer"))" }
        let evidence = found + (cost.isEmpty ? [] : [cost.prefix(2).joined(separator: ", ")])
        return text + (evidence.isEmpty ? "" : " (\(evidence.joined(separator: "; ")))")
    }
}

extension Finding {
    /// The finding as one character.
    package var mark: String {
        guard applies else { return "–" }
        return switch holds {
        case true?: "✓"
        case false?: "✗"
        case nil: "?"
        }
    }

    package static let legend = "✓ holds, ✗ does not hold, ? could not be established, – does not apply"
}

extension Int {
    /// `1 post`, `2 posts`.
    func of(_ noun: String) -> String { Columns.counted(self, noun) }
}

/// How figures are written.
enum Figure {
    /// Three significant digits: `8.35`, `542`, `34.1k`, `1.04M`.
    static func number(_ value: Double) -> String {
        let (scaled, unit) = value < 999.5 ? (value, "") : value < 999_500 ? (value / 1e3, "k") : (value / 1e6, "M")
        return Columns.fixed(scaled, decimals: scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0) + unit
    }

    static func ratio(_ value: Double) -> String {
        (value < 999.5 ? number(value) : Columns.fixed(value / 1e3, decimals: 1) + "k") + "×"
    }
}
