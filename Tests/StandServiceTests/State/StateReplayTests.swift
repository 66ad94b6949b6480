import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing

/// What a state makes of its changes when it is replayed and saved.
@Suite(.timeLimit(.minutes(60)))
struct StateReplayTests {
    let folder: TemporaryFolder
    var path: String { "\(folder.path)/state" }
    let settings: StandSettings
    let quiet = FactPublisher(ClosureWiring())

    init() throws {
        folder = try TemporaryFolder()
        settings = try StandSettings(parsing: nobodyComes)
    }

    /// Orders of one cup, a second apart.
    func orders(_ numbers: ClosedRange<UInt64>) -> [JournalRecord] {
        numbers.map { number in
            let time = SimulationTime(seconds: Double(number))
            return .change(number: number, at: time, making: .order(juice: "kiwi juice", cups: 1), key: "\(number)")
        }
    }

    func begun() throws -> (state: StateFolder, resumption: Resumption) {
        let state = try StateFolder(path)
        return (state, try Resumption.resume(settings, state, ledger: nil))
    }

    func append(_ records: [JournalRecord], to state: StateFolder) {
        let failure: FileError? = awaited { state.record(records, isDurable: true, then: $0) }
        #expect(failure == nil)
    }

    func save(_ replay: Replay, in state: StateFolder, newChanges: [DatedChange] = []) {
        var saved = StateSnapshot(replay.stand, replay.cache, nil, ledger: nil)
        saved.newChanges = newChanges
        #expect(state.save(saved, at: replay.latest) == nil)
    }

    /// The state as the next start finds and replays it.
    func replayed() throws -> Replay {
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
        // Stand time is later than that of the last event.
        let time = SimulationTime(seconds: 3.5)
        #expect(state.save(StateSnapshot(before.stand, before.cache, nil, ledger: nil), at: time) == nil)
        append(orders(4...6), to: state)
        state.close()
        let found = try #require(try FoundState.read(path))
        #expect(found.records.first == .mark(at: time))
        var replay = try Replay(found, folder: path)
        #expect(replay.stand.factsAnnounced == before.stand.factsAnnounced && replay.stand.now == before.stand.now)
        #expect(replay.cache.made == 3)
        replay.makeChanges(quiet)
        #expect(replay.made.map(\.number) == [4, 5, 6])
        #expect(replay.stand.ordersNumbered == 6)
    }

    /// Customers come every second, and so does the order.
    @Test func `what is due at the time of a change happens after it`() throws {
        let settings = try StandSettings(parsing: #"{"customers": {"arrivals": {"renewal": 1}}}"#)
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
        func time(_ number: Int) -> SimulationTime { SimulationTime(seconds: Double(number)) }
        let last = 2 * IdempotencyCache.mostKeys + 100
        for number in 0...last {
            _ = cache.carryOut(.rate(1), key: "key \(number)", in: &stand, at: time(number), quiet)
        }
        let oldest = last - IdempotencyCache.mostKeys + 1
        let saved = StateSnapshot(stand, cache, nil, ledger: nil).file(generation: 1)
        for cache in [cache, try StateSnapshot(saved, source: "test", generation: 1).cache] {
            #expect(cache.made == UInt64(last) + 1)
            #expect(cache.answer(to: .rate(1), key: "key \(oldest - 1)") == nil)
            for number in [oldest, oldest + 1, oldest + 5000, last] {
                #expect(cache.answer(to: .rate(1), key: "key \(number)") == .success(.done(at: time(number))))
            }
            #expect(cache.answer(to: .pause, key: "key \(last)") == .failure(.keyReused))
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
        let settings = try StandSettings(parsing: #"{"customers": {"arrivals": {"renewal": 1}}}"#)
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
                let saved = StateSnapshot(stand.stand, stand.cache, nil, ledger: stand.ledger)
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
