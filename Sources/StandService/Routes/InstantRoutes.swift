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
        do { end = try self.end(request) } catch { return .now(error.response) }
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
            do throws(InstantError) {
                start = try time(request, "from") ?? .zero
                end = min(try time(request, "to") ?? .never, control.status.time)
                points = try whole(request, "points").map { Int(clamping: $0) } ?? 240
                guard (1...1000).contains(points) else { throw .malformed("points must be from 1 to 1000") }
                guard start <= end else { throw .missing("from must not be after to") }
            } catch { return .now(error.response) }
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

    private func end(_ request: HTTPRequest) throws(InstantError) -> LedgerAudit.End? {
        let time = try time(request, "at")
        let number = try whole(request, "seq")
        guard time == nil || number == nil else { throw .missing("at and seq must not both be given") }
        return time.map { .time($0) } ?? number.map { .event($0) }
    }

    private func whole(_ request: HTTPRequest, _ name: String) throws(InstantError) -> UInt64? {
        guard let text = request.queryItem(name) else { return nil }
        guard let number = HTTPGrammar.count(text) else { throw .malformed("\(name) must be a whole number from 0") }
        return number
    }

    /// - Returns: `never` for the present.
    private func time(_ request: HTTPRequest, _ name: String) throws(InstantError) -> SimulationTime? {
        guard let text = request.queryItem(name) else { return nil }
        if text == "now" { return .never }
        let status = control.status
        guard let time = InstantText.time(text, opens: status.settings.opens, now: status.time) else {
            throw .malformed("\(name) must be \(InstantText.expectation)")
        }
        guard time >= .zero else {
            throw .missing("\(name) must not be before the opening at \(status.settings.opens)")
        }
        return time
    }
}

/// Why the instant in a request has no answer.
private enum InstantError: Error {
    /// The parameter is not valid.
    case malformed(String)
    /// The parameter is valid, but this stand has no such instant.
    case missing(String)

    var response: HTTPResponse {
        switch self {
        case .malformed(let reason): .problem(.badRequest, reason)
        case .missing(let reason): .problem(.noInstant, reason)
        }
    }
}

/// Reads an instant of a stand: stand seconds, or what the stand's wall clock showed.
enum InstantText {
    static let expectation =
        "now, stand seconds such as 3600, a time of day such as 12:30, or a date and time such as 2026-05-04T12:30:00"

    /// - Parameters:
    ///   - opens: The date and time of the opening.
    ///   - now: The present stand time. A time of day is the latest one that is not after it.
    /// - Returns: nil if it is none of them; negative if it is before the opening.
    static func time(_ text: String, opens: String, now: SimulationTime) -> SimulationTime? {
        let reader = TimeReader()
        guard case .calendar(let opening)? = reader.read(opens) else { return nil }
        // The one after it is ``SimulationTime/never``.
        let last = Int64.max - 1
        switch reader.read(text) {
        case .sinceOpening(let since)?: return SimulationTime(nanoseconds: min(since, last))
        case .calendar(let time)?:
            // Two calendar times can be further apart than a stand time reaches.
            return SimulationTime(nanoseconds: min(Int64(clamping: Int128(time) - Int128(opening)), last))
        case nil:
            guard case .calendar(let timeOfDay)? = reader.read("1970-01-01T" + text) else { return nil }
            let day = Int128(CalendarTime.day)
            let passed = (Int128(opening) + Int128(now.nanoseconds) - Int128(timeOfDay)) % day
            return SimulationTime(nanoseconds: now.nanoseconds - Int64(passed < 0 ? passed + day : passed))
        }
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
                .noInstant, "that instant is in the future; stand time is \(SpanText.clock(now.seconds))")
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
