import Foundation
import JuiceStand
import StandClient
import StandExperiments
import StandService
import TestSupport
import Testing
import TextFormats

/// Forecasts of a running stand, over its socket.
@Suite(.serialized, .onItsOwnThread)
struct ForecastRoutesTests {
    /// A stand that sells and orders fruit.
    private let busy = """
        {"fruits": {"banana": {"initial": 60, "restock": {"orderUpTo": {"reorderPoint": 20, "level": 60, "leadTime":
         {"exponential": {"mean": "20m"}}}}}}, "menu": {"banana juice": {"recipe": {"banana": 2}, "preparation":
         {"exponential": {"mean": 40}}}}, "customers": {"arrivals": {"poisson": {"perSecond": 0.02}}, "patience": "5m"}}
        """

    @Test func `page and command get the same numbers`() throws {
        let stand = try OpenStand(busy, speed: 1000)
        // Stand time stops, so both are of one instant.
        _ = try stand.client.send(.post, "/api/v1/pause")
        let read = try stand.client.send(.get, "/api/v1/forecast?in=4m&every=2m")
        #expect(read.isSuccess, "\(read.text)")
        let asked = try stand.client.send(
            .post, "/api/v1/forecast", content: ["in": 240, "every": "2m", "replications": 1000, "seed": 42])
        #expect(read.text == asked.text)
        let json = try #require(read.json)
        let result = try #require(ForecastResult(json: json))
        #expect(result.runs.count == 1 && result.runs[0].fruits.map(\.name) == ["banana"])
        #expect(result.runs[0].queue.count == 2 && abs(result.horizon - result.at - 240) < 1e-6)
        let other = try stand.client.send(
            .post, "/api/v1/forecast", content: ["in": 240, "every": "2m", "seed": 43])
        #expect(other.text != read.text)
    }

    @Test func `an impossible forecast is refused with the reason`() throws {
        let stand = try OpenStand(busy.replacing("0.02", with: "0"))
        let cases: [(String, Int, String)] = [
            (#"{"in": "soon"}"#, 400, "in must be a duration above 0, such as 30m or 4h"),
            (#"{"replications": 0}"#, 422, "replications must be from 1 to 100,000, found 0"),
            (#"{"seed": -1}"#, 400, "seed: must be a whole number from 0"),
            (#"{"changes": {}}"#, 400, "changes: must be a list"),
            (#"{"changes": [{}]}"#, 400, "changes: a change must be one of restock, adjust and rate"),
            (
                #"{"changes": [{"restock": {"banan": 1}}]}"#, 422,
                #"unknown fruit "banan"; did you mean "banana"?"#
            ),
            (#"{"changes": [{"adjust": {"banana": -99}}]}"#, 409, "banana would be 39 short"),
            (#"{"set": []}"#, 400, "set: must be an object"), (#"{"inn": 1}"#, 400, #"unknown member "inn""#),
            (#"{"set": {"seed": 1}}"#, 409, "seed: is fixed when the stand opens"),
        ]
        for (content, status, reason) in cases {
            let answer = try stand.client.send(.post, "/api/v1/forecast", content: JSONValue(parsing: content.utf8))
            #expect(answer.status == status && answer.json?["detail"]?.text == reason, "\(content): \(answer.text)")
        }
    }

    @Test func `a forecast that would occupy the stand for long is refused at once`() throws {
        let stand = try OpenStand(busy)
        let cases: [String] = [
            #"{"in": "8000d", "every": "400d"}"#, #"{"in": "80d", "replications": 100000}"#,
            #"{"every": "15s", "replications": 100000}"#, #"{"in": "10h", "every": "10h", "replications": 100000}"#,
        ]
        for content in cases {
            let answer = try stand.client.send(.post, "/api/v1/forecast", content: JSONValue(parsing: content.utf8))
            #expect(
                answer.status == 409 && answer.json?["type"]?.text == "urn:juicestand:problem:forecastTooLarge",
                "\(content): \(answer.text)")
        }
    }

    @Test func `the interval is brought between the length and a thousandth of it`() throws {
        let stand = try OpenStand(busy)
        let cases: [(String, String, Int)] = [
            ("2m", "10s", 12), ("1m", "90s", 1), ("1s", "0.1ms", 1000), ("0.001ms", "1d", 1),
        ]
        for (length, every, count) in cases {
            // All futures of a thousand instants would take long.
            if count < 1000 {
                let read = try stand.client.send(.get, "/api/v1/forecast?in=\(length)&every=\(every)")
                let result = try #require(read.json.flatMap { ForecastResult(json: $0) }, "\(read.text)")
                #expect(result.runs[0].queue.count == count, "\(length), \(every)")
            }
            let asked = try stand.client.send(
                .post, "/api/v1/forecast", content: ["in": .string(length), "every": .string(every), "replications": 2])
            #expect(ForecastResult(json: try #require(asked.json))?.runs[0].queue.count == count)
        }
    }

    @Test func `a stand that replays recorded orders has no forecast`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("time,juice\n0,kiwi juice\n5000,kiwi juice\n", to: "till.csv")
        let stand = try OpenStand(
            #"{"customers": {"arrivals": {"trace": {"file": "\#(path)", "time": "time", "juice": "juice"}}}}"#)
        let answer = try stand.client.send(.get, "/api/v1/forecast")
        #expect(
            answer.status == 422 && answer.json?["type"]?.text == "urn:juicestand:problem:noForecast", "\(answer.text)")
        #expect(answer.json?["detail"]?.text?.contains("juicestand fit") == true)
    }
}
