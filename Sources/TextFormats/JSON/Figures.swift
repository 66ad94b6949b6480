/// Checks the numbers that come from other programs and from files.
///
/// Every figure is a number within ±2^53. Such whole numbers are exact in every program, and a few of them can be added
/// and multiplied without overflow. Sums of many go through ``sum(_:)``.
package enum Figures {
    /// 2^53.
    package static let most = 1 << 53
    /// The most values in a document of another program.
    fileprivate static let mostValues = 500_000

    /// The sum, clamped to 64 bits.
    package static func sum(_ numbers: some Sequence<Int>) -> Int {
        var sum = 0
        for number in numbers {
            let (next, isTooLarge) = sum.addingReportingOverflow(number)
            sum = isTooLarge ? (number < 0 ? .min : .max) : next
        }
        return sum
    }

    /// The problem of the first number in a document that is no figure; nil if all numbers are figures.
    ///
    /// A seed may have 64 bits, because nobody calculates with it.
    ///
    /// - Parameter least: The least figure: 0 for a document in which all figures are lengths, times and counts.
    package static func problem(in node: JSONNode, least: Int = -most) -> TextProblem? {
        problem(in: node, of: nil, least: least)
    }

    /// - Parameter key: The nearest key around the node.
    private static func problem(in node: JSONNode, of key: String?, least: Int) -> TextProblem? {
        switch node.value {
        case .number(let number, let text):
            if number >= Double(least), number <= Double(most) { return nil }
            let name = key?.inQuotes ?? "the document"
            return TextProblem(
                place: node.place,
                message: "\(name) must be a number from \(least) to \(most), found \(text.inQuotes)")
        case .array(let nodes):
            for node in nodes {
                if let problem = problem(in: node, of: key, least: least) { return problem }
            }
            return nil
        case .object(let members):
            for member in members where !isSeed(member) {
                if let problem = problem(in: member.node, of: member.key, least: least) { return problem }
            }
            return nil
        case .null, .bool, .string, .invalid: return nil
        }
    }

    /// Whether a line is JSON, and all its numbers are figures from 0.
    package static func areAll(in line: ArraySlice<UInt8>) -> Bool {
        // `try?`: a faulty line is refused without a reason.
        hasPlainFigures(Array(line)) || (try? JSONValue(figuresIn: line, least: 0)) != nil
    }

    /// Whether a line is flat, and all its numbers are plainly from 0 to 2^53: without a sign or an exponent, and with
    /// at most fifteen digits before the point. This check saves the cost of a tree for usual lines.
    private static func hasPlainFigures(_ bytes: [UInt8]) -> Bool {
        var line = FlatLine(bytes, in: bytes.indices)
        while let (_, value) = line.member() {
            guard case .number(let range) = value else { continue }
            let digits = bytes[range].prefix(while: ASCII.isDigit).count
            let rest = bytes[range].dropFirst(digits)
            guard 1...15 ~= digits, rest.first ?? ASCII.point == ASCII.point, rest.dropFirst().allSatisfy(ASCII.isDigit)
            else { return false }
        }
        return line.end() && line.isUTF8
    }

    private static func isSeed(_ member: JSONNode.Member) -> Bool {
        guard member.key == "seed", case .number(_, let text) = member.node.value else { return false }
        return UInt64(text) != nil
    }
}

extension JSONValue {
    /// The document of another program.
    ///
    /// - Parameter least: The least figure; see ``Figures/problem(in:least:)``.
    /// - Throws: `TextProblem` without a source if the text is no JSON, or a number in it is no figure.
    package init(figuresIn bytes: some Collection<UInt8>, least: Int) throws(TextProblem) {
        let (root, problems) = JSON5Parser.parse(
            bytes, as: .json, source: "", firstLine: 0, mostValues: Figures.mostValues)
        if let problem = problems.first ?? root.flatMap({ Figures.problem(in: $0, least: least) }) { throw problem }
        guard let value = root.flatMap({ JSONValue($0) }) else {
            throw TextProblem(source: "", message: "expected a JSON document")
        }
        self = value
    }
}

extension Int {
    /// The nearest whole number within ±2^53; 0 for a NaN.
    package init(nearest number: Double) {
        let most = Double(Figures.most)
        self = number.isNaN ? 0 : Int(Swift.min(Swift.max(number.rounded(), -most), most))
    }
}
