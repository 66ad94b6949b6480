import Dispatch
import Foundation
import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing

/// A stand whose power is cut after any change of the disk, and what the next start makes of what is left.
///
/// `JUICESTAND_CUTS` says how many stands; `scripts/soak cuts` tries many, with random subsets of what was not
/// synchronized. `JUICESTAND_CUTS_SEED` is the first one's seed, as a failure prints it; the order in which threads work
/// is another time another.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct PowerCutTests {
    private static let stands = ProcessInfo.processInfo.environment["JUICESTAND_CUTS"].flatMap(Int.init)
    private static let seed = ProcessInfo.processInfo.environment["JUICESTAND_CUTS_SEED"].flatMap(UInt64.init)

    @Test func `a power cut at any instant loses no answered change, doubles none, and blocks no start`() async throws {
        var generator = SystemRandomNumberGenerator()
        let seed = Self.seed ?? UInt64.random(in: 0..<1 << 32, using: &generator)
        for number in 0..<UInt64(Self.stands ?? 1) {
            let folder = try TemporaryFolder()
            let stand = try CutStand(folder.path + "/disk", seed: seed + number)
            try await stand.live()
            try stand.cutEverywhere(subsets: Self.stands == nil ? 0 : 10, in: folder.path)
        }
    }

    @Test func `a change that may or may not be on the disk is answered so, and its key tells after the next start`()
        async throws
    {
        let folder = try TemporaryFolder()
        let disk = try RecordingDisk(folder.path)
        var options = try RunningStand.Options(nobodyComes, state: folder.path + "/state")
        options.disk = disk
        try await withSuspended(try RunningStand(options)) { control in
            disk.set(.synchronize, of: "state/journal")
            let error = await #expect(throws: ControlError.self) { try await control.order("kiwi juice", key: "a") }
            guard case .inDoubt? = error else {
                Issue.record("answered \(error.map { "\($0)" } ?? "as done")")
                return
            }
            let said = "\(error!)"
            #expect(said.contains("may take effect") && said.contains("same Idempotency-Key"), "\(said)")
        }
        disk.set(nil, of: "state/journal")
        try await withSuspended(try RunningStand(options)) { control in
            // Whether it was made at the start or with the second request: once.
            let order = try await control.order("kiwi juice", key: "a")
            #expect(order.number == 1)
        }
    }
}

/// A stand on a disk that records, with what it answered.
private final class CutStand: Sendable {
    private struct Asked: Sendable {
        var key: String
        var change: StandChange
        /// nil while there is no answer.
        var answer: Result<ChangeAnswer, ControlError>?
        /// Operations of the disk before the answer.
        var operations = Int.max
    }

    private enum Step: CaseIterable {
        case order
        case twoOrders
        case restock
        case mark
        case save
        case reopen
        case moveAndReopen
        case rate
        case pauseAndResume
        case reload
        case failJournal
        case failLedger
    }

    private struct State {
        var random: SplitMix64
        var asked: [Asked] = []
        /// Stand time of a suspension, and the operations before its end.
        var suspended: (time: SimulationTime, operations: Int)?
        var filesMoved = 0
    }

    private static let configuration = """
        {
          "fruits": {
            "kiwi": {"initial": 1000, "restock": {"fixedQuantity": {"reorderPoint": 990, "quantity": 20, "leadTime": 7}}},
            "mango": {"initial": 50}
          },
          "menu": {"kiwi juice": {"recipe": {"kiwi": 1}, "preparation": 5}, "mango juice": {"recipe": {"mango": 3}}},
          "customers": {"arrivals": {"poisson": {"perSecond": 0.1}}, "patience": {"exponential": {"mean": 30}}}
        }
        """

    /// Each life but the last ends with a suspension.
    private static let lives = 2

    private let root: String
    private let seed: UInt64
    private let disk: RecordingDisk
    private let settings: StandSettings
    private let state: Guarded<State>

    init(_ root: String, seed: UInt64) throws {
        self.root = root
        self.seed = seed
        try Folder.make(root + "/old")
        disk = try RecordingDisk(root)
        settings = try StandSettings(parsing: Self.configuration)
        state = Guarded(State(random: SplitMix64(seed: seed)))
    }

