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
    private let members: [JSONNode.Member]

    /// Returns nil, after reporting it, if `node` is not an object.
    ///
    /// - Parameter keys: The known keys; nil if the user chooses the names.
    init?(_ node: JSONNode, path: String, keys: [String]?, _ report: ProblemReport) {
        guard case .object(let members) = node.value else {
            if !node.isInvalid { report.add(node.place, path, "must be an object, found \(node.found)") }
            return nil
        }
        self.path = path
        self.report = report
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
    }

    private static func unknown(_ key: String, among keys: [String]) -> String {
        let hint = nearest(key, among: keys).map { "did you mean \"\($0)\"?" }
        return "unknown key; " + (hint ?? "known keys are " + keys.joined(separator: ", "))
    }

    /// The usable members in the order of the file.
    var all: [JSONNode.Member] { members }

    func has(_ key: String) -> Bool { node(key) != nil }

    func node(_ key: String) -> JSONNode? { members.first { $0.key == key }?.node }

    func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    func section(_ key: String, keys: [String]?) -> Section? {
        node(key).flatMap { Section($0, path: path(of: key), keys: keys, report) }
    }

    /// Reports that a required key is missing.
    func reportMissing(_ key: String, _ expected: String) {
        report.add(place, path(of: key), "is missing; must be \(expected)")
    }
}

// MARK: - Values

extension Section {
    func string(_ key: String) -> String? {
        guard let node = node(key), !node.isInvalid else { return nil }
        guard case .string(let text) = node.value, isPrintable(text) else {
            report.add(node.place, path(of: key), "must be a string without control characters, found \(node.found)")
            return nil
        }
        return text
    }

    func bool(_ key: String) -> Bool? {
        guard let node = node(key), !node.isInvalid else { return nil }
        guard case .bool(let value) = node.value else {
            report.add(node.place, path(of: key), "must be true or false, found \(node.found)")
            return nil
        }
        return value
    }

    /// One of the raw values of `Choice`.
    func choice<Choice: RawRepresentable & CaseIterable>(_ key: String) -> Choice? where Choice.RawValue == String {
        guard let node = node(key), !node.isInvalid else { return nil }
        let names = Choice.allCases.map(\.rawValue)
        guard case .string(let text) = node.value, let choice = Choice(rawValue: text) else {
            let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
            report.add(node.place, path(of: key), "must be one of \(list), found \(node.found)")
            return nil
        }
        return choice
    }

    func integer(_ key: String, _ range: ClosedRange<Int>) -> Int? {
        node(key).flatMap { report.integer($0, path(of: key), range) }
    }

    /// A whole number, or `Int.max` for `"unlimited"`.
    func limit(_ key: String, _ range: ClosedRange<Int>, orElse: String = " or \"unlimited\"") -> Int? {
        guard let node = node(key) else { return nil }
        if node.value == .string("unlimited") { return .max }
        return report.integer(node, path(of: key), range, orElse: orElse)
    }

    /// The elements of a required list, at least one.
    ///
    /// - Parameter what: The elements in the words of an error message, such as `rates`.
    func list(_ key: String, of what: String) -> [JSONNode]? {
        guard let node = node(key) else {
            reportMissing(key, "a list of \(what)")
            return nil
        }
        guard case .array(let nodes) = node.value, !nodes.isEmpty else {
            if !node.isInvalid {
                report.add(node.place, path(of: key), "must be a list of \(what), found \(node.found)")
            }
            return nil
        }
        return nodes
    }

    func number(_ key: String, _ range: ClosedRange<Double>) -> Double? {
        node(key).flatMap { report.number($0, path(of: key), range) }
    }

    /// A span of time above 0.
    ///
    /// - Parameter orElse: Another allowed value, in the words of the error message.
    func duration(_ key: String, orElse: String = "") -> SimulationTime? {
        guard let node = node(key) else { return nil }
        guard let span = report.duration(node, path(of: key), orElse: orElse) else { return nil }
        guard span > .zero else {
            report.add(node.place, path(of: key), "must be longer than 0, found \(node.found)")
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
            let span = "\(range.lowerBound) to \(range.upperBound)"
            add(node.place, path, "must be a whole number from \(span)\(orElse), found \(node.found)")
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
