import JuiceStand
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

/// What is wrong with a document.
package struct ResultProblem: Error, Equatable, Sendable, CustomStringConvertible {
    package let message: String

    init(_ message: String) {
        self.message = message
    }

    package var description: String { message }
}

// MARK: - Required content of a document

extension SimulationResult {
    static func checkSchema(_ json: JSONValue) throws(ResultProblem) {
        guard case .object = json, case .string(let schema)? = json["schema"] else {
            throw ResultProblem("is not a result of juicestand simulate: it must have a \"schema\"")
        }
        guard schema == Self.schema else {
            throw ResultProblem("must be of schema \(Self.schema), found \"\(schema)\"")
        }
    }
}

extension JSONValue {
    /// - Parameter source: The file name in error messages.
    /// - Throws: All syntax errors, or the first number that is none of ``Figures``.
    init(file bytes: [UInt8], source: String) throws(ResultFileError) {
        let (root, problems) = JSON5Parser.parse(bytes, source: source)
        guard problems.isEmpty, let root, let value = JSONValue(root) else { throw ResultFileError(problems) }
        if let problem = Figures.problem(in: root) { throw ResultFileError([problem]) }
        self = value
    }

    func required(_ key: String) throws(ResultProblem) -> JSONValue {
        guard let value = self[key] else { throw ResultProblem("has no \"\(key)\"") }
        return value
    }

    func elements(_ key: String) throws(ResultProblem) -> [JSONValue] {
        guard case .array(let elements) = try required(key) else { throw ResultProblem("\"\(key)\" must be an array") }
        return elements
    }

    func members(_ key: String) throws(ResultProblem) -> [Member] {
        guard case .object(let members) = try required(key) else { throw ResultProblem("\"\(key)\" must be an object") }
        var names: Set<String> = []
        for member in members where !names.insert(member.key).inserted {
            throw ResultProblem("\"\(key)\" has \(member.key.inQuotes) twice")
        }
        return members
    }

    func string(_ key: String) throws(ResultProblem) -> String { try required(key).asString(key) }
    func integer(_ key: String) throws(ResultProblem) -> Int { try required(key).asInteger(key) }
    func number(_ key: String) throws(ResultProblem) -> Double { try required(key).asNumber(key) }
    func optionalNumber(_ key: String) throws(ResultProblem) -> Double? { try required(key).asOptionalNumber(key) }

    func strings(_ key: String) throws(ResultProblem) -> [String] {
        try elements(key).map { element throws(ResultProblem) in try element.asString(key) }
    }

    func integers(_ key: String) throws(ResultProblem) -> [Int] {
        try elements(key).map { element throws(ResultProblem) in try element.asInteger(key) }
    }

    func optionalNumbers(_ key: String) throws(ResultProblem) -> [Double?] {
        try elements(key).map { element throws(ResultProblem) in try element.asOptionalNumber(key) }
    }

    private func asString(_ key: String) throws(ResultProblem) -> String {
        guard case .string(let text) = self else { throw ResultProblem("\"\(key)\" must be a text") }
        return text
    }

    private func asInteger(_ key: String) throws(ResultProblem) -> Int {
        guard case .integer(let number) = self, number >= 0 else {
            throw ResultProblem("\"\(key)\" must be a whole number from 0")
        }
        return Int(number)
    }

    private func asNumber(_ key: String) throws(ResultProblem) -> Double {
        guard let number = seconds else { throw ResultProblem("\"\(key)\" must be a number") }
        return number
    }

    private func asOptionalNumber(_ key: String) throws(ResultProblem) -> Double? {
        self == .null ? nil : try asNumber(key)
    }
}