    // MARK: - The life that is cut

    func live() async throws {
        for life in 0..<Self.lives { try await live(life) }
    }

    private func live(_ life: Int) async throws {
        var options = try RunningStand.Options(
            Self.configuration, speed: 100, ledger: "\(root)/ledger", state: "\(root)/state")
        options.disk = disk
        options.saving.facts = 1
        let factor = Double(life + 1)
        options.reloading = { () throws(ConfigurationError) in
            try StandSettings(
                parsing: Self.configuration.replacing("\"perSecond\": 0.1", with: "\"perSecond\": \(0.1 * factor)"))
        }
        let running = try RunningStand(options)
        let control = running.control
        let queue = DispatchQueue(label: "run")
        let group = DispatchGroup()
        queue.async(group: group) { _ = running.run { _ in } }
        let steps = state.withLock { state in Step.allCases.shuffled(using: &state.random) }
        for (number, step) in steps.enumerated() { try await take(step, "\(life)-\(number)", control) }
        let time = control.status.time
        if life < Self.lives - 1 {
            control.suspend()
        } else {
            await ask(.stop, "stop", control)
        }
        await withCheckedContinuation { continuation in group.notify(queue: queue) { continuation.resume() } }
        // The end of a ledger that is closed may be missing: the journal has it. A journal that was begun in vain, on a
        // disk that failed, has no more than its first line.
        let open = try disk.unsynchronized().filter { name in
            guard name.hasPrefix("state/journal-") else { return life < Self.lives - 1 && name == "ledger" }
            return try String(contentsOfFile: "\(root)/\(name)", encoding: .utf8).split(separator: "\n").count > 1
        }
        #expect(open.isEmpty, "the stand has ended, and \(open) is not synchronized")
        state.withLock { $0.suspended = (time, disk.count) }
    }

    private func take(_ step: Step, _ key: String, _ control: StandControl) async throws {
        switch step {
        case .order: await ask(.order(juice: "kiwi juice", cups: 2), key, control)
        case .twoOrders:
            async let one: Void = ask(.order(juice: "mango juice", cups: 1), key, control)
            async let other: Void = ask(.order(juice: "kiwi juice", cups: 1), key + "b", control)
            _ = await (one, other)
        case .restock: await ask(.stock([.init(fruit: "mango", pieces: 2)], ifTag: nil), key, control)
        case .mark: control.maintain()
        case .save: try await save(key, control)
        case .reopen: try await reopen(control)
        case .moveAndReopen:
            let number = state.withLock { state in
                state.filesMoved += 1
                return state.filesMoved
            }
            try Folder.rename("\(root)/ledger", to: "\(root)/ledger.\(number)", on: disk)
            // Until then the stand writes to the file that was moved. Some of its last lines, and of the first ones of
            // the new file, are not on the disk while the old file waits for it.
            disk.set(.synchronizeSlowly, of: "ledger")
            async let reopened: Void = reopen(control)
            for number in 0..<6 {
                await ask(.order(juice: "kiwi juice", cups: 1), key + "\(number)", control)
                control.maintain()
                try await Task.sleep(for: .milliseconds(5))
            }
            try await reopened
            disk.set(nil, of: "ledger")
            // Then the state needs it no more.
            try Folder.rename("\(root)/ledger.\(number)", to: "\(root)/old/ledger.\(number)", on: disk)
        case .rate: await ask(.rate(2), key, control)
        case .pauseAndResume:
            await ask(.pause, key, control)
            control.maintain()
            await ask(.resume, key + "b", control)
        case .reload: await ask(.reload(configuration: ""), key, control)
        case .failJournal:
            disk.set(.synchronize, of: "state/journal")
            await ask(.order(juice: "kiwi juice", cups: 1), key, control)
            disk.set(nil, of: "state/journal")
            await ask(.order(juice: "kiwi juice", cups: 1), key + "b", control)
        case .failLedger:
            disk.set(.write, of: "ledger")
            for number in 0..<3 {
                await ask(.order(juice: "kiwi juice", cups: 1), key + "\(number)", control)
                control.maintain()
            }
            disk.set(nil, of: "ledger")
            try await eventually("the ledger to be written again") {
                control.maintain()
                return control.causes.isEmpty
            }
        }
    }

