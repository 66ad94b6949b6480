import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing

/// What a state makes of its changes when it is replayed, saved, repaired or cut.
@Suite(.timeLimit(.minutes(60)))
struct StateReplayTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/state" }
    private let settings: StandSettings
    private let quiet = FactPublisher(ClosureWiring())

    init() throws {
        folder = try TemporaryFolder()
        settings = try StandConfiguration(Array(nobodyComes.utf8), source: "test.json").settings
    }

    /// Orders of one cup, a second apart.
    private func orders(_ numbers: ClosedRange<UInt64>) -> [JournalRecord] {
        numbers.map { number in
            let time = SimulationTime(seconds: Double(number))
            return .change(number: number, at: time, making: .order(juice: "kiwi juice", cups: 1), key: "\(number)")
        }
    }

    private func begun() throws -> (state: StateFolder, resumption: Resumption) {
        let state = try StateFolder(path)
        return (state, try Resumption.resume(settings, state, ledger: nil))
    }

    private func append(_ records: [JournalRecord], to state: StateFolder) {
        let failure: FileError? = awaited { state.record(records, isDurable: true, then: $0) }
        #expect(failure == nil)
    }

    private func save(_ replay: Replay, in state: StateFolder, newChanges: [DatedChange] = []) {
        var saved = SavedStand(replay.stand, replay.cache, nil, ledger: nil)
        saved.newChanges = newChanges
        #expect(state.save(saved, at: replay.latest) == nil)
    }

    /// The state as the next start finds and replays it.
    private func replayed() throws -> Replay {
        var replay = try Replay(try #require(try FoundState.read(path)), folder: path)
        replay.makeChanges(quiet)
        return replay
    }

    // MARK: - Replaying

    /// A replay forgets what it has made, thousands of changes at a time.
    @Test func `a long replay in steps makes every change once and in order`() throws {
        let (state, _) = try begun()
        append(orders(1...5000), to: state)
        state.close()
        var replay = try Replay(try #require(try FoundState.read(path)), folder: path)
        replay.forgetChanges(after: 4998)
        for last: UInt64 in [4500, 4997] {
            replay.makeChanges(upTo: last, quiet)
            #expect(replay.cache.made == last)
        }
        replay.makeChanges(quiet)
        #expect(replay.cache.made == 4998)
        // Those that are known are not learnt again.
        replay.learn(orders(4990...5000))
        replay.makeChanges(quiet)
        #expect(replay.made.map(\.number) == Array(1...5000))
        #expect(replay.stand.ordersNumbered == 5000 && replay.latest == SimulationTime(seconds: 5000))
    }

    @Test func `a snapshot is the stand at its instant, and the replay goes on after it`() throws {
        let (state, _) = try begun()
        append(orders(1...3), to: state)
        let before = try replayed()
        save(before, in: state)
        append(orders(4...6), to: state)
        state.close()
        let found = try #require(try FoundState.read(path))
        #expect(found.records.first == .mark(at: SimulationTime(seconds: 3)))
        var replay = try Replay(found, folder: path)
        #expect(replay.stand.factsAnnounced == before.stand.factsAnnounced && replay.stand.now == before.stand.now)
        #expect(replay.cache.made == 3)
        replay.makeChanges(quiet)
        #expect(replay.made.map(\.number) == [4, 5, 6])
        #expect(replay.stand.ordersNumbered == 6)
    }

    /// Customers come every second, and so does the order.
    @Test func `what is due at the time of a change happens after it`() throws {
        let text = #"{"customers": {"arrivals": {"renewal": 1}}}"#
        let settings = try StandConfiguration(Array(text.utf8), source: "test.json").settings
        let state = try StateFolder(path)
        _ = try Resumption.resume(settings, state, ledger: nil)
        append(orders(1...1), to: state)
        state.close()
        #expect(try replayed().stand.ordersNumbered == 1)
    }

    // MARK: - Keys

    @Test func `the latest 10,000 keys are remembered with their answers, also after a restart`() throws {
        var stand = Stand(settings)
        stand.open(quiet)
        var cache = IdempotencyCache()
        let change = StandChange.order(juice: "kiwi juice", cups: 1)
        for number in 0...IdempotencyCache.mostKeys {
            let time = SimulationTime(seconds: Double(number))
            _ = cache.carryOut(change, key: "key \(number)", in: &stand, at: time, quiet)
        }
        let saved = SavedStand(stand, cache, nil, ledger: nil).file(generation: 1)
        for cache in [cache, try SavedStand(saved, source: "test", generation: 1).cache] {
            #expect(cache.made == UInt64(IdempotencyCache.mostKeys) + 1)
            #expect(cache.answer(to: change, key: "key 0") == nil)
            for number in [1, 2, 5000, IdempotencyCache.mostKeys] {
                guard case .success(.order(let answer))? = cache.answer(to: change, key: "key \(number)") else {
                    Issue.record("key \(number) is forgotten")
                    continue
                }
                #expect(answer.number == UInt64(number) + 1)
                #expect(answer.at == SimulationTime(seconds: Double(number)))
            }
            #expect(cache.answer(to: .pause, key: "key 5000") == .failure(.keyReused))
        }
    }

    @Test func `keys that are forgotten leave the others in order`() throws {
        var stand = Stand(settings)
        stand.open(quiet)
        var cache = IdempotencyCache()
        let last = 2 * IdempotencyCache.mostKeys + 100
        for number in 0...last {
            _ = cache.carryOut(.pause, key: "key \(number)", in: &stand, at: .zero, quiet)
        }
        let saved = SavedStand(stand, cache, nil, ledger: nil).file(generation: 1)
        for cache in [cache, try SavedStand(saved, source: "test", generation: 1).cache] {
            #expect(cache.answer(to: .pause, key: "key \(last - IdempotencyCache.mostKeys)") == nil)
            #expect(cache.answer(to: .pause, key: "key \(last - IdempotencyCache.mostKeys + 1)") != nil)
            #expect(cache.answer(to: .pause, key: "key \(last)") != nil)
        }
    }

    @Test func `a change with a known key counts and is not made again`() throws {
        let (state, _) = try begun()
        let again = JournalRecord.change(
            number: 2, at: SimulationTime(seconds: 2), making: .order(juice: "kiwi juice", cups: 1), key: "1")
        append(orders(1...1) + [again] + orders(3...3), to: state)
        state.close()
        let replay = try replayed()
        #expect(replay.made.map(\.number) == [1, 3])
        #expect(replay.cache.made == 3 && replay.stand.ordersNumbered == 2)
    }

    // MARK: - Repairing

    @Test func `repair keeps every whole change after the snapshot and none after the damage`() throws {
        let (state, _) = try begun()
        append(orders(1...2), to: state)
        save(try replayed(), in: state)
        append(orders(3...4), to: state)
        save(try replayed(), in: state)
        append(orders(5...8), to: state)
        state.close()
        let journal = "\(path)/journal-000000000003"
        var bytes = try readFile(journal)
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        // A header, a mark, and four orders.
        try #require(lines.count == 6)
        bytes[lines[4].startIndex + 30] ^= 1
        _ = try folder.write(String(decoding: bytes, as: UTF8.self), to: "state/journal-000000000003")
        let repair = try StateRepair(path)
        #expect(repair.changesLost == 1)
        #expect(try readFile(journal) == Array(bytes[..<lines[4].startIndex]))
        #expect(try replayed().made.map(\.number) == [5, 6])
        // The numbers go on from there.
        let (repaired, resumption) = try begun()
        #expect(resumption.cache.made == 6)
        append(orders(7...7), to: repaired)
        repaired.close()
        #expect(try replayed().made.map(\.number) == [5, 6, 7])
    }

    @Test func `repair goes on from the older snapshot through both journals`() throws {
        let (state, _) = try begun()
        append(orders(1...2), to: state)
        save(try replayed(), in: state)
        append(orders(3...4), to: state)
        state.close()
        for (name, isJournal) in [("snapshot-000000000002", false), ("journal-000000000002", true)] {
            var bytes = try readFile("\(path)/\(name)")
            // The last order, or anything.
            let place = isJournal ? bytes.split(separator: UInt8(ascii: "\n"))[3].startIndex + 30 : bytes.count / 2
            bytes[place] ^= 1
            _ = try folder.write(String(decoding: bytes, as: UTF8.self), to: "state/\(name)")
        }
        #expect(try StateRepair(path).changesLost == 0)
        #expect(try replayed().made.map(\.number) == [1, 2, 3])
    }

    @Test func `a journal whose next change has another number is refused`() throws {
        let (state, _) = try begun()
        append(orders(1...2), to: state)
        save(try replayed(), in: state)
        append(orders(4...4), to: state)
        state.close()
        let file = "\(path)/journal-000000000002"
        #expect(throws: StateError.damaged(place: file, reason: "the next change must be number 3, found 4")) {
            try FoundState.read(path)
        }
    }

    // MARK: - Keeping

    @Test func `two snapshots are kept with the journals from the older one on, and earlier ones for the past`() throws
    {
        let (state, _) = try begun()
        for number: UInt64 in 1...4 {
            append(orders(number...number), to: state)
            save(try replayed(), in: state)
        }
        let files = try StateFiles(path)
        #expect(files.snapshots == [4, 5] && files.journals == [4, 5])
        #expect(files.pasts == [1, 2, 3])
        #expect(try state.pastCopies().map(\.generation) == [1, 2, 3, 4, 5])
        append(orders(5...5), to: state)
        state.close()
        // Either snapshot can be replayed.
        for (start, numbers) in [(FoundState.Start.newest, [5]), (.oldest, [4, 5])] as [(_, [UInt64])] {
            var replay = try Replay(try #require(try FoundState.read(path, from: start)), folder: path)
            replay.makeChanges(quiet)
            #expect(replay.made.map(\.number) == numbers)
        }
    }

    @Test func `at most 64 snapshots of the past are kept, and the first one always`() throws {
        let (state, _) = try begun()
        for number: UInt64 in 1...80 {
            append(orders(number...number), to: state)
            save(try replayed(), in: state)
        }
        state.close()
        // Of 81 snapshots 79 are of the past.
        let pasts = try StateFiles(path).pasts
        #expect((30...64).contains(pasts.count) && pasts.first == 1, "\(pasts)")
    }

    @Test func `a start forgets snapshots of a future that did not come`() throws {
        let (state, _) = try begun()
        append(orders(1...2), to: state)
        save(try replayed(), in: state)
        append(orders(3...4), to: state)
        save(try replayed(), in: state)
        state.close()
        let later = try readFile("\(path)/snapshot-000000000003")
        // As after a repair, the state ends where the second snapshot was taken.
        for file in ["snapshot", "journal"] { try Folder.remove("\(path)/\(file)-000000000003") }
        let bytes = try readFile("\(path)/journal-000000000002")
        let order = try #require(bytes.split(separator: UInt8(ascii: "\n")).dropFirst(2).first)
        try DiskFile("\(path)/journal-000000000002", .appending).truncate(to: order.startIndex)
        for (from, generation) in [(2, 7), (3, 8)] {
            let snapshot = from == 2 ? try readFile("\(path)/snapshot-000000000002") : later
            let file = try DiskFile("\(path)/past-00000000000\(generation)", .replacing)
            try file.append(snapshot)
        }
        let (again, resumption) = try begun()
        #expect(resumption.cache.made == 2)
        #expect(try StateFiles(path).pasts == [1, 7])
        again.close()
    }

    @Test func `a run through the past makes the changes after its copy once`() throws {
        let (state, _) = try begun()
        append(orders(1...3), to: state)
        save(try replayed(), in: state)
        state.close()
        let changes = orders(1...5).compactMap { record -> DatedChange? in
            guard case .change(let number, let time, let change, _) = record else { return nil }
            return DatedChange(number: number, at: time, change)
        }
        var run = PastRun(from: try replayed().copy, changes)
        _ = run.advance(to: .time(SimulationTime(seconds: 4)))
        #expect(run.stand.ordersNumbered == 4)
        _ = run.advance(to: .time(SimulationTime(seconds: 9)))
        #expect(run.stand.ordersNumbered == 5)
    }

    @Test func `changes of the past are those of the repaired state`() throws {
        let (state, _) = try begun()
        func changes(_ numbers: ClosedRange<UInt64>, pieces: Int) -> [DatedChange] {
            numbers.map { number in
                let change = StandChange.stock([.init(fruit: "kiwi", pieces: pieces)], ifTag: nil)
                return DatedChange(number: number, at: SimulationTime(seconds: Double(number)), change)
            }
        }
        save(try replayed(), in: state, newChanges: changes(1...4, pieces: 1))
        save(try replayed(), in: state, newChanges: changes(3...5, pieces: 2))
        let known = try state.pastChanges()
        #expect(known.map(\.number) == [1, 2, 3, 4, 5])
        let pieces = known.map { if case .stock(let changes, _) = $0.change { changes[0].pieces } else { 0 } }
        #expect(pieces == [1, 1, 2, 2, 2])
        state.close()
    }

    @Test func `copies are thinned until they take less than 100 MB`() {
        struct Copy: Sequenced {
            var sequence: UInt64
            var size: Int
        }
        var copies = ThinnedSeries<Copy>(spacing: 10)
        for _ in 0..<4 { copies.append(Copy(sequence: copies.next, size: 25 << 20)) }
        #expect(copies.elements.map(\.sequence) == [0, 10, 20, 30])
        #expect(copies.spacing == 10)
        copies.append(Copy(sequence: 40, size: 1))
        #expect(copies.elements.map(\.sequence) == [0, 20, 40])
        #expect(copies.spacing == 20)
        // Two are always kept.
        copies.append(Copy(sequence: 60, size: 200 << 20))
        #expect(copies.elements.map(\.sequence) == [0, 40])
    }

    // MARK: - The ledger

    /// - Parameter isSaved: Whether the ledger ends with the last line that the snapshot knows.
    @Test(arguments: [false, true])
    func `a ledger is compared by its last line, and refused with the place`(isSaved: Bool) throws {
        let ledger = "\(folder.path)/ledger"
        let text = #"{"customers": {"arrivals": {"renewal": 1}}}"#
        let settings = try StandConfiguration(Array(text.utf8), source: "test.json").settings
        func resumed() throws -> Resumption {
            let state = try StateFolder(path)
            defer { state.close() }
            return try Resumption.resume(settings, state, ledger: .init(path: ledger) { Issue.record($0) })
        }
        do {
            let state = try StateFolder(path)
            var stand = try Resumption.resume(settings, state, ledger: .init(path: ledger) { Issue.record($0) })
            let (logger, out) = try stand.connected()
            stand.stand.open(out)
            stand.stand.advance(to: SimulationTime(seconds: 50), out)
            logger.flush()
            if isSaved {
                let saved = SavedStand(stand.stand, stand.cache, nil, ledger: stand.ledger)
                #expect(state.save(saved, at: stand.stand.now, after: stand.ledger) == nil)
            }
            state.close()
        }
        let whole = try readFile(ledger)
        let lines = whole.split(separator: UInt8(ascii: "\n"))
        let last = try #require(lines.last)
        var other = whole
        other[last.endIndex - 2] ^= 1
        _ = try folder.write(String(decoding: other, as: UTF8.self), to: "ledger")
        let error = StateError.foreignLedger(
            place: "\(ledger): byte \(last.startIndex)",
            reason: "line \(lines.count) must be \(String(decoding: last, as: UTF8.self))")
        #expect(throws: error) { try resumed() }
        #expect(try readFile(ledger) == other)
        // What follows the last whole line is cut, and written again where the stand has been there.
        _ = try folder.write(String(decoding: whole[..<(last.startIndex + 9)], as: UTF8.self), to: "ledger")
        #expect(try resumed().stand.factsAnnounced >= UInt64(lines.count) - 1)
        #expect(try whole.starts(with: readFile(ledger)))
        #expect(try LedgerReading(ledger).torn == 0)
    }
}
