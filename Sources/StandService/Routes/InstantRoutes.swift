import HTTPServer
import JuiceStand
import StandState
import TextFormats

/// Answers about instants that have passed, and the stand over time.
struct InstantRoutes: Sendable {
    let control: StandControl

    /// The answer about the instant that a request names, or about now if it names none.
    func answer(
        _ request: HTTPRequest, now: () -> HTTPResponse,
        at instant: @escaping @Sendable (Instants.View) -> JSONValue
    ) -> HTTPAnswer {
        let end: LedgerAudit.End?
        do throws(HTTPRefusal) { end = try self.end(request) } catch { return .now(HTTPResponse(error)) }
        guard let end else { return .now(now()) }
        return .later { [control] reply in
            control.instant(end) { result in
                switch result {
                case .success(let view): reply.send(HTTPResponse(json: instant(view)))
                case .failure(let failure): reply.send(HTTPResponse(failure))
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
        ) { request, _ in
            let (start, end, points): (SimulationTime, SimulationTime, Int)
            do throws(HTTPRefusal) {
                start = try time(request, "from") ?? .zero
                end = min(try time(request, "to") ?? .never, control.status.time)
                points = try whole(request, "points").map { Int(clamping: $0) } ?? 240
                guard (1...1000).contains(points) else {
                    throw HTTPRefusal(.badRequest, "points must be from 1 to 1000")
                }
                guard start <= end else { throw HTTPRefusal(.badRequest, "from must not be after to") }
            } catch { return .now(HTTPResponse(error)) }
            return .later { [control] reply in
                control.states(from: start, to: end, count: points) { result in
                    switch result {
                    case .success(let states):
                        reply.send(HTTPResponse(json: control.status.historyJSON(states, from: start, to: end)))
                    case .failure(let failure): reply.send(HTTPResponse(failure))
                    }
                }
            }
        }
    }

    private func end(_ request: HTTPRequest) throws(HTTPRefusal) -> LedgerAudit.End? {
        let time = try time(request, "at")
        let number = try whole(request, "seq")
        guard time == nil || number == nil else { throw HTTPRefusal(.badRequest, "at and seq must not both be given") }
        return time.map { .time($0) } ?? number.map { .event($0) }
    }

    private func whole(_ request: HTTPRequest, _ name: String) throws(HTTPRefusal) -> UInt64? {
        guard let item = request.queryItems.first(where: { $0.name == name }) else { return nil }
        guard let number = UInt64(item.value) else {
            throw HTTPRefusal(.badRequest, "\(name) must be a whole number from 0")
        }
        return number
    }

    /// - Returns: `never` for the present.
    private func time(_ request: HTTPRequest, _ name: String) throws(HTTPRefusal) -> SimulationTime? {
        guard let item = request.queryItems.first(where: { $0.name == name }) else { return nil }
        if item.value == "now" { return .never }
        let status = control.status
        guard let time = InstantText.time(item.value, opens: status.settings.opens, now: status.time) else {
            throw HTTPRefusal(.badRequest, "\(name) must be \(InstantText.expectation)")
        }
        return time
    }
}

/// Reads an instant of a stand: stand seconds, or what the stand's wall clock showed.
enum InstantText {
    static let expectation =
        "now, stand seconds such as 3600, a time of day such as 12:30, or a date and time such as 2026-05-04T12:30:00, "
        + "not before the opening"

    /// - Parameters:
    ///   - opens: The date and time of the opening.
    ///   - now: The present stand time. A time of day is the latest one that is not after it.
    /// - Returns: nil if it is none of them, or before the opening.
    static func time(_ text: String, opens: String, now: SimulationTime) -> SimulationTime? {
        let reader = TimeReader()
        guard case .calendar(let opening)? = reader.read(opens) else { return nil }
        var nanoseconds: Int64
        switch reader.read(text) {
        case .sinceOpening(let since)?: nanoseconds = since
        case .calendar(let time)?: nanoseconds = time - opening
        case nil:
            let today = CalendarTime(nanosecondsSinceEpoch: opening + now.nanoseconds).description.prefix(11)
            guard case .calendar(let time)? = reader.read(today + text) else { return nil }
            nanoseconds = time - opening
            if nanoseconds > now.nanoseconds { nanoseconds -= CalendarTime.day }
        }
        return nanoseconds >= 0 ? SimulationTime(nanoseconds: nanoseconds) : nil
    }
}

extension HTTPResponse {
    fileprivate init(_ failure: Instants.Failure) {
        switch failure {
        case .notKept(let time):
            self = .problem(
                .notKept, "the lines of that instant are not kept; the first instant is \(time.seconds) s of stand time"
            )
        case .notYet(let now):
            self = .problem(
                .invalidValue, "that instant is in the future; stand time is \(SpanText.clock(now.seconds))")
        case .reading(let number, let last):
            self = .problem(
                .notReady,
                "the ledger is still being read: event \(Columns.grouped(Int(clamping: number))) of "
                    + "\(Columns.grouped(Int(clamping: last))); try again"
            ).with("retry-after", "1")
        case .system(let error): self = .problem(.notReady, "\(error.path): \(error.reason)")
        case .ended: self = .problem(.stopping, "the stand is stopping")
        }
    }
}
