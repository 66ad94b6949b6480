import JuiceStand
import Platform
import StandClient
import StandService
import StandState
import TestSupport
import Testing

/// Events over HTTP, as listeners get them.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct EventFeedTests {
    /// A connected listener and what it has received so far.
    private func listen(
        _ stand: OpenStand, _ target: String = "/api/v1/events", fields: String = ""
    ) throws -> (client: RawClient, text: String) {
        let client = try RawClient(path: stand.server.socket)
        client.send("GET \(target) HTTP/1.0\r\n\(fields)\r\n")
        let text = client.receive(until: "retry: 1000\n\n")
        #expect(text.contains("content-type: text/event-stream\r\n"))
        return (client, text)
    }

    private func order(_ stand: OpenStand) throws {
        #expect(try stand.client.send(.post, "/api/v1/orders", content: ["juice": "banana juice"]).status == 201)
    }

    @Test func `a listener gets new events, each with its number`() throws {
        let stand = try OpenStand()
        let client = try listen(stand).client
        try order(stand)
        let text = client.receive(until: "orderStarted")
        #expect(text.contains("id: 2\ndata: {\"seq\":2,"), "\(text)")
        #expect(text.contains("\"event\":\"orderPlaced\",\"order\":1,\"juice\":\"banana juice\""))
        #expect(!text.contains("event: gap"))
    }

    @Test func `a listener that reconnects misses nothing and gets nothing twice`() throws {
        let stand = try OpenStand()
        let first = try listen(stand).client
        try order(stand)
        _ = first.receive(until: "orderStarted")
        try order(stand)
        for (client, begun) in [
            try listen(stand, fields: "Last-Event-ID: 2\r\n"), try listen(stand, "/api/v1/events?after=2"),
            try listen(stand, "/api/v1/events?after=1", fields: "Last-Event-ID: 2\r\n"),
        ] {
            let last = stand.control.status.sequence
            let text = begun.contains("id: \(last)\n") ? begun : begun + client.receive(until: "id: \(last)\n")
            let numbers = text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { Int($0.dropFirst(4)) }
            #expect(numbers == (3...Int(last)).map { $0 })
        }
    }

    @Test func `reports a gap for events that are no longer kept`() throws {
        let stand = try OpenStand()
        // Without a ledger, nothing is kept before the first listener.
        try order(stand)
        let last = stand.control.status.sequence
        let (client, begun) = try listen(stand, fields: "Last-Event-ID: 0\r\n")
        try order(stand)
        let text = begun + client.receive(until: "id: \(last + 1)\n")
        #expect(text.contains("event: gap\ndata: {\"after\":0,\"first\":\(last + 1)}\n\n"), "\(text)")
    }

    @Test(arguments: ["1000", "18446744073709551615"])
    func `a number beyond the last event gets a gap and then new events`(
        place: String
    ) throws {
        let stand = try OpenStand()
        try order(stand)
        let (client, begun) = try listen(stand, fields: "Last-Event-ID: \(place)\r\n")
        let last = stand.control.status.sequence
        try order(stand)
        let text = begun + client.receive(until: "id: \(last + 1)\n")
        #expect(
            text.contains(
                "id: \(last)\nevent: gap\ndata: {\"after\":\(place),\"first\":\(last + 1)}\n\nid: \(last + 1)\n"),
            "\(text)")
    }

    @Test func `a listener at the last event gets the next one without a gap`() throws {
        let stand = try OpenStand(ledger: true)
        for _ in 0..<20 {
            try order(stand)
            let last = stand.control.status.sequence
            let (client, begun) = try listen(stand, "/api/v1/events?after=\(last)")
            _ = try stand.client.send(.post, "/api/v1/stock/changes", content: ["changes": ["banana": 2]])
            let text = begun + client.receive(until: "id: \(last + 1)\n")
            #expect(!text.contains("event: gap"), "\(text)")
        }
    }

    @Test func `reads older events from a ledger in four files, each once and in order`() throws {
        let stand = try OpenStand(
            #"{"customers": {"arrivals": {"renewal": 1}}, "fruits": {"kiwi": {"initial": "unlimited"}},"#
                + #""menu": {"kiwi juice": {"recipe": {"kiwi": 1}, "preparation": 1}}}"#, speed: 50_000, ledger: true)
        for move in 0..<3 {
            try eventually("4,000 events") { stand.control.status.sequence >= UInt64(4000 * (move + 1)) }
            try stand.control.move(ledger: "\(stand.folder)/ledger", to: "\(stand.folder)/\("abc".dropFirst(move))")
        }
        // More than is kept in memory.
        try eventually("15,000 events") { stand.control.status.sequence >= 15_000 }
        #expect(try stand.client.send(.post, "/api/v1/pause").isSuccess)
        let last = stand.control.status.sequence
        for start in [UInt64(0), 6000] {
            let (client, begun) = try listen(stand, "/api/v1/events?after=\(start)")
            let text = client.receive(after: begun) {
                $0.hasSuffix("\n\n") && $0.suffix(2000).contains("id: \(last)\n")
            }
            let numbers = text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap {
                UInt64($0.dropFirst(4))
            }
            #expect(numbers == Array(start + 1...last))
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("data: ") }
            #expect(zip(numbers, lines).allSatisfy { $1.hasPrefix("data: {\"seq\":\($0),") })
            #expect(!text.contains("event: gap"))
        }
    }

    @Test func `the first listener of a busy stand without a ledger gets every event`() throws {
        for _ in 0..<Study.size(3, full: 10) {
            let stand = try OpenStand(
                #"{"customers": {"arrivals": {"renewal": 1}, "patience": 1}, "fruits": {"kiwi": {"initial": "unlimited"}},"#
                    + #""menu": {"kiwi juice": {"recipe": {"kiwi": 1}, "preparation": 1}}}"#, speed: 5000)
            try eventually("an order") { stand.control.status.orders > 0 }
            let (client, begun) = try listen(stand)
            let text = client.receive(after: begun) { $0.utf8.count >= 20_000 }
            #expect(!text.contains("event: gap"))
            let numbers = text.split(separator: "\n").dropLast().filter { $0.hasPrefix("id: ") }.compactMap {
                Int($0.dropFirst(4))
            }
            #expect(numbers.count > 100 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
        }
    }

    @Test func `a ledger serves every event since the opening`() throws {
        let stand = try OpenStand(
            #"{"customers": {"arrivals": {"renewal": 1}}, "fruits": {"kiwi": {"initial": "unlimited"}},"#
                + #""menu": {"kiwi juice": {"recipe": {"kiwi": 1}, "preparation": 1}}}"#, speed: 5000, ledger: true)
        try eventually("15,000 events") { stand.control.status.sequence >= 15_000 }
        #expect(try stand.client.send(.post, "/api/v1/pause").isSuccess)
        let (client, begun) = try listen(stand, "/api/v1/events?after=0")
        let text = client.receive(after: begun) { $0.suffix(200).contains(#""event":"paused""#) }
        let ledger = try readFile(stand.folder + "/ledger")
        // Twice of what is kept in memory.
        try #require(ledger.count > 1 << 20)
        let events = ledger.split(separator: UInt8(ascii: "\n")).enumerated().map { index, line in
            "id: \(index + 1)\ndata: \(String(decoding: line, as: UTF8.self))\n\n"
        }
        let all = events.joined()
        let heard = try #require(text.split(separator: "retry: 1000\n\n", maxSplits: 1).last)
        // A comparison's text would be megabytes long.
        let isTheSame = heard.prefix(all.count) == all
        #expect(isTheSame, "\(events.count) events, \(all.utf8.count) bytes, heard \(heard.utf8.count)")
    }

    @Test func `closed is the last event`() throws {
        let stand = try OpenStand()
        let client = try listen(stand).client
        #expect(try stand.client.send(.post, "/api/v1/stop").isSuccess)
        #expect(client.receiveAll().contains("\"event\":\"closed\""))
    }

    @Test func `every kind of fact reaches the listener and the ledger`() throws {
        let waiting = try EventfulDay.settings(.wait)
        let stand = try OpenStand(
            EventfulDay.configuration(), speed: 1000, wiring: .notification, ledger: true, reread: { waiting })
        let (client, begun) = try listen(stand, "/api/v1/events?after=0")
        var text = begun
        func wait(for event: String) throws {
            if !text.contains("\"\(event)\"") { text += client.receive(until: "\"\(event)\"") }
            try #require(text.contains("\"\(event)\""), "\(event) never came")
        }
        try wait(for: "orderSubstituted")
        _ = try stand.client.send(.post, "/api/v1/orders", content: ["juice": "grape juice"])
        #expect(try stand.client.send(.put, "/api/v1/rate", content: ["factor": 2]).isSuccess)
        for command in ["pause", "resume", "reload"] {
            #expect(try stand.client.send(.post, "/api/v1/\(command)").isSuccess)
        }
        for event in ["orderBackordered", "ranOutOfPatience", "stockRecovered"] { try wait(for: event) }
        #expect(try stand.client.send(.post, "/api/v1/stop").isSuccess)
        text += client.receiveAll()

        let heard = text.split(separator: "\n").filter { $0.hasPrefix("data: ") }.map { $0.dropFirst(6) }
        let names = Set(heard.compactMap { LedgerEvent(Array($0.utf8)[...])?.name })
        #expect(Set(FactKind.allCases.map(\.name)).symmetricDifference(names) == [], "not heard")
        let ledger = String(decoding: try readFile(stand.folder + "/ledger"), as: UTF8.self)
        #expect(heard == ledger.split(separator: "\n"))
    }

    @Test func `refuses an event number that is no number`() throws {
        let stand = try OpenStand()
        for place in ["x", "-1", "1.5", ""] {
            #expect(try stand.client.send(.get, "/api/v1/events?after=\(place)").status == 400, "\(place)")
        }
    }
}
