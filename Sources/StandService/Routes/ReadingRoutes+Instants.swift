import HTTPServer
import JuiceStand
import StandClient
import StandState
import TextFormats

// Answers about instants that have passed, and the stand over time.

extension ReadingRoutes {
    /// The answer about the instant that a request names, or about now if it names none.
    func answer<Answer: Document>(
        _ request: HTTPRequest, now: () -> Answer, at instant: @escaping @Sendable (Past.View) -> Answer
    ) throws(RouteRefusal) -> HTTPAnswer {
        guard let end = try self.end(request) else { return .now(HTTPResponse(now())) }
        return .later { [control] reply in
            control.instant(end) { result in
                switch result {
                case .success(let view): reply.send(HTTPResponse(instant(view)))
                case .failure(let failure): reply.send(HTTPResponse(failure, control.status.clock))
                }
            }
        }
    }

    var history: Route {
        Route(
            .get, "/api/v1/history",
            .init(
                name: "history", summary: "The stand over time, for charts: each list has a number for each instant",
                answer: .schema("History"), problems: [.notFound, .unprocessableContent],
                parameters: [.historyFrom, .historyTo, .historyPoints])
        ) { request, _ throws(RouteRefusal) in
            let start = try time(request, "from") ?? .zero
            let end = min(try time(request, "to") ?? .never, control.status.time)
            let points = try whole(request, "points").map { Int(clamping: $0) } ?? 240
            guard (1...1000).contains(points) else { throw RouteRefusal(.badRequest, "points must be from 1 to 1000") }
            guard start <= end else { throw RouteRefusal(.noInstant, "from must not be after to") }
            return .later { [control] reply in
                control.figures(from: start, to: end, count: points) { result in
                    switch result {
                    case .success(let figures):
                        let menu = control.status.settings.menu
                        reply.send(HTTPResponse(json: figures.historyJSON(menu, from: start, to: end)))
                    case .failure(let failure): reply.send(HTTPResponse(failure, control.status.clock))
                    }
                }
            }
        }
    }

    private func end(_ request: HTTPRequest) throws(RouteRefusal) -> Instant? {
        let time = try time(request, "at")
        let number = try whole(request, "seq")
        guard time == nil || number == nil else { throw RouteRefusal(.noInstant, "at and seq must not both be given") }
        return time.map { .time($0) } ?? number.map { .fact($0) }
    }

    private func whole(_ request: HTTPRequest, _ name: String) throws(RouteRefusal) -> UInt64? {
        guard let text = request.queryItem(name) else { return nil }
        guard let number = HTTPGrammar.count(text) else {
            throw RouteRefusal(.badRequest, "\(name) must be a whole number from 0")
        }
        return number
    }

    /// - Returns: `never` for the present.
    private func time(_ request: HTTPRequest, _ name: String) throws(RouteRefusal) -> SimulationTime? {
        guard let text = request.queryItem(name) else { return nil }
        if text == "now" { return .never }
        let status = control.status
        guard let time = status.clock.nanoseconds(text) else {
            throw RouteRefusal(.badRequest, "\(name) must be now, \(StandClock.expectation)")
        }
        guard time >= 0 else {
            throw RouteRefusal(.noInstant, "\(name) must not be before the opening at \(status.settings.opens)")
        }
        return SimulationTime(nanoseconds: time)
    }
}

extension HTTPResponse {
    fileprivate init(_ failure: PastError, _ clock: StandClock) {
        switch failure {
        case .notKept(let time):
            let first = clock.text(nanoseconds: time.nanoseconds)
            self = HTTPResponse(.notKept, "the stand does not reach back so far; the first instant is \(first)")
        case .notYet:
            self = HTTPResponse(.noInstant, "that instant is in the future; it is \(clock.present) at the stand")
        case .busy:
            self = HTTPResponse(.notReady, "too many questions about the past wait; try again").with("retry-after", "1")
        case .differs(let line):
            self = HTTPResponse(
                .notKept,
                "this version of the program makes another line \(line) than the ledger has, so it cannot tell what "
                    + "that instant was like")
        case .system(let reason): self = HTTPResponse(.notReady, reason)
        case .ended: self = HTTPResponse(.stopping, "the stand is stopping")
        }
    }
}

// MARK: - JSON

extension [StandFigures] {
    /// The stand over time.
    fileprivate func historyJSON(_ menu: Menu, from start: SimulationTime, to end: SimulationTime) -> JSONValue {
        func column(_ value: (StandFigures) -> Int) -> JSONValue { .array(map { .whole(value($0)) }) }
        return [
            "from": .number(start.seconds), "to": .number(end.seconds), "at": .array(map { .number($0.time.seconds) }),
            "sequence": column { Int($0.sequence) }, "queue": column(\.queue), "present": column(\.present),
            "orders": column(\.orders), "served": column(\.served),
            "lost": .object(
                LossReason.allCases.map { reason in .init(key: reason.name, value: column { $0.lost[reason] }) }),
            "stock": .object(
                menu.allFruits.map { fruit in
                    .init(key: menu.name(of: fruit), value: .array(map { .orNull($0.levels[fruit.index]) }))
                }),
        ]
    }
}
