import Dispatch
import Foundation
import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing

/// Stands that are killed at any instant while several clients change them.
///
/// `JUICESTAND_KILLS` says how often; `scripts/soak kills` does it a thousand times.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct StateKillTests {
    private static let kills = ProcessInfo.processInfo.environment["JUICESTAND_KILLS"].flatMap(Int.init) ?? 12

    @Test func `a stand that is killed again and again loses nothing, does nothing twice, and writes one ledger`()
        async throws
    {
        let folder = try TemporaryFolder.make()
        try FileManager.default.createDirectory(atPath: "\(folder)/all", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var generator = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: 0..<1 << 32, using: &generator)
        print("kills \(Self.kills), seed \(seed)")
        let start = ContinuousClock.now
        for round in 0..<Self.kills {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [folder = folder as String, seed = seed as UInt64, round = round as Int] in
                try await KilledStand(folder: folder, round: UInt64(round), seed: seed).run(untilKilled: true)
            }
            try keep(folder)
        }
        await #expect(processExitsWith: .exitCode(0)) { [folder = folder as String, seed = seed as UInt64] in
            try await KilledStand(folder: folder, round: .max >> 1, seed: seed).run(untilKilled: false)
        }
        try keep(folder)
        print("\(Self.kills) lives in \(ContinuousClock.now - start)")

        // With every journal kept, the replay is an uninterrupted run.
        let ledger = "\(folder)/ledger.jsonl"
        let audit = try StateAudit(folder: "\(folder)/all", files: [ledger])
        #expect(audit.difference == nil)
        #expect(audit.first == 1 && audit.lines > 0 && audit.changes > 0)
        var arithmetic = LedgerAudit()
        try arithmetic.read(file: ledger)
        #expect(arithmetic.finding.problems == [] && arithmetic.finding.isClosed)

        // Every change has exactly one answer, and every answered order is in the ledger once.
        let asked = try lines("\(folder)/asked")
        let answered = try lines("\(folder)/answered")
        #expect(Set(asked.map(\.key)) == Set(answered.map(\.key)))
        let answers = Dictionary(grouping: answered, by: \.key).mapValues { Set($0.map(\.text)) }
        #expect(answers.values.allSatisfy { $0.count == 1 })
        let numbers = answers.values.compactMap { $0.first.flatMap { Int($0) } }.sorted()
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers == ordersByCommand(try String(contentsOfFile: ledger, encoding: .utf8)))
        print("\(asked.count) changes, \(numbers.count) orders by command, \(audit.lines) lines")
    }

    /// Gives every snapshot and journal a second name, so that it is kept.
    private func keep(_ folder: String) throws {
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: "\(folder)/state") where name.contains("-0") {
            let kept = "\(folder)/all/\(name)"
            if !files.fileExists(atPath: kept) { try files.linkItem(atPath: "\(folder)/state/\(name)", toPath: kept) }
        }
    }

    private func lines(_ path: String) throws -> [(key: String, text: String)] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }

    /// The numbers of the orders by command, in order.
    private func ordersByCommand(_ ledger: String) -> [Int] {
        ledger.split(separator: "\n").compactMap { line in
            guard line.contains("\"by\":\"command\"") else { return nil }
            return line.firstMatch(of: #/"order":(\d+)/#).flatMap { Int($0.1) }
        }
    }
}

/// A stand in its own process, with clients that keep changing it.
struct KilledStand {
    let folder: String
    let round: UInt64
    let seed: UInt64

    private static let configuration = """
        {
          "fruits": {
            "kiwi": {"initial": 1000, "lowStock": 950, "shelfLife": "2m",
              "restock": {"fixedQuantity": {"reorderPoint": 900, "quantity": 200, "leadTime": {"exponential": {"mean": "1m"}}}}},
            "mango": {"initial": 1000}
          },
          "menu": {
            "kiwi juice": {"recipe": {"kiwi": 1}, "preparation": {"exponential": {"mean": 1}}},
            "mango juice": {"recipe": {"mango": 1, "kiwi": 1}, "preparation": 2}
          },
          "makers": {"shifts": {"every": "20s", "makers": [3, 1, 4, 0], "repeat": true}},
          "customers": {"arrivals": {"bursts": {
            "calm": {"perSecond": 1, "lasting": {"exponential": {"mean": 20}}},
            "busy": {"perSecond": 4, "lasting": {"exponential": {"mean": 20}}}}},
            "patience": {"exponential": {"mean": 30}}, "whenSoldOut": "wait"}
        }
        """

