import StandClient
import StandService
import TestSupport
import Testing
import TextFormats

/// Readers over the network who ask for one forecast after the other.
@Suite(.serialized, .onItsOwnThread)
struct ForecastTurnsTests {
    private let paced = """
        {"fruits": {"banana": {"initial": 2}}, "menu": {"banana juice": {"recipe": {"banana": 2}, "preparation": 5}},
         "customers": {"arrivals": {"renewal": 100}}}
        """

    @Test func `two readers who ask again and again take turns`() throws {
        let stand = try OpenStand(paced)
        func ask(_ span: String, from source: String) throws -> RawClient {
            let reader = RawClient()
            try reader.connect(port: stand.port, from: source)
            reader.send(
                "GET /api/v1/forecast?in=\(span) HTTP/1.1\r\nHost: 127.0.0.1:\(stand.port)\r\nConnection: close\r\n\r\n"
            )
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
        let client = try RawClient(port: stand.port)
        client.send("GET /api/v1/forecast?in=90d HTTP/1.1\r\nHost: 127.0.0.1:\(stand.port)\r\n\r\n")
        client.finishSending()
        #expect(client.receiveAll().hasPrefix("HTTP/1.1 503 "))
        #expect(try stand.client.send(.get, "/api/v1/forecast?in=60").isSuccess)
    }
}
