import Dispatch
import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing
import TextFormats

/// What can be asked of a running stand, and what it answers.
@Suite(.serialized, .onItsOwnThread)
struct StateControlTests {
    @Test func `an order says that it was placed, and with a key it is placed once`() async throws {
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

    @Test func `an order that can't be made names the fruit and what could be made instead`() async throws {
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

    @Test func `the stock is changed by differences, all or none, and two editors do not undo each other`() async throws
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
            // A sale is no edit.
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
            while control.status.orders == orders { try? await Task.sleep(for: .milliseconds(2)) }
            #expect(control.status.time > paused)
        }
    }

    @Test func `nobody comes at rate 0, and they come again at rate 1`() async throws {
        try await withStand(#"{"customers": {"arrivals": {"renewal": 1}}}"#, speed: 1000) { control in
            _ = try await control.setRate(0)
            let (orders, time) = (control.status.orders, control.status.time)
            while control.status.time < time + SimulationTime(seconds: 100) {
                try? await Task.sleep(for: .milliseconds(2))
            }
            #expect(control.status.orders == orders)
            _ = try await control.setRate(1)
            while control.status.orders == orders { try? await Task.sleep(for: .milliseconds(2)) }
        }
    }

    @Test func `events can be followed from the first reader on, without a gap`() async throws {
        try await withStand(#"{"customers": {"arrivals": {"renewal": 1}}}"#, speed: 500) { control in
            control.follow { _ in }
            var last: UInt64 = 0
            var lines = 0
            while lines < 500 {
                switch control.events(after: last, limit: 1000) {
                case .gone(let first):
                    // Before the first reader nothing was kept, and one who falls far behind is told so.
                    #expect(first > last + 1)
                    last = first - 1
                case .upToDate: try? await Task.sleep(for: .milliseconds(2))
                case .lines(let bytes, let end):
                    #expect(bytes.count <= 1000 && bytes.last == UInt8(ascii: "\n"))
                    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
                        last += 1
                        lines += 1
                        #expect(line.hasPrefix("{\"seq\":\(last),"))
                    }
                    #expect(last == end)
                }
            }
        }
    }
}

extension StateControlTests {
    @Test func `who followed a stand with a state goes on after a restart without a gap, also without a ledger`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let busy = #"{"customers": {"arrivals": {"renewal": 0.01}}}"#
            let last = Guarded<UInt64>(0)
            for _ in 0..<2 {
                try await withSuspended(try stand("\(folder)/state", configuration: busy)) { control in
                    let start = last.withLock { $0 }
                    // Nobody listens meanwhile.
                    while control.status.sequence < start + 20 { try? await Task.sleep(for: .milliseconds(2)) }
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

    @Test func `answers are remembered as long as there is room, and the latest always`() async throws {
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

/// Runs a stand that nobody sees, in memory, and closes it after `body`.
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
    while running.control.status.sequence == 0 { try? await Task.sleep(for: .milliseconds(2)) }
    var failure: (any Error)?
    do { try await body(running.control) } catch { failure = error }
    running.control.stop()
    await withCheckedContinuation { continuation in group.notify(queue: ended) { continuation.resume() } }
    #expect(running.control.status.phase == .closed)
    if let failure { throw failure }
}

extension StandControl {
    func order(_ juice: String, cups: Int = 1, key: String? = nil) async throws -> OrderAnswer {
        try await withCheckedContinuation { continuation in
            order(juice, cups: cups, key: key) { continuation.resume(returning: $0) }
        }.get()
    }

    func changeStock(
        _ changes: [(String, Int)], ifTag: UInt64? = nil, key: String? = nil
    ) async throws -> (editTag: UInt64, levels: [StockLevel]) {
        let differences = changes.map { StandChange.StockDifference(fruit: $0.0, pieces: $0.1) }
        return try await withCheckedContinuation { continuation in
            changeStock(differences, ifTag: ifTag, key: key) { continuation.resume(returning: $0) }
        }.get()
    }

    func pause() async throws -> SimulationTime {
        try await withCheckedContinuation { continuation in pause { continuation.resume(returning: $0) } }.get()
    }

    func resume() async throws -> SimulationTime {
        try await withCheckedContinuation { continuation in resume { continuation.resume(returning: $0) } }.get()
    }

    func reload() async throws -> [SettingChange] {
        try await withCheckedContinuation { continuation in reload { continuation.resume(returning: $0) } }.get()
    }

    func setRate(_ factor: Double) async throws -> SimulationTime {
        try await withCheckedContinuation { continuation in
            setRate(factor) { continuation.resume(returning: $0) }
        }.get()
    }
}

/// The standard menu, ten of each fruit, and no customer for a day.
let nobodyComes = #"{"customers": {"arrivals": {"renewal": "1d"}}}"#
