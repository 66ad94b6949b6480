import HTTPServer
import JuiceStand
import Platform

// The metrics of a stand, its service and its process.

extension MetricsText {
    private static let waitBounds: [Double] = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600]
    private static let latenessBounds = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1]

    mutating func add(_ now: StandStatus, _ measured: Measured) {
        let status = measured.status
        let settings = status.settings
        add(
            .gauge, "juicestand_info", "The running stand.",
            labelled: [([("stand", settings.stand), ("seed", "\(settings.seed)"), ("wiring", settings.wiring)], 1)])
        add(.gauge, "juicestand_ready", "1 if the stand is ready.", now.isReady ? 1 : 0)
        add(.gauge, "juicestand_paused", "1 while the stand is paused.", status.phase == .paused ? 1 : 0)
        add(.gauge, "juicestand_stand_time_seconds", "Stand time since the opening.", now.time.seconds)
        add(.gauge, "juicestand_speed_ratio", "Stand seconds per wall second.", now.speed)
        add(.gauge, "juicestand_behind_seconds", "Stand time that is due and not reached.", now.behind.seconds)
        add(
            .gauge, "juicestand_late_events_ratio",
            "Share of the last minute's events that were released at least 100 ms late.", now.lateShare)
        add(.gauge, "juicestand_arrivals_factor_ratio", "Factor on the configured arrival rate.", status.rate)
        addOrders(status)
        addFruit(status, measured)
        add(
            "juicestand_wait_seconds", "Stand time from placing an order to its first cup, of served orders.",
            measured.waits, bounds: Self.waitBounds)
        add(
            "juicestand_stay_seconds", "Stand time from placing an order to its last cup, of served orders.",
            measured.stays, bounds: Self.waitBounds)
        add(
            "juicestand_lateness_seconds", "Wall time between the due instant of an event and its release.",
            measured.lateness, bounds: Self.latenessBounds)
    }

    private mutating func addOrders(_ status: StandStatus) {
        let lostOnArrival = LossReason.allCases.filter { !$0.traits.wasPlaced }.reduce(0) { $0 + status.lost[$1] }
        add(
            .counter, "juicestand_events_total", "Events announced; equals the sequence number of the last.",
            status.sequence)
        add(.counter, "juicestand_orders_placed_total", "Orders placed.", status.orders - lostOnArrival)
        add(.counter, "juicestand_orders_served_total", "Orders served.", status.served)
        add(
            .counter, "juicestand_orders_lost_total", "Orders lost, by reason.", by: "reason",
            LossReason.allCases.map { ($0.name, Double(status.lost[$0])) })
        add(.counter, "juicestand_orders_substituted_total", "Orders served with a substitute.", status.substituted)
        add(.counter, "juicestand_cups_served_total", "Cups of served orders.", status.cupsServed)
        add(.counter, "juicestand_revenue_total", "Money taken, in the configuration's currency.", status.revenue)
        add(.gauge, "juicestand_queue_orders", "Orders with no cup started.", status.queue)
        add(.gauge, "juicestand_present_orders", "Orders in the stand.", status.present)
        add(.gauge, "juicestand_busy_makers", "Busy makers.", status.busyMakers)
        if status.makers < .max {
            add(.gauge, "juicestand_makers", "Makers.", status.makers)
        }
    }

    private mutating func addFruit(_ status: StandStatus, _ measured: Measured) {
        let names = status.settings.menu.fruits.map(\.name)
        func each(_ values: [Int?]) -> [(label: String, value: Double)] {
            zip(names, values).compactMap { name, value in value.map { (name, Double($0)) } }
        }
        add(
            .gauge, "juicestand_stock_pieces", "Pieces on hand, except of unlimited fruit.", by: "fruit",
            each(status.levels))
        add(
            .gauge, "juicestand_low_stock_threshold_pieces", "The level at which stock is low.", by: "fruit",
            each(status.settings.shelves.map(\.lowStock)))
        add(
            .gauge, "juicestand_on_order_pieces", "Pieces on order from the supplier.", by: "fruit",
            each(status.onOrder))
        add(.counter, "juicestand_low_stock_alerts_total", "Low-stock alerts.", status.lowStockAlerts)
        add(.counter, "juicestand_stock_edits_total", "Stock edits.", status.editTag)
        add(
            .counter, "juicestand_restock_orders_total", "Restock orders.", by: "fruit",
            each(measured.supply.map(\.orders)))
        add(
            .counter, "juicestand_restock_delivered_pieces_total", "Pieces delivered onto the shelf.", by: "fruit",
            each(measured.supply.map(\.delivered)))
        add(
            .counter, "juicestand_spoiled_pieces_total", "Pieces spoiled.", by: "fruit",
            each(measured.supply.map(\.spoiled)))
    }

    mutating func add(_ counters: HTTPCounters) {
        add(.gauge, "juicestand_http_connections", "Open connections.", counters.connections.current)
        add(.gauge, "juicestand_http_listeners", "Connections that follow events.", counters.streams.current)
        add(.counter, "juicestand_http_accepted_total", "Connections accepted.", counters.accepted.current)
        add(
            .counter, "juicestand_http_turned_away_total", "Connections refused because there were too many.",
            counters.turnedAway.current)
        add(
            .counter, "juicestand_http_exhausted_total", "Failures to accept for want of descriptors.",
            counters.exhausted.current)
        add(.counter, "juicestand_http_requests_total", "Requests answered.", counters.requests.current)
        add(
            .counter, "juicestand_http_refusals_total", "Malformed or oversized requests refused.",
            counters.refusals.current)
        add(.counter, "juicestand_http_timeouts_total", "Connections closed by a timeout.", counters.timeouts.current)
        add(
            .counter, "juicestand_http_slow_listeners_total", "Slow listeners disconnected.",
            counters.slowReaders.current)
    }

    mutating func add(_ figures: ProcessFigures) {
        add(.counter, "process_cpu_seconds_total", "CPU time used.", figures.cpuSeconds)
        add(.gauge, "process_resident_memory_bytes", "Resident memory.", figures.residentBytes)
        add(.gauge, "process_open_fds", "Open file descriptors.", figures.openDescriptors)
        add(.gauge, "process_max_fds", "Limit of file descriptors.", figures.mostDescriptors)
    }
}
