import HTTPServer
import JuiceStand
import StandState
import TextFormats

/// The description of the service, made of its routes: OpenAPI 3.1.
enum OpenAPIDocument {
    /// The route of the document itself, which describes it too.
    static func route(for others: [Route]) -> Route {
        let description = Route.Description(
            name: "openapi", summary: "This document", answer: .schema("OpenAPI"))
        let path = "/api/v1/openapi.json"
        let itself = Route(.get, path, description) { _, _ in .now(HTTPResponse(.internalServerError)) }
        let response = HTTPResponse(json: document(others + [itself]))
        return Route(.get, path, description) { _, _ in .now(response) }
    }

    static func document(_ routes: [Route]) -> JSONValue {
        var paths: [JSONValue.Member] = []
        for route in routes {
            let operation = JSONValue.Member(key: route.method.rawValue.lowercased(), value: operation(route))
            if let index = paths.firstIndex(where: { $0.key == route.path }),
                case .object(let others) = paths[index].value
            {
                paths[index].value = .object(others + [operation])
            } else {
                paths.append(.init(key: route.path, value: .object([operation])))
            }
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "juicestand", "version": "1",
                "description": .string(
                    "A running juice stand. Over the Unix socket nothing more is asked; over TCP, Host must be the address "
                        + "listened on, Origin the same where there is one, and what changes the stand takes the token. "
                        + "Any request may be refused as RFC 9110 has it, always with a problem document."),
            ],
            "paths": .object(paths),
            "components": [
                "schemas": OpenAPISchemas.all,
                "parameters": .object(
                    Route.Parameter.allCases.map { .init(key: $0.rawValue, value: $0.description) }),
                "headers": .object(Route.Header.allCases.map { .init(key: $0.rawValue, value: $0.description) }),
                "responses": [
                    "Problem": problem("A problem document of RFC 9457"),
                    "401": problem("Over TCP, without the token", [.authenticate]),
                    "412": problem("Somebody else has changed the stock", [.eTag]),
                    "Refused": problem(
                        "What any request may be answered with that is not as it should be", [.retryAfter]),
                ],
                "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
            ],
        ]
    }

    private static func operation(_ route: Route) -> JSONValue {
        let description = route.description
        var members: [JSONValue.Member] = [
            .init(key: "operationId", value: .string(description.name)),
            .init(key: "summary", value: .string(description.summary)),
        ]
        if !description.parameters.isEmpty {
            let parameters = description.parameters.map { reference("parameters", $0.rawValue) }
            members.append(.init(key: "parameters", value: .array(parameters)))
        }
        if let content = description.content {
            members.append(
                .init(
                    key: "requestBody",
                    value: [
                        "required": true, "content": ["application/json": ["schema": reference("schemas", content)]],
                    ]))
        }
        var responses = [
            JSONValue.Member(
                key: "\(description.success.rawValue)",
                value: response(description.success.phrase, content(description.answer), description.headers))
        ]
        if description.mayBeEmpty { responses.append(.init(key: "204", value: ["description": "No Content"])) }
        responses += description.problems.sorted { $0.rawValue < $1.rawValue }.map { status in
            let isSpecial = status == .unauthorized || status == .preconditionFailed
            return .init(
                key: "\(status.rawValue)", value: reference("responses", isSpecial ? "\(status.rawValue)" : "Problem"))
        }
        responses.append(.init(key: "default", value: reference("responses", "Refused")))
        members.append(.init(key: "responses", value: .object(responses)))
        if !route.method.isSafe { members.append(.init(key: "security", value: [["token": []], [:]])) }
        return .object(members)
    }

    private static func response(_ text: String, _ content: JSONValue, _ headers: [Route.Header]) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "description", value: .string(text)), .init(key: "content", value: content),
        ]
        if !headers.isEmpty {
            let references = headers.map {
                JSONValue.Member(key: $0.rawValue, value: reference("headers", $0.rawValue))
            }
            members.append(.init(key: "headers", value: .object(references)))
        }
        return .object(members)
    }

    private static func problem(_ text: String, _ headers: [Route.Header] = []) -> JSONValue {
        response(text, ["application/problem+json": ["schema": reference("schemas", "Problem")]], headers)
    }

    private static func content(_ answer: Route.Answer) -> JSONValue {
        switch answer {
        case .schema(let name): ["application/json": ["schema": reference("schemas", name)]]
        case .text(let type): .object([.init(key: type, value: ["schema": ["type": "string"]])])
        }
    }

    static func reference(_ kind: String, _ name: String) -> JSONValue {
        ["$ref": .string("#/components/\(kind)/\(name)")]
    }
}

extension Route.Parameter {
    fileprivate var description: JSONValue {
        switch self {
        case .orderID:
            parameter("id", "path", "The order's number", ["type": "integer", "minimum": 1], isRequired: true)
        case .idempotencyKey:
            parameter(
                "Idempotency-Key", "header", "A change that comes again with its key is answered again, and not made",
                ["type": "string", "minLength": 1, "maxLength": .integer(Int64(ChangeDesk.longestKey))])
        case .ifMatch:
            parameter(
                "If-Match", "header", "The stock's ETag; 412 where another edit came between",
                ["type": "string", "pattern": #"^("[0-9]+"|\*)$"#])
        case .lastEventID:
            parameter("Last-Event-ID", "header", "The last event that is known", ["type": "integer", "minimum": 0])
        case .after:
            parameter("after", "query", "The same, for a first connection", ["type": "integer", "minimum": 0])
        }
    }

    private func parameter(
        _ name: String, _ place: String, _ text: String, _ schema: JSONValue, isRequired: Bool = false
    ) -> JSONValue {
        [
            "name": .string(name), "in": .string(place), "required": .bool(isRequired), "description": .string(text),
            "schema": schema,
        ]
    }
}

extension Route.Header {
    fileprivate var description: JSONValue {
        switch self {
        case .eTag: header("The stock's edit tag in quotation marks, for If-Match; it counts edits and not sales")
        case .location: header("Where the order is")
        case .authenticate: header("Bearer")
        case .retryAfter: header("With 503, where there are too many connections: seconds to wait", "integer")
        }
    }

    private func header(_ text: String, _ type: JSONValue = "string") -> JSONValue {
        ["description": .string(text), "schema": ["type": type]]
    }
}
