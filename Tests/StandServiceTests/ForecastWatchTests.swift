import JuiceStand
import StandService
import TestSupport
import Testing
import TextFormats

/// A stand that forecasts itself, and forecasts that nobody waits for.
@Suite(.serialized, .onItsOwnThread)
struct ForecastWatchTests {
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

    @Test func `without forecasts status and metrics have none`() throws {
        let stand = try OpenStand(paced)
        #expect(try stand.client.send(.get, "/api/v1/status").json?["forecast"] == .null)
        #expect(try !stand.client.send(.get, "/metrics").text.contains("juicestand_forecast"))
    }

    /// Of a stand with many customers; it would take hours.
    private let endless = "GET /api/v1/forecast?in=9000d HTTP/1.1\r\nHost: "

    @Test(arguments: [true, false])
    func `a forecast is cancelled when all who asked have left`(isLocal: Bool) throws {
        let stand = try OpenStand(paced)
        func ask() throws -> RawClient {
            let client = try isLocal ? RawClient(path: stand.server.socket) : RawClient(port: stand.port)
            client.send(endless + "127.0.0.1:\(stand.port)\r\n\r\n")
            return client
        }
        // Each is closed when it is released.
        var askers = try [ask(), ask(), ask()]
        #expect(askers.count == 3)
        askers = []
        // Forecasts are computed one at a time, so this one waits until the endless one is given up.
        #expect(try stand.client.send(.get, "/api/v1/forecast?in=60").isSuccess)
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
}
