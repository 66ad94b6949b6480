import HTTPServer
import JuiceStand
import StandExperiments
import StandState
import TextFormats

/// The OpenAPI 3.1 document of the service, generated from its routes and the stand's menu.
///
/// A request that violates the document gets 400, 413, 415 or 422. A valid request that the stand cannot fulfil gets
/// 404, 409 or 412.
enum OpenAPIDocument {
    /// The route of the document itself, which the document describes as well.
    ///
    /// - Parameter menu: Juices and fruits of the stand, which never change while it is open.
    static func route(for others: [Route], _ menu: Menu) -> Route {
        let description = Route.Description(name: "openapi", summary: "This document", answer: .schema("OpenAPI"))
        let path = "/api/v1/openapi.json"
        let itself = Route(.get, path, description) { _, _ in .now(HTTPResponse(.internalServerError)) }
        let response = HTTPResponse(json: document(others + [itself], menu))
        return Route(.get, path, description) { _, _ in .now(response) }
    }

    private static func document(_ routes: [Route], _ menu: Menu) -> JSONValue {
        var paths: [JSONValue.Member] = []
        for route in routes {
            let operation = JSONValue.Member(key: route.method.rawValue.lowercased(), value: operation(route))
            if let index = paths.firstIndex(where: { $0.key == route.path }) {
                paths[index].value = .object(paths[index].value.members + [operation])
            } else {
                paths.append(.init(key: route.path, value: .object([operation])))
            }
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "juicestand", "version": "1",
                "description": .string(
                    "A running juice stand. The Unix socket needs no authentication. Over TCP, Host must be the "
                        + "bound address, Origin, if present, must be the same, and changes need the token. Every "
                        + "error is a problem document."),
            ],
            "x-limits": limits,
            "paths": .object(paths),
            "components": [
                "schemas": OpenAPISchemas.all(menu),
                "parameters": .object(
                    unique(routes.flatMap(\.description.parameters).map { .init(key: $0.key, value: $0.description) })),
                "headers": .object(
                    unique(
                        (routes.flatMap(\.description.headers) + [.authenticate, .retryAfter]).map {
                            .init(key: $0.name, value: $0.description)
                        })),
                "responses": .object(
                    HTTPStatus.allCases.filter(\.isError).map { status in
                        .init(key: status.name, value: problem(status.meaning, status.headers))
                    }),
                "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
            ],
        ]
    }

    /// The members without duplicates: of those with the same key, the first stays.
    private static func unique(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
        var keys: Set<String> = []
        return members.filter { keys.insert($0.key).inserted }
    }

    /// The limits of a request, in bytes or numbers of fields.
    private static let limits: JSONValue = {
        let limits = HTTPLimits()
        return [
            "requestLine": .whole(limits.requestLine), "field": .whole(limits.field),
            "fields": .whole(limits.fields), "head": .whole(limits.head),
            "content": .whole(limits.content), "chunkExtensions": .whole(limits.chunkExtensions),
        ]
    }()

    /// The error statuses that any operation can have.
    private static let commonProblems: Set<HTTPStatus> = [
        .badRequest, .forbidden, .requestTimeout, .contentTooLarge, .targetTooLong, .expectationFailed,
        .misdirectedRequest, .fieldsTooLarge, .internalServerError, .notImplemented, .serviceUnavailable,
        .versionNotSupported,
    ]

    private static func operation(_ route: Route) -> JSONValue {
        let description = route.description
        let fields = description.fields.map(\.text).joined(separator: " ")
        let parameters = description.parameters.map { reference("parameters", $0.key) }
        var responses = [
            JSONValue.Member(
                key: "\(description.success.code)",
                value: response(description.success.phrase, content(description.answer), description.headers))
        ]
        if let empty = description.empty {
            responses.append(.init(key: "\(empty.code)", value: ["description": .string(empty.phrase)]))
        }
        responses += commonProblems.union(description.problems).sorted { $0.code < $1.code }.map { status in
            .init(key: "\(status.code)", value: reference("responses", status.name))
        }
        return [
            "operationId": .string(description.name), "summary": .string(description.summary),
            "description": fields.isEmpty ? nil : .string(fields),
            "parameters": parameters.isEmpty ? nil : .array(parameters),
            "requestBody": description.content.map {
                ["required": true, "content": ["application/json": ["schema": reference("schemas", $0)]]]
            },
            "responses": .object(responses),
            "security": route.method.isSafe ? nil : [["token": []], [:]],
        ]
    }

    private static func response(_ text: String, _ content: JSONValue, _ headers: [Route.Header]) -> JSONValue {
        let references = headers.map { JSONValue.Member(key: $0.name, value: reference("headers", $0.name)) }
        return [
            "description": .string(text), "content": content, "headers": headers.isEmpty ? nil : .object(references),
        ]
    }

    private static func problem(_ text: String, _ headers: [Route.Header] = []) -> JSONValue {
        response(text, ["application/problem+json": ["schema": reference("schemas", "Problem")]], headers)
    }

    private static func content(_ answer: Route.Answer) -> JSONValue {
        switch answer {
        case .schema(let name): ["application/json": ["schema": reference("schemas", name)]]
        case .text(let type, let other):
            // A stream of events is not one string.
            .object(
                [type, other].compactMap { $0 }.map {
                    .init(key: $0, value: $0 == "text/event-stream" ? [:] : ["schema": ["type": "string"]])
                })
        }
    }

    static func reference(_ kind: String, _ name: String) -> JSONValue {
        ["$ref": .string("#/components/\(kind)/\(name)")]
    }
}

