import HTTPServer
import JuiceStand
import Platform

/// The routes that show a stand: status, stock, menu, one order.
struct ReadingRoutes: Sendable {
    private let control: StandControl
    private let shown = ShownStatus()

    init(_ control: StandControl) {
        self.control = control
    }

    var routes: [Route] {
        [
            Route(
                .get, "/api/v1/status",
                .init(name: "status", summary: "The state of things", answer: .schema("Status"))
            ) { _, _ in .now(shown.response(of: control)) },
            Route(
                .get, "/api/v1/stock",
                .init(
                    name: "stock", summary: "Levels of all fruits; the ETag counts edits and not sales",
                    answer: .schema("Stock"), headers: [.eTag])
            ) { _, _ in
                let status = control.status
                return .now(HTTPResponse(json: status.stockJSON).tagged(status.editTag))
            },
            Route(
                .get, "/api/v1/menu",
                .init(name: "menu", summary: "Juices, recipes and prices", answer: .schema("Menu"))
            ) { _, _ in .now(HTTPResponse(json: control.status.menuJSON)) },
            Route(
                .get, "/api/v1/orders/{id}",
                .init(
                    name: "order", summary: "How far an order has come, or how it ended", answer: .schema("Order"),
                    problems: [.notFound], parameters: [.orderID])
            ) { _, id in order(id) },
        ]
    }

    private func order(_ id: Substring) -> HTTPAnswer {
        let unknown = HTTPResponse.problem(.notFound, "no order has that number")
        guard !id.isEmpty, id.utf8.allSatisfy(HTTPGrammar.isDigit), let number = UInt64(id) else {
            return .now(unknown)
        }
        return .later { [control] reply in
            control.order(number) { view in
                switch view {
                case .known(let record):
                    reply.send(HTTPResponse(json: record.json(number: number, menu: control.status.settings.menu)))
                case .left: reply.send(HTTPResponse(json: ["order": .integer(Int64(number)), "state": "left"]))
                case .unknown: reply.send(unknown)
                }
            }
        }
    }
}

extension HTTPResponse {
    /// With the stock's edit tag as its ETag.
    func tagged(_ editTag: UInt64) -> HTTPResponse { with("etag", "\"\(editTag)\"") }
}

/// The status as it was last written out, for the many who ask at the same time.
///
/// It is written anew as soon as anything may have happened, so that whoever has changed the stand sees it; and every
/// 10 ms, because time goes on.
private final class ShownStatus: Sendable {
    private struct Shown {
        var revision: UInt64
        var causes: [String]
        var response: HTTPResponse
        var nanoseconds: UInt64
    }

    private static let longest: UInt64 = 10_000_000
    private let last = Guarded<Shown?>(nil)

    func response(of control: StandControl) -> HTTPResponse {
        let now = monotonicNanoseconds()
        // Read before the status, which can then only be newer.
        let (revision, causes) = (control.revision, control.causes)
        let known = last.withLock { last -> HTTPResponse? in
            guard let last, last.revision == revision, now - last.nanoseconds < Self.longest, last.causes == causes
            else { return nil }
            return last.response
        }
        if let known { return known }
        let response = HTTPResponse(json: control.status.json)
        last.withLock { $0 = Shown(revision: revision, causes: causes, response: response, nanoseconds: now) }
        return response
    }
}
