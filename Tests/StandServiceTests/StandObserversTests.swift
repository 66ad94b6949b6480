import Dispatch
import HTTPServer
import JuiceStand
import Platform
import StandClient
import StandService
import StandState
import TestSupport
import Testing
import TextFormats

/// What people watch comes from the observers: the display, the alerter and the logger.
@Suite(.timeLimit(.minutes(60)))
struct StandObserversTests {
    /// A stand at its opening and two hours later.
    private struct Day {
        var opening: [String: JSONValue] = [:]
        var end: [String: JSONValue] = [:]
        var lines = 0
        var alerts: [LowStockAlerter.Alert] = []

        /// - Parameter missing: The observer that is not connected.
        init(without missing: (StandObservers) -> AnyObject? = { _ in nil }) throws {
            let configuration = """
                {"seed": 7, "fruits": {"mango": {"initial": 30, "lowStock": 20, "restock": {"orderUpTo": \
                {"reorderPoint": 25, "level": 60, "leadTime": 600}}}}, \
                "menu": {"mango juice": {"recipe": {"mango": 1}, "price": 3, "preparation": 60}}, \
                "queue": {"limit": 3}, "customers": {"arrivals": {"poisson": {"perSecond": 0.02}}}}
                """
            let settings = try StandSettings(parsing: configuration)
            let sink = LineCollector()
            let observers = StandObservers(loggers: [StandLogger(.ledger, menu: settings.menu, sink: sink)])
            var stand = Stand(settings)
            observers.begin(with: stand)
            opening = Self.status(observers, stand)
            let wiring = ClosureWiring()
            observers.connect(to: wiring)
            if let missing = missing(observers) { wiring.disconnect(missing) }
            VirtualDriver(horizon: SimulationTime(seconds: 7200)).run(&stand, wiring)
            end = Self.status(observers, stand)
            lines = sink.lines.count
            alerts = observers.alerter.alerts
        }

        private static func status(_ observers: StandObservers, _ stand: Stand) -> [String: JSONValue] {
            let status = StandStatus(observers, stand, time: stand.now, speed: 1)
            return Dictionary(uniqueKeysWithValues: status.document.json.members.map { ($0.key, $0.value) })
        }
    }

    /// An observer that a stand can be without.
    enum Missing: CaseIterable {
        case display, alerter, logger

        func observer(_ observers: StandObservers) -> AnyObject {
            switch self {
            case .display: observers.display
            case .alerter: observers.alerter
            case .logger: observers.loggers[0]
            }
        }

        /// The keys of the status that stand still without it.
        var keys: Set<String> {
            switch self {
            case .display:
                [
                    "phase", "ready", "queue", "present", "orders", "served", "lost", "cupsServed", "stock", "onOrder",
                    "waits",
                ]
            case .alerter: ["lowStockAlerts", "alerts"]
            case .logger: []
            }
        }
    }

    @Test(arguments: Missing.allCases)
    func `without an observer only its figures stand still`(missing: Missing) throws {
        let whole = try Day()
        let day = try Day(without: missing.observer)
        for (key, value) in day.end {
            let expected = missing.keys.contains(key) ? day.opening[key] : whole.end[key]
            #expect(value == expected, "\(key)")
        }
        #expect(day.lines == (missing == .logger ? 0 : whole.lines))
        #expect(day.alerts == (missing == .alerter ? [] : whole.alerts))
        // The whole day moves each of them, unless it ends as it began.
        let still = missing.keys.filter { whole.end[$0] == whole.opening[$0] }
        #expect(still.isSubset(of: ["queue", "present", "onOrder"]))
        #expect(!whole.alerts.isEmpty && whole.lines == whole.end["sequence"]?.whole)
    }

    /// Nobody sells mangos, so their level tells how many edits an answer has seen. Its tag must say the same.
    @Test func `levels and edit tag of one answer are of one instant`() throws {
        let open = try OpenStand(
            """
            {"fruits": {"kiwi": {"initial": 100000}, "mango": {"initial": 1}}, \
            "menu": {"kiwi juice": {"recipe": {"kiwi": 1}, "preparation": 1}}, "makers": 50, \
            "customers": {"arrivals": {"poisson": {"perSecond": 10}}}}
            """, speed: 10)
        let isOver = Guarded(false)
        let hasEnded = DispatchSemaphore(value: 0)
        DispatchQueue(label: "editing").async { [control = open.control] in
            while !isOver.withLock({ $0 }) {
                let answer: Result<EditedStock, ControlError> = awaited {
                    control.submit(.stock([.init(fruit: "mango", pieces: 1)]), reply: $0)
                }
                #expect(throws: Never.self) { try answer.get() }
            }
            hasEnded.signal()
        }
        var tags: Set<Int> = []
        var levels: Set<Int> = []
        for _ in 0..<Study.size(2000, full: 10_000) {
            let answer = try #require(try open.client.send(.get, "/api/v1/stock").json)
            let tag = try #require(answer["editTag"]?.whole)
            let stock = try #require(answer["stock"]?.elements)
            let mango = stock.first { $0["fruit"]?.text == "mango" }
            try #require(mango?["level"]?.whole == tag + 1)
            tags.insert(tag)
            if let kiwi = stock.first(where: { $0["fruit"]?.text == "kiwi" })?["level"]?.whole { levels.insert(kiwi) }
        }
        isOver.withLock { $0 = true }
        hasEnded.wait(for: "the last edit")
        #expect(tags.count > 100 && levels.count > 1, "edits and sales go on meanwhile")
    }
}