extension Route.JudgedField {
    /// Sentences for the description of an operation.
    fileprivate var text: String {
        switch self {
        case .idempotencyKey:
            "The field Idempotency-Key can have a key of 1 to \(IdempotencyCache.longestKey) characters. If it is "
                + "repeated with the same content, the first answer is repeated and the change is not made again; "
                + "with other content the answer is 422."
        case .ifMatch:
            "The field If-Match can have edit tags of the stock in double quotes. If the stock has been edited "
                + "since, the answer is 412."
        }
    }
}

extension Route.Parameter {
    static let orderID = Self(
        key: "orderID", name: "id", location: .path, text: "The order's number",
        schema: ["type": "integer", "minimum": 1])
    static let ifNoneMatch = Self(
        key: "ifNoneMatch", name: "If-None-Match", location: .header,
        text: "Known entity tags in double quotes, or *. 304 if one is current", schema: ["type": "string"])
    static let lastEventID = Self(
        key: "lastEventID", name: "Last-Event-ID", location: .header, text: "The number of the last known event",
        schema: OpenAPISchemas.count)
    static let afterEvent = Self(
        key: "afterEvent", name: "after", location: .query, text: "The same, for the first connection",
        schema: OpenAPISchemas.count)
    static let afterOrder = Self(
        key: "afterOrder", name: "after", location: .query, text: "Lists orders after this number",
        schema: OpenAPISchemas.count)
    static let limit = Self(
        key: "limit", name: "limit", location: .query, text: "The most orders to list",
        schema: ["type": "integer", "minimum": 1, "maximum": 1000, "default": 100])
    static let forecastLength = Self(
        key: "forecastLength", name: "in", location: .query,
        text: "The time to look ahead, such as 30m, 4h or a number of seconds. 409 if all futures together have more "
            + "than \(ForecastDesk.mostEvents) events", schema: OpenAPISchemas.duration(default: "4h"))
    static let forecastEvery = Self(
        key: "forecastEvery", name: "every", location: .query,
        text: "The interval between the instants with levels and the queue. The span has 1 to "
            + "\(Forecast.Span.mostInstants) instants", schema: OpenAPISchemas.duration(default: "15m"))
    static let instant = Self(
        key: "instant", name: "at", location: .query,
        text: "An instant that has passed: now, \(StandClock.expectation). 404 before the opening and in the future",
        schema: OpenAPISchemas.instant())
    static let instantEvent = Self(
        key: "instantEvent", name: "seq", location: .query,
        text: "Instead of `at`: the instant right after the event of that number", schema: OpenAPISchemas.count)
    static let historyFrom = Self(
        key: "historyFrom", name: "from", location: .query, text: "The beginning of the range, as `at` of the status",
        schema: OpenAPISchemas.instant(default: "0"))
    static let historyTo = Self(
        key: "historyTo", name: "to", location: .query,
        text: "The end of the range. 404 if it is before the beginning", schema: OpenAPISchemas.instant(default: "now"))
    static let historyPoints = Self(
        key: "historyPoints", name: "points", location: .query, text: "The approximate number of instants",
        schema: ["type": "integer", "minimum": 1, "maximum": 1000, "default": 240])
    static let wiringSpan = Self(
        key: "wiringSpan", name: "for", location: .query,
        text: "The wall time to measure, up to 60s, such as 500ms, 5s or a number of seconds",
        schema: [
            "type": "string", "default": "1s",
            "pattern": #"^(?=.*[1-9])([0-9]{1,4}ms|[1-5][0-9]{4}ms|60000ms|[1-5]?[0-9]([.][0-9]{1,3})?s?|60s?|1m)$"#,
        ])

