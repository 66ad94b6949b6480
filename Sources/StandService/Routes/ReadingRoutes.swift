import HTTPServer
import JuiceStand
import StandClient

/// The routes that read a stand: status, stock, history, menu, orders.
struct ReadingRoutes: Sendable {
    let control: StandControl
    /// The address of the page; nil without TCP.
    let page: String?

    var routes: [Route] {
        [
            Route(
                .get, "/api/v1/status",
                .init(
                    name: "status", summary: "The status of the stand, now or at an instant that has passed",
                    answer: .schema("Status"), problems: [.notFound, .unprocessableContent],
                    parameters: [.instant, .instantEvent])
            ) { request, _ throws(RouteRefusal) in
                try answer(request) {
                    control.status.document.with(\.url, page)
                } at: {
                    $0.document
                }
            },
            Route(
                .get, "/api/v1/stock",
                .init(
                    name: "stock",
                    summary: "Levels of all fruits, now or at an instant; the edit tag counts edits and not sales",
                    answer: .schema("Stock"), problems: [.notFound, .unprocessableContent],
                    parameters: [.instant, .instantEvent])
            ) { request, _ throws(RouteRefusal) in
                try answer(request) {
                    control.status.stockDocument
                } at: {
                    $0.status.stockDocument
                }
            },
            history,
            Route(
                .get, "/api/v1/menu",
                .init(name: "menu", summary: "Juices, recipes and prices", answer: .schema("Menu"))
            ) { _, _ in .now(HTTPResponse(control.status.menuDocument)) },
            Route(
                .get, "/api/v1/orders",
                .init(
                    name: "orders",
                    summary:
                        "Orders by number: those in the stand and the latest that left it. The number of the last one "
                        + "listed, as `after`, gives the next",
                    answer: .schema("Orders"), parameters: [.afterOrder, .limit])
            ) { request, _ throws(RouteRefusal) in try orders(request) },
            Route(
                .get, "/api/v1/orders/{id}",
                .init(
                    name: "order", summary: "How far an order has come, or how it ended", answer: .schema("Order"),
                    problems: [.notFound], parameters: [.orderID])
            ) { _, id in order(id) },
        ]
    }

    private static let mostListed = 1000

    private func orders(_ request: HTTPRequest) throws(RouteRefusal) -> HTTPAnswer {
        func number(_ name: String, default fallback: UInt64) -> UInt64? {
            request.queryItem(name).map(HTTPGrammar.count) ?? fallback
        }
        guard let after = number("after", default: 0) else {
            throw RouteRefusal(.badRequest, "after must be the number of an order")
        }
        guard let limit = number("limit", default: 100), (1...UInt64(Self.mostListed)).contains(limit) else {
            throw RouteRefusal(.badRequest, "limit must be from 1 to \(Self.mostListed)")
        }
        return .later { [control] reply in
            control.orders(after: after, limit: Int(limit)) { orders, last in
                let menu = control.status.settings.menu
                let documents = orders.map { $0.record.document(number: $0.number, menu) }
                reply.send(HTTPResponse(OrdersDocument().with(\.orders, documents).with(\.last, last)))
            }
        }
    }

    private func order(_ id: Substring) -> HTTPAnswer {
        let unknown = HTTPResponse.problem(.notFound, "no order has this number")
        guard !id.isEmpty, id.utf8.allSatisfy(HTTPGrammar.isDigit), let number = UInt64(id) else {
            return .now(unknown)
        }
        return .later { [control] reply in
            control.order(number) { view in
                switch view {
                case .known(let record):
                    reply.send(HTTPResponse(record.document(number: number, control.status.settings.menu)))
                case .left: reply.send(HTTPResponse(OrderDocument().with(\.order, number).with(\.state, "left")))
                case .unknown: reply.send(unknown)
                }
            }
        }
    }
}
