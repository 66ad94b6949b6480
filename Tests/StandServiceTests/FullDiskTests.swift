import Dispatch
import Foundation
import JuiceStand
import Platform
import StandService
import StandState
import Synchronization
import TestSupport
import Testing

/// What a stand does that can't write: it says so, loses nothing, and goes on by itself when there is room.
///
/// The disk is full for a process of the test's own, by a limit on how large its files may be.
@Suite(.serialized, .onItsOwnThread)
struct FullDiskTests {
    @Test(arguments: [false, true])
    func `a stand whose end can't be made to last waits for it without a rush, and closes where it was to`(
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
                run.wait { $0.status.time == end && !$0.causes.isEmpty }
                // Enough for three more tries.
                let before = try LimitedRun.writes
                usleep(3_000_000)
                let writes = try LimitedRun.writes - before
                #expect(writes < 300)
                #expect(run.running.control.status.time == end && run.outcome == nil)
                do throws(ControlError) {
                    let answer = await withCheckedContinuation { continuation in
                        run.running.control.setRate(2) { continuation.resume(returning: $0) }
                    }
                    Issue.record("done at \(try answer.get())")
                } catch {
                    guard case .diskFailing = error else {
                        Issue.record("\(error)")
                        return
                    }
                }
                LimitedRun.limit(to: nil)
                let outcome = run.end()
                #expect(outcome.stand.isClosed && outcome.stand.now == end)
            }
            // The next start finds it closed, and completes its ledger.
            #expect(throws: StateError.closed(folder: "\(folder)/state", at: SimulationTime(seconds: 1000))) {
                try LimitedRun.stand(folder)
            }
            let audit = try StateAudit(folder: "\(folder)/state", files: ["\(folder)/ledger.jsonl"])
            #expect(audit.difference == nil)
        }
    }

    @Test func `lines that a full disk did not take are written later, also into a file that was begun meanwhile`()
        async throws
    {
        try await withTemporaryFolder { folder in
            await #expect(processExitsWith: .exitCode(0)) { [folder = folder as String] in
                let run = LimitedRun(try LimitedRun.stand(folder, speed: 1000))
                let control = run.running.control
                run.wait { $0.status.sequence > 5000 }
                // The journal is shorter than that.
                let size = try FileManager.default.attributesOfItem(atPath: "\(folder)/ledger.jsonl")[.size] as? Int
                LimitedRun.limit(to: size!)
                run.wait { !$0.causes.isEmpty }
                for number in 0..<20 { _ = try await control.order("kiwi juice", key: "\(number)") }
                try FileManager.default.createDirectory(atPath: "\(folder)/old", withIntermediateDirectories: false)
                try FileManager.default.moveItem(atPath: "\(folder)/ledger.jsonl", toPath: "\(folder)/old/ledger")
                kill(getpid(), SIGUSR1)
                run.wait { _ in FileManager.default.fileExists(atPath: "\(folder)/ledger.jsonl") }
                LimitedRun.limit(to: nil)
                // Changes come while the new file takes what is missing.
                var number = 20
                run.wait { control in
                    number += 1
                    control.order("kiwi juice", cups: 1, key: "\(number)") { _ in }
                    return control.causes.isEmpty
                }
                control.suspend()
                #expect(run.end().causes == [])
            }
            let files = ["\(folder)/old/ledger", "\(folder)/ledger.jsonl"]
            var arithmetic = LedgerAudit()
            for file in files { try arithmetic.read(file: file) }
            #expect(arithmetic.finding.problems == [])
            let audit = try StateAudit(folder: "\(folder)/state", files: files)
            #expect(audit.difference == nil && audit.changes >= 21)
        }
    }

    @Test func `a stand that can't be saved tries again ever more seldom, and is saved when it can be`() async throws {
        try await withTemporaryFolder { folder in
            await #expect(processExitsWith: .exitCode(0)) { [folder = folder as String] in
                var rule = SavingRule.usual
                rule.facts = 1
                let running = try LimitedRun.stand(folder, speed: 1000, saving: rule)
                // A folder where the file would be: not even the administrator can write there.
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/state/snapshot.new", withIntermediateDirectories: false)
                let run = LimitedRun(running)
                run.wait { !$0.causes.isEmpty }
                // Tries come 2, 4, 8, … seconds after the one before.
                usleep(7_000_000)
                let journals = try journals(folder)
                #expect(journals <= 4)
                try FileManager.default.removeItem(atPath: "\(folder)/state/snapshot.new")
                run.wait { $0.causes.isEmpty }
                run.running.control.suspend()
                #expect(run.end().causes == [])
            }
            let audit = try StateAudit(folder: "\(folder)/state", files: ["\(folder)/ledger.jsonl"])
            #expect(audit.difference == nil)
        }
    }

    @Test func `lines that are still being written later when the stand ends are left to the next start`() async throws
    {
        try await withTemporaryFolder { folder in
            await #expect(processExitsWith: .exitCode(0)) { [folder = folder as String] in
                let ledger = "\(folder)/ledger.jsonl"
                let run = LimitedRun(try LimitedRun.stand(folder, speed: 100_000))
                run.wait { $0.status.sequence > 5000 }
                let full = try size(ledger)
                LimitedRun.limit(to: full)
                // Enough to be busy with for a while.
                run.wait { !$0.causes.isEmpty && $0.status.sequence > 200_000 }
                LimitedRun.limit(to: nil)
                // Tries come every second.
                while try size(ledger) <= full { usleep(1000) }
                let reached = run.running.control.status.sequence
                run.running.control.suspend()
                #expect(run.end().causes != [])
                // Nobody writes there any more, and so another stand can.
                let next = LimitedRun(try LimitedRun.stand(folder, speed: 1))
                next.wait { $0.status.sequence >= reached }
                next.running.control.suspend()
                #expect(next.end().causes == [])
            }
            var arithmetic = LedgerAudit()
            try arithmetic.read(file: "\(folder)/ledger.jsonl")
            #expect(arithmetic.finding.problems == [] && arithmetic.finding.events > 200_000)
            let audit = try StateAudit(folder: "\(folder)/state", files: ["\(folder)/ledger.jsonl"])
            #expect(audit.difference == nil)
        }
    }

    @Test func `a full file that is not to be kept goes when the next one has begun`() async throws {
        try await withTemporaryFolder { folder in
            await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
                let run = LimitedRun(try LimitedRun.rotated(folder))
                let control = run.running.control
                _ = try await control.order("kiwi juice")
                // What a start does over again begins here.
                run.wait { _ in FileManager.default.fileExists(atPath: "\(folder)/state/snapshot-000000000002") }
                _ = try await control.order("kiwi juice")
                run.wait { _ in (try? size("\(folder)/ledger.jsonl")) ?? 0 > 0 }
                try Data("\(control.status.sequence)".utf8).write(to: URL(filePath: "\(folder)/known"))
                // This order lasts, and its lines do not: the disk is full when they are to be written.
                await withCheckedContinuation { continuation in
                    control.order("kiwi juice", cups: 1) { _ in
                        LimitedRun.limit(to: 1)
                        continuation.resume()
                    }
                }
                run.wait { !$0.causes.isEmpty }
                kill(getpid(), SIGKILL)
            }
            let text = try String(contentsOfFile: "\(folder)/known", encoding: .utf8)
            let known = try #require(UInt64(text))
            await #expect(processExitsWith: .exitCode(0)) { [folder = folder as String] in
                let run = LimitedRun(try LimitedRun.rotated(folder))
                run.running.control.suspend()
                _ = run.end()
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            let rotated = files.filter { $0.hasPrefix("ledger.jsonl.") }.sorted()
            var audit = LedgerAudit()
            for file in rotated + ["ledger.jsonl"] { try audit.read(file: "\(folder)/\(file)") }
            let first = try String(contentsOfFile: "\(folder)/\((rotated + ["ledger.jsonl"])[0])", encoding: .utf8)
            let number = try #require(first.firstMatch(of: #/"seq":(\d+)/#).flatMap { UInt64($0.1) })
            #expect(number <= known + 1 && audit.finding.problems == [])
        }
    }

    @Test func `a ledger that can't be rotated is told of, with a state and without`() async throws {
        try await withTemporaryFolder { folder in
            for state in [nil, "\(folder)/state"] {
                let ledger = "\(folder)/\(state == nil ? "alone" : "kept").jsonl"
                var options = RunningStand.Options(
                    settings: try StandConfiguration(Array(nobodyComes.utf8), source: "test.json").settings,
                    wiring: .closure, speed: 1, horizon: .never, duration: nil, ledger: ledger, display: .none,
                    logsAsJSON: false)
                options.rotation.size = 1
                options.state = state
                try await withSuspended(try RunningStand(options)) { control in
                    _ = try await control.order("kiwi juice")
                    // Another file takes its name; again, should the ledger just have begun a file of its own.
                    while control.causes.isEmpty {
                        try Data().write(to: URL(filePath: "\(ledger)-other"))
                        let status = unsafe rename("\(ledger)-other", ledger)
                        try #require(status == 0)
                        _ = try await control.order("kiwi juice")
                        try await Task.sleep(for: .milliseconds(2))
                    }
                    #expect(control.causes == ["ledger: can't be rotated: \(ledger): is another file"])
                }
            }
        }
    }
}

