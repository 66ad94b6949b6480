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
        if let refusal = gate?.refusal(of: request, over: transport) { return .now(refusal.guarded) }
        if request.path == "*" { return .now(HTTPResponse(.noContent).with("allow", Self.allowed(table.all)).guarded) }
        let (routes, argument) = table.routes(at: request.path)
        guard !routes.isEmpty else {
            return .now(
                HTTPResponse.problem(.notFound, "there is nothing at this path; see /api/v1/openapi.json").guarded)
        }
        if request.method == .options {
            return .now(HTTPResponse(.noContent).with("allow", Self.allowed(routes)).guarded)
        }
        let method = request.method == .head ? .get : request.method
        guard let route = routes.first(where: { $0.method == method }) else {
            let allowed = Self.allowed(routes)
            return .now(
                HTTPResponse.problem(.methodNotAllowed, "this path takes \(allowed)").with("allow", allowed).guarded)
        }
        return route.action(request, argument).guarded
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

extension HTTPResponse {
    /// With what keeps a browser from making more of the answer than it is.
    fileprivate var guarded: HTTPResponse {
        var response = self
        if response.fields["cache-control"] == nil { response.fields.append("cache-control", "no-store") }
        response.fields.append("x-content-type-options", "nosniff")
        if response.fields["content-security-policy"] == nil {
            response.fields.append("content-security-policy", "default-src 'none'; frame-ancestors 'none'")
        }
        return response
    }
}

extension HTTPAnswer {
    fileprivate var guarded: HTTPAnswer {
        switch self {
        case .now(let response): .now(response.guarded)
        case .stream(let head, let body): .stream(head.guarded, body)
        case .later(let ask): .later { reply in ask(HTTPReply { reply.send($0.guarded) }) }
        }
    }
}