    fileprivate var description: JSONValue {
        [
            "name": .string(name), "in": .string(location.rawValue), "required": .bool(location == .path),
            "description": .string(text), "schema": schema,
        ]
    }
}

extension Route.Header {
    static let eTag = Self(name: "ETag", text: "The validator for If-None-Match")
    static let location = Self(name: "Location", text: "The path of the order")
    static let authenticate = Self(name: "WWW-Authenticate", text: "Bearer")
    static let retryAfter = Self(
        name: "Retry-After", text: "If there are too many connections: seconds to wait", type: "integer")

    fileprivate var description: JSONValue { ["description": .string(text), "schema": ["type": type]] }
}

extension HTTPStatus {
    fileprivate var isError: Bool { code >= 400 }

    /// The name of its response in the document, such as `NotFound`.
    fileprivate var name: String { phrase.filter { $0 != " " } }

    fileprivate var headers: [Route.Header] {
        switch self {
        case .unauthorized: [.authenticate]
        case .serviceUnavailable: [.retryAfter]
        default: []
        }
    }

    /// When the service answers with this status.
    fileprivate var meaning: String {
        switch self {
        case .ok, .created, .noContent, .notModified: phrase
        case .badRequest: "Malformed request, unknown query parameter, or content that is not the JSON expected"
        case .unauthorized: "A change over TCP without the token"
        case .forbidden: "A request of another origin or site"
        case .notFound: "Unknown path, order or instant"
        case .methodNotAllowed: "The path has no such method"
        case .requestTimeout: "The request was not complete in time"
        case .conflict: "The state of the stand does not allow it; see the type of the problem"
        case .preconditionFailed: "The tags of If-Match are not current"
        case .contentTooLarge: "Content beyond the limit, or where none is expected"
        case .targetTooLong: "The request line is beyond the limit"
        case .unsupportedMediaType: "Content that is not application/json, or is compressed"
        case .expectationFailed: "An expectation other than 100-continue"
        case .misdirectedRequest: "Host is not the address of this stand"
        case .unprocessableContent: "A value that is unknown or out of range; see the type of the problem"
        case .fieldsTooLarge: "The fields are beyond the limits"
        case .internalServerError: "The request was dropped"
        case .notImplemented: "Unknown method or transfer coding"
        case .serviceUnavailable: "Too many connections, or the stand can't do it now; see the type of the problem"
        case .versionNotSupported: "Not HTTP/1.0 or HTTP/1.1"
        }
    }
}
