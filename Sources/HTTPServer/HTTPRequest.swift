/// The methods this service knows; it takes any other for one nobody has thought of yet (501).
package enum HTTPMethod: String, CaseIterable, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case patch = "PATCH"
    case options = "OPTIONS"

    /// Whether it only reads: RFC 9110, 9.2.1.
    package var isSafe: Bool { self == .get || self == .head || self == .options }
}

/// A whole request, its content included.
package struct HTTPRequest: Equatable, Sendable {
    package var method: HTTPMethod
    /// As it was sent, percent signs and all: `/` and what follows up to a question mark; `*` with OPTIONS only.
    package var path: String
    /// What stands behind the question mark, as it was sent; nil where there is none.
    package var query: String?
    /// 0 or 1, of HTTP/1.x.
    package var minorVersion: Int
    /// Host and port that the client meant, in lower case, from the target or from `Host`; empty where it did not say.
    package var authority: String
    package var fields: HTTPFields
    package var content: [UInt8]
    /// Whether the client wants to go on with this connection.
    package var keepsConnection: Bool

    package init(
        method: HTTPMethod = .get, path: String = "/", query: String? = nil, minorVersion: Int = 1,
        authority: String = "", fields: HTTPFields = HTTPFields(), content: [UInt8] = [], keepsConnection: Bool = true
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.minorVersion = minorVersion
        self.authority = authority
        self.fields = fields
        self.content = content
        self.keepsConnection = keepsConnection
    }
}

extension HTTPRequest {
    /// The parameters of the query, as they were sent; one without an equals sign has an empty value.
    package var queryItems: [(name: String, value: String)] {
        (query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
        }
    }
}

/// The fields of a message in the order they came, by names in lower case.
package struct HTTPFields: Equatable, Sendable {
    package struct Field: Equatable, Sendable {
        package var name: String
        package var value: String
    }

    private(set) package var all: [Field] = []

    package init() {}

    /// - Parameter name: In lower case.
    package mutating func append(_ name: String, _ value: String) {
        all.append(Field(name: name, value: value))
    }

    /// How many fields have a name.
    package func count(of name: String) -> Int {
        var count = 0
        for field in all where field.name == name { count += 1 }
        return count
    }

    /// The value of a field, nil where it is absent; values of several are joined by commas, as RFC 9110, 5.3 says.
    ///
    /// - Complexity: Linear in the number of fields.
    package subscript(_ name: String) -> String? {
        var joined: String?
        for field in all where field.name == name {
            joined = joined.map { $0 + ", " + field.value } ?? field.value
        }
        return joined
    }
}
