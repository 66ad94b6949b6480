import TextFormats

/// A value in the text of a configuration, with its key path.
struct Found {
    let node: JSONNode
    let path: String
    let report: ProblemReport
    /// Other allowed values, for the end of a message.
    var orElse = ""

    /// A member of an object by its key, or nil.
    subscript(key: String) -> Found? {
        members.first { $0.key == key }.map(value(of:))
    }

    /// The members of an object; none if it is another value.
    var members: [JSONNode.Member] { if case .object(let members) = node.value { members } else { [] } }

    /// The members without those whose key stands before.
    var distinctMembers: [JSONNode.Member] {
        var seen: Set<String> = []
        return members.filter { seen.insert($0.key).inserted }
    }

    var isObject: Bool { if case .object = node.value { true } else { false } }

    /// The same value with other allowed values for a message, unless it has some.
    func or(_ orElse: String) -> Found {
        Found(node: node, path: path, report: report, orElse: self.orElse.isEmpty ? orElse : self.orElse)
    }

    func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    func value(of member: JSONNode.Member) -> Found {
        Found(node: member.node, path: path(of: member.key), report: report)
    }
}

// MARK: - Reporting

extension Found {
    /// Reports the value.
    func problem(_ message: String) { report.add(node.place, path, message) }

    /// Reports a member, or the object if it has no such member.
    func problem(at key: String, _ message: String) {
        report.add(self[key]?.node.place ?? node.place, path(of: key), message)
    }

    /// Reports that the value must be something else. The parser has already reported a syntax error.
    func mustBe(_ expected: String) {
        if node.value != .invalid { problem("must be \(expected), found \(text)") }
    }

    /// Reports that the value must be something else, and returns nil in its place.
    func refuse<Value>(_ expected: String) -> Value? {
        mustBe(expected)
        return nil
    }

    /// The value as an error message shows it.
    var text: String {
        switch node.value {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(_, let text): text
        case .string(let text): "\"\(text)\""
        case .array: "an array"
        case .object: "an object"
        case .invalid: "nothing"
        }
    }

    /// What a wrong name can be, for the end of a message: the nearest of `names`, or all of them.
    static func suggestion(for name: String, among names: [String], orElse all: String) -> String {
        nearest(name, among: names).map { "did you mean \"\($0)\"?" } ?? "\(all) \(names.joined(separator: ", "))"
    }
}

// MARK: - Numbers

extension Found {
    func number(_ range: ClosedRange<Double>) -> Double? {
        guard case .number(let value, _) = node.value else { return refuse("a number") }
        return check(value, range)
    }

    /// A number of seconds or a string with a unit, from 0.
    func duration() -> SimulationTime? {
        switch node.value {
        case .number(let seconds, _) where seconds >= 0:
            return DurationText.nanoseconds(seconds: seconds).map(SimulationTime.init(nanoseconds:)) ?? .never
        case .string(let text):
            if let nanoseconds = DurationText.nanoseconds(text) { return SimulationTime(nanoseconds: nanoseconds) }
        default: break
        }
        return refuse("seconds or a duration such as \"30s\" or \"8h\"\(orElse)")
    }

    /// A mean, a scale or a shape, which must not be near 0.
    func positive(_ value: Double?, least: Double) -> Double? {
        guard let value, value < least else { return value }
        let isZero = if case .number(0, _) = node.value { true } else { false }
        return refuse(isZero ? "more than 0" : "at least \(Self.plain(least))")
    }

    func check<Value: Comparable>(_ value: Value, _ range: ClosedRange<Value>) -> Value? {
        if range.contains(value) { return value }
        let isLow = value < range.lowerBound
        let bound = Self.plain(isLow ? range.lowerBound : range.upperBound)
        return refuse("at \(isLow ? "least" : "most") \(bound)\(orElse)")
    }

    /// A bound as people write it: `1000` and `1e-9`, not `1000.0` and `1e-09`.
    private static func plain(_ bound: some Comparable) -> String {
        (bound as? Double).map { JSONValue.number($0).compact().replacing("e-0", with: "e-") } ?? "\(bound)"
    }
}

// MARK: - Objects

extension Found {
    /// Whether this is an object. Reports another value, and unknown, duplicate and missing keys.
    ///
    /// - Parameter keys: The known keys; nil if the user chooses them.
    func isObject(with keys: [ConfigurationKey]?) -> Bool {
        guard isObject else {
            mustBe("an object")
            return false
        }
        let names = keys?.flatMap { $0.spellings.map(\.name) }
        var seen: [String: Place] = [:]
        for member in members {
            if let first = seen[member.key] {
                report.add(member.keyPlace, path(of: member.key), "duplicate key; the first is at \(first)")
                continue
            }
            seen[member.key] = member.keyPlace
            if let names, !names.contains(member.key) {
                let hint = Self.suggestion(for: member.key, among: names, orElse: "known keys are")
                report.add(member.keyPlace, path(of: member.key), "unknown key; \(hint)")
            }
        }
        for key in keys ?? [] {
            guard let required = key.required, key.spellings.allSatisfy({ seen[$0.name] == nil }) else { continue }
            report.add(node.place, path(of: key.name), "is missing; must be \(required)")
        }
        return true
    }
}
