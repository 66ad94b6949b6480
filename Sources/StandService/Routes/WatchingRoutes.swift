import HTTPServer
import JuiceStand

/// The routes for those who watch over the program: metrics, and whether it is alive and ready.
struct WatchingRoutes: Sendable {
    private let control: StandControl
    private let desk: MetricsDesk

    init(_ running: RunningStand, _ counters: HTTPCounters, _ events: EventFeed) {
        control = running.control
        desk = MetricsDesk(running.control) { Self.text($0, running, counters, events) }
    }

    var routes: [Route] {
        [
            Route(
                .get, "/metrics",
                .init(
                    name: "metrics", summary: "Figures for Prometheus",
                    answer: .text(mediaType: MetricsText.mediaType), problems: [.serviceUnavailable])
            ) { _, _ in .later { desk.ask($0) } },
            Route(
                .get, "/healthz",
                .init(
                    name: "healthz", summary: "Whether the program is alive: answered by the stand's own queue",
                    answer: .text(mediaType: "text/plain"))
            ) { _, _ in
                .later { reply in
                    control.inspect({ _, _, _ in }, then: { _ in reply.send(.ok) })
                }
            },
            Route(
                .get, "/readyz",
                .init(
                    name: "readyz", summary: "Whether the stand can do all that it should",
                    answer: .text(mediaType: "text/plain"), problems: [.serviceUnavailable])
            ) { _, _ in
                let status = control.status
                guard !status.isReady else { return .now(.ok) }
                let causes = status.phase == .closed ? ["the stand has closed"] : status.causes
                return .now(
                    .problem(
                        .serviceUnavailable, causes.joined(separator: "; "),
                        [.init(key: "causes", value: .array(causes.map { .string($0) }))]))
            },
        ]
    }

    private static func text(
        _ measured: Measured, _ running: RunningStand, _ counters: HTTPCounters, _ events: EventFeed
    ) -> String {
        var metrics = MetricsText()
        metrics.add(running.control.status, measured)
        metrics.add(
            "juicestand_delivery_seconds",
            "From a fact's post until every observer had dealt with it.",
            .init(running.deliveries, bounds: [0.000001, 0.00001, 0.0001, 0.001, 0.01, 0.1]))
        metrics.add(
            "juicestand_listeners_delivery_seconds",
            "From an event's announcement to its being handed to those who follow over HTTP.",
            .init(events.deliveries, bounds: [0.001, 0.01, 0.025, 0.05, 0.1, 0.25, 1]))
        metrics.add(counters)
        ProcessFigures.current.map { metrics.add($0) }
        return metrics.text
    }
}

extension HTTPResponse {
    fileprivate static let ok = HTTPResponse(type: "text/plain", content: Array("ok\n".utf8))
}

// MARK: - The figures

