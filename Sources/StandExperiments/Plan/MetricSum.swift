import JuiceStand
import TextFormats

/// A metric or a sum of metrics with prices: `cost.total + 15*makers.onDuty.hours`.
package struct MetricSum: Equatable, Sendable {
    package struct Term: Equatable, Sendable {
        package var price: Double
        package var metric: String
    }

    package let terms: [Term]

    /// Reads a sum. An error names the column. A price stands before its metric with `*` between them.
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
    private let length: Int
    /// Longer names first, so that the first that fits is the longest.
    private let metrics: [String]
    private var rest: Substring

    init(_ text: String, _ metrics: [String]) {
        length = text.count
        self.metrics = metrics.sorted { $0.count > $1.count }
        rest = text[...]
    }

    mutating func readSum() throws(TextProblem) -> [MetricSum.Term] {
        var terms: [MetricSum.Term] = []
        var sign = take("-") ? -1.0 : 1
        while true {
            var term = try readTerm()
            term.price *= sign
            terms.append(term)
            if take("+") {
                sign = 1
            } else if take("-") {
                sign = -1
            } else if rest.isEmpty {
                return terms
            } else {
                throw problem("expected + or -, found \"\(rest)\"")
            }
        }
    }

    private mutating func readTerm() throws(TextProblem) -> MetricSum.Term {
        skipSpaces()
        let number = rest.prefix { $0.isWholeNumber || ".eE".contains($0) }
        guard let first = number.first, first.isWholeNumber || first == "." else {
            return MetricSum.Term(price: 1, metric: try readMetric())
        }
        guard let price = Double(decimal: String(number)) else {
            throw problem("expected a price such as 15 or 0.5, found \"\(number)\"")
        }
        guard price <= Double(Figures.most) else {
            throw problem("expected a price of at most \(Columns.grouped(Figures.most)), found \"\(number)\"")
        }
        rest.removeFirst(number.count)
        guard take("*") else { throw problem("expected * between a price and its metric, found \"\(rest)\"") }
        skipSpaces()
        return MetricSum.Term(price: price, metric: try readMetric())
    }

    private mutating func readMetric() throws(TextProblem) -> String {
        if let name = metrics.first(where: { fits($0) }) {
            rest.removeFirst(name.count)
            return name
        }
        let word = String(rest.prefix { !" +*<>=".contains($0) })
        if word.isEmpty { throw problem("expected a metric, found \(rest.isEmpty ? "the end" : "\"\(rest)\"")") }
        throw problem("unknown metric \"\(word)\"\(hint(word, among: metrics))")
    }

    /// Whether `name` comes next and ends at the end of a word.
    private func fits(_ name: String) -> Bool {
        guard rest.hasPrefix(name) else { return false }
        let next = rest.dropFirst(name.count).first
        return next.map { !$0.isLetter && !$0.isWholeNumber && $0 != "." } ?? true
    }

    private func problem(_ message: String) -> TextProblem {
        TextProblem(message, column: length - rest.count + 1)
    }

    private mutating func skipSpaces() { rest = rest.drop(while: \.isWhitespace) }

    /// Takes a character after any spaces.
    private mutating func take(_ character: Character) -> Bool {
        skipSpaces()
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }
}
