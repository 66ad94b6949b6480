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
        let numbers = answers.values.compactMap { $0.first.flatMap { UInt64($0) } }.sorted()
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
}

/// Lines of a key and a text.
private func lines(_ path: String) throws -> [(key: String, text: String)] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
        let parts = line.split(separator: " ", maxSplits: 1)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
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
        var options = try RunningStand.Options(
            Self.configuration, wiring: .notification, speed: 1000, ledger: "\(folder)/ledger.jsonl",
            state: "\(folder)/state")
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
        _ = try await running.control.answer(to: .stop)
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
        let text: String
        do { text = try await answer(to: request, control) } catch { text = "refused \(error)" }
        write("\(request.key) \(text)\n", to: answered)
    }

    /// The number of an order, or what was said to another change.
    private func answer(to request: Request, _ control: StandControl) async throws -> String {
        func said<Answer>(to change: Change<Answer>) async throws -> String {
            let answer = try await control.answer(to: change, key: request.key)
            return "said \(answer)"
        }
        let draw = Int(request.choice >> 8)
        switch request.choice % 8 {
        case 0: return try await said(to: .rate([0.5, 1, 2][draw % 3]))
        case 1: return try await said(to: .pause)
        case 2, 3: return try await said(to: .resume)
        case 4: return try await said(to: .stock([.init(fruit: "mango", pieces: draw % 2 == 0 ? 10 : -10)]))
        default:
            let juice = ["kiwi juice", "mango juice", "coffee"][draw % 3]
            let number = try await control.order(juice, key: request.key).number
            return "\(number)"
        }
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
        let answered = Set(try lines("\(folder)/answered").map(\.key))
        return try lines("\(folder)/asked").filter { !answered.contains($0.key) }.map { asked in
            let parts = asked.key.split(separator: "-")
            return Request(client: Int(parts[0])!, number: UInt64(parts[1])!, UInt64(asked.text)!)
        }
    }
}
