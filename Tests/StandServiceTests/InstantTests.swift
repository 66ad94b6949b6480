import Foundation
import JuiceStand
import Platform
import StandClient
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
    private func get(_ stand: OpenStand, _ path: String) throws -> JSONValue {
        let answer = try stand.client.send(.get, "/api/v1/" + path)
        #expect(answer.isSuccess, "\(path): \(answer.text)")
        return try #require(answer.json)
    }

    @Test func `over HTTP an instant is what the status was then, also with a ledger in several files`() throws {
        let stand = try OpenStand(Self.busy, speed: 1, ledger: true)
        // The status of the moment is published between two events.
        var seen = [try get(stand, "status")]
        #expect(try stand.client.send(.put, "/api/v1/speed", content: ["speed": .number(12_000)]).isSuccess)
        func number(_ status: JSONValue) -> Int { status["sequence"]?.whole ?? 0 }
        var moves = 0
        try eventually("3,000 events, and twelve instants of them") {
            seen.append(try get(stand, "status"))
            if number(seen[seen.count - 1]) > 600 * (moves + 1) {
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
            expectEqual(then, status, "event \(number)", but: ["time", "busyMakers"])
            #expect(then["line"]?.elements.count == then["queue"]?.whole)
            let events = then["events"]?.elements ?? []
            #expect(events.contains { $0["seq"]?.whole == number })
            let stock = try get(stand, "stock?seq=\(number)")
            #expect(
                stock["stock"]?.elements.map { $0["level"] } == status["stock"]?.members.map { $0.value },
                "event \(number)")
            #expect(stock["editTag"] == status["editTag"])
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

    @Test func `without ledger and state, and before anybody asked, instants reach back to the opening`() throws {
        let stand = try OpenStand(Self.busy, speed: 3600) { () throws(ConfigurationError) in
            try StandSettings(parsing: Self.busy.replacing("\"makers\": 2", with: "\"makers\": 3"))
        }
        try pause(stand, after: 3600)
        let opening = try get(stand, "status?seq=1")
        #expect(opening["orders"]?.whole == 0 && opening["stock"]?["mango"]?.whole == 400)
        #expect(try get(stand, "status?at=60")["time"]?.seconds == 60)
        #expect(try get(stand, "status?seq=0")["sequence"]?.whole == 0)
        // What a reload changes is that of the instant.
        #expect(try stand.client.send(.post, "/api/v1/reload").isSuccess)
        let last = stand.control.status.sequence
        #expect(try get(stand, "status?seq=\(last)")["makers"] == 3)
        #expect(try get(stand, "status?seq=1")["makers"] == 2)
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

    @Test func `a ledger that another program wrote is not contradicted`() throws {
        let stand = try OpenStand(Self.busy, speed: 3600, ledger: true)
        try pause(stand, after: 3600)
        _ = try get(stand, "status?seq=50")
        // A digit of a time that no rule of the ledger fixes. Lines in memory are asked first, so an early one is changed,
        // and there are many.
        let path = stand.folder + "/ledger"
        try eventually("the lines leave the memory") { () throws in
            _ = try stand.client.send(.put, "/api/v1/speed", content: ["speed": 1_000_000])
            _ = try stand.client.send(.post, "/api/v1/resume")
            if case .gone = stand.control.events(after: 1, limit: 1) { return true }
            return false
        }
        _ = try stand.client.send(.post, "/api/v1/pause")
        let file = try FileHandle(forUpdating: URL(filePath: path))
        let start = try file.read(upToCount: 1 << 16) ?? Data()
        let text = String(decoding: start, as: UTF8.self)
        let place = try #require(text.range(of: #""seq":40,"at":"#))
        try file.seek(toOffset: UInt64(text[..<place.upperBound].utf8.count))
        try file.write(contentsOf: Data("9".utf8))
        try file.close()
        let answer = try stand.client.send(.get, "/api/v1/status?seq=50")
        #expect(
            answer.status == 404 && answer.json?["type"]?.text == "urn:juicestand:problem:notKept", "\(answer.text)")
        #expect(answer.json?["detail"]?.text?.contains("another line 40 than the ledger has") == true, "\(answer.text)")
    }

    @Test func `questions beyond sixteen are refused, and delay nobody`() throws {
        let stand = try OpenStand(Self.busy, speed: 1_000_000)
        try eventually("many events") { stand.control.status.sequence > 60_000 }
        let readers = try (0..<40).map { number in
            let reader = try RawClient(port: stand.port)
            reader.send("GET /api/v1/status?seq=\(30_000 + number) HTTP/1.1\r\nHost: 127.0.0.1:\(stand.port)\r\n\r\n")
            return reader
        }
        #expect(try stand.client.send(.get, "/api/v1/status").isSuccess)
        let answers = readers.map { $0.receive(until: "\r\n\r\n") }
        #expect(answers.contains { $0.hasPrefix("HTTP/1.1 200 ") })
        for answer in answers where !answer.hasPrefix("HTTP/1.1 200 ") {
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.lowercased().contains("\r\nretry-after: "), "\(answer)")
        }
    }

    /// Random stands with commands, a reload and two restarts.
    @Test(arguments: 1...Study.size(8, full: 200))
    func `an instant asked for later is what was answered then`(seed: Int) async throws {
        var chance = SplitMix64(seed: UInt64(seed))
        func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &chance) }
        let patience = pick(2) == 0 ? "100d" : "3m"
        let shelfLife = pick(2) == 0 ? "" : #""shelfLife": "2h", "#
        let soldOut = ["leave", "wait", "substitute"][pick(3)]
        let configuration = """
            {"seed": \(seed), "opens": "2026-05-04T08:00:00", "makers": \(1 + pick(3)), "queue": {"limit": \(2 + pick(6))},
             "fruits": {"banana": {"initial": 40, "lowStock": 20, \(shelfLife)"restock": {"orderUpTo": {"reorderPoint": 15,
             "level": 60, "leadTime": {"exponential": {"mean": "4m"}}}}}, "mango": {"initial": \(60 + pick(400)), "lowStock": 5}},
             "menu": {"banana juice": {"recipe": {"banana": 2}, "price": 3}, "mango juice": {"recipe": {"mango": 3}, "price": 4},
             "mix": {"recipe": {"banana": 1, "mango": 1}, "price": 5}}, "customers": {"whenSoldOut": "\(soldOut)",
             "patience": "\(patience)", "arrivals": {"poisson": {"perSecond": 0.06}}}}
            """
        let hasLedger = pick(2) == 0
        try await withTemporaryFolder { folder in
            /// What was answered, and to which question it must be the answer later.
            var seen: [(question: Instant, status: JSONValue, stock: StockDocument)] = []
            for round in 1...3 {
                var options = try RunningStand.Options(
                    configuration, speed: 20_000, ledger: hasLedger ? "\(folder)/ledger" : nil,
                    state: "\(folder)/state")
                let settings = options.settings
                options.saving.facts = 300
                let makers = pick(4) + 1
                options.reloading = { () throws(ConfigurationError) in
                    var changed = settings
                    changed.makers = makers
                    return changed
                }
                try await withSuspended(try RunningStand(options)) { control in
                    if round > 1 { _ = try? await control.answer(to: .resume) }
                    let target = control.status.sequence + 600
                    var step = 0
                    try await eventually("600 events") {
                        step += 1
                        let status = control.status
                        seen.append((.time(status.time), status.document.json, status.stockDocument))
                        if status.shown.time == status.time || step % 2 == 0 {
                            seen.append((.fact(status.sequence), status.document.json, status.stockDocument))
                        }
                        control.maintain()
                        switch pick(7) {
                        case 0: _ = try? await control.order(["mix", "mango juice", "tea"][pick(3)], cups: 1 + pick(3))
                        case 1:
                            let pieces = pick(2) == 0 ? 30 : -20
                            _ = try? await control.answer(to: .stock([.init(fruit: "mango", pieces: pieces)]))
                        case 2: _ = try? await control.answer(to: .rate(Double(pick(4))))
                        case 3:
                            _ = try? await control.answer(to: .pause)
                            let status = control.status
                            seen.append((.fact(status.sequence), status.document.json, status.stockDocument))
                            _ = try? await control.answer(to: .resume)
                        case 4 where step % 5 == 0: _ = try? await control.reload()
                        default: break
                        }
                        return control.status.sequence >= target
                    }
                    _ = try? await control.answer(to: .rate(1))
                    func ask(_ question: Instant) async throws -> Past.View {
                        try await withCheckedContinuation { (done: CheckedContinuation<Result<_, PastError>, _>) in
                            control.instant(question) { done.resume(returning: $0) }
                        }.get()
                    }
                    for (question, status, stock) in seen.shuffled(using: &chance).prefix(25) {
                        let view = try await ask(question)
                        // Later cups of an order are begun without a fact, after the one of that number.
                        var but: Set = ["time", "busyMakers"]
                        if case .time(let time) = question {
                            but = []
                            // A late stand, or one that is paused, may be changed at a time that was told before.
                            let number = UInt64(try #require(status["sequence"]?.whole))
                            if view.status.sequence != number {
                                let next = try await ask(.fact(number + 1))
                                let line = next.document.events?.first { $0.sequence == number + 1 }
                                #expect(
                                    next.status.time <= time,
                                    "seed \(seed), round \(round), \(question): \(line?.json.compact() ?? "")")
                                continue
                            }
                        }
                        expectEqual(view.document.json, status, "seed \(seed), round \(round), \(question)", but: but)
                        #expect(view.status.stockDocument == stock, "seed \(seed), round \(round), \(question)")
                    }
                }
            }
        }
    }

    /// Expects the status of an instant to be that which was answered then.
    private func expectEqual(_ then: JSONValue, _ answered: JSONValue, _ place: String, but: Set<String> = []) {
        for (key, value) in answered.members.map({ ($0.key, $0.value) }) where !but.contains(key) && key != "url" {
            let isPresent = ["speed", "behind", "ready", "causes", "forecast"].contains(key)
            #expect(then[key] == (isPresent ? .null : value), "\(key): \(place)")
        }
    }
}
