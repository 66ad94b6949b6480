import JuiceStand
import TextFormats

/// A metric or a sum of metrics with prices: `cost.total + 15*makers.onDuty.hours`.
package struct MetricSum: Equatable, Sendable {
    package struct Term: Equatable, Sendable {
        package var price: Double
        package var metric: String
    }

    package let terms: [Term]

    /// Reads a sum. A problem has its column. A price stands before its metric with `*` between them.
    ///
    /// - Parameter metrics: All metric names. Names may contain spaces and signs: the longest name that fits is read.
    package init(_ text: String, metrics: [String]) throws(TextProblem) {
        var reader = SumReader(text, metrics)
        terms = try reader.readSum()
    }

    /// The value of one replication; nil if any metric has no observation.
    func value(_ find: (String) -> Double?) -> Double? {
        var sum = 0.0
        for term in terms {
            guard let value = find(term.metric) else { return nil }
            sum += term.price * value
        }
        return sum
    }

    /// The unit of a single metric; the currency of a sum with money in it; none for any other sum.
    func unit(currency: String) -> MetricUnit {
        let money = terms.first { MetricKind($0.metric) == .money }
        let single = terms.count == 1 && terms[0].price == 1 ? terms[0] : nil
        return MetricUnit(of: (money ?? single)?.metric ?? "", currency: currency)
    }
}

extension MetricSum: CustomStringConvertible {
    package var description: String {
        terms.enumerated().map { index, term in
            let sign = term.price < 0 ? (index > 0 ? " - " : "-") : (index > 0 ? " + " : "")
            let price = abs(term.price)
            return sign + (price == 1 ? "" : "\(JSONValue.number(price).compact())*") + term.metric
        }.joined()
    }
}

private struct SumReader {
    private let characters: [Character]
    private let metrics: [[Character]]
    private var place = 0

    init(_ text: String, _ metrics: [String]) {
        characters = Array(text)
        // Longer names first, so that the first that fits is the longest.
        self.metrics = metrics.map { Array($0) }.sorted { $0.count > $1.count }
    }

    mutating func readSum() throws(TextProblem) -> [MetricSum.Term] {
        var terms: [MetricSum.Term] = []
        var sign = 1.0
        skipSpaces()
        if take("-") { sign = -1 }
        while true {
            var term = try readTerm()
            term.price *= sign
            terms.append(term)
            skipSpaces()
            if place == characters.count { return terms }
            if take("+") {
                sign = 1
            } else if take("-") {
                sign = -1
            } else {
                throw problem("expected + or -, found \"\(rest)\"")
            }
        }
    }

    private mutating func readTerm() throws(TextProblem) -> MetricSum.Term {
        skipSpaces()
        guard let first = characters[place...].first, first.isWholeNumber || first == "." else {
            return MetricSum.Term(price: 1, metric: try readMetric())
        }
        let start = place
        while let next = characters[place...].first, next.isWholeNumber || ".eE".contains(next) { place += 1 }
        let text = String(characters[start..<place])
        guard let price = Double(decimal: text) else {
            place = start
            throw problem("expected a price such as 15 or 0.5, found \"\(text)\"")
        }
        guard price <= Double(Figures.most) else {
            place = start
            throw problem("expected a price of at most \(Columns.grouped(Figures.most)), found \"\(text)\"")
        }
        skipSpaces()
        guard take("*") else { throw problem("expected * between a price and its metric, found \"\(rest)\"") }
        skipSpaces()
        return MetricSum.Term(price: price, metric: try readMetric())
    }

    private mutating func readMetric() throws(TextProblem) -> String {
        if let name = metrics.first(where: { fits($0) }) {
            place += name.count
            return String(name)
        }
        let word = String(characters[place...].prefix { !" +*<>=".contains($0) })
        if word.isEmpty { throw problem("expected a metric, found \(rest.isEmpty ? "the end" : "\"\(rest)\"")") }
        throw problem("unknown metric \"\(word)\"\(hint(word, among: metrics.map { String($0) }))")
    }

    /// Whether a metric name starts here and ends with a word.
    private func fits(_ name: [Character]) -> Bool {
        guard characters[place...].starts(with: name) else { return false }
        let next = characters[(place + name.count)...].first
        return next.map { !$0.isLetter && !$0.isWholeNumber && $0 != "." } ?? true
    }

    private var rest: String { String(characters[place...]) }

    private func problem(_ message: String) -> TextProblem { TextProblem(message, column: place + 1) }

    private mutating func skipSpaces() {
        while characters[place...].first?.isWhitespace == true { place += 1 }
    }

    private mutating func take(_ character: Character) -> Bool {
        guard characters[place...].first == character else { return false }
        place += 1
        return true
    }
}
