import TextFormats

/// Why files of results cannot be used.
package struct ResultFileError: Error, Equatable, Sendable {
    package let problems: [TextProblem]

    init(_ problems: [TextProblem]) {
        self.problems = problems
    }

    init(source: String, message: String) {
        problems = [TextProblem(source: source, message: message)]
    }
}

extension TextProblem {
    /// A problem of a document or an option whose name the caller adds.
    ///
    /// - Parameter column: Where in the text of an option; 0 if that does not matter.
    init(_ message: String, column: Int = 0) {
        self.init(place: Place(source: "", line: 0, column: column), message: message)
    }
}

// MARK: - Required members of a document

extension JSONValue {
    /// - Parameters:
    ///   - kind: What the member must be, in words.
    ///   - read: Returns nil for a value of another kind.
    private func required<Value>(
        _ key: String, _ kind: String, _ read: (JSONValue) -> Value?
    ) throws(TextProblem) -> Value {
        guard let found = self[key] else { throw TextProblem("has no \"\(key)\"") }
        guard let value = read(found) else { throw TextProblem("\"\(key)\" must be \(kind)") }
        return value
    }

    /// The elements of an array; nil if any is of another kind.
    private func all<Value>(_ read: (JSONValue) -> Value?) -> [Value]? {
        let values = elements.compactMap(read)
        return values.count == elements.count ? values : nil
    }

    func string(_ key: String) throws(TextProblem) -> String { try required(key, "a text", \.text) }
    func number(_ key: String) throws(TextProblem) -> Double { try required(key, "a number", \.seconds) }

    func integer(_ key: String) throws(TextProblem) -> Int {
        try required(key, "a whole number from 0", \.lengthOrSeed)
    }

    func optionalNumber(_ key: String) throws(TextProblem) -> Double? {
        try required(key, "a number", \.numberOrNull)
    }

    func elements(_ key: String) throws(TextProblem) -> [JSONValue] {
        try required(key, "an array") { if case .array(let elements) = $0 { elements } else { nil } }
    }

    func strings(_ key: String) throws(TextProblem) -> [String] {
        _ = try elements(key)
        return try required(key, "a text") { $0.all(\.text) }
    }

    func integers(_ key: String) throws(TextProblem) -> [Int] {
        _ = try elements(key)
        return try required(key, "a whole number from 0") { $0.all(\.lengthOrSeed) }
    }

    func optionalNumbers(_ key: String) throws(TextProblem) -> [Double?] {
        _ = try elements(key)
        return try required(key, "a number") { $0.all(\.numberOrNull) }
    }

    func members(_ key: String) throws(TextProblem) -> [Member] {
        let members = try required(key, "an object") { value -> [Member]? in
            if case .object(let members) = value { members } else { nil }
        }
        var names: Set<String> = []
        for member in members where !names.insert(member.key).inserted {
            throw TextProblem("\"\(key)\" has \(member.key.inQuotes) twice")
        }
        return members
    }

    /// A whole number from 0. A seed may have more digits than ``count`` allows.
    private var lengthOrSeed: Int? { if case .integer(let number) = self, number >= 0 { Int(number) } else { nil } }

    private var numberOrNull: Double?? { self == .null ? .some(nil) : seconds.map { .some($0) } }
}
