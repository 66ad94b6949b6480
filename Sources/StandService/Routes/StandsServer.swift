import HTTPServer
import Platform
import StandClient
import TextFormats

/// Serves the page of many stands. Nothing can be changed through it.
package final class StandsServer: Sendable {
    /// The bound address, with its actual port.
    package let address: NetworkAddress
    private let server: HTTPServer
    private let listener: ListeningSocket
    /// The most alerts that the page shows.
    private static let mostAlerts = 100

    /// - Throws: ``FileError`` if the address is taken, or the system has no descriptors or threads left.
    package init(_ targets: StandTargets, at wanted: NetworkAddress) throws(FileError) {
        listener = try ListeningSocket.tcp(wanted)
        address = listener.address ?? wanted
        var options = HTTPServerOptions()
        options.commonFields = .guarding
        // The page has a connection to each stand.
        let kept = StandServer.descriptorsKept + targets.targets.count
        options.mostConnections = min(options.mostConnections, max(1, StandServer.raiseDescriptorLimit() - kept))
        let source = StandsSource(targets)
        let latest = Guarded<[StandTable.Alert]>([])
        let rows = Self.route("/api/v1/stands", "What is known of all stands, the most urgent first") {
            let (table, new) = source.latest()
            let alerts = latest.withLock { latest in
                latest = (latest + new).suffix(Self.mostAlerts)
                return latest
            }
            return [
                "stands": .array(table.rows().map(\.json)), "alerts": .array(alerts.reversed().map(\.json)),
                "problem": .orNull(table.problem),
            ]
        }
        let status = Self.route("/api/v1/status", "How many stands there are") {
            let table = source.table
            return ["stands": .whole(table.count), "away": .whole(table.awayCount)]
        }
        let routes = StandRoutes(
            [rows, status] + StandPage.filesOfMany.map(PageRoutes.route),
            gate: HTTPGate(address: address, token: SecretToken()),
            hint: "this page has /api/v1/stands and /api/v1/status")
        server = try HTTPServer([listener], options) { routes.admission(of: $0, over: $1) }
    }

    private static func route(
        _ path: String, _ summary: String, _ document: @escaping @Sendable () -> JSONValue
    ) -> Route {
        Route(.get, path, .init(name: path, summary: summary, answer: .text("application/json"))) { _, _ in
            .now(HTTPResponse(type: "application/json", content: Array(document().compact().utf8)))
        }
    }

    /// Finishes responses under way, within ``StandServer/stopTimeout``, and closes.
    package func stop() {
        server.stop(within: StandServer.stopTimeout)
        listener.close()
    }
}

// MARK: - JSON

extension StandTable.Row {
    fileprivate var json: JSONValue {
        let head: JSONValue = [
            "stand": .string(name), "target": .string("\(target)"), "page": .orNull(page), "away": .orNull(absence),
        ]
        guard let status, !isAway else { return .object(head.members + [.init(key: "clock", value: .string(clock))]) }
        let levels = levels.map { fruit, level -> JSONValue in
            let isLow = level == 0 || low.contains(fruit)
            return ["fruit": .string(fruit), "level": .whole(level), "low": isLow ? true : nil]
        }
        let figures: JSONValue = [
            "phase": .string(status.phase), "clock": .string(clock), "speed": .number(speed),
            "behind": .bool(isBehind), "perMinute": ordersPerMinute.map { .number($0) },
            "queue": .whole(status.queue), "wait": status.waits.p50.map { .number($0) },
            "short": short.map {
                ["fruit": .string($0.fruit), "level": .whole($0.level), "after": .orNull($0.after)]
            },
            "alerts": .whole(status.lowStockAlerts), "lost": .number(lost), "levels": .array(levels),
        ]
        return .object(head.members + figures.members)
    }

    /// The address of its own page; nil if it has none.
    private var page: String? {
        if case .http = target { return "\(target)/" }
        // The address comes from another program, so no other kind of link is taken over.
        return status?.url.flatMap { $0.hasPrefix("http://") ? $0 : nil }
    }
}

extension StandTable.Alert {
    /// The event with its stand and the time of day there.
    fileprivate var json: JSONValue {
        let head: JSONValue = [
            "stand": .string(stand), "clock": .string(clock), "seq": .whole(event.sequence),
            "event": .string(event.name),
        ]
        return .object(head.members + event.members)
    }
}
