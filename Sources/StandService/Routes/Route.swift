import HTTPServer
import StandClient
import TextFormats

/// An operation of the API: a method on a path, its handler and its description.
struct Route: Sendable {
    /// Answers a request. The argument is the part of the path at `{id}`.
    typealias Action = @Sendable (HTTPRequest, Substring) throws(RouteRefusal) -> HTTPAnswer

    let method: HTTPMethod
    /// The path in OpenAPI's form. Only its last segment may be `{id}`.
    let path: String
    let description: Description
    private let action: Action

    /// The description in the OpenAPI document.
    struct Description: Sendable {
        /// A unique name.
        var name: String
        var summary: String
        /// The schema of the request's content; nil if it takes none.
        var content: String?
        /// The schema of the answer, or its media types if that is not JSON.
        var answer: Answer
        var success: HTTPStatus = .ok
        /// Another status of success, without content.
        var empty: HTTPStatus?
        /// Its error statuses, besides those of every operation. All have problem documents.
        var problems: [HTTPStatus] = []
        var parameters: [Parameter] = []
        /// The fields of a request that only the stand can check.
        var fields: [JudgedField] = []
        /// Whether only the Unix socket has the operation.
        var isLocal = false
        /// Fields of a successful answer, besides the common ones.
        var headers: [Header] = []
    }

    enum Answer: Sendable {
        case schema(String)
        /// Text of one of two media types; which one depends on `Accept`.
        case text(String, String? = nil)
    }

    /// A part of the path or the query, or a field of the request.
    struct Parameter: Sendable {
        /// Its name in the document.
        var key: String
        var name: String
        var location: Location
        var text: String
        var schema: JSONValue

        enum Location: String, Sendable {
            case path, query, header
        }
    }

    /// A field of a request that no schema can check, because its valid values depend on the state of the stand.
    ///
    /// The description of the operation explains them.
    enum JudgedField: Sendable {
        case idempotencyKey
        case ifMatch
    }

    /// A field of an answer.
    struct Header: Sendable {
        var name: String
        var text: String
        var type: JSONValue = "string"
    }

    init(_ method: HTTPMethod, _ path: String, _ description: Description, _ action: @escaping Action) {
        self.method = method
        self.path = path
        self.description = description
        self.action = action
    }

    func answer(_ request: HTTPRequest, _ argument: Substring) -> HTTPAnswer {
        do throws(RouteRefusal) { return try action(request, argument) } catch { return .now(error.response) }
    }
}

/// Why a route refuses a request that can be read.
struct RouteRefusal: Error {
    let response: HTTPResponse

    init(_ status: HTTPStatus, _ reason: String) { response = .problem(status, reason) }
    init(_ type: ProblemType, _ reason: String) { response = HTTPResponse(type, reason) }
}

/// Finds the route of a request.
struct RouteTable: Sendable {
    let all: [Route]
    private let byPath: [String: [Route]]

    init(_ routes: [Route]) {
        all = routes
        byPath = Dictionary(grouping: routes, by: \.path)
    }

    /// The routes of a path, one for each method, and its part at `{id}`. Empty for an unknown path.
    ///
    /// - Parameter path: As sent, percent-encoded.
    /// - Complexity: O(1) for a path of bounded length
    func routes(at path: String) -> (routes: [Route], argument: Substring) {
        guard let path = Self.decoded(path) else { return ([], "") }
        if let routes = byPath[path] { return (routes, "") }
        guard let slash = path.lastIndex(of: "/") else { return ([], "") }
        return (byPath[path[...slash] + "{id}"] ?? [], path[path.index(after: slash)...])
    }

    /// A path without its percent-encoding; nil if that is not UTF-8, or a segment has an encoded slash.
    private static func decoded(_ path: String) -> String? {
        guard path.utf8.contains(UInt8(ascii: "%")) else { return path }
        var segments: [String] = []
        for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = HTTPGrammar.decoded(segment), !text.contains("/") else { return nil }
            segments.append(text)
        }
        return segments.joined(separator: "/")
    }
}
