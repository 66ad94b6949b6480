import Dispatch
import Foundation
import JuiceStand
import Platform
import StandService
import StandState
import Synchronization
import TestSupport
import Testing

/// A stand on a full disk reports it, loses nothing, and recovers when writes succeed.
///
/// Each stand runs in its own process, where a limit on the file size stands in for the full disk.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct FullDiskTests {
    @Test(arguments: [false, true])
    func `a stand that can't record its end retries once a second, and closes at its end`(
        byDuration: Bool
    ) async throws {
        try await withTemporaryFolder { folder in
            await #expect(processExitsWith: .exitCode(0)) {
                [folder = folder as String, byDuration = byDuration as Bool] in
                let end = SimulationTime(seconds: 1000)
                let running = try LimitedRun.stand(
                    folder, speed: 1000, horizon: byDuration ? .never : end,
                    duration: byDuration ? SimulationTime(seconds: 1) : nil)
                LimitedRun.limit(to: 1)
                let run = LimitedRun(running)
                try run.wait(for: "the end, and a failure") { $0.status.time == end && !$0.causes.isEmpty }
                // Reading the ledger's last lines for earlier instants wakes queues, which counts as a write.
                try run.wait(for: "a pause between attempts") { _ in
                    let before = try LimitedRun.writes
                    usleep(300_000)
                    return try LimitedRun.writes == before
                }
                // An attempt writes an end, a mark and ledger lines. Without a pause, four of them would take milliseconds.
                let before = try LimitedRun.writes
                let start = ContinuousClock.now
                try run.wait(for: "four more attempts") { _ in try LimitedRun.writes >= before + 12 }
                #expect(ContinuousClock.now - start > .seconds(2))
                #expect(run.running.control.status.time == end && run.outcome == nil)
                let refusal = await #expect(throws: ControlError.self) {
                    try await run.running.control.answer(to: .rate(2))
                }
                guard case .diskFailing? = refusal else {
                    Issue.record("answered \(refusal.map { "\($0)" } ?? "as done")")
                    return
                }
                LimitedRun.limit(to: nil)
                let outcome = try run.end()
                #expect(outcome.stand.isClosed && outcome.stand.now == end)
            }
            // The next start finds it closed, and completes its ledger.
            #expect(throws: StateError.closed(folder: "\(folder)/state", at: "00:16:40")) {
                try LimitedRun.stand(folder)
            }
            let audit = try StateAudit(folder: "\(folder)/state", files: ["\(folder)/ledger.jsonl"])
            #expect(audit.difference == nil)
        }
    }

    @Test func `lines that a full disk refused are written later, also into a new file`() async throws {
        try await withTemporaryFolder { folder in
            await #expect(processExitsWith: .exitCode(0)) { [folder = folder as String] in
                let run = LimitedRun(try LimitedRun.stand(folder, speed: 1000))
                let control = run.running.control
                try run.wait(for: "5000 events") { $0.status.sequence > 5000 }
                // The journal is shorter than that.
                let size = try FileManager.default.attributesOfItem(atPath: "\(folder)/ledger.jsonl")[.size] as? Int
                LimitedRun.limit(to: size!)
                try run.wait(for: "a failure") { !$0.causes.isEmpty }
                for number in 0..<20 { _ = try await control.order("kiwi juice", key: "\(number)") }
                try FileManager.default.createDirectory(atPath: "\(folder)/old", withIntermediateDirectories: false)
                try FileManager.default.moveItem(atPath: "\(folder)/ledger.jsonl", toPath: "\(folder)/old/ledger")
                kill(getpid(), SIGUSR1)
                try run.wait(for: "a new ledger") { _ in
                    FileManager.default.fileExists(atPath: "\(folder)/ledger.jsonl")
                }
                LimitedRun.limit(to: nil)
                // Changes come while the new file takes what is missing.
                var number = 20
                try run.wait(for: "the missing lines") { control in
                    number += 1
                    control.submit(.order("kiwi juice"), key: "\(number)")
                    return control.causes.isEmpty
                }
                control.suspend()
                #expect(try run.end().causes == [])
            }
            let files = ["\(folder)/old/ledger", "\(folder)/ledger.jsonl"]
            try expectWholeLedger(in: folder, files: files)
            #expect(try StateAudit(folder: "\(folder)/state", files: files).changes >= 21)
        }
    }

    @Test func `a full disk is logged once, and so is its end`() async throws {
        try await withTemporaryFolder { folder in
            await #expect(processExitsWith: .exitCode(0)) { [folder = folder as String] in
                // A pipe, because the limit holds for all files.
                var ends: [Int32] = [-1, -1]
                unsafe pipe(&ends)
                dup2(ends[1], 2)
                let log = Guarded("")
                DispatchQueue(label: "log").async { [reading = ends[0]] in
                    var bytes = [UInt8](repeating: 0, count: 4096)
                    while case let count = unsafe read(reading, &bytes, bytes.count), count > 0 {
                        log.withLock { $0 += String(decoding: bytes[..<count], as: UTF8.self) }
                    }
                }
                let run = LimitedRun(try LimitedRun.stand(folder, speed: 100))
                try run.wait(for: "100 events") { $0.status.sequence > 100 }
                LimitedRun.limit(to: 1)
                try run.wait(for: "a failure in the log") { _ in log.withLock { $0.contains("event=failing") } }
                // The stand is looked after every second.
                sleep(4)
                LimitedRun.limit(to: nil)
                try run.wait(for: "its end in the log") { _ in log.withLock { $0.contains("event=recovered") } }
                let text = log.withLock { $0 }
                let causes = text.matches(of: #/event=failing cause="(\S+)/#).map { String($0.1) }
                #expect(Set(causes).count == causes.count && causes.count >= 1, "\(text)")
                run.running.control.suspend()
                _ = try run.end()
            }
        }
    }

    @Test func `the next start writes the lines that a stopped stand is missing`() async throws {
        try await withTemporaryFolder { folder in
            await #expect(processExitsWith: .exitCode(0)) { [folder = folder as String] in
                let ledger = "\(folder)/ledger.jsonl"
                let run = LimitedRun(try LimitedRun.stand(folder, speed: 10_000))
                try run.wait(for: "5000 events") { $0.status.sequence > 5000 }
                let full = try size(ledger)
                LimitedRun.limit(to: full)
                // Enough lines for the repair to take a while.
                try run.wait(for: "a failure, and 20,000 events") {
                    !$0.causes.isEmpty && $0.status.sequence > 20_000
                }
                LimitedRun.limit(to: nil)
                // An attempt is made every second.
                try await eventually("a longer ledger") { try size(ledger) > full }
                let reached = run.running.control.status.sequence
                run.running.control.suspend()
                #expect(try run.end().causes != [])
                // The repair has stopped, so that another stand can use the state.
                let next = LimitedRun(try LimitedRun.stand(folder, speed: 1))
                try next.wait(for: "\(reached) events") { $0.status.sequence >= reached }
                next.running.control.suspend()
                #expect(try next.end().causes == [])
            }
            try expectWholeLedger(in: folder)
            #expect(try readFile("\(folder)/ledger.jsonl").count { $0 == UInt8(ascii: "\n") } > 20_000)
        }
    }
}

