import Dispatch
import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing
import TextFormats

/// Commands to a running stand and their answers.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct StateControlTests {
    @Test func `an order with a key is placed once`() async throws {
        try await withStand(nobodyComes) { control in
            let first = try await control.order("kiwi juice", key: "a")
            #expect(first.number == 1)
            #expect(
                first.outcome
                    == .placed(juice: "kiwi juice", isSubstitute: false, isStarted: true, cupsWaitingForFruit: 0))
            #expect(try await control.order("kiwi juice", key: "a") == first)
            #expect(control.status.orders == 1)
            #expect(try await control.order("kiwi juice", key: "b").number == 2)
            await #expect(throws: ControlError.keyReused) { try await control.order("banana juice", key: "a") }
        }
    }

    @Test func `a refused order names the missing fruit and the alternatives`() async throws {
        try await withStand(nobodyComes) { control in
            let answer = try await control.order("strawberry juice")
            #expect(
                answer.outcome
                    == .soldOut(
                        fruit: "strawberry", missing: 6,
                        instead: [
                            "strawberry banana juice", "banana juice", "kiwi juice", "pineapple juice", "mango juice",
                            "mango kiwi juice",
                        ]))
            await #expect(throws: ControlError.notOnMenu(name: "kiwi juise", nearest: "kiwi juice")) {
                try await control.order("kiwi juise")
            }
        }
    }

    @Test func `the stock changes by differences, all or none, and two editors do not overwrite each other`()
        async throws
    {
        try await withStand(nobodyComes) { control in
            let (tag, levels) = try await control.changeStock([("kiwi", -3), ("mango", 5)])
            #expect(tag == 1)
            #expect(levels.map(\.level) == [10, 10, 7, 10, 15])
            await #expect(throws: ControlError.tagMismatch(current: 1)) {
                try await control.changeStock([("kiwi", 1)], ifTag: 0)
            }
            await #expect(throws: ControlError.wouldBeNegative(fruit: "kiwi", by: 1)) {
                try await control.changeStock([("mango", 1), ("kiwi", -8)])
            }
            #expect(control.status.levels == [10, 10, 7, 10, 15])
            // A sale is not an edit.
            _ = try await control.order("kiwi juice")
            #expect(try await control.changeStock([("kiwi", 1)], ifTag: 1).levels[2].level == 5)
        }
    }

    @Test func `stand time stops while the stand is paused`() async throws {
        try await withStand(#"{"customers": {"arrivals": {"renewal": 1}}}"#, speed: 1000) { control in
            let paused = try await control.pause()
            #expect(control.status.phase == .paused)
            let orders = control.status.orders
            #expect(control.status.time == paused)
            #expect(try await control.resume() == paused)
            try await eventually("another order") { control.status.orders != orders }
            #expect(control.status.time > paused)
        }
    }

    @Test func `no customer arrives at rate 0, and arrivals resume at rate 1`() async throws {
        try await withStand(#"{"customers": {"arrivals": {"renewal": 1}}}"#, speed: 1000) { control in
            _ = try await control.setRate(0)
            let orders = control.status.orders
            let time = control.status.time
            try await eventually("100 seconds of stand time") {
                control.status.time >= time + SimulationTime(seconds: 100)
            }
            #expect(control.status.orders == orders)
            _ = try await control.setRate(1)
            try await eventually("another order") { control.status.orders != orders }
        }
    }
}

extension StateControlTests {
    @Test func `a follower resumes after a restart without a gap, also without a ledger`()
        async throws
    {
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
        try await withStand(configuration) { control in
            for number in 1...500 {
                let answer = try await control.order("b juice", key: "\(number)")
                guard case .soldOut(_, _, let instead) = answer.outcome, instead.count == 250 else {
                    Issue.record("\(answer)")
                    return
                }
            }
            #expect(try await control.order("b juice", key: "500").number == 500)
            #expect(try await control.order("b juice", key: "400").number == 400)
            // 500 answers of 26 kB are too many for 4 MiB: the first is forgotten.
            #expect(try await control.order("b juice", key: "1").number == 501)
        }
    }
}

/// Runs a stand in memory without a display, and closes it after `body`.
func withStand(
    _ configuration: String, speed: Double = 1, _ body: (StandControl) async throws -> Void
) async throws {
    let settings = try StandConfiguration(Array(configuration.utf8), source: "test.json").settings
    let running = try RunningStand(
        RunningStand.Options(
            settings: settings, wiring: .closure, speed: speed, horizon: .never, duration: nil, ledger: nil,
            display: .none, logsAsJSON: false))
    let ended = DispatchQueue(label: "run")
    let group = DispatchGroup()
    ended.async(group: group) { _ = running.run { _ in } }
    try await eventually("the stand to open") { running.control.status.sequence > 0 }
    var failure: (any Error)?
    do { try await body(running.control) } catch { failure = error }
    running.control.submit(.stop)
    await withCheckedContinuation { continuation in group.notify(queue: ended) { continuation.resume() } }
    #expect(running.control.status.phase == .closed)
    if let failure { throw failure }
}

extension StandControl {
    func order(_ juice: String, cups: Int = 1, key: String? = nil) async throws -> OrderAnswer {
        try await withCheckedContinuation { continuation in
            submit(.order(juice, cups: cups), key: key) { continuation.resume(returning: $0) }
        }.get()
    }

    func changeStock(
        _ changes: [(String, Int)], ifTag: UInt64? = nil, key: String? = nil
    ) async throws -> (editTag: UInt64, levels: [StockLevel]) {
        let differences = changes.map { StandChange.StockDifference(fruit: $0.0, pieces: $0.1) }
        return try await withCheckedContinuation { continuation in
            submit(.stock(differences, ifTag: ifTag), key: key) { continuation.resume(returning: $0) }
        }.get()
    }

    func pause() async throws -> SimulationTime {
        try await withCheckedContinuation { continuation in submit(.pause) { continuation.resume(returning: $0) } }
            .get()
    }

    func resume() async throws -> SimulationTime {
        try await withCheckedContinuation { continuation in submit(.resume) { continuation.resume(returning: $0) } }
            .get()
    }

    func reload() async throws -> [SettingChange] {
        try await withCheckedContinuation { continuation in reload { continuation.resume(returning: $0) } }.get()
    }

    func setRate(_ factor: Double) async throws -> SimulationTime {
        try await withCheckedContinuation { continuation in
            submit(.rate(factor)) { continuation.resume(returning: $0) }
        }.get()
    }
}

/// The standard menu, ten of each fruit, and no customer for a day.
let nobodyComes = #"{"customers": {"arrivals": {"renewal": "1d"}}}"#
