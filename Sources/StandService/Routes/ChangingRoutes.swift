import HTTPServer
import JuiceStand
import StandState
import TextFormats

/// The routes that change a stand: orders, stock, rate, pause, resume, reload, stop.
struct ChangingRoutes: Sendable {
    private let control: StandControl

    init(_ control: StandControl) {
        self.control = control
    }

    /// What any change can be refused with, besides what is its own.
    private static let problems: [HTTPStatus] = [
        .badRequest, .unauthorized, .conflict, .unprocessableContent, .serviceUnavailable,
    ]

    var routes: [Route] {
        [
            Route(
                .post, "/api/v1/orders",
                .init(
                    name: "placeOrder", summary: "Places an order", content: "OrderRequest",
                    answer: .schema("OrderAnswer"), success: .created,
                    problems: Self.problems + [.unsupportedMediaType], parameters: [.idempotencyKey],
                    headers: [.location]),
                reading(order)),
            Route(
                .post, "/api/v1/stock/changes",
                .init(
                    name: "changeStock", summary: "Changes the stock by differences, all or none",
                    content: "StockChange", answer: .schema("StockAnswer"),
                    problems: Self.problems + [.preconditionFailed, .unsupportedMediaType],
                    parameters: [.idempotencyKey, .ifMatch], headers: [.eTag]),
                reading(changeStock)),
            Route(
                .put, "/api/v1/rate",
                .init(
                    name: "setRate", summary: "Sets the factor on arrivals", content: "Rate", answer: .schema("Done"),
                    problems: Self.problems + [.unsupportedMediaType], parameters: [.idempotencyKey]),
                reading(setRate)),
            plain("/api/v1/pause", "pause", "Stops stand time") { $0.pause(key: $1, reply: done($2)) },
            plain("/api/v1/resume", "resume", "Lets stand time go on") { $0.resume(key: $1, reply: done($2)) },
            plain("/api/v1/stop", "stop", "Closes the stand for good") { $0.stop(key: $1, reply: done($2)) },
            plain("/api/v1/reload", "reload", "Reads the configuration again", answer: "Reloaded") {
                $0.reload(key: $1, reply: reloaded($2))
            },
        ]
    }

    /// A change that needs no words.
    private func plain(
        _ path: String, _ name: String, _ summary: String, answer: String = "Done",
        _ change: @escaping @Sendable (StandControl, String?, HTTPReply) -> Void
    ) -> Route {
        Route(
            .post, path,
            .init(
                name: name, summary: summary, answer: .schema(answer), problems: Self.problems,
                parameters: [.idempotencyKey])
        ) { [control] request, _ in
            guard request.content.isEmpty else {
                return .now(.problem(.badRequest, "this takes no content, found \(request.content.count) bytes"))
            }
            let key = request.fields["idempotency-key"]
            return .later { change(control, key, $0) }
        }
    }

    /// Answers with what `read` makes of a request, or with why it can't be read.
    private func reading(
        _ read: @escaping @Sendable (HTTPRequest) throws(HTTPRefusal) -> HTTPAnswer
    ) -> Route.Action {
        { request, _ in
            do throws(HTTPRefusal) { return try read(request) } catch { return .now(HTTPResponse(error)) }
        }
    }
}

// MARK: - Each change

extension ChangingRoutes {
    private func order(_ request: HTTPRequest) throws(HTTPRefusal) -> HTTPAnswer {
        var content = try JSONContent(request)
        let juice = try content.string("juice")
        let cups = try content.integer("cups", default: 1)
        try content.finish()
        let key = request.fields["idempotency-key"]
        return .later { [control] reply in
            control.order(juice, cups: cups, key: key) { result in
                reply.send(response(to: result) { $0.response(wish: juice) })
            }
        }
    }

    private func changeStock(_ request: HTTPRequest) throws(HTTPRefusal) -> HTTPAnswer {
        var content = try JSONContent(request)
        let changes = try content.integers("changes").map {
            StandChange.StockDifference(fruit: $0.key, pieces: $0.value)
        }
        try content.finish()
        let tag = try Self.editTag(request.fields["if-match"])
        let key = request.fields["idempotency-key"]
        return .later { [control] reply in
            control.changeStock(changes, ifTag: tag, key: key) { result in
                reply.send(
                    response(to: result) { editTag, levels in
                        HTTPResponse(json: ["editTag": .integer(Int64(editTag)), "stock": levels.json]).tagged(editTag)
                    })
            }
        }
    }

