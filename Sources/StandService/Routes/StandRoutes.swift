import HTTPServer

/// The HTTP API of a running stand.
///
/// One table of routes is both served and described at `/api/v1/openapi.json`.
package struct StandRoutes: Sendable {
    private let gate: HTTPGate?
    private let table: RouteTable
    /// Says where the paths are listed.
    private let hint: String

    /// - Parameters:
    ///   - gate: Access control for TCP; nil without TCP.
    ///   - page: The address of the page; nil without TCP.
    ///   - pump: Requests that streams are fed; see ``HTTPServer/pump()``.
    package init(
        _ running: RunningStand, gate: HTTPGate?, page: String?, counters: HTTPCounters,
        pump: @escaping @Sendable () -> Void
    ) {
        let control = running.control
        let events = EventFeed(control, pump: pump)
        let routes =
            ReadingRoutes(control: control, page: page).routes + ChangingRoutes(control: control).routes
            + ForecastRoutes(desk: running.desk).routes
            + [StateRoute(control: control).route, WiringDesk(running).route, events.route]
            + MonitoringRoutes(running: running, counters: counters, events: events).routes + PageRoutes.routes
        self.init(
            routes + [OpenAPIDocument.route(for: routes, control.status.settings.menu)], gate: gate,
            hint: "/api/v1/openapi.json lists the paths")
    }

    init(_ routes: [Route], gate: HTTPGate?, hint: String) {
        table = RouteTable(routes)
        self.gate = gate
        self.hint = hint
    }

    /// See ``HTTPHandler``.
    package func admission(of request: HTTPRequest, over transport: HTTPTransport) -> HTTPAdmission {
        if let refusal = gate?.refusal(of: request, over: transport) { return .refused(refusal) }
        let isForAll = request.path == "*"
        let (routes, argument) = isForAll ? (table.all, "") : table.routes(at: request.path)
        guard !routes.isEmpty else {
            return .refused(.problem(.notFound, "unknown path; \(hint)"))
        }
        if request.method == .options {
            return .admitted(content: 0) { _ in .now(HTTPResponse(.noContent).with("allow", Self.allowed(routes))) }
        }
        let method = request.method == .head ? .get : request.method
        guard let route = routes.first(where: { $0.method == method }) else {
            let allowed = Self.allowed(routes)
            return .refused(
                .problem(.methodNotAllowed, "the methods of this path are \(allowed)").with("allow", allowed))
        }
        if let refusal = gate?.refusalWithoutToken(of: request, over: transport)
            ?? Self.refusal(of: request.queryItems, by: route) ?? Self.refusal(ofConditionsOf: request, by: route)
        {
            return .refused(refusal)
        }
        if route.description.isLocal, transport == .tcp {
            return .refused(.problem(.forbidden, "only the Unix socket of the stand has this path"))
        }
        let content = route.description.content == nil ? 0 : HTTPLimits().content
        return .admitted(content: content) { route.answer($0, argument) }
    }

    /// Only the stock has an edit tag. Elsewhere no tag matches (RFC 9110, 13.1.1).
    private static func refusal(ofConditionsOf request: HTTPRequest, by route: Route) -> HTTPResponse? {
        guard !route.method.isSafe, !route.description.fields.contains(.ifMatch) else { return nil }
        do throws(RouteRefusal) {
            guard case .list? = try HTTPEntityTags(ifMatchOf: request) else { return nil }
            return .problem(.preconditionFailed, "only a change of the stock has an edit tag for If-Match")
        } catch {
            return error.response
        }
    }

    /// Refuses unknown parameters, which would have no effect. The page's files ignore them.
    private static func refusal(of items: [(name: String, value: String)], by route: Route) -> HTTPResponse? {
        guard route.path.hasPrefix("/api/"), !items.isEmpty else { return nil }
        let known = route.description.parameters.filter { $0.location == .query }.map(\.name)
        let unknown = items.map(\.name).filter { !known.contains($0) }
        guard unknown.isEmpty else {
            let names = unknown.map { "\"\($0)\"" }.joined(separator: ", ")
            return .problem(
                .badRequest,
                "unknown query parameter \(names); "
                    + (known.isEmpty ? "this path has none" : "this path has \(known.joined(separator: " and "))"))
        }
        guard Set(items.map(\.name)).count == items.count else {
            return .problem(.badRequest, "a query parameter must not be repeated")
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
    /// Fields of every response that keep browsers from sniffing, framing, caching or embedding it.
    package static let guarding: HTTPFields = {
        var fields = HTTPFields()
        fields.append("cache-control", "no-store")
        fields.append("x-content-type-options", "nosniff")
        fields.append("cross-origin-resource-policy", "same-origin")
        fields.append("content-security-policy", "default-src 'none'; frame-ancestors 'none'")
        return fields
    }()
}
