import JuiceStand
import Platform
import TextFormats

/// Draws the JSON of a wiring: as text and for Mermaid.
struct WiringDrawing {
    private struct Fact {
        var name: String
        var poster: String
        var perSecond: Double?
        var observers: [Observer]
    }

    private struct Observer {
        var name: String
        var mean: Double?
        var slowest: Double?
    }

    private let title: String
    private let notes: [String]
    private let facts: [Fact]
    private let ending: [String]

    init(_ json: JSONValue) {
        func text(_ value: JSONValue?) -> String { value?.text ?? "" }
        facts = (json["facts"]?.elements ?? []).map { fact in
            Fact(
                name: text(fact["fact"]), poster: text(fact["postedBy"]), perSecond: fact["perSecond"]?.seconds,
                observers: (fact["observers"]?.elements ?? []).map {
                    Observer(
                        name: text($0["observer"]), mean: $0["mean"]?.seconds, slowest: $0["slowest"]?.seconds)
                })
        }
        let stand = text(json["stand"]).visible
        let wiring = text(json["wiring"]).visible
        title = "\(stand), wired by \(wiring): \(text(json["mechanism"]).visible)"
        let seconds = json["seconds"]?.seconds ?? 0
        let span = Columns.fixed(seconds, decimals: seconds == seconds.rounded() ? 0 : 2)
        let isWall = text(json["clock"]) == "wall"
        let price = json["pricePerCall"]?.seconds
        notes = [
            isWall ? "Measured for \(span) s of wall time." : "Measured for \(span) s of stand time.",
            price.map { price in
                isWall
                    ? "Timing a call makes it \(Self.time(price)) slower. It is off again now."
                    : "Timing a call makes it \(Self.time(price)) slower."
            } ?? "Only the notification wiring times the calls of each observer.",
            price == nil
                ? "Observers are called in this order, unless the wiring has another one."
                : "Observers are called in this order.",
        ]
        var ending: [String] = []
        if let slowest = json["slowest"], let seconds = slowest["seconds"]?.seconds {
            ending.append(
                "Slowest call: \(text(slowest["observer"])) on \(text(slowest["fact"])), \(Self.time(seconds)).")
        }
        let unheard = (json["unheard"]?["facts"]?.elements ?? []).compactMap(\.text)
        let count = Columns.counted(json["unheard"]?["count"]?.whole ?? 0, "fact")
        ending.append(
            unheard.isEmpty
                ? "Every fact has an observer."
                : "Nobody observes \(unheard.joined(separator: ", ")): \(count) unheard.")
        self.ending = ending
    }

    /// Seconds with a unit that suits a call.
    private static func time(_ seconds: Double) -> String {
        switch seconds {
        case ..<0.000_000_999_5: Columns.fixed(seconds * 1e9, decimals: 0) + " ns"
        case ..<0.000_099_95: Columns.fixed(seconds * 1e6, decimals: 1) + " µs"
        case ..<0.000_999_5: Columns.fixed(seconds * 1e6, decimals: 0) + " µs"
        case ..<0.099_95: Columns.fixed(seconds * 1e3, decimals: 1) + " ms"
        default: SpanText.short(seconds)
        }
    }

    private static func rate(_ perSecond: Double) -> String {
        if perSecond > 0, perSecond < 0.000_05 { return "<0.0001" }
        return perSecond == 0 ? "0" : Columns.fixed(perSecond, decimals: perSecond < 0.1 ? 4 : perSecond < 10 ? 2 : 0)
    }
}

// MARK: - Text

extension WiringDrawing {
    /// A table with a line for each observer of a fact.
    func text() -> String {
        let head = ["fact", "poster", "per s", "observer", "call", "slowest"]
        let rows =
            [head]
            + facts.flatMap { fact in
                (fact.observers.isEmpty ? [nil] : fact.observers.map(Optional.some)).enumerated().map {
                    place, observer in
                    let isFirst = place == 0
                    return [
                        isFirst ? fact.name : "", isFirst ? fact.poster : "",
                        isFirst ? fact.perSecond.map(Self.rate) ?? "–" : "", observer?.name ?? "nobody",
                        observer?.mean.map(Self.time) ?? "", observer?.slowest.map(Self.time) ?? "",
                    ]
                }
            }
        let table = Columns.table(rows, texts: [0, 1, 3])
        func paragraphs(_ texts: [String]) -> [String] { texts.flatMap { Columns.flow($0) } }
        return (paragraphs([title] + notes) + [""] + table + [""] + paragraphs(ending)).map { $0 + "\n" }.joined()
    }
}

// MARK: - Graph

extension WiringDrawing {
    /// A flowchart for Mermaid: posters to facts, facts to observers.
    var mermaid: String {
        let posters = unique(facts.map(\.poster))
        let observers = unique(facts.flatMap { $0.observers.map(\.name) })
        let title = quoted(title.replacing("\\", with: "\\\\"))
        var lines = ["---", "title: \(title)", "---", "flowchart LR"]
        for (place, poster) in posters.enumerated() { lines.append("    poster\(place)[\(quoted(poster))]") }
        for fact in facts {
            let rate = fact.perSecond.map { "\(Self.rate($0)) per s" } ?? "nobody observes it"
            lines.append("    fact_\(fact.name)([\(quoted("\(fact.name)<br>\(rate)"))])")
        }
        for (place, observer) in observers.enumerated() { lines.append("    observer\(place)[[\(quoted(observer))]]") }
        for fact in facts {
            lines.append("    poster\(posters.firstIndex(of: fact.poster)!) --> fact_\(fact.name)")
            for observer in fact.observers {
                let arrow = observer.mean.map { "-->|\(quoted(Self.time($0)))|" } ?? "-->"
                lines.append("    fact_\(fact.name) \(arrow) observer\(observers.firstIndex(of: observer.name)!)")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func unique(_ names: [String]) -> [String] {
        names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The text in double quotes. A double quote in it becomes a typographic one.
    private func quoted(_ text: String) -> String {
        "\"" + text.replacing("\"", with: "”") + "\""
    }
}