    func run(untilKilled: Bool) async throws {
        let settings = try StandConfiguration(Array(Self.configuration.utf8), source: "test").settings
        var options = RunningStand.Options(
            settings: settings, wiring: .notification, speed: 1000, horizon: .never, duration: nil,
            ledger: "\(folder)/ledger.jsonl", display: .none, logsAsJSON: false)
        options.state = "\(folder)/state"
        // Frequent snapshots: starts have little to replay, and kills hit snapshots too.
        options.saving.facts = 20_000
        var random = SplitMix64(seed: seed &+ round)
        let running = try RunningStand(options)
        let stand = Thread { _ = running.run { _ in } }
        stand.stackSize = 1 << 20
        stand.start()
        // Sometimes long enough for the work that is done every second.
        let delay = UInt32.random(in: 0..<(round % 16 == 15 ? 2_000_000 : 200_000), using: &random)
        func killSoon() {
            Thread {
                usleep(delay)
                kill(getpid(), SIGKILL)
            }.start()
        }
        // Alternates between kills during the start and kills at work.
        let isKilledAtWork = round % 2 == 1
        if untilKilled, !isKilledAtWork { killSoon() }
        let asked = try file("asked")
        let answered = try file("answered")
        let open = try unanswered()
        if untilKilled, isKilledAtWork { killSoon() }
        await withTaskGroup { group in
            for client in 0..<4 {
                let mine = open.filter { $0.client == client }
                var random = SplitMix64(seed: random.next())
                group.addTask {
                    for request in mine { await ask(request, running.control, answered) }
                    var number: UInt64 = 0
                    while untilKilled {
                        let request = Request(client: client, number: round << 32 | number, random.next())
                        number += 1
                        write(request.key + " \(request.choice)\n", to: asked)
                        await ask(request, running.control, answered)
                    }
                }
            }
        }
        // Only the last round reaches this point.
        await withCheckedContinuation { continuation in running.control.submit(.stop) { _ in continuation.resume() } }
        try await eventually("the stand to close") { running.control.status.phase == .closed && stand.isFinished }
    }

    /// One change by a client.
    struct Request: Sendable {
        var client: Int
        var choice: UInt64
        var key: String

        init(client: Int, number: UInt64, _ choice: UInt64) {
            self.client = client
            self.choice = choice
            key = "\(client)-\(number)"
        }
    }

    private func ask(_ request: Request, _ control: StandControl, _ answered: Int32) async {
        let key = request.key
        let text: String
        switch request.choice % 8 {
        case 0:
            text = await said { control.submit(.rate([0.5, 1, 2][Int(request.choice >> 8) % 3]), key: key, reply: $0) }
        case 1: text = await said { control.submit(.pause, key: key, reply: $0) }
        case 2, 3: text = await said { control.submit(.resume, key: key, reply: $0) }
        case 4:
            let pieces = request.choice >> 8 % 2 == 0 ? 10 : -10
            text = await said { reply in
                control.submit(.stock([.init(fruit: "mango", pieces: pieces)]), key: key) { reply($0.map(\.editTag)) }
            }
        default:
            let juice = ["kiwi juice", "mango juice", "coffee"][Int(request.choice >> 8) % 3]
            text = await withCheckedContinuation { continuation in
                control.submit(.order(juice), key: key) { result in
                    switch result {
                    case .success(let answer): continuation.resume(returning: "\(answer.number)")
                    case .failure(let error): continuation.resume(returning: "refused \(error)")
                    }
                }
            }
        }
        write("\(key) \(text)\n", to: answered)
    }

    private func said<Answer>(_ ask: (@escaping StandControl.Reply<Answer>) -> Void) async -> String {
        await withCheckedContinuation { continuation in ask { continuation.resume(returning: "said \($0)") } }
    }

    private func file(_ name: String) throws -> Int32 {
        let descriptor = unsafe open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        return try #require(descriptor >= 0 ? descriptor : nil)
    }

    /// A single write, so that a kill never cuts a line.
    private func write(_ line: String, to descriptor: Int32) {
        let bytes = Array(line.utf8)
        precondition(unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    }

    private func unanswered() throws -> [Request] {
        func lines(_ name: String) throws -> [[Substring]] {
            try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n").map {
                $0.split(separator: " ", maxSplits: 1)
            }
        }
        let answered = Set(try lines("answered").map { $0[0] })
        return try lines("asked").filter { !answered.contains($0[0]) }.map { line in
            let parts = line[0].split(separator: "-")
            return Request(client: Int(parts[0])!, number: UInt64(parts[1])!, UInt64(line[1])!)
        }
    }
}
