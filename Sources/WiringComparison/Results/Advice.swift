import JuiceStand
import TextFormats

/// When to choose a wiring, and the rows that say why.
package struct Advice: Sendable {
    package var choice: WiringChoice
    /// Goes on from "choose it for", in at most eight words.
    package var text: String
    /// Verdicts that the text rests on. A test fails if one is another.
    package var rows: [(property: Property, holds: Bool)]

    private init(_ choice: WiringChoice, _ text: String, _ rows: (Property, Bool)...) {
        self.choice = choice
        self.text = text
        self.rows = rows.map { ($0, $1) }
    }

    package static let all = [
        Advice(
            .direct, "parts that never change", (.forgottenWiringIsAnError, true), (.posterNamesNoObserver, false)),
        Advice(
            .delegate, "one observer that must answer", (.everyObserverHandlesEveryEvent, true), (.answersBack, true),
            (.reachesManyObservers, false)),
        Advice(
            .multicastDelegate, "several observers, held weakly", (.observerCanBeHeldWeakly, true),
            (.reachesManyObservers, true)),
        Advice(
            .closure, "a few observers on one thread", (.callersIsolationIsKept, true), (.acceptsInoutPayload, true),
            (.acceptsNonSendablePayload, true)),
        Advice(
            .closureLocked, "a few observers on any thread", (.safeFromTwoThreads, true), (.acceptsInoutPayload, true),
            (.noCallAfterCancel, false)),
        Advice(
            .boxesLocked, "the same; observers are objects", (.safeFromTwoThreads, true),
            (.capturesReleasedOnCancel, true), (.releasedObserverIsForgotten, false)),
        Advice(
            .subject, "observers that often come and go", (.releasedObserverIsForgotten, true),
            (.postUnderWayHeedsCancelElsewhere, true)),
        Advice(
            .notification, "parts that don't know each other", (.anyPosterReachesTheObserver, true),
            (.safeFromTwoThreads, true), (.everyObserverHandlesEveryEvent, false)),
        Advice(
            .foundationNotification, "what the system posts; old code", (.anyPosterReachesTheObserver, true),
            (.nameAndPayloadCheckedByCompiler, false)),
        Advice(
            .foundationMessage, "work where order does not matter", (.nameAndPayloadCheckedByCompiler, true),
            (.keepsOrderOfPosts, false)),
        Advice(
            .foundationMessages, "signals of which some may be lost", (.deliversEachNotificationOnce, false),
            (.deliversOnAQueue, true)),
        Advice(
            .foundationMessageMain, "posts from the main actor alone", (.keepsTheMainActor, true),
            (.callersIsolationIsKept, false)),
        Advice(
            .observation, "values, never events: latest only", (.lateObserverSeesCurrentValue, true),
            (.deliversEachNotificationOnce, false)),
        Advice(
            .observations, "latest values that a task reads", (.lateObserverSeesCurrentValue, true),
            (.deliversEachNotificationOnce, false), (.finishedWhenPosterGoesOn, false)),
        Advice(
            .asyncStream, "work in tasks, memory to spare", (.deliversEachNotificationOnce, true),
            (.slowObserverIsNoticed, false)),
    ]

    /// The advice with the findings of its rows and the cost of a post; nil if its wiring was left out, or if its rows
    /// have no finding.
    func line(_ comparison: Comparison) -> String? {
        guard let wiring = comparison.wirings.first(where: { $0.choice == choice }) else { return nil }
        let findings = rows.compactMap { row in wiring.findings[row.property].map { (row.property, $0) } }
        let known = findings.filter { $1.holds != nil || !$1.applies }
        guard !known.isEmpty || findings.isEmpty else { return nil }
        let found = known.map { "\($1.mark) \($0.title)" }
        let cost = wiring.speed.map {
            "\(Figure.number($0.nanoseconds.median)) ns with \(Columns.counted($0.observers, "observer"))"
        }
        let evidence = (found + (cost.isEmpty ? [] : [cost.prefix(2).joined(separator: ", ")])).joined(separator: "; ")
        let advice = "Choose a \(choice) for \(text)."
        return evidence.isEmpty ? advice : "\(advice) (\(evidence))"
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

    /// A part of posts that were heard: `100%`, `9.8%`, `0.05%`.
    static func share(_ heard: [Int]?, of posted: Int) -> String {
        guard let heard else { return "–" }
        let percent = 100 * Double(heard.min() ?? 0) / Double(posted)
        return Columns.fixed(percent, decimals: percent >= 99.95 ? 0 : percent >= 1 ? 1 : 2) + "%"
    }

    static func ratio(_ value: Double) -> String {
        (value < 999.5 ? number(value) : Columns.fixed(value / 1e3, decimals: 1) + "k") + "×"
    }
}
