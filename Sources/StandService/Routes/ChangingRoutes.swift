import HTTPServer
import JuiceStand
import StandState
import TextFormats

/// The routes that change a stand: orders, stock, rate, pause, resume, reload, stop.
struct ChangingRoutes: Sendable {
    let control: StandControl

    /// The problems of every change.
    private static let problems: [HTTPStatus] = [.unauthorized, .conflict, .preconditionFailed, .unprocessableContent]

    var routes: [Route] {
        [
            Route(
                .post, "/api/v1/orders",
                .init(
                    name: "placeOrder", summary: "Places an order", content: "OrderRequest",
                    answer: .schema("OrderAnswer"), success: .created,
                    problems: Self.problems + [.unsupportedMediaType], fields: [.idempotencyKey],
                    headers: [.location]),
                reading(order)),
            Route(
                .post, "/api/v1/stock/changes",
                .init(
                    name: "changeStock", summary: "Changes the stock by differences, all or none",
                    content: "StockChange", answer: .schema("StockAnswer"),
                    problems: Self.problems + [.unsupportedMediaType], fields: [.idempotencyKey, .ifMatch]),
                reading(changeStock)),
            Route(
                .put, "/api/v1/rate",
                .init(
                    name: "setRate", summary: "Multiplies the configured arrival rate", content: "Rate",
                    answer: .schema("Done"),
                    problems: Self.problems + [.unsupportedMediaType], fields: [.idempotencyKey]),
                reading(setRate)),
            Route(
                .put, "/api/v1/speed",
                .init(
                    name: "setSpeed", summary: "Changes the speed until the program ends", content: "Speed",
                    answer: .schema("Done"), problems: Self.problems + [.unsupportedMediaType]),
                reading(setSpeed)),
            plain("/api/v1/pause", "pause", "Stops stand time") { $0.pause(key: $1, reply: done($2)) },
            plain("/api/v1/resume", "resume", "Resumes stand time") { $0.resume(key: $1, reply: done($2)) },
            plain("/api/v1/stop", "stop", "Closes the stand for good") { $0.stop(key: $1, reply: done($2)) },
            plain("/api/v1/reload", "reload", "Reads the configuration again", answer: "Reloaded") {
                $0.reload(key: $1, reply: reloaded($2))
            },
        ]
    }

    /// A change without content.
    private func plain(
        _ path: String, _ name: String, _ summary: String, answer: String = "Done",
        _ change: @escaping @Sendable (StandControl, String?, HTTPReply) -> Void
    ) -> Route {
        Route(
            .post, path,
            .init(
                name: name, summary: summary, answer: .schema(answer), problems: Self.problems,
                fields: [.idempotencyKey])
        ) { [control] request, _ in
            let key = request.fields["idempotency-key"]
            return .later { change(control, key, $0) }
        }
    }

    /// Answers with the result of `read`, or with its refusal.
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
        let tag: UInt64?
        switch try HTTPEntityTags(ifMatchOf: request) {
        case nil, .any?: tag = nil
        case .list(let tags)?:
            let current = control.status.editTag
            let known = tags.filter { !$0.isWeak }.compactMap { UInt64($0.value) }
            // Only the stand can tell whether a tag is current, once the change takes effect. Of several, the published
            // one is the only candidate.
            guard let wanted = known.first(where: { $0 == current }) ?? known.first else {
                return .now(HTTPResponse(ControlError.tagMismatch(current: current).problem))
            }
            tag = wanted
        }
        let key = request.fields["idempotency-key"]
        return .later { [control] reply in
            control.changeStock(changes, ifTag: tag, key: key) { result in
                reply.send(
                    response(to: result) { editTag, levels in
                        HTTPResponse(json: ["editTag": .whole(editTag), "stock": levels.json])
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

    private func setSpeed(_ request: HTTPRequest) throws(HTTPRefusal) -> HTTPAnswer {
        var content = try JSONContent(request)
        let speed = try content.number("speed")
        try content.finish()
        return .later { [control] reply in control.setSpeed(speed, reply: done(reply)) }
    }

    private func done(_ reply: HTTPReply) -> StandControl.Reply<SimulationTime> {
        { result in
            let opens = control.status.settings.opens
            reply.send(
                response(to: result) { HTTPResponse(json: ["at": .number($0.seconds), "opens": .string(opens)]) })
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
        case .failure(let error): HTTPResponse(error.problem)
        }
    }
}

// MARK: - Answers

extension OrderAnswer {
    fileprivate func response(wish: String) -> HTTPResponse {
        guard case .placed(let juice, let isSubstitute, let isStarted, let waiting) = outcome else {
            return HTTPResponse(problem(wish: wish)!)
        }
        return HTTPResponse(
            .created,
            json: [
                "order": .whole(number), "at": .number(at.seconds), "juice": .string(juice),
                "isSubstitute": .bool(isSubstitute), "isStarted": .bool(isStarted),
                "cupsWaitingForFruit": .whole(waiting),
            ]
        ).with("location", "/api/v1/orders/\(number)")
    }

    /// Why the order was lost: a conflict with the state of the stand. Nil if it was placed.
    package func problem(wish: String) -> Problem? {
        switch outcome {
        case .placed: nil
        case .soldOut(let fruit, let missing, let instead):
            Problem(
                type: .soldOut, reason: "not enough fruit for \(wish): \(missing) more \(fruit) needed",
                members: [
                    "order": .whole(number), "reason": "soldOut", "fruit": .string(fruit), "missing": .whole(missing),
                    "instead": .strings(instead),
                ])
        case .lineFull:
            Problem(
                type: .queueFull, reason: "the queue is full",
                members: ["order": .whole(number), "reason": "queueFull"])
        }
    }
}

extension HTTPEntityTags {
    /// `If-Match` of a request; nil without the field.
    init?(ifMatchOf request: HTTPRequest) throws(HTTPRefusal) {
        guard let field = request.fields["if-match"] else { return nil }
        guard let tags = HTTPEntityTags(field) else {
            throw HTTPRefusal(.badRequest, "If-Match must be * or tags in double quotes, such as \"7\", found \(field)")
        }
        self = tags
    }
}
