import HTTPServer
import TextFormats

/// The JSON object of a request, read strictly: an unknown, missing or duplicate member is an error.
struct JSONContent {
    private var members: [JSONNode.Member]

    /// - Throws: ``RouteRefusal`` that says what is wrong.
    init(_ request: HTTPRequest) throws(RouteRefusal) {
        let type = request.fields["content-type"]
        let name = type?.utf8.prefix { $0 != UInt8(ascii: ";") }.lowercasedASCII().filter { $0 != " " }
        guard name == "application/json" else {
            throw RouteRefusal(
                .unsupportedMediaType,
                "Content-Type must be application/json, found \(type.map { "\"\($0)\"" } ?? "none")")
        }
        if let coding = request.fields["content-encoding"], coding.utf8.lowercasedASCII() != "identity" {
            throw RouteRefusal(
                .unsupportedMediaType, "Content-Encoding must be identity or absent, found \"\(coding)\"")
        }
        let (root, problems) = JSON5Parser.parse(request.content, as: .json, source: "content")
        if let problem = problems.first { throw RouteRefusal(.badRequest, "\(problem)") }
        guard case .object(let members) = root?.value else {
            throw RouteRefusal(.badRequest, "the content must be a JSON object")
        }
        for (index, member) in members.enumerated() where members[..<index].contains(where: { $0.key == member.key }) {
            throw RouteRefusal(.badRequest, "duplicate member \"\(member.key)\"")
        }
        self.members = members
    }

    /// Removes and returns a member.
    private mutating func take(_ key: String) -> JSONNode? {
        members.firstIndex { $0.key == key }.map { members.remove(at: $0).node }
    }

    /// A member of any kind; nil if it is missing.
    mutating func value(_ key: String) -> JSONValue? { take(key).flatMap { JSONValue($0) } }

    mutating func string(_ key: String) throws(RouteRefusal) -> String {
        guard case .string(let text) = take(key)?.value else { throw Self.wrong(key, "a string") }
        return text
    }

    mutating func number(_ key: String) throws(RouteRefusal) -> Double {
        guard case .number(let number, _) = take(key)?.value else { throw Self.wrong(key, "a number") }
        return number
    }

    mutating func integer(_ key: String, default fallback: Int) throws(RouteRefusal) -> Int {
        guard let node = take(key) else { return fallback }
        return try Self.integer(key, node.value)
    }

    /// An object of whole numbers.
    mutating func integers(_ key: String) throws(RouteRefusal) -> [(key: String, value: Int)] {
        guard case .object(let members) = take(key)?.value else { throw Self.wrong(key, "an object of whole numbers") }
        var integers: [(key: String, value: Int)] = []
        for member in members {
            integers.append((member.key, try Self.integer(member.key, member.node.value)))
        }
        return integers
    }

    /// Refuses members that have not been read. Call it last.
    func finish() throws(RouteRefusal) {
        if let member = members.first { throw RouteRefusal(.badRequest, "unknown member \"\(member.key)\"") }
    }

    private static func integer(_ key: String, _ value: JSONNode.Value) throws(RouteRefusal) -> Int {
        guard case .number(let number, let text) = value, number == number.rounded(.towardZero) else {
            throw wrong(key, "a whole number")
        }
        // A double holds every whole number below 2^53 exactly.
        guard number.magnitude < 0x1p53 else { throw wrong(key, "between -2^53 and 2^53, found \(text)") }
        return Int(number)
    }

    private static func wrong(_ key: String, _ expected: String) -> RouteRefusal {
        RouteRefusal(.badRequest, "\(key): must be \(expected)")
    }
}