private func size(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
}

private func journals(_ folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "\(folder)/state").count { $0.hasPrefix("journal-") }
}

/// A stand with a state and a ledger that runs on a thread of its own, in a process whose files are limited.
private final class LimitedRun: Sendable {
    let running: RunningStand
    private let ended = DispatchSemaphore(value: 0)
    private let last = Mutex<RunningStand.Outcome?>(nil)

    init(_ running: RunningStand) {
        self.running = running
        Thread { [self] in
            let outcome = running.run { _ in }
            last.withLock { $0 = outcome }
            ended.signal()
        }.start()
    }

    /// A stand that a customer visits every second.
    static func stand(
        _ folder: String, speed: Double = 1, horizon: SimulationTime = .never, duration: SimulationTime? = nil,
        saving: SavingRule = .usual
    ) throws -> RunningStand {
        let text = #"{"customers": {"arrivals": {"renewal": 1}, "whenSoldOut": "wait"}, "makers": "unlimited"}"#
        var options = RunningStand.Options(
            settings: try StandConfiguration(Array(text.utf8), source: "test.json").settings, wiring: .closure,
            speed: speed, horizon: horizon, duration: duration, ledger: "\(folder)/ledger.jsonl", display: .none,
            logsAsJSON: false)
        options.state = "\(folder)/state"
        options.saving = saving
        return try RunningStand(options)
    }

