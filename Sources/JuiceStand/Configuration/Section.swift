import Platform
import TextFormats

/// One object of a configuration, with its keys checked.
///
/// Every reading method returns nil if the key is absent, or after reporting a wrong value.
struct Section {
    let path: String
    let place: Place
    let report: ProblemReport
    /// The number of members in the text, including unusable ones.
    let count: Int
    private let form: ValueForm
    private let members: [JSONNode.Member]

    /// Returns nil, after reporting it, if `node` is not an object. Reports unknown, duplicate and missing keys.
    ///
    /// - Parameter form: One of its alternatives is an object.
    init?(_ node: JSONNode, path: String, _ form: ValueForm, _ report: ProblemReport) {
        guard case .object(let members) = node.value else {
            if !node.isInvalid { report.add(node.place, path, "must be an object, found \(node.found)") }
            return nil
        }
        self.path = path
        self.report = report
        self.form = form
        let known = form.object?.keys
        let keys = known?.map(\.name)
        place = node.place
        count = members.count
        var seen: [String: Place] = [:]
        self.members = members.filter { member in
            let keyPath = path.isEmpty ? member.key : "\(path).\(member.key)"
            if let first = seen.updateValue(member.keyPlace, forKey: member.key) {
                report.add(member.keyPlace, keyPath, "duplicate key; the first is at \(first)")
                return false
            }
            if let keys, !keys.contains(member.key) {
                report.add(member.keyPlace, keyPath, Self.unknown(member.key, among: keys))
                return false
            }
            return true
        }
        for key in known ?? [] where !has(key.name) {
            if let required = key.required {
                report.add(place, self.path(of: key.name), "is missing; must be \(required)")
            }
        }
    }

    private static func unknown(_ key: String, among keys: [String]) -> String {
        let hint = nearest(key, among: keys).map { "did you mean \"\($0)\"?" }
        return "unknown key; \(hint ?? "known keys are \(keys.joined(separator: ", "))")"
    }

    /// The usable members in the order of the file.
    var all: [JSONNode.Member] { members }

    func has(_ key: String) -> Bool { node(key) != nil }

    func node(_ key: String) -> JSONNode? { members.first { $0.key == key }?.node }

    func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    func section(_ key: String) -> Section? {
        node(key).flatMap { Section($0, path: path(of: key), form(of: key), report) }
    }
}

// MARK: - What the form says

extension Section {
    /// The known keys; empty if the user chooses them.
    var knownKeys: [String] { form.object?.keys.map(\.name) ?? [] }

    /// The form of a member. A key that the form does not have is a mistake of this program.
    func form(of key: String) -> ValueForm {
        for case .named(let member, _) in form.alternatives { return member }
        guard let key = form.object?.keys.first(where: { $0.name == key }) else {
            preconditionFailure("the form of \(path) has no key \(key)")
        }
        return key.form
    }

    /// The part that a reading method needs of a member's form. A form without it is a mistake of this program.
    private func part<Part>(_ key: String, _ part: (ValueForm) -> Part?) -> Part {
        guard let found = form(of: key).alternatives.lazy.compactMap(part).first else {
            preconditionFailure("the form of \(path(of: key)) is another than its reader expects")
        }
        return found
    }

    /// The range of a whole number.
    private func integerRange(_ key: String) -> ClosedRange<Int> {
        part(key) { if case .integer(let range) = $0 { range } else { nil } }
    }

    /// The range of a number.
    func numberRange(_ key: String) -> ClosedRange<Double> {
        part(key) { if case .number(let range) = $0 { range } else { nil } }
    }

    /// The least amount that a parameter may have.
    func least(_ key: String) -> Double { part(key) { if case .amount(_, let least) = $0 { least } else { nil } } }

    /// The unit of a distribution.
    func unit(_ key: String) -> DistributionUnit {
        part(key) { if case .distribution(let unit) = $0 { unit } else { nil } }
    }

    private func expect(_ key: String, _ isExpected: (ValueForm) -> Bool) {
        _ = part(key) { isExpected($0) ? true : nil }
    }
}

extension ValueForm {
    /// The form of an object with known keys; nil if no alternative is one.
    fileprivate var object: ObjectForm? {
        for case .object(let form) in alternatives { return form }
        return nil
    }

    fileprivate var isText: Bool {
        switch self {
        case .text, .colour, .picture: true
        default: false
        }
    }
    fileprivate var isFlag: Bool { if case .flag = self { true } else { false } }
    fileprivate var isDuration: Bool {
        switch self {
        case .duration, .period: true
        default: false
        }
    }
    fileprivate var isChoice: Bool { if case .choice = self { true } else { false } }
}

// MARK: - Values

extension Section {
    func string(_ key: String) -> String? {
        expect(key, \.isText)
        guard let node = node(key), !node.isInvalid else { return nil }
        guard case .string(let text) = node.value, isPrintable(text) else {
            report.add(node.place, path(of: key), "must be a string without control characters, found \(node.found)")
            return nil
        }
        return text
    }

    func bool(_ key: String) -> Bool? {
        expect(key, \.isFlag)
        guard let node = node(key), !node.isInvalid else { return nil }
        guard case .bool(let value) = node.value else {
            report.add(node.place, path(of: key), "must be true or false, found \(node.found)")
            return nil
        }
        return value
    }

