import Dispatch
import HTTPServer
import JuiceStand
import Platform
import StandClient
import StandService
import TestSupport
import Testing
import TextFormats

/// What people watch comes from the observers: the display, the alerter and the logger.
@Suite(.timeLimit(.minutes(60)))
struct StandObserversTests {
    private final class CountedLines: LineSink {
        private let lines = Guarded(0)
        var count: Int { lines.withLock { $0 } }

        func write(_ bytes: RawSpan) {
            let more = unsafe bytes.withUnsafeBytes { unsafe $0.count { $0 == UInt8(ascii: "\n") } }
            lines.withLock { $0 += more }
        }
    }

    private final class Flag: Sendable {
        private let state = Guarded(false)
        var isSet: Bool { state.withLock { $0 } }

        func set() { state.withLock { $0 = true } }
    }

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
            let settings = try StandConfiguration(Array(configuration.utf8), source: "test").settings
            let sink = CountedLines()
            let observers = StandObservers(loggers: [StandLogger(.ledger, menu: settings.menu, sink: sink)])
            var stand = Stand(settings)
            observers.begin(with: stand)
            opening = Self.status(observers, stand)
            let wiring = ClosureWiring()
            observers.connect(to: wiring)
            if let missing = missing(observers) { wiring.disconnect(missing) }
            VirtualDriver(horizon: SimulationTime(seconds: 7200)).run(&stand, wiring)
            end = Self.status(observers, stand)
            lines = sink.count
            alerts = observers.alerter.alerts
        }

        private static func status(_ observers: StandObservers, _ stand: Stand) -> [String: JSONValue] {
            let status = StandStatus(observers, stand, time: stand.now, speed: 1)
            return Dictionary(uniqueKeysWithValues: status.document.json.members.map { ($0.key, $0.value) })
        }

        /// Expects the end of another day, but the opening for these keys.
        func expect(standsStill keys: Set<String>, of whole: Day) {
            for (key, value) in end {
                let expected = keys.contains(key) ? opening[key] : whole.end[key]
                #expect(value == expected, "\(key)")
            }
        }
    }

    private static let shown: Set = [
        "phase", "ready", "queue", "present", "orders", "served", "lost", "cupsServed", "stock", "onOrder",
        "waits",
    ]

    @Test func `without the display its figures stand still`() throws {
        let whole = try Day()
        let day = try Day(without: { $0.display })
        day.expect(standsStill: Self.shown, of: whole)
        #expect(day.lines == whole.lines && day.alerts == whole.alerts)
        // The whole day moves each of them, unless it ends as it began.
        let moved = Self.shown.filter { whole.end[$0] != whole.opening[$0] }
        #expect(moved.isSuperset(of: ["phase", "ready", "orders", "served", "lost", "cupsServed", "stock", "waits"]))
    }

    @Test func `without the alerter its alerts stand still`() throws {
        let whole = try Day()
        let day = try Day(without: { $0.alerter })
        day.expect(standsStill: ["lowStockAlerts", "alerts"], of: whole)
        #expect(day.alerts == [] && day.lines == whole.lines)
        #expect(!whole.alerts.isEmpty && whole.end["lowStockAlerts"]?.whole ?? 0 > 0)
    }

    @Test func `without the logger there are no lines`() throws {
        let whole = try Day()
        let day = try Day(without: { $0.loggers[0] })
        day.expect(standsStill: [], of: whole)
        #expect(day.lines == 0 && day.alerts == whole.alerts)
        #expect(whole.lines == whole.end["sequence"]?.whole)
    }

    /// Nobody sells mangos, so their level tells how many edits an answer has seen. Its tag must say the same.
    @Test func `levels and edit tag of one answer are of one instant`() throws {
        let open = try OpenStand(
            """
            {"fruits": {"kiwi": {"initial": 100000}, "mango": {"initial": 1}}, \
            "menu": {"kiwi juice": {"recipe": {"kiwi": 1}, "preparation": 1}}, "makers": 50, \
            "customers": {"arrivals": {"poisson": {"perSecond": 10}}}}
            """, speed: 10)
        let isOver = Flag()
        let hasEnded = DispatchSemaphore(value: 0)
        DispatchQueue(label: "editing").async { [control = open.control] in
            while !isOver.isSet {
                let isDone: Bool = awaited { answer in
                    control.submit(.stock([.init(fruit: "mango", pieces: 1)])) { result in
                        if case .success = result { answer(true) } else { answer(false) }
                    }
                }
                #expect(isDone)
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
        isOver.set()
        hasEnded.wait(for: "the last edit")
        #expect(tags.count > 100 && levels.count > 1, "edits and sales go on meanwhile")
        // A tag that was read lets an edit through, once.
        let tag = try #require(try open.client.send(.get, "/api/v1/stock").json?["editTag"]?.whole)
        let edit: JSONValue = ["changes": ["mango": 1]]
        let fields = [(name: "If-Match", value: "\"\(tag)\"")]
        let path = "/api/v1/stock/changes"
        #expect(try open.client.send(.post, path, fields: fields, content: edit).isSuccess)
        #expect(try open.client.send(.post, path, fields: fields, content: edit).status == 412)
    }
}
