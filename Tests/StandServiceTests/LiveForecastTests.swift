import JuiceStand
import StandClient
import StandService
import TestSupport
import Testing
import TextFormats

/// A stand that forecasts itself, and readers who ask for forecasts.
@Suite(.serialized, .onItsOwnThread)
struct LiveForecastTests {
    /// One banana juice every 100 s: the bananas last 100 s, the kiwis for good. Few customers, so that a forecast at
    /// low priority ends on a busy machine, too.
    private let paced = """
        {"fruits": {"banana": {"initial": 2}, "kiwi": {"initial": 9}}, "menu": {"banana juice": {"recipe": {"banana": 2},
         "preparation": 5}}, "customers": {"arrivals": {"renewal": 100}}}
        """

    @Test func `metrics and status have the latest forecast`() throws {
        let stand = try OpenStand(paced, forecast: 7200)
        _ = try stand.client.send(.post, "/api/v1/pause")
        var status: JSONValue?
        try eventually("a forecast in the status") {
            status = try stand.client.send(.get, "/api/v1/status").json
            return status?["forecast"]?["fruits"] != nil
        }
        let forecast = try #require(status?["forecast"])
        let at = try #require(forecast["at"]?.seconds)
        #expect(forecast["horizon"]?.seconds == at + 7200)
        #expect(forecast["fruits"]?["banana"]?["p50"]?.seconds == 100)
        #expect(forecast["fruits"]?["banana"]?["probability"]?.seconds == 1)
        #expect(forecast["fruits"]?["kiwi"]?["probability"]?.seconds == 0)
        let metrics = try stand.client.send(.get, "/metrics").text
        for line in [
            #"juicestand_forecast_short_probability{fruit="banana",within="15m"} 1"#,
            #"juicestand_forecast_short_probability{fruit="banana",within="1h"} 1"#,
            #"juicestand_forecast_short_probability{fruit="kiwi",within="2h"} 0"#,
            #"juicestand_forecast_stock_pieces{fruit="kiwi",percentile="5"} 9"#,
        ] { #expect(metrics.contains("\n\(line)\n"), "\(line)") }
        #expect(metrics.contains(#"juicestand_forecast_short_seconds{fruit="banana",percentile="50"} "#))
        #expect(!metrics.contains(#"juicestand_forecast_short_seconds{fruit="kiwi""#))
    }

    @Test func `a forecast is renewed every five minutes of stand time`() throws {
        // Some seven minutes of stand time pass between two looks at the clock.
        let stand = try OpenStand(paced, speed: 9000, forecast: 600)
        var times: [Double] = []
        try eventually("five forecasts") {
            let forecast = try stand.client.send(.get, "/api/v1/status").json?["forecast"]
            if let at = forecast?["at"]?.seconds, at != times.last { times.append(at) }
            return times.count >= 5
        }
        for (earlier, later) in zip(times, times.dropFirst()) { #expect(later - earlier >= 300, "\(times)") }
    }

    @Test func `without forecasts status and metrics have none`() throws {
        let stand = try OpenStand(paced)
        #expect(try stand.client.send(.get, "/api/v1/status").json?["forecast"] == .null)
        #expect(try !stand.client.send(.get, "/metrics").text.contains("juicestand_forecast"))
    }

    /// Connects from the loopback address `source`, and asks for a forecast. One of 90 days takes far longer than a
    /// test; a longer one is refused once the stand knows how many events it would take.
    private func ask(
        _ span: String, of stand: OpenStand, from source: String, fields: String = ""
    ) throws -> RawClient {
        let reader = RawClient()
        try reader.connect(port: stand.port, from: source)
        reader.send("GET /api/v1/forecast?in=\(span) HTTP/1.1\r\nHost: 127.0.0.1:\(stand.port)\r\n\(fields)\r\n")
        return reader
    }

    @Test func `twenty readers with different questions delay neither the stand nor its owner`() throws {
        let stand = try OpenStand(paced, speed: 9000, forecast: 7200)
        let readers = try (0..<20).map { try ask("\(90 - $0)d", of: stand, from: "127.0.0.\(2 + $0)") }
        // One is computed and sixteen wait.
        try eventually("three readers to be refused") { readers.count { $0.unreadBytes > 0 } >= 3 }
        func time() throws -> Double {
            try stand.client.send(.get, "/api/v1/status").json?["forecast"]?["at"]?.seconds ?? 0
        }
        let before = try time()
        try eventually("two more forecasts of the stand") { try time() > before }
        let between = try time()
        try eventually("one more forecast of the stand") { try time() > between }
        for minutes in 1...10 {
            let answer = try stand.client.send(.get, "/api/v1/forecast?in=\(minutes)m")
            #expect(answer.isSuccess, "\(answer.text)")
        }
        let answers = readers.filter { $0.unreadBytes > 0 }.map { $0.receive(until: "\r\n\r\n") }
        #expect(answers.count < 20, "no reader waits any more")
        // On a slow machine the one that is computed may be done by now.
        for answer in answers where !answer.hasPrefix("HTTP/1.1 200 ") {
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.lowercased().contains("\r\nretry-after: "), "\(answer)")
        }
    }

    @Test func `only questions with the same seed share a computation`() throws {
        let stand = try OpenStand(paced)
        // The questions wait behind one that never ends, until all who asked it have left.
        var first = try (0..<3).map { _ in try RawClient(path: stand.server.socket) }
        for client in first { client.send("GET /api/v1/forecast?in=90d HTTP/1.1\r\nHost: stand\r\n\r\n") }
        func ask(seed: Int) throws -> RawClient {
            let client = try RawClient(path: stand.server.socket)
            let content = #"{"in": "4m", "every": "2m", "seed": \#(seed)}"#
            client.send(
                "POST /api/v1/forecast HTTP/1.1\r\nHost: stand\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(content.utf8.count)\r\n\r\n\(content)")
            return client
        }
        let waiting = try [1, 2, 1].map { (seed: $0, client: try ask(seed: $0)) }
        #expect(try stand.client.send(.get, "/api/v1/status").isSuccess)
        // Each is closed when it is released.
        first = []
        for (seed, client) in waiting {
            let answer = client.receive(until: "\"seed\":\(seed),")
            #expect(answer.contains("\"seed\":\(seed),"), "\(seed): \(answer.prefix(400))")
        }
    }

    @Test func `a reader's address has one place in the queue`() throws {
        let stand = try OpenStand(paced)
        // One is computed, one waits, and eight have no place.
        let crowd = try (0..<10).map { try ask("\(80 + $0)d", of: stand, from: "127.0.0.2") }
        try eventually("eight refusals") { crowd.count { $0.unreadBytes > 0 } >= 8 }
        let refused = crowd.filter { $0.unreadBytes > 0 }.map { $0.receive(until: "\r\n\r\n") }
        #expect(refused.allSatisfy { $0.hasPrefix("HTTP/1.1 503 ") }, "\(refused)")
        // What the crowd waits for is no place of another address, nor an answer to another question.
        let other = try ask("2m", of: stand, from: "127.0.0.3")
        #expect(try stand.client.send(.get, "/api/v1/forecast?in=3m").isSuccess)
        #expect(other.unreadBytes == 0)
    }

    @Test func `a forecast goes on while one who asked still waits`() throws {
        let stand = try OpenStand(paced)
        let target = "/api/v1/forecast?in=30m&every=10m"
        var leaver: RawClient? = try RawClient(path: stand.server.socket)
        leaver?.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let stayer = try RawClient(path: stand.server.socket)
        stayer.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        leaver = nil
        #expect(stayer.receiveAll().hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `two readers who ask again and again take turns`() throws {
        let stand = try OpenStand(paced)
        func ask(_ span: String, from source: String) throws -> RawClient {
            let reader = try self.ask(span, of: stand, from: source, fields: "Connection: close\r\n")
            // What was sent before the second request is read before it is answered.
            for _ in 0..<2 { #expect(try stand.client.send(.get, "/api/v1/status").isSuccess) }
            return reader
        }
        /// The stand time at which the forecast was begun.
        func beginning(_ reader: RawClient) throws -> Double {
            let answer = reader.receiveAll()
            let content = try #require(answer.firstRange(of: "\r\n\r\n"), "\(answer)")
            return try #require(JSONValue(parsing: answer[content.upperBound...].utf8)?["at"]?.seconds, "\(answer)")
        }
        // Both wait behind a question that never ends, until its reader leaves.
        var first: RawClient? = try ask("90d", from: "127.0.0.4")
        #expect(first?.unreadBytes == 0)
        let sources = ["127.0.0.2", "127.0.0.3"]
        var waiting = try sources.enumerated().map { try ask("\(61 + $0)m", from: $1) }
        first = nil
        var beginnings: [Double] = []
        for number in 0..<8 {
            beginnings.append(try beginning(waiting.removeFirst()))
            // No two questions are equal.
            waiting.append(try ask("\(63 + number)m", from: sources[number % 2]))
        }
        #expect(beginnings == beginnings.sorted() && Set(beginnings).count == 8, "\(beginnings)")
    }

    /// A question that would take far longer than the client waits.
    @Test func `a forecast ends when its only asker closes its side of the connection`() throws {
        let stand = try OpenStand(paced)
        let client = try ask("90d", of: stand, from: "127.0.0.2")
        client.finishSending()
        #expect(client.receiveAll().hasPrefix("HTTP/1.1 503 "))
        #expect(try stand.client.send(.get, "/api/v1/forecast?in=60").isSuccess)
    }
}