    /// One of the raw values of `Choice`.
    func choice<Choice: RawRepresentable & CaseIterable>(_ key: String) -> Choice? where Choice.RawValue == String {
        expect(key, \.isChoice)
        guard let node = node(key), !node.isInvalid else { return nil }
        let names = Choice.allCases.map(\.rawValue)
        guard case .string(let text) = node.value, let choice = Choice(rawValue: text) else {
            let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
            var hint = ""
            if case .string(let text) = node.value { hint = TextFormats.hint(text, among: names) }
            report.add(node.place, path(of: key), "must be one of \(list), found \(node.found)\(hint)")
            return nil
        }
        return choice
    }

    /// - Parameter least: A higher lower bound, if another value requires one.
    func integer(_ key: String, atLeast least: Int? = nil) -> Int? {
        let range = integerRange(key)
        return node(key).flatMap {
            report.integer($0, path(of: key), max(least ?? range.lowerBound, range.lowerBound)...range.upperBound)
        }
    }

    /// A whole number, or `Int.max` for `"unlimited"`.
    func limit(_ key: String, orElse: String = " or \"unlimited\"") -> Int? {
        guard let node = node(key) else { return nil }
        if node.value == .string("unlimited") { return .max }
        return report.integer(node, path(of: key), integerRange(key), orElse: orElse)
    }

    /// A list of whole numbers, at least one.
    ///
    /// - Parameter what: The elements in the words of an error message, such as `numbers of makers`.
    func integers(_ key: String, _ what: String) -> [Int]? {
        let range: ClosedRange<Int> = part(key) {
            if case .list(.integer(let range)) = $0 { range } else { nil }
        }
        return list(key, what) { report.integer($0, $1, range) }
    }

    /// A list of numbers, at least one.
    func numbers(_ key: String, _ what: String) -> [Double]? {
        let range: ClosedRange<Double> = part(key) {
            if case .list(.number(let range)) = $0 { range } else { nil }
        }
        return list(key, what) { report.number($0, $1, range) }
    }

    /// The elements of a list, at least one. `read` takes an element and its path.
    func list<Element>(_ key: String, _ what: String, _ read: (JSONNode, String) -> Element?) -> [Element]? {
        guard let node = node(key) else { return nil }
        guard case .array(let nodes) = node.value, !nodes.isEmpty else {
            if !node.isInvalid {
                report.add(node.place, path(of: key), "must be a list of \(what), found \(node.found)")
            }
            return nil
        }
        let elements = nodes.enumerated().compactMap { read($1, "\(path(of: key))[\($0)]") }
        return elements.count == nodes.count ? elements : nil
    }

    func number(_ key: String) -> Double? {
        let range = numberRange(key)
        return node(key).flatMap { report.number($0, path(of: key), range) }
    }

    /// A span of time above 0, or a period.
    ///
    /// - Parameter orElse: Another allowed value, in the words of the error message.
    func duration(_ key: String, orElse: String = "") -> SimulationTime? {
        expect(key, \.isDuration)
        guard let node = node(key) else { return nil }
        guard let span = report.duration(node, path(of: key), orElse: orElse) else { return nil }
        let isPeriod = form(of: key).alternatives.contains { if case .period = $0 { true } else { false } }
        guard span > .zero, !isPeriod || span >= ValueForm.leastPeriod else {
            let least = span == .zero ? "longer than 0" : "1ms or longer"
            report.add(node.place, path(of: key), "must be \(least), found \(node.found)")
            return nil
        }
        return span
    }

    private func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

extension ProblemReport {
    func number(_ node: JSONNode, _ path: String, _ range: ClosedRange<Double>) -> Double? {
        guard !node.isInvalid else { return nil }
        guard case .number(let value, _) = node.value else {
            add(node.place, path, "must be a number, found \(node.found)")
            return nil
        }
        return check(value, node, path, range)
    }

    func integer(_ node: JSONNode, _ path: String, _ range: ClosedRange<Int>, orElse: String = "") -> Int? {
        guard !node.isInvalid else { return nil }
        guard case .number(let double, let text) = node.value, let value = Int(text) ?? Int(exactly: double) else {
            let (least, most) = (range.lowerBound, range.upperBound)
            add(node.place, path, "must be a whole number from \(least) to \(most)\(orElse), found \(node.found)")
            return nil
        }
        return check(value, node, path, range, orElse: orElse)
    }

    /// A number of seconds or a string with a unit, from 0.
    func duration(_ node: JSONNode, _ path: String, orElse: String = "") -> SimulationTime? {
        switch node.value {
        case .number(let seconds, _) where seconds >= 0:
            return DurationText.nanoseconds(seconds: seconds).map(SimulationTime.init(nanoseconds:)) ?? .never
        case .string(let text):
            if let nanoseconds = DurationText.nanoseconds(text) { return SimulationTime(nanoseconds: nanoseconds) }
        case .invalid: return nil
        default: break
        }
        add(node.place, path, "must be seconds or a duration such as \"30s\" or \"8h\"\(orElse), found \(node.found)")
        return nil
    }

    private func check<Value: Comparable>(
        _ value: Value, _ node: JSONNode, _ path: String, _ range: ClosedRange<Value>, orElse: String = ""
    ) -> Value? {
        if value < range.lowerBound {
            add(node.place, path, "must be at least \(Self.plain(range.lowerBound))\(orElse), found \(node.found)")
        } else if value > range.upperBound {
            add(node.place, path, "must be at most \(Self.plain(range.upperBound))\(orElse), found \(node.found)")
        } else {
            return value
        }
        return nil
    }

    /// A bound as people write it: `1000`, not `1000.0`.
    private static func plain(_ bound: some Comparable) -> String {
        (bound as? Double).map { JSONValue.number($0).compact() } ?? "\(bound)"
    }
}
