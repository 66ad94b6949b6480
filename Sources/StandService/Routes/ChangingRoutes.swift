import HTTPServer
import JuiceStand
import StandClient
import StandState
import TextFormats

/// The routes that change a stand: orders, stock, rate, speed, pause, resume, reload, stop.
struct ChangingRoutes: Sendable {
    let control: StandControl

    var routes: [Route] {
        [
            Route(
                .post, "/api/v1/orders",
                description(
                    "placeOrder", "Places an order", content: "OrderRequest", answer: "OrderAnswer",
                    success: .created, headers: [.location]),
                placeOrder),
            Route(
                .post, "/api/v1/stock/changes",
                description(
                    "changeStock", "Changes the stock by differences, all or none", content: "StockChange",
                    answer: "StockAnswer", fields: [.idempotencyKey, .ifMatch]),
                changeStock),
            Route(
                .put, "/api/v1/rate",
                description("setRate", "Multiplies the configured arrival rate", content: "Rate")
            ) { [control] request, _ throws(RouteRefusal) in
                let factor = try Self.number("factor", of: request)
                return .later { control.submit(.rate(factor), key: request.idempotencyKey, reply: done($0)) }
            },
            Route(
                .put, "/api/v1/speed",
                description("setSpeed", "Changes the speed until the program ends", content: "Speed", fields: [])
            ) { [control] request, _ throws(RouteRefusal) in
                let speed = try Self.number("speed", of: request)
                return .later { control.setSpeed(speed, reply: done($0)) }
            },
            route("pause", "Stops stand time", .pause),
            route("resume", "Resumes stand time", .resume),
            route("stop", "Closes the stand for good", .stop),
            Route(
                .post, "/api/v1/reload", description("reload", "Reads the configuration again", answer: "Reloaded")
            ) { [control] request, _ in
                .later { reply in
                    control.reload(key: request.idempotencyKey) { result in
                        reply.send(result) { HTTPResponse(ChangedSettings($0)) }
                    }
                }
            },
        ]
    }

    /// A change without content.
    private func route(_ name: String, _ summary: String, _ change: Change<SimulationTime>) -> Route {
        Route(.post, "/api/v1/" + name, description(name, summary)) { [control] request, _ in
            .later { control.submit(change, key: request.idempotencyKey, reply: done($0)) }
        }
    }

    private func description(
        _ name: String, _ summary: String, content: String? = nil, answer: String = "Done", success: HTTPStatus = .ok,
        fields: [Route.JudgedField] = [.idempotencyKey], headers: [Route.Header] = []
    ) -> Route.Description {
        let problems: [HTTPStatus] = [.unauthorized, .conflict, .preconditionFailed, .unprocessableContent]
        return Route.Description(
            name: name, summary: summary, content: content, answer: .schema(answer), success: success,
            problems: problems + (content == nil ? [] : [.unsupportedMediaType]), fields: fields, headers: headers)
    }

    private static func number(_ name: String, of request: HTTPRequest) throws(RouteRefusal) -> Double {
        var content = try JSONContent(request)
        let number = try content.number(name)
        try content.finish()
        return number
    }

    /// Answers with the time at which a change took effect.
    private func done(_ reply: HTTPReply) -> StandControl.Reply<SimulationTime> {
        { [control] result in
            reply.send(result) { time in
                HTTPResponse(ChangeTime().with(\.at, time.seconds).with(\.opens, control.status.settings.opens))
            }
        }
    }
}

// MARK: - Orders and stock

extension ChangingRoutes {
    private func placeOrder(_ request: HTTPRequest, _: Substring) throws(RouteRefusal) -> HTTPAnswer {
        var content = try JSONContent(request)
        let juice = try content.string("juice")
        let cups = try content.integer("cups", default: 1)
        try content.finish()
        return .later { [control] reply in
            control.submit(.order(juice, cups: cups), key: request.idempotencyKey) { result in
                reply.send(result) { $0.response(wish: juice) }
            }
        }
    }

    private func changeStock(_ request: HTTPRequest, _: Substring) throws(RouteRefusal) -> HTTPAnswer {
        var content = try JSONContent(request)
        let changes = try content.integers("changes").map {
            StandChange.StockDifference(fruit: $0.key, pieces: $0.value)
        }
        try content.finish()
        var tag: UInt64?
        if case .list(let tags)? = try HTTPEntityTags(ifMatchOf: request) {
            let current = control.status.editTag
            let known = tags.filter { !$0.isWeak }.compactMap { UInt64($0.value) }
            // Only the stand can tell whether a tag is current, once the change takes effect. Of several, the published
            // one is the only candidate.
            tag = known.first { $0 == current } ?? known.first
            guard tag != nil else { return .now(HTTPResponse(ControlError.tagMismatch(current: current).problem)) }
        }
        return .later { [control, tag] reply in
            control.submit(.stock(changes, ifTag: tag), key: request.idempotencyKey) { result in
                reply.send(result) { editTag, levels in
                    let stock = NamedValues(levels.map { ($0.fruit, $0.level) })
                    return HTTPResponse(ChangedStock().with(\.editTag, editTag).with(\.stock, stock))
                }
            }
        }
    }
}

extension HTTPRequest {
    fileprivate var idempotencyKey: String? { fields["idempotency-key"] }
}

// MARK: - Answers

extension HTTPReply {
    fileprivate func send<Answer>(_ result: Result<Answer, ControlError>, _ response: (Answer) -> HTTPResponse) {
        switch result {
        case .success(let answer): send(response(answer))
        case .failure(let error): send(HTTPResponse(error.problem))
        }
    }
}

extension OrderAnswer {
    fileprivate func response(wish: String) -> HTTPResponse {
        if let problem = problem(wish: wish) { return HTTPResponse(problem) }
        var accepted = AcceptedOrder().with(\.order, number).with(\.at, at.seconds)
        if case .placed(let juice, let isSubstitute, let isStarted, let waiting) = outcome {
            accepted.juice = juice
            accepted.isSubstitute = isSubstitute
            accepted.isStarted = isStarted
            accepted.cupsWaitingForFruit = waiting
        }
        return HTTPResponse(accepted, .created).with("location", "/api/v1/orders/\(number)")
    }
}

extension ChangedSettings {
    fileprivate init(_ changes: [SettingChange]) {
        self.init()
        self.changes = changes.map { Change().with(\.key, $0.key).with(\.from, $0.from).with(\.to, $0.to) }
    }
}

extension HTTPEntityTags {
    /// `If-Match` of a request; nil without the field.
    init?(ifMatchOf request: HTTPRequest) throws(RouteRefusal) {
        guard let field = request.fields["if-match"] else { return nil }
        guard let tags = HTTPEntityTags(field) else {
            throw RouteRefusal(
                .badRequest, "If-Match must be * or tags in double quotes, such as \"7\", found \(field)")
        }
        self = tags
    }
}
