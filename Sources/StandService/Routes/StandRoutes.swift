import HTTPServer
import JuiceStand

/// Answers what is asked of a running stand over HTTP.
///
/// Made of a table: what is in it is served, and described at `/api/v1/openapi.json`; nothing else is.
package struct StandRoutes: Sendable {
    private let gate: HTTPGate?
    private let table: RouteTable

    /// - Parameters:
    ///   - gate: Who may come in over TCP; nil where nobody can.
    ///   - comparison: What the page shows of `compare`, as JSON; nil where there is nothing.
    ///   - pump: Asks for streams to be fed; see ``HTTPServer/pump()``.
    package init(
        _ running: RunningStand, gate: HTTPGate?, counters: HTTPCounters, comparison: [UInt8]? = nil,
        pump: @escaping @Sendable () -> Void
    ) {
        self.gate = gate
        let control = running.control
        let events = EventFeed(control, pump: pump)
        let routes =
            ReadingRoutes(control).routes + ChangingRoutes(control).routes + [events.route]
            + WatchingRoutes(running, counters, events).routes + PageRoutes(comparison: comparison).routes
        table = RouteTable(routes + [OpenAPIDocument.route(for: routes)])
    }

    /// See ``HTTPHandler``.
    package func answer(_ request: HTTPRequest, over transport: HTTPTransport) -> HTTPAnswer {
        if let refusal = gate?.refusal(of: request, over: transport) { return .now(refusal) }
        if request.path == "*" { return .now(HTTPResponse(.noContent).with("allow", Self.allowed(table.all))) }
        let (routes, argument) = table.routes(at: request.path)
        guard !routes.isEmpty else {
            return .now(.problem(.notFound, "there is nothing at this path; see /api/v1/openapi.json"))
        }
        if request.method == .options {
            return .now(HTTPResponse(.noContent).with("allow", Self.allowed(routes)))
        }
        let method = request.method == .head ? .get : request.method
        guard let route = routes.first(where: { $0.method == method }) else {
            let allowed = Self.allowed(routes)
            return .now(.problem(.methodNotAllowed, "this path takes \(allowed)").with("allow", allowed))
        }
        if let refusal = Self.refusal(of: request.queryItems, by: route) { return .now(refusal) }
        return route.action(request, argument)
    }

    /// A parameter that nobody reads would be a wish that nobody grants; the page's files take no notice of any.
    private static func refusal(of items: [(name: String, value: String)], by route: Route) -> HTTPResponse? {
        guard route.path.hasPrefix("/api/"), !items.isEmpty else { return nil }
        let known = route.description.parameters.compactMap(\.queryName)
        let unknown = items.map(\.name).filter { !known.contains($0) }
        guard unknown.isEmpty else {
            let names = unknown.map { "\"\($0)\"" }.joined(separator: ", ")
            return .problem(
                .badRequest,
                "the query must have "
                    + (known.isEmpty ? "no parameters" : "no parameters but \(known.joined(separator: ", "))")
                    + ", found \(names)")
        }
        guard Set(items.map(\.name)).count == items.count else {
            return .problem(.badRequest, "each parameter of the query must stand there once")
        }
        return nil
    }

    private static func allowed(_ routes: [Route]) -> String {
        let methods = Set(routes.map(\.method))
        let list = HTTPMethod.allCases.filter { method in
            method == .options || methods.contains(method == .head ? .get : method)
        }
        return list.map(\.rawValue).joined(separator: ", ")
    }
}

// MARK: - For browsers

extension HTTPFields {
    /// What keeps a browser from making more of an answer than it is; on every one, refusals too.
    package static let guarding: HTTPFields = {
        var fields = HTTPFields()
        fields.append("cache-control", "no-store")
        fields.append("x-content-type-options", "nosniff")
        fields.append("content-security-policy", "default-src 'none'; frame-ancestors 'none'")
        return fields
    }()
}
