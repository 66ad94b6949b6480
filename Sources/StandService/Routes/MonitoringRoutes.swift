import Dispatch
import HTTPServer
import JuiceStand
import Platform
import StandClient

/// The routes for monitoring: metrics, liveness and readiness.
struct MonitoringRoutes: Sendable {
    let running: RunningStand
    let counters: HTTPCounters
    let events: EventFeed
    /// Formats metrics, which takes too long for the stand's queue.
    private let writing = DispatchQueue(label: "metrics", qos: .utility)
    private var control: StandControl { running.control }

    var routes: [Route] {
        [
            Route(
                .get, "/metrics",
                .init(
                    name: "metrics", summary: "Metrics in the text format of Prometheus",
                    answer: .text(MetricsText.mediaType), problems: [.serviceUnavailable])
            ) { _, _ in
                .later { reply in
                    control.inspect { [control] in
                        Measured(control.observers, $0, time: $1, $2)
                    } then: { measured in
                        writing.async { reply.send(response(measured)) }
                    }
                }
            },
            Route(
                .get, "/healthz",
                .init(
                    name: "healthz", summary: "Liveness: answered by the stand's own queue",
                    answer: .text("text/plain"))
            ) { _, _ in
                .later { reply in
                    control.inspect({ _, _, _ in }, then: { _ in reply.send(.ok) })
                }
            },
            Route(
                .get, "/readyz",
                .init(
                    name: "readyz", summary: "Readiness: 503 with the causes if the stand can't do its work",
                    answer: .text("text/plain"), problems: [.serviceUnavailable])
            ) { _, _ in
                let status = control.status
                guard !status.isReady else { return .now(.ok) }
                let causes = status.phase == .closed ? ["the stand has closed"] : status.causes
                let problem = ProblemDocument(.notReady, causes.joined(separator: "; "))
                return .now(HTTPResponse(problem.with(\.causes, causes)))
            },
        ]
    }

    private func response(_ measured: Measured?) -> HTTPResponse {
        guard let measured else { return HTTPResponse(.closed, "the stand has closed") }
        let status = control.status
        var metrics = MetricsText()
        metrics.add(status, measured)
        metrics.add(
            "juicestand_delivery_seconds",
            "Wall time from a fact's post until every observer had handled it, sampled once a second.",
            running.deliveryTimes.deliveries, bounds: [0.000001, 0.00001, 0.0001, 0.001, 0.01, 0.1])
        metrics.add(
            "juicestand_listeners_delivery_seconds",
            "Wall time from an event's announcement until it was handed to the connections that follow events.",
            events.deliveries, bounds: [0.001, 0.01, 0.025, 0.05, 0.1, 0.25, 1])
        status.outlook.map { metrics.add($0) }
        metrics.add(counters)
        ProcessFigures.current.map { metrics.add($0) }
        return HTTPResponse(type: MetricsText.mediaType, content: Array(metrics.text.utf8))
    }
}

extension HTTPResponse {
    fileprivate static let ok = HTTPResponse(type: "text/plain", content: Array("ok\n".utf8))
}

/// A consistent copy of what observers and engine know, taken between two events. It is large, and so only for metrics.
struct Measured: Sendable {
    let status: StandStatus
    let waits: Histogram
    let stays: Histogram
    let supply: [(orders: Int, delivered: Int, spoiled: Int)]
    let lateness: Histogram

    init(_ observers: StandObservers, _ stand: Stand, time: SimulationTime, _ lateness: LiveDriver.Lateness) {
        status = StandStatus(observers, stand, time: time, speed: 1)
        waits = stand.tally.waits
        stays = stand.tally.stays
        supply = stand.supply
        self.lateness = lateness.spans
    }
}