    /// A stand that nobody visits by itself, saved every second, whose ledger begins a new file with every write and
    /// keeps none.
    static func rotated(_ folder: String) throws -> RunningStand {
        var options = RunningStand.Options(
            settings: try StandConfiguration(Array(nobodyComes.utf8), source: "test.json").settings, wiring: .closure,
            speed: 1, horizon: .never, duration: nil, ledger: "\(folder)/ledger.jsonl", display: .none,
            logsAsJSON: false)
        options.state = "\(folder)/state"
        options.saving.facts = 1
        options.rotation.size = 1
        options.rotation.keep = 0
        return try RunningStand(options)
    }

    /// How it ended; nil while it has not.
    var outcome: RunningStand.Outcome? { last.withLock { $0 } }

    func wait(until isTrue: (StandControl) -> Bool) {
        while !isTrue(running.control) { usleep(1000) }
    }

    /// Waits for the end.
    func end() -> RunningStand.Outcome {
        ended.wait()
        return outcome!
    }

    /// Limits how large a file may be that is written to; nil is not at all.
    static func limit(to size: Int?) {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = size.map { rlim_t($0) } ?? limit.rlim_max
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }

    /// Calls of `write` that the process has made.
    static var writes: Int {
        get throws {
            let text = String(decoding: try readFile("/proc/self/io"), as: UTF8.self)
            return try #require(text.firstMatch(of: #/syscw: (\d+)/#).flatMap { Int($0.1) })
        }
    }
}
