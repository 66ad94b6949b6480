import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing

/// Commands to a running stand and their answers.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct StateControlTests {
    @Test func `stand time stops while the stand is paused, and nobody comes at rate 0`() async throws {
        let stand = try OpenStand(#"{"customers": {"arrivals": {"renewal": 1}}}"#, speed: 1000)
        let paused = try await stand.control.answer(to: .pause)
        #expect(stand.control.status.phase == .paused)
        let before = stand.control.status.orders
        #expect(stand.control.status.time == paused)
        #expect(try await stand.control.answer(to: .resume) == paused)
        try await eventually("another order") { stand.control.status.orders != before }
        #expect(stand.control.status.time > paused)

        _ = try await stand.control.answer(to: .rate(0))
        let orders = stand.control.status.orders
        let time = stand.control.status.time
        try await eventually("100 seconds of stand time") {
            stand.control.status.time >= time + SimulationTime(seconds: 100)
        }
        #expect(stand.control.status.orders == orders)
        _ = try await stand.control.answer(to: .rate(1))
        try await eventually("another order") { stand.control.status.orders != orders }
    }

    @Test func `a follower resumes after a restart without a gap, also without a ledger`() async throws {
        try await withTemporaryFolder { folder in
            let busy = #"{"customers": {"arrivals": {"renewal": 0.01}}}"#
            let last = Guarded<UInt64>(0)
            for _ in 0..<2 {
                try await withSuspended(try stand("\(folder)/state", configuration: busy)) { control in
                    let start = last.withLock { $0 }
                    // Nobody follows the stand meanwhile.
                    try await eventually("20 more events") { control.status.sequence >= start + 20 }
                    guard start > 0 else { return last.withLock { $0 = control.status.sequence } }
                    guard case .lines(let bytes, _) = control.events(after: start, limit: 1000) else {
                        Issue.record("there is a gap after \(start)")
                        return
                    }
                    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("{\"seq\":\(start + 1),"))
                }
            }
        }
    }

    @Test func `keys with different bytes are different keys, also after a restart`() async throws {
        try await withTemporaryFolder { folder in
            // The last two are equal by Unicode.
            let keys = ["\u{ff}1", "\u{fe}1", "\u{e9}9", "e\u{301}9"]
            for _ in 1...2 {
                try await withSuspended(try stand("\(folder)/state")) { control in
                    for (index, key) in keys.enumerated() {
                        let number = try await control.order("kiwi juice", key: key).number
                        #expect(number == UInt64(index + 1))
                    }
                }
            }
        }
    }

    @Test func `the latest answer is always remembered, and older ones while there is room`() async throws {
        let juices = (0..<250).map { #""\#(String(repeating: "long ", count: 20))\#($0)": {"recipe": {"a": 1}}"# }
        let configuration = """
            {"fruits": {"a": {}, "b": {"initial": 0}}, "customers": {"arrivals": {"renewal": "1d"}},
             "menu": {"b juice": {"recipe": {"b": 1}}, \(juices.joined(separator: ", "))}}
            """
        let stand = try OpenStand(configuration)
        for number in 1...500 {
            let answer = try await stand.control.order("b juice", key: "\(number)")
            guard case .soldOut(_, _, let instead) = answer.outcome, instead.count == 250 else {
                Issue.record("\(answer)")
                return
            }
        }
        #expect(try await stand.control.order("b juice", key: "500").number == 500)
        #expect(try await stand.control.order("b juice", key: "400").number == 400)
        // 500 answers of 26 kB are too many for 4 MiB: the first is forgotten.
        #expect(try await stand.control.order("b juice", key: "1").number == 501)
    }
}
