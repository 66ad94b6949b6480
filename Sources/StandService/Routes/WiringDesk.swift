import Dispatch
import HTTPServer
import JuiceStand
import Platform
import TextFormats

/// Measures the wiring of a running stand on request, for a given time.
///
/// Requests that arrive during a measurement share it.
final class WiringDesk: Sendable {
    private let running: RunningStand
    private let waiting = Guarded<[HTTPReply]>([])

    /// The longest measurement, in seconds.
    private static let longest = 60.0

    init(_ running: RunningStand) {
        self.running = running
    }

    var route: Route {
        Route(
            .get, "/api/v1/wiring",
            .init(
                name: "wiring",
                summary:
                    "Who posts which fact and who observes it, measured for a while. Calls cost more in that time, as "
                    + "`pricePerCall` says",
                answer: .schema("Wiring"), problems: [.badRequest, .conflict], parameters: [.wiringSpan])
        ) { [self] request, _ throws(RouteRefusal) in
            let text = request.queryItem("for") ?? "1s"
            let nanoseconds = DurationText.nanoseconds(unitOptional: text)
            guard let nanoseconds, nanoseconds > 0, nanoseconds <= Int64(Self.longest * 1e9) else {
                throw RouteRefusal(.badRequest, "for must be a duration above 0 and up to 60s, such as 500ms or 5s")
            }
            return .later { self.ask(for: .nanoseconds(Int(nanoseconds)), reply: $0) }
        }
    }

    private func ask(for span: DispatchTimeInterval, reply: HTTPReply) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(reply)
            return waiting.count == 1
        }
        guard isFirst else { return }
        running.control.inspectWiring { [times = running.deliveryTimes] wiring, _, announced in
            times.begin(wiring, announced: announced)
        } then: { [self] _ in
            let start = DispatchTime.now()
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: start + span) { self.finish(since: start) }
        }
    }

    private func finish(since start: DispatchTime) {
        let price = DeliveryTimes.price()
        running.control.inspectWiring { [times = running.deliveryTimes] wiring, observers, announced in
            times.end(wiring, observers, announced: announced)
        } then: { [self] map in
            let seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
            let stand = running.control.status.settings.stand
            let response =
                map.map {
                    HTTPResponse(json: $0.json(of: stand, running.wiring, over: seconds, of: .wall, price: price))
                }
                ?? HTTPResponse(.closed, "the stand has closed")
            for reply in waiting.exchange(\.self, for: []) { reply.send(response) }
        }
    }
}
