import HTTPServer
import JuiceStand
import StandClient
import StandExperiments
import StandState
import TextFormats

/// The routes that forecast. Neither changes the stand.
struct ForecastRoutes: Sendable {
    let desk: ForecastDesk

    var routes: [Route] {
        [
            Route(
                .get, "/api/v1/forecast",
                .init(
                    name: "forecast", summary: "A forecast of the stand if nobody changes anything",
                    answer: .schema("Forecast"), problems: [.conflict, .unprocessableContent],
                    parameters: [.forecastLength, .forecastEvery]),
                reading { request throws(RouteRefusal) in
                    let length = try Self.span(request.queryItem("in").map { .string($0) }, "in")
                    let every = try Self.span(request.queryItem("every").map { .string($0) }, "every")
                    return .init(span: Self.span(length, every: every, replications: nil))
                }
            ),
            Route(
                .post, "/api/v1/forecast",
                .init(
                    name: "forecastChanges", summary: "A forecast of the stand with and without changes",
                    content: "ForecastRequest", answer: .schema("Forecast"),
                    problems: [
                        .unauthorized, .conflict, .preconditionFailed, .unprocessableContent, .unsupportedMediaType,
                    ]),
                reading { request throws(RouteRefusal) in
                    var content = try JSONContent(request)
                    let question = try Self.question(&content)
                    try content.finish()
                    return question
                }
            ),
        ]
    }

    private func reading(
        _ read: @escaping @Sendable (HTTPRequest) throws(RouteRefusal) -> ForecastDesk.Question
    ) -> Route.Action {
        { [desk] request, _ throws(RouteRefusal) in
            let question = try read(request)
            return .later { reply in
                // Over TCP, only a POST shows the token.
                let client = request.method.isSafe ? request.network : nil
                let number = desk.ask(question, for: client.map { .reader(network: $0) } ?? .owner) { result in
                    switch result {
                    case .success(let answer): reply.send(HTTPResponse(json: answer.result.json))
                    case .failure(let refusal): reply.send(HTTPResponse(refusal))
                    }
                }
                reply.whenAbandoned { desk.withdraw(number) }
            }
        }
    }

    private static func question(_ content: inout JSONContent) throws(RouteRefusal) -> ForecastDesk.Question {
        let length = try span(content.value("in"), "in")
        let every = try span(content.value("every"), "every")
        let replications = try content.integer("replications", default: Forecast.Span().replications)
        var seed: UInt64?
        if let value = content.value("seed") {
            guard let number = value.whole, number >= 0 else {
                throw RouteRefusal(.badRequest, "seed: must be a whole number from 0")
            }
            seed = UInt64(number)
        }
        var courses: [Forecast.Course] = []
        let changes = content.value("changes") ?? []
        guard case .array(let elements) = changes else { throw RouteRefusal(.badRequest, "changes: must be a list") }
        for element in elements {
            do throws(ForecastError) { courses.append(.init(change: try ForecastChange(json: element))) } catch {
                throw RouteRefusal(.badRequest, "changes: \(error.lines.joined(separator: "; "))")
            }
        }
        let set = content.value("set") ?? .object([])
        guard case .object(let members) = set else { throw RouteRefusal(.badRequest, "set: must be an object") }
        if !members.isEmpty { courses.append(.init(set: members)) }
        return .init(span: span(length, every: every, replications: replications), seed: seed, courses: courses)
    }

    private static func span(_ length: SimulationTime?, every: SimulationTime?, replications: Int?) -> Forecast.Span {
        let usual = Forecast.Span()
        let length = length ?? usual.length
        // An interval that is too long gives one instant, one that is too short the most instants.
        let least = SimulationTime(nanoseconds: (length.nanoseconds - 1) / Int64(Forecast.Span.mostInstants) + 1)
        let every = every.map { min(max($0, least), length) }
        return .init(length: length, every: every, replications: replications ?? usual.replications)
    }

    /// A number of seconds or a duration such as `4h`; nil if it is not given.
    private static func span(_ value: JSONValue?, _ name: String) throws(RouteRefusal) -> SimulationTime? {
        guard let value else { return nil }
        let nanoseconds =
            switch value {
            case .string(let text): DurationText.nanoseconds(unitOptional: text)
            default: value.seconds.flatMap { DurationText.nanoseconds(seconds: $0) }
            }
        let isTiny = nanoseconds == 0 && value.seconds ?? 0 > 0
        guard let nanoseconds, nanoseconds > 0 || isTiny else {
            throw RouteRefusal(.badRequest, "\(name) must be a duration above 0, such as 30m or 4h")
        }
        return SimulationTime(nanoseconds: max(1, nanoseconds))
    }
}

extension HTTPResponse {
    init(_ refusal: ForecastDeskError) {
        switch refusal {
        case .busy:
            self = HTTPResponse(.notReady, "too many forecasts are being computed; try again").with("retry-after", "1")
        case .cancelled:
            self = HTTPResponse(
                .notReady, "the forecast was cancelled, because the client closed its side of the connection")
        case .ended: self = HTTPResponse(.stopping, "the stand is stopping")
        case .impossible(.closed): self = HTTPResponse(.closed, "the stand has closed")
        case .impossible(.replaysTrace): self = HTTPResponse(.noForecast, ForecastError.replaysTrace.lines[0])
        case .impossible(.invalid(let problem)): self = HTTPResponse(.invalidValue, problem)
        case .impossible(.tooLarge(let problem)): self = HTTPResponse(.forecastTooLarge, problem)
        case .impossible(.cannotEdit(.wouldBeNegative, let reason)): self = HTTPResponse(.notEnoughFruit, reason)
        case .impossible(.cannotEdit(.wouldNotFit, let reason)): self = HTTPResponse(.shelfFull, reason)
        case .impossible(.cannotEdit(.isUnlimited, let reason)): self = HTTPResponse(.unlimitedFruit, reason)
        case .impossible(.badConfiguration(let lines)):
            let problem = ProblemDocument(.unusableSetting, lines.joined(separator: "\n"))
            self = HTTPResponse(problem.with(\.problems, lines))
        case .impossible(.cannotChange(let keys)):
            self = HTTPResponse(ControlError.cannotChange(keys).problem)
        }
    }
}
