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
    /// Sells and makes a cup a second, with enough fruit for all.
    private static let busy = """
        {"customers": {"arrivals": {"renewal": 1}}, "fruits": {"kiwi": {"initial": "unlimited"}},
         "menu": {"kiwi juice": {"recipe": {"kiwi": 1}, "preparation": 1}}}
        """

    /// The numbers of the events in a text.
    private func numbers(_ text: String) -> [UInt64] {
        text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap { UInt64($0.dropFirst(4)) }
    }

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
            #expect(numbers(text) == Array(3...last))
        }
    }

    /// Without a ledger, nothing is kept before the first listener.
    @Test(arguments: ["0", "1000", "18446744073709551615"])
    func `a gap is reported for events that are not kept, or a number beyond the last one`(place: String) throws {
        let stand = try OpenStand()
        try order(stand)
        let last = stand.control.status.sequence
        let (client, begun) = try listen(stand, fields: "Last-Event-ID: \(place)\r\n")
        try order(stand)
        let text = begun + client.receive(until: "id: \(last + 1)\n")
        let gap = "id: \(last)\nevent: gap\ndata: {\"after\":\(place),\"first\":\(last + 1)}\n\nid: \(last + 1)\n"
        #expect(text.contains(gap), "\(text)")
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

    @Test func `a ledger in four files serves every event since the opening, each once and in order`() throws {
        let stand = try OpenStand(Self.busy, speed: 50_000, ledger: true)
        var files: [String] = []
        for move in 0..<3 {
            try eventually("4,000 events") { stand.control.status.sequence >= UInt64(4000 * (move + 1)) }
            files.append("\(stand.folder)/\("abc".dropFirst(move))")
            try stand.control.move(ledger: "\(stand.folder)/ledger", to: files[move])
        }
        try eventually("15,000 events") { stand.control.status.sequence >= 15_000 }
        #expect(try stand.client.send(.post, "/api/v1/pause").isSuccess)
        // The answer may come before the line is written.
        try eventually("the pause in the ledger") {
            guard let ledger = try? readFile(stand.folder + "/ledger") else { return false }
            return String(decoding: ledger.suffix(200), as: UTF8.self).contains(#""event":"paused""#)
        }
        let ledger = try (files + [stand.folder + "/ledger"]).flatMap { try readFile($0) }
        // Twice of what is kept in memory.
        try #require(ledger.count > 1 << 20)
        let events = ledger.split(separator: UInt8(ascii: "\n")).enumerated().map { index, line in
            "id: \(index + 1)\ndata: \(String(decoding: line, as: UTF8.self))\n\n"
        }
        for start in [0, 6000] {
            let (client, begun) = try listen(stand, "/api/v1/events?after=\(start)")
            let text = client.receive(after: begun) {
                $0.suffix(200).contains(#""event":"paused""#) && $0.hasSuffix("\n\n")
            }
            let heard = try #require(text.split(separator: "retry: 1000\n\n", maxSplits: 1).last)
            // A comparison's text would be megabytes long.
            let isTheSame = heard == events[start...].joined()
            #expect(isTheSame, "\(events.count) events from \(start), heard \(heard.utf8.count) bytes")
        }
    }

    @Test func `the first listener of a busy stand without a ledger gets every event`() throws {
        for _ in 0..<Study.size(3, full: 10) {
            let stand = try OpenStand(Self.busy, speed: 5000)
            try eventually("an order") { stand.control.status.orders > 0 }
            let (client, begun) = try listen(stand)
            let text = client.receive(after: begun) { $0.utf8.count >= 20_000 }
            #expect(!text.contains("event: gap"))
            let heard = numbers(String(text.prefix(upTo: text.lastIndex(of: "\n")!)))
            #expect(heard.count > 100 && zip(heard, heard.dropFirst()).allSatisfy { $0 + 1 == $1 })
        }
    }

    @Test func `a listener gets new events with their numbers, and closed is the last one`() throws {
        let stand = try OpenStand()
        let client = try listen(stand).client
        #expect(try stand.client.send(.post, "/api/v1/stop").isSuccess)
        let text = client.receiveAll()
        #expect(text.hasPrefix("id: 2\ndata: {\"seq\":2,") && text.contains("\"event\":\"closed\""), "\(text)")
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
}
