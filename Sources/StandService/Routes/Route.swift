import HTTPServer
import JuiceStand

/// One thing that can be asked of a stand: a method on a path, what answers it, and how its description reads.
struct Route: Sendable {
    /// Answers a request; the argument is what stands for `{id}` in the path.
    typealias Action = @Sendable (HTTPRequest, Substring) -> HTTPAnswer

    let method: HTTPMethod
    /// A path as OpenAPI writes it; at most its last part is `{id}`.
    let path: String
    let description: Description
    let action: Action

    /// What the OpenAPI document says of it.
    struct Description: Sendable {
        /// One word that names it among all.
        var name: String
        var summary: String
        /// The schema of the content of the request; nil where there is none.
        var content: String?
        /// The schema of the answer, or its media type where that is not JSON.
        var answer: Answer
        var success: HTTPStatus = .ok
        /// Whether it may also answer 204, where there is nothing to show.
        var mayBeEmpty = false
        /// Other statuses it answers with, all with problem documents.
        var problems: [HTTPStatus] = []
        var parameters: [Parameter] = []
        /// Fields of a successful answer, besides those that every one has.
        var headers: [Header] = []
    }

    enum Answer: Sendable {
        case schema(String)
        case text(mediaType: String)
    }

    /// What a request may say besides its content.
    enum Parameter: String, CaseIterable, Sendable {
        case orderID
        case idempotencyKey
        case ifMatch
        case lastEventID
        case after

        /// What it is called in the query; nil where it is not of the query.
        var queryName: String? { self == .after ? rawValue : nil }
    }

    /// What an answer may say besides its content.
    enum Header: String, CaseIterable, Sendable {
        case eTag = "ETag"
        case location = "Location"
        case authenticate = "WWW-Authenticate"
        case retryAfter = "Retry-After"
    }

    init(_ method: HTTPMethod, _ path: String, _ description: Description, _ action: @escaping Action) {
        self.method = method
        self.path = path
        self.description = description
        self.action = action
    }
}

/// Finds the route of a request.
struct RouteTable: Sendable {
    let all: [Route]
    private let byPath: [String: [Route]]

    init(_ routes: [Route]) {
        all = routes
        byPath = Dictionary(grouping: routes, by: \.path)
    }

    /// The routes of a path, one for each method, and what stands for `{id}` in it; no routes where there is nothing.
    ///
    /// - Complexity: O(1)
    func routes(at path: String) -> (routes: [Route], argument: Substring) {
        if let routes = byPath[path] { return (routes, "") }
        guard let slash = path.lastIndex(of: "/") else { return ([], "") }
        return (byPath[path[...slash] + "{id}"] ?? [], path[path.index(after: slash)...])
    }
}
