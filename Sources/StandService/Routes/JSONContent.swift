import HTTPServer
import JuiceStand
import TextFormats

/// The JSON object that a request brings, read strictly: an unknown, missing or doubled member is an error.
struct JSONContent {
    private var members: [JSONNode.Member]

    /// - Throws: ``HTTPRefusal`` that names what is wrong.
    init(_ request: HTTPRequest) throws(HTTPRefusal) {
        let type = request.fields["content-type"]
        let name = type?.utf8.prefix { $0 != UInt8(ascii: ";") }.lowercasedASCII().filter { $0 != " " }
        guard name == "application/json" else {
            throw HTTPRefusal(
                .unsupportedMediaType,
                "Content-Type must be application/json, found \(type.map { "\"\($0)\"" } ?? "none")")
        }
        if let coding = request.fields["content-encoding"], coding.utf8.lowercasedASCII() != "identity" {
            throw HTTPRefusal(
                .unsupportedMediaType, "Content-Encoding must be identity, or not there, found \"\(coding)\"")
        }
        let (root, problems) = JSON5Parser.parse(request.content, as: .json, source: "content")
        if let problem = problems.first { throw HTTPRefusal(.badRequest, "\(problem)") }
        guard case .object(let members) = root?.value else {
            throw HTTPRefusal(.badRequest, "the content must be a JSON object")
        }
        let keys = members.map(\.key)
        guard Set(keys).count == keys.count else { throw HTTPRefusal(.badRequest, "a member stands there twice") }
        self.members = members
    }

    /// Takes a member out.
    private mutating func take(_ key: String) -> JSONNode.Value? {
        guard let index = members.firstIndex(where: { $0.key == key }) else { return nil }
        return members.remove(at: index).node.value
    }

    mutating func string(_ key: String) throws(HTTPRefusal) -> String {
        guard case .string(let text) = take(key) else { throw Self.wrong(key, "a string") }
        return text
    }

    mutating func number(_ key: String) throws(HTTPRefusal) -> Double {
        guard case .number(let number, _) = take(key) else { throw Self.wrong(key, "a number") }
        return number
    }

    mutating func integer(_ key: String, default fallback: Int) throws(HTTPRefusal) -> Int {
        guard let value = take(key) else { return fallback }
        guard let number = Self.integer(value) else { throw Self.wrong(key, "a whole number") }
        return number
    }

    /// The whole numbers of an object, by key.
    mutating func integers(_ key: String) throws(HTTPRefusal) -> [(key: String, value: Int)] {
        guard case .object(let members) = take(key) else { throw Self.wrong(key, "an object of whole numbers") }
        var integers: [(key: String, value: Int)] = []
        for member in members {
            guard let number = Self.integer(member.node.value) else { throw Self.wrong(member.key, "a whole number") }
            integers.append((member.key, number))
        }
        return integers
    }

    /// To be called last.
    ///
    /// - Throws: the refusal where something is left that nobody asked for.
    func finish() throws(HTTPRefusal) {
        if let member = members.first { throw HTTPRefusal(.badRequest, "\(member.key): is not a known member") }
    }

    private static func integer(_ value: JSONNode.Value) -> Int? {
        guard case .number(let number, _) = value else { return nil }
        // Doubles hold every whole number that a stand can count to.
        return number.magnitude < 0x1p53 && number == number.rounded(.towardZero) ? Int(number) : nil
    }

    private static func wrong(_ key: String, _ expected: String) -> HTTPRefusal {
        HTTPRefusal(.badRequest, "\(key): must be \(expected)")
    }
}
