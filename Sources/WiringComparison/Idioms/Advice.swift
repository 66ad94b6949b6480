import JuiceStand
import TextFormats

/// When to choose a wiring, and the rows that say why.
package struct Advice: Sendable {
    /// Goes on from "choose it for", in at most eight words.
    package var text: String
    /// Verdicts that the text rests on. A test fails if one of them changes.
    package var rows: [(property: Property, holds: Bool)]

    init(_ text: String, _ rows: (Property, Bool)...) {
        self.text = text
        self.rows = rows.map { ($0, $1) }
    }

    /// Questions to ask in this order. The first yes decides; at the last question, a no decides, too.
    package static let questions: [(text: String, yes: WiringChoice, no: WiringChoice?)] = [
        ("Must it answer, or handle every event?", .delegate, nil),
        ("Does only the latest value matter?", .observation, nil),
        ("May handlers run later, in tasks?", .asyncStream, nil),
        ("Does one thread post and observe?", .closure, nil),
        ("Do observers know the poster?", .closureLocked, .notification),
    ]

    /// The questions with their answers, a line each.
    package static var tree: [String] {
        let rows = questions.enumerated().map { number, question in
            let no = question.no.map { "no: \($0)" } ?? "no: go on"
            return ["\(number + 1) \(question.text)", "yes: \(question.yes)", no]
        }
        return Columns.table(rows, texts: nil)
    }
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
        guard let heard else { return "?" }
        let percent = 100 * Double(heard.min() ?? 0) / Double(posted)
        return Columns.fixed(percent, decimals: percent >= 99.95 ? 0 : percent >= 1 ? 1 : 2) + "%"
    }

    static func ratio(_ value: Double) -> String {
        (value < 999.5 ? number(value) : Columns.fixed(value / 1e3, decimals: 1) + "k") + "×"
    }

    /// Half the width of an interval, in per cent of the middle: `±3%`; `±?` if it is not known.
    static func margin(_ interval: ClosedRange<Double>?, of middle: Double) -> String {
        guard let interval else { return "±?" }
        let percent = 50 * (interval.upperBound - interval.lowerBound) / middle
        return "±\(Columns.fixed(percent.rounded(.up), decimals: 0))%"
    }
}
