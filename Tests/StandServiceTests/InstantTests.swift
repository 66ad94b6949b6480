import Foundation
import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing
import TextFormats

/// What a running stand answers about instants that have passed.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct InstantTests {
    private static let busy = """
        { "opens": "2026-05-04T08:00:00", "makers": 2, "queue": {"limit": 4},
          "fruits": {
            "banana": {"initial": 40, "lowStock": 20, "restock": {"orderUpTo": {"reorderPoint": 15, "level": 60, "leadTime": "2m"}}},
            "mango": {"initial": 400, "lowStock": 5} },
          "menu": {"banana juice": {"recipe": {"banana": 2}, "price": 3}, "mango juice": {"recipe": {"mango": 3}, "price": 4}},
          "customers": {"arrivals": {"poisson": {"perSecond": 0.06}}, "patience": {"exponential": {"mean": "2m"}}} }
        """
    /// What of a status does not depend on when it is asked.
    private static let lasting = [
        "stand", "phase", "opens", "seed", "rate", "sequence", "queue", "present", "busyMakers", "makers", "places",
        "orders", "served", "lost", "substituted", "cupsServed", "lowStockAlerts", "stock", "onOrder", "revenue",
    ]

    private func get(_ stand: OpenStand, _ path: String) throws -> JSONValue {
        var answer = try stand.client.send(.get, "/api/v1/" + path)
        // A ledger that is still being read says so.
        if answer.status == 503 {
            try eventually("the ledger is read") {
                answer = try stand.client.send(.get, "/api/v1/" + path)
                return answer.status != 503
            }
        }
        #expect(answer.isSuccess, "\(path): \(answer.text)")
        return try #require(answer.json)
    }

    /// With a ledger, one in several files, and the lines in memory alone.
    @Test(arguments: [(true, false), (true, true), (false, false)])
    func `an instant is what the status was then`(ledger: Bool, isMoved: Bool) throws {
        // Customers come for eight hours, so that the memory keeps all lines, however late they are read.
        let eightHours = #""profile": {"every": "8h", "perSecond": [0.06], "repeat": false}"#
        let day = Self.busy.replacing(#""poisson": {"perSecond": 0.06}"#, with: eightHours)
        let stand = try OpenStand(day, speed: 1, ledger: ledger)
        // Without a ledger, the first question begins it.
        if !ledger { _ = try stand.client.send(.get, "/api/v1/status?at=0") }
        // The status of the moment is published between two events.
        var seen = [try get(stand, "status")]
        #expect(try stand.client.send(.put, "/api/v1/speed", content: ["speed": .number(12_000)]).isSuccess)
        func number(_ status: JSONValue) -> Int { status["sequence"]?.whole ?? 0 }
        var moves = 0
        try eventually("3,000 events, and twelve instants of them") {
            seen.append(try get(stand, "status"))
            if isMoved, number(seen[seen.count - 1]) > 600 * (moves + 1) {
                moves += 1
                try stand.control.move(ledger: "\(stand.folder)/ledger", to: "\(stand.folder)/of-before-\(moves)")
            }
            return number(seen[seen.count - 1]) > 3000 && seen.count { number($0) > number(seen[0]) + 100 } > 12
        }
        #expect(try stand.client.send(.post, "/api/v1/pause").isSuccess)
        let later = seen.filter { number($0) > number(seen[0]) + 100 }
        for status in later.shuffled().prefix(Study.size(8, full: 100)) {
            let number = try #require(status["sequence"]?.whole)
            let then = try get(stand, "status?seq=\(number)")
            for key in Self.lasting { #expect(then[key] == status[key], "\(key) of event \(number)") }
            #expect(then["line"]?.elements.count == then["queue"]?.whole)
            let events = then["events"]?.elements ?? []
            #expect(events.contains { $0["seq"]?.whole == number })
            let stock = try get(stand, "stock?seq=\(number)")
            #expect(
                stock["stock"]?.elements.map { $0["level"] } == status["stock"]?.members.map { $0.value },
                "event \(number)")
            #expect(stock["editTag"] == .null)
        }
        let now = try get(stand, "status?at=now")
        #expect(now["line"] != nil && now["sequence"]?.whole ?? 0 > 3000)
        let document = try #require(JSONValue(parsing: stand.client.send(.get, "/api/v1/openapi.json").content))
        let schemas = try #require(document["components"]?["schemas"])
        for (path, name) in [("status?seq=3000", "Status"), ("stock?seq=3000", "Stock"), ("history", "History")] {
            #expect(
                SchemaCheck(document).mistakes(in: try get(stand, path), try #require(schemas[name])) == [], "\(path)")
        }
    }

    /// The time of an open stand runs on while its events are late. That of a paused one tells how far it has come.
    private func pause(_ stand: OpenStand, after seconds: Double) throws {
        func isAfter() -> Bool { stand.control.status.time > SimulationTime(seconds: seconds) }
        try eventually("\(seconds) s of stand time") { () throws in
            guard isAfter() else { return false }
            #expect(try stand.client.send(.post, "/api/v1/pause").isSuccess)
            if isAfter() { return true }
            #expect(try stand.client.send(.post, "/api/v1/resume").isSuccess)
            return false
        }
    }

    @Test func `an instant can be stand seconds, a time of day, or a date and time`() throws {
        let stand = try OpenStand(Self.busy, speed: 36_000, ledger: true)
        try pause(stand, after: 7200)
        let one = try get(stand, "status?at=3600")
        #expect(one["time"]?.seconds == 3600 && one["sequence"]?.whole ?? 0 > 100)
        for text in ["2026-05-04T09:00:00", "2026-05-04%2009:00", "3600.0", "3600s", "1h"] {
            #expect(try get(stand, "status?at=\(text)") == one, "\(text)")
        }
        let end = try get(stand, "status?at=3600.999999999")
        for text in ["09:00", "09:00:00", "1%2009:00:00"] {
            #expect(try get(stand, "status?at=\(text)") == end, "\(text)")
        }
        #expect(try get(stand, "status?at=3600.000000001")["sequence"] == one["sequence"])
        let cases = [
            ("status?at=soon", 400, "at must be now, a time of day such as 12:30:00, a day and a time such as "),
            ("status?at=2026-05-04T07:59:59", 404, "at must not be before the opening at 2026-05-04T08:00:00"),
            ("status?at=07:59", 404, "before the opening"), ("status?at=-1", 400, "at must be"),
            ("stock?seq=x", 400, "seq must be a whole number from 0"), ("status?at=1&seq=2", 404, "must not both"),
            ("status?at=999999999", 404, "that instant is in the future; it is 1"),
            ("status?at=23:59", 404, "in the future"), ("status?at=2%2008:00", 404, "in the future"),
            ("status?at=0%2009:00", 400, "at must be"),
            ("status?seq=999999999", 404, "in the future"), ("history?points=0", 400, "points must be from 1 to 1000"),
            ("history?from=9&to=8", 404, "from must not be after to"),
        ]
        for (path, status, reason) in cases {
            let answer = try stand.client.send(.get, "/api/v1/" + path)
            #expect(answer.status == status && answer.json?["detail"]?.text?.contains(reason) == true, "\(answer.text)")
            let type = status == 404 ? "urn:juicestand:problem:noInstant" : "about:blank"
            #expect(answer.json?["type"]?.text == type, "\(answer.text)")
        }
    }

    @Test func `an instant centuries away is refused`() throws {
        for opens in ["1700-01-01", "2026-05-04", "2262-04-11"] {
            let stand = try OpenStand(#"{"opens": "\#(opens)T23:40:00"}"#, speed: 10_000, ledger: true)
            // The last opening is seven minutes before the end of the calendar.
            try pause(stand, after: 600)
            for text in ["1678-01-01", "2262-04-01", "999999999", "23:46"] {
                let answer = try stand.client.send(.get, "/api/v1/status?at=\(text)")
                #expect(answer.status == (text == "23:46" ? 200 : 404), "\(opens), \(text): \(answer.text)")
            }
        }
    }

    @Test func `without a ledger an instant before the first question is refused with the first that is kept`() throws {
        let stand = try OpenStand(Self.busy, speed: 3600)
        try eventually("an hour") { stand.control.status.time > SimulationTime(seconds: 3600) }
        let answer = try stand.client.send(.get, "/api/v1/status?at=60")
        #expect(
            answer.status == 404 && answer.json?["type"]?.text == "urn:juicestand:problem:notKept", "\(answer.text)")
        let asked = stand.control.status.time.seconds + 600
        try eventually("ten minutes more") { stand.control.status.time.seconds > asked }
        _ = try get(stand, "status?at=\(asked)")
    }

    @Test func `a stand that is followed before it opens knows all its instants`() throws {
        // A live display follows its own stand so. Its questions are answered on one queue, and on the stand's.
        let follow = { (control: StandControl) in
            let done = DispatchSemaphore(value: 0)
            control.follow { _ in done.signal() }
            control.instant(.time(.zero)) { _ in done.signal() }
            for _ in 0..<2 { done.wait(for: "the first answers") }
            control.follow { _ in done.signal() }
            done.wait(for: "the second answer")
        }
        let stand = try OpenStand(Self.busy, speed: 3600, beforeItOpens: follow)
        try eventually("an hour") { stand.control.status.time > SimulationTime(seconds: 3600) }
        #expect(try get(stand, "status?at=60")["stock"]?["mango"]?.whole != nil)
        #expect(try get(stand, "status?seq=1")["orders"]?.whole == 0)
    }

    @Test func `what a reload changed since is left out of an earlier instant`() throws {
        let before = try StandConfiguration(Array(Self.busy.utf8), source: "test").settings
        let stand = try OpenStand(Self.busy, ledger: true) { () throws(ConfigurationError) in
            var after = before
            after.makers = 3
            return after
        }
        #expect(try get(stand, "status?seq=1")["makers"] == 2)
        #expect(try stand.client.send(.post, "/api/v1/reload").isSuccess)
        let last = stand.control.status.sequence
        #expect(try get(stand, "status?seq=\(last)")["makers"] == 3)
        #expect(try get(stand, "status?seq=1")["makers"] == nil)
    }

    @Test func `instants reach back over a restart`() async throws {
        try await withTemporaryFolder { folder in
            let ledger = "\(folder)/ledger.jsonl"
            var files: [String] = []
            for round in 1...2 {
                var options = RunningStand.Options(
                    settings: try StandConfiguration(Array(Self.busy.utf8), source: "test").settings, wiring: .closure,
                    speed: 50_000, horizon: .never, duration: nil, ledger: ledger, display: .none, logsAsJSON: false)
                options.state = "\(folder)/state"
                try await withSuspended(try RunningStand(options)) { control in
                    if round == 2 { _ = try await control.resume() }
                    try await eventually("events") { control.status.sequence > 9000 * UInt64(round) }
                    _ = try await control.pause()
                    let moved = "\(folder)/\(round).jsonl"
                    try control.move(ledger: ledger, to: moved)
                    files.append(moved)
                    let lines = try files.flatMap { try readFile($0).split(separator: UInt8(ascii: "\n")) }
                    for number in [1, 700, 8999] {
                        let view = try await withCheckedThrowingContinuation { done in
                            control.instant(.event(UInt64(number))) { done.resume(with: $0) }
                        }
                        var audit = LedgerAudit()
                        audit.read(lines.prefix(number).flatMap { $0 + [UInt8(ascii: "\n")] }, source: "ledger")
                        #expect(audit.finding.problems == [] && view.stand.finding == audit.finding)
                        #expect(view.stand.presentOrders == audit.presentOrders && view.stand.counts == audit.counts)
                    }
                }
                // The second round begins with these.
                var saved = LedgerIndexFile("\(folder)/state/instants")
                #expect(saved.read().count > 2 * round)
            }
        }
    }
}