extension MetricsText {
    private static let waitBounds: [Double] = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600]
    private static let latenessBounds = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1]

    fileprivate mutating func add(_ now: StandStatus, _ measured: Measured) {
        let status = measured.status
        add(
            info: "juicestand_info", "The stand that is open.",
            [("stand", status.settings.stand), ("seed", "\(status.settings.seed)"), ("wiring", status.settings.wiring)])
        add(.gauge, "juicestand_ready", "1 where the stand can do all that it should.", now.isReady ? 1 : 0)
        add(.gauge, "juicestand_paused", "1 while stand time stands still.", status.phase == .paused ? 1 : 0)
        add(.gauge, "juicestand_stand_time_seconds", "Stand time since the opening.", now.time.seconds)
        add(.gauge, "juicestand_speed_ratio", "Stand seconds a wall second.", now.speed)
        add(.gauge, "juicestand_arrivals_factor_ratio", "Factor on the configured rate of arrivals.", status.rate)
        addOrders(status, measured)
        addFruit(status, measured)
        add(
            "juicestand_wait_seconds", "Stand time from placing an order to its first cup, of served orders.",
            .init(measured.waits, bounds: Self.waitBounds))
        add(
            "juicestand_stay_seconds", "Stand time from placing an order to its last cup, of served orders.",
            .init(measured.stays, bounds: Self.waitBounds))
        add(
            "juicestand_lateness_seconds", "Wall time by which events were released late.",
            .init(measured.lateness, bounds: Self.latenessBounds))
    }

    private mutating func addOrders(_ status: StandStatus, _ measured: Measured) {
        let lostOnArrival = status.balked + status.soldOut + status.notOnMenu
        add(
            .counter, "juicestand_events_total", "Events announced; the sequence number of the last.",
            Double(status.sequence))
        add(.counter, "juicestand_orders_placed_total", "Orders placed.", Double(Int(status.orders) - lostOnArrival))
        add(.counter, "juicestand_orders_served_total", "Orders served.", Double(status.served))
        add(
            .counter, "juicestand_orders_lost_total", "Orders lost, by reason.", by: "reason",
            [
                ("queueFull", Double(status.balked)), ("soldOut", Double(status.soldOut)),
                ("ranOutOfPatience", Double(status.reneged)), ("notOnMenu", Double(status.notOnMenu)),
            ])
        add(
            .counter, "juicestand_orders_substituted_total", "Orders for which another juice was taken.",
            Double(status.substituted))
        add(.counter, "juicestand_cups_served_total", "Cups of served orders.", Double(status.cupsServed))
        add(.counter, "juicestand_revenue_total", "Money taken, in the configuration's currency.", measured.revenue)
        add(.gauge, "juicestand_queue_orders", "Orders of which no cup has been started.", Double(status.queue))
        add(.gauge, "juicestand_present_orders", "Orders in the stand.", Double(status.present))
        add(.gauge, "juicestand_busy_makers", "Makers at work.", Double(status.busyMakers))
        if status.settings.makers < .max {
            add(.gauge, "juicestand_makers", "Makers there are.", Double(status.settings.makers))
        }
    }

    private mutating func addFruit(_ status: StandStatus, _ measured: Measured) {
        let names = status.settings.menu.fruits.map(\.name)
        func each(_ values: [Int?]) -> [(label: String, value: Double)] {
            zip(names, values).compactMap { name, value in value.map { (name, Double($0)) } }
        }
        add(
            .gauge, "juicestand_stock_pieces", "Pieces on hand, of fruit with a limit.", by: "fruit",
            each(status.levels))
        add(
            .gauge, "juicestand_low_stock_threshold_pieces", "The level at which stock is low.", by: "fruit",
            each(status.settings.shelves.map(\.lowStock)))
        add(.gauge, "juicestand_on_order_pieces", "Pieces that the supplier owes.", by: "fruit", each(status.onOrder))
        add(.counter, "juicestand_low_stock_alerts_total", "Times that stock fell low.", Double(status.lowStockAlerts))
        add(.counter, "juicestand_stock_edits_total", "Changes of the stock by hand.", Double(status.editTag))
        add(
            .counter, "juicestand_restock_orders_total", "Orders to the supplier.", by: "fruit",
            each(measured.supply.map(\.orders)))
        add(
            .counter, "juicestand_restock_delivered_pieces_total", "Pieces delivered and taken onto the shelf.",
            by: "fruit",
            each(measured.supply.map(\.delivered)))
        add(
            .counter, "juicestand_spoiled_pieces_total", "Pieces spoiled.", by: "fruit",
            each(measured.supply.map(\.spoiled)))
    }

    fileprivate mutating func add(_ counters: HTTPCounters) {
        add(.gauge, "juicestand_http_connections", "Connections open now.", Double(counters.connections.current))
        add(.gauge, "juicestand_http_listeners", "Connections that follow events.", Double(counters.streams.current))
        add(.counter, "juicestand_http_accepted_total", "Connections accepted.", Double(counters.accepted.current))
        add(
            .counter, "juicestand_http_turned_away_total", "Connections closed because there were too many.",
            Double(counters.turnedAway.current))
        add(
            .counter, "juicestand_http_exhausted_total", "Times that no descriptor was left for a connection.",
            Double(counters.exhausted.current))
        add(.counter, "juicestand_http_requests_total", "Requests answered.", Double(counters.requests.current))
        add(
            .counter, "juicestand_http_refusals_total", "Requests refused because they were not right.",
            Double(counters.refusals.current))
        add(
            .counter, "juicestand_http_timeouts_total", "Connections closed because the client took too long.",
            Double(counters.timeouts.current))
        add(
            .counter, "juicestand_http_slow_listeners_total", "Listeners dropped because they read too slowly.",
            Double(counters.slowReaders.current))
    }

    fileprivate mutating func add(_ figures: ProcessFigures) {
        add(.counter, "process_cpu_seconds_total", "Time of processors used.", figures.cpuSeconds)
        add(.gauge, "process_resident_memory_bytes", "Memory in use.", Double(figures.residentBytes))
        add(.gauge, "process_open_fds", "Descriptors in use.", Double(figures.openDescriptors))
        add(.gauge, "process_max_fds", "Descriptors there may be.", Double(figures.mostDescriptors))
    }
}