    private func setRate(_ request: HTTPRequest) throws(HTTPRefusal) -> HTTPAnswer {
        var content = try JSONContent(request)
        let factor = try content.number("factor")
        try content.finish()
        let key = request.fields["idempotency-key"]
        return .later { [control] reply in control.setRate(factor, key: key, reply: done(reply)) }
    }

    /// The tag of `If-Match: "7"`; nil without the field, or with the asterisk that any tag fits.
    private static func editTag(_ field: String?) throws(HTTPRefusal) -> UInt64? {
        guard let field, field != "*" else { return nil }
        guard field.utf8.count > 2, field.hasPrefix("\""), field.hasSuffix("\""),
            let tag = UInt64(field.dropFirst().dropLast())
        else { throw HTTPRefusal(.badRequest, "If-Match must be the stock's ETag, such as \"7\"") }
        return tag
    }

    private func done(_ reply: HTTPReply) -> StandControl.Reply<SimulationTime> {
        { result in
            reply.send(response(to: result) { HTTPResponse(json: ["at": .number($0.seconds)]) })
        }
    }

    private func reloaded(_ reply: HTTPReply) -> StandControl.Reply<[SettingChange]> {
        { result in
            reply.send(
                response(to: result) { changes in
                    HTTPResponse(json: [
                        "changes": .array(
                            changes.map { ["key": .string($0.key), "from": .string($0.from), "to": .string($0.to)] })
                    ])
                })
        }
    }

    private func response<Answer>(
        to result: Result<Answer, ControlError>, _ response: (Answer) -> HTTPResponse
    ) -> HTTPResponse {
        switch result {
        case .success(let answer): response(answer)
        case .failure(let error): HTTPResponse(error)
        }
    }
}

// MARK: - Answers and refusals

extension OrderAnswer {
    /// What the one who ordered is told; an order that was lost is a conflict with what the stand has.
    fileprivate func response(wish: String) -> HTTPResponse {
        let number = JSONValue.Member(key: "order", value: .integer(Int64(number)))
        switch outcome {
        case .placed(let juice, let isSubstitute, let isStarted, let waiting):
            return HTTPResponse(
                .created,
                json: .object([
                    number, .init(key: "at", value: .number(at.seconds)), .init(key: "juice", value: .string(juice)),
                    .init(key: "isSubstitute", value: .bool(isSubstitute)),
                    .init(key: "isStarted", value: .bool(isStarted)),
                    .init(key: "cupsWaitingForFruit", value: .integer(Int64(waiting))),
                ])
            ).with("location", "/api/v1/orders/\(self.number)")
        case .soldOut(let fruit, let missing, let instead):
            return .problem(
                .conflict, "not enough fruit for \(wish): \(missing) more \(fruit) needed",
                [
                    number, .init(key: "reason", value: "soldOut"), .init(key: "fruit", value: .string(fruit)),
                    .init(key: "missing", value: .integer(Int64(missing))),
                    .init(key: "instead", value: .array(instead.map { .string($0) })),
                ])
        case .lineFull:
            return .problem(
                .conflict, "the line is full", [number, .init(key: "reason", value: "queueFull")])
        }
    }
}

extension HTTPResponse {
    fileprivate init(_ error: ControlError) {
        var members: [JSONValue.Member] = []
        let status: HTTPStatus
        switch error {
        case .notOnMenu(_, let nearest), .unknownFruit(_, let nearest):
            status = .unprocessableContent
            members = nearest.map { [.init(key: "nearest", value: .string($0))] } ?? []
        case .wouldBeNegative(let fruit, let by), .doesNotFit(let fruit, let by):
            status = .conflict
            members = [.init(key: "fruit", value: .string(fruit)), .init(key: "by", value: .integer(Int64(by)))]
        case .isUnlimited(let fruit):
            status = .conflict
            members = [.init(key: "fruit", value: .string(fruit))]
        case .tagMismatch(let current):
            status = .preconditionFailed
            members = [.init(key: "editTag", value: .integer(Int64(current)))]
        case .invalid: status = .unprocessableContent
        case .keyReused: status = .unprocessableContent
        case .badConfiguration(let problems):
            status = .unprocessableContent
            members = [.init(key: "problems", value: .array(problems.map { .string($0) }))]
        case .cannotChange(let keys):
            status = .conflict
            members = [.init(key: "problems", value: .array(keys.map { .string($0) }))]
        case .diskFailing: status = .serviceUnavailable
        case .closed: status = .conflict
        case .stopping: status = .serviceUnavailable
        }
        self = .problem(status, "\(error)", members)
        if case .tagMismatch(let current) = error { self = tagged(current) }
    }
}