    private func save(_ key: String, _ control: StandControl) async throws {
        let generation = try StateFiles("\(root)/state").snapshots.last ?? 0
        try await eventually("a snapshot") {
            await ask(.order(juice: "kiwi juice", cups: 1), key, control)
            control.maintain()
            return try StateFiles("\(root)/state").snapshots.last ?? 0 > generation
        }
    }

    private func reopen(_ control: StandControl) async throws {
        let failure = await withCheckedContinuation { continuation in
            control.reopenLedger { continuation.resume(returning: $0) }
        }
        #expect(failure == nil)
    }

    /// Asks for a change, and notes the answer when it comes.
    private func ask(_ change: StandChange, _ key: String, _ control: StandControl) async {
        let number = state.withLock { state in
            state.asked.append(Asked(key: key, change: change))
            return state.asked.count - 1
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let answer: @Sendable (Result<ChangeAnswer, ControlError>) -> Void = { [self] answer in
                let operations = disk.count
                state.withLock { state in
                    state.asked[number].answer = answer
                    state.asked[number].operations = operations
                }
                continuation.resume()
            }
            switch change {
            case .order(let juice, let cups):
                control.submit(.order(juice, cups: cups), key: key) { answer($0.map { .order($0) }) }
            case .stock(let changes, let tag):
                control.submit(.stock(changes, ifTag: tag), key: key) {
                    answer($0.map { .stock(editTag: $0.editTag, levels: $0.levels) })
                }
            case .rate(let factor): control.submit(.rate(factor), key: key) { answer($0.map { .done(at: $0) }) }
            case .pause: control.submit(.pause, key: key) { answer($0.map { .done(at: $0) }) }
            case .resume: control.submit(.resume, key: key) { answer($0.map { .done(at: $0) }) }
            case .reload: control.reload(key: key) { answer($0.map { .reloaded($0) }) }
            case .stop: control.submit(.stop, key: key) { answer($0.map { .done(at: $0) }) }
            }
        }
    }

    // MARK: - Cuts

    /// The greatest number of disks that a run of all tests restarts from; most runs have fewer.
    private static let quickImages = 2000

