/// The methods that the server knows. It answers others with 501.
package enum HTTPMethod: String, CaseIterable, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case patch = "PATCH"
    case options = "OPTIONS"
    /// Known, so that it is answered 405 on a path that exists.
    case query = "QUERY"

    /// Whether the method only reads (RFC 9110, 9.2.1).
    package var isSafe: Bool {
        switch self {
        case .get, .head, .options, .query: true
        case .post, .put, .delete, .patch: false
        }
    }
}

/// A request: its head, and its content once that has been read.
package struct HTTPRequest: Equatable, Sendable {
    package var method = HTTPMethod.get
    /// The path as sent, percent-encoded, with its leading slash; `*` with OPTIONS only.
    package var path = "/"
    /// The query as sent, without the question mark; nil if there is none.
    package var query: String?
    /// 0 or 1: the x of HTTP/1.x.
    package var minorVersion = 1
    /// Host and port in lower case, from the target or from `Host`; empty if the client named none.
    package var authority = ""
    package var fields = HTTPFields()
    package var content: [UInt8] = []
    /// Whether the client wants to keep the connection open.
    package var keepsConnection = true
    /// The client's network, by which places are shared out; nil on a Unix socket. See ``NetworkAddress/network``.
    package var network: UInt64?

    package init() {}
}

extension HTTPRequest {
    /// The parameters of the query, without their percent-encoding. A parameter without an equals sign has an empty
    /// value.
    package var queryItems: [(name: String, value: String)] {
        func decoded(_ text: Substring) -> String { HTTPGrammar.decoded(text) ?? String(text) }
        return (query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decoded(parts[0]), parts.count == 2 ? decoded(parts[1]) : "")
        }
    }

    /// The value of the first of these parameters with that name; nil if there is none.
    package func queryItem(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }
}

/// The fields of a message in order, with names in lower case.
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

    /// The number of fields of that name.
    package func count(of name: String) -> Int { all.count { $0.name == name } }

    /// The value of a field; nil if it is absent. Several values are joined by commas (RFC 9110, 5.3).
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