/// Beside the other tests, because it waits long.
@Suite(.timeLimit(.minutes(60)), .onItsOwnThread)
struct SnapshotRetryTests {
    @Test func `a failed snapshot is retried at growing intervals until it succeeds`() async throws {
        try await withTemporaryFolder { folder in
            await #expect(processExitsWith: .exitCode(0)) { [folder = folder as String] in
                var rule = SavingRule.usual
                rule.facts = 1
                let running = try LimitedRun.stand(folder, speed: 20, saving: rule)
                // A folder in place of the file stops even root.
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/state/snapshot.new", withIntermediateDirectories: false)
                let run = LimitedRun(running)
                try run.wait(for: "a failure") { !$0.causes.isEmpty }
                // Every attempt begins a journal. The next ones come 2, 4, … seconds after the one before.
                let before = try journals(folder)
                let start = ContinuousClock.now
                try await eventually("two more tries") { try journals(folder) >= before + 2 }
                let two = ContinuousClock.now - start
                #expect(two > .seconds(5))
                try FileManager.default.removeItem(atPath: "\(folder)/state/snapshot.new")
                try run.wait(for: "a snapshot") { $0.causes.isEmpty }
                // The pauses begin anew: after a success, the first one is the shortest again.
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/state/snapshot.new", withIntermediateDirectories: false)
                try run.wait(for: "another failure") { !$0.causes.isEmpty }
                let again = try journals(folder)
                let restart = ContinuousClock.now
                try await eventually("another try") { try journals(folder) >= again + 1 }
                #expect(ContinuousClock.now - restart < two)
                try FileManager.default.removeItem(atPath: "\(folder)/state/snapshot.new")
                try run.wait(for: "another snapshot") { $0.causes.isEmpty }
                run.running.control.suspend()
                #expect(try run.end().causes == [])
            }
            try expectWholeLedger(in: folder)
        }
    }
}

private func size(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
}

private func journals(_ folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "\(folder)/state").count { $0.hasPrefix("journal-") }
}

/// A stand with a state and a ledger on its own thread, in a process with a file size limit.
private final class LimitedRun: Sendable {
    let running: RunningStand
    private let last = Mutex<RunningStand.Outcome?>(nil)

    init(_ running: RunningStand) {
        self.running = running
        Thread { [self] in
            let outcome = running.run { _ in }
            last.withLock { $0 = outcome }
        }.start()
    }

    /// A stand with one arrival a second.
    static func stand(
        _ folder: String, speed: Double = 1, horizon: SimulationTime = .never, duration: SimulationTime? = nil,
        saving: SavingRule = .usual
    ) throws -> RunningStand {
        // Nothing runs out, so that events stay cheap.
        let text =
            #"{"customers": {"arrivals": {"renewal": 1}}, "makers": "unlimited", "fruits": {"kiwi": {"initial": "unlimited"}},"#
            + #""menu": {"kiwi juice": {"recipe": {"kiwi": 1}, "preparation": 1}}}"#
        var options = try RunningStand.Options(
            text, speed: speed, ledger: "\(folder)/ledger.jsonl", state: "\(folder)/state")
        options.horizon = horizon
        options.duration = duration
        options.saving = saving
        return try RunningStand(options)
    }

    /// The outcome of the run; nil while it lasts.
    var outcome: RunningStand.Outcome? { last.withLock { $0 } }

    func wait(
        for what: String, sourceLocation: SourceLocation = #_sourceLocation, until isTrue: (StandControl) throws -> Bool
    ) throws {
        try eventually(what, sourceLocation: sourceLocation) { try isTrue(running.control) }
    }

    /// Waits for the end.
    func end() throws -> RunningStand.Outcome {
        try eventually("the end of the stand") { outcome != nil }
        return outcome!
    }

    /// Limits the size of files in bytes; nil removes the limit.
    static func limit(to size: Int?) {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = size.map { rlim_t($0) } ?? limit.rlim_max
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }

    /// The number of `write` calls of the process so far.
    static var writes: Int {
        get throws {
            let text = String(decoding: try readFile("/proc/self/io"), as: UTF8.self)
            return try #require(text.firstMatch(of: #/syscw: (\d+)/#).flatMap { Int($0.1) })
        }
    }
}