    func cutEverywhere(subsets: Int, in folder: String) throws {
        var random = SplitMix64(seed: seed)
        let cuts = PowerCuts(disk, subsets: subsets, using: &random)
        #expect(cuts.whole == (try DiskImage(root)), "the stand writes past its disk")
        for count in disk.creations(of: "state/journal-") {
            let open = disk.unsynchronized(after: count).filter { $0.hasPrefix("state/journal-") }
            #expect(open.isEmpty, "a journal begins and \(open) is not synchronized")
        }
        let all = cuts.images.sorted { $0.value < $1.value }
        let images = subsets > 0 ? all : Array(all.shuffled(using: &random).prefix(Self.quickImages))
        let failures = Guarded<[String]>([])
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: images.count) { number in
            let path = "\(folder)/cut-\(number)"
            do {
                try images[number].key.write(to: path)
                try restart(path, after: images[number].value)
                try FileManager.default.removeItem(atPath: path)
            } catch {
                failures.withLock { $0.append("after operation \(images[number].value): \(error)") }
            }
        }
        let operations = disk.count
        let found = failures.withLock { $0 }
        print(
            "seed \(seed): \(operations) operations, \(cuts.tried) cuts, \(images.count) of \(all.count) different disks, "
                + "\(found.count) failures, \(ContinuousClock.now - start)")
        // One of each kind: their texts differ in numbers.
        let kinds = Dictionary(grouping: found) { $0.drop { $0 != ":" }.filter { !$0.isHexDigit } }
        for failures in kinds.values { Issue.record("seed \(seed): \(failures.count) times: \(failures[0])") }
    }

    private struct Wrong: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// Starts twice from what a cut left after so many operations.
    private func restart(_ root: String, after operations: Int) throws {
        let state = state.withLock { $0 }
        let isStopAsked = state.asked.last?.change == .stop
        // The second start finds what the first one has mended.
        for start in 1...(operations % 5 == 0 ? 2 : 1) {
            let disk = try RecordingDisk(root)
            do {
                let folder = try StateFolder("\(root)/state", on: disk)
                let request = Resumption.LedgerRequest(path: "\(root)/ledger") { _ in }
                var resumed = try Resumption.resume(settings, folder, ledger: request)
                let latest = latest(state, before: operations)
                guard resumed.resumesAt ?? .zero >= latest else {
                    throw Wrong("stand time went back from \(latest) to \(resumed.resumesAt ?? .zero)")
                }
                goOn(&resumed)
                // What comes after a torn line that was not cut is lost.
                folder.record([.mark(at: resumed.stand.now)], isDurable: true)
                folder.close()
                resumed.ledger?.unlock()
            } catch StateError.closed where isStopAsked {}
            do { try check(root, state, operations) } catch { throw Wrong("start \(start): \(error)") }
        }
    }

    /// The latest stand time that somebody was told.
    private func latest(_ state: State, before operations: Int) -> SimulationTime {
        var latest = SimulationTime.zero
        for asked in state.asked where asked.operations <= operations {
            if case .success(.done(let time))? = asked.answer { latest = max(latest, time) }
        }
        if let suspended = state.suspended, suspended.operations <= operations { latest = max(latest, suspended.time) }
        return latest
    }

    /// Lets the stand go on for ten seconds of its time.
    private func goOn(_ resumed: inout Resumption) {
        guard let ledger = resumed.ledger else { return }
        let logger = StandLogger(.ledger, menu: resumed.stand.settings.menu, sink: ledger, flushAt: 1 << 16)
        let wiring = ClosureWiring()
        wiring.connect(logger)
        let out = FactPublisher(wiring)
        if resumed.stand.factsAnnounced == 0 { resumed.stand.open(out) }
        if !resumed.stand.isPaused {
            _ = resumed.stand.advance(to: resumed.stand.now + SimulationTime(seconds: 10), out)
        }
        logger.flush()
    }

    private func check(_ root: String, _ state: State, _ operations: Int) throws {
        guard let found = try FoundState.read("\(root)/state") else { throw Wrong("the state is gone") }
        var replay = try Replay(found, folder: "\(root)/state")
        replay.makeChanges(FactPublisher(ClosureWiring()))
        // A change that is asked twice with one key is answered twice and made once.
        var orders: Set<UInt64> = []
        for asked in state.asked {
            let known = replay.cache.answer(to: asked.change, key: asked.key)
            if case .success(.order(let answer))? = known { orders.insert(answer.number) }
            guard let answer = asked.answer, asked.operations <= operations else { continue }
            if case .failure(.inDoubt) = answer { continue }
            if case .failure(.diskFailing) = answer {
                guard known == nil else { throw Wrong("\(asked.key) was refused, and made") }
            } else if known != answer {
                throw Wrong("\(asked.key) was answered \(answer), is \(known.map { "\($0)" } ?? "lost")")
            }
        }
        var files: [LedgerReading] = []
        for folder in [root, root + "/old"] {
            for name in try Folder.names(in: folder) where name.hasPrefix("ledger") {
                files.append(try LedgerReading("\(folder)/\(name)"))
            }
        }
        let paths = files.filter { $0.first != nil }.sorted { $0.first! < $1.first! }.map(\.file.path)
        var audit = LedgerAudit()
        var ordered: [UInt64] = []
        for path in paths {
            try audit.read(file: path)
            ordered += ordersByCommand(try String(contentsOfFile: path, encoding: .utf8))
        }
        guard audit.finding.problems.isEmpty else { throw Wrong("\(audit.finding.problems)") }
        guard ordered == orders.sorted() else {
            throw Wrong("the ledger has the orders \(ordered), not \(orders.sorted())")
        }
        let comparison = try StateAudit(folder: "\(root)/state", files: paths)
        if let difference = comparison.difference { throw Wrong(difference) }
    }
}

/// The numbers of the orders by command, in order.
func ordersByCommand(_ ledger: String) -> [UInt64] {
    ledger.split(separator: "\n").compactMap { line in
        guard line.hasSuffix(#""by":"command"}"#), let start = line.firstRange(of: #""order":"#) else { return nil }
        return UInt64(line[start.upperBound...].prefix { $0.isNumber })
    }
}
