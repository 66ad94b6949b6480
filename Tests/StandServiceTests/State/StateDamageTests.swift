import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing

/// States that are cut or damaged, and what a repair makes of them.
extension StateReplayTests {
    private var snapshot: String { "\(path)/snapshot-000000000001" }

    private func journal(_ generation: Int) -> String { "\(path)/journal-00000000000\(generation)" }

    private func write(_ bytes: [UInt8], to file: String) throws { try DiskFile(file, .replacing).append(bytes) }

    /// Starts with the settings of the state.
    ///
    /// - Returns: How many changes it has.
    private func start() throws -> Int {
        let (state, resumption) = try begun()
        state.close()
        return Int(resumption.cache.made)
    }

    // MARK: - Cutting

    /// - Parameter isFollowed: Whether an empty next journal was begun before the crash.
    @Test(arguments: [false, true])
    func `a journal cut anywhere is continued with every whole change`(isFollowed: Bool) throws {
        let (state, _) = try begun()
        let mark = JournalRecord.mark(at: SimulationTime(seconds: 1.5))
        append(orders(1...1) + [mark] + orders(2...2), to: state)
        state.close()
        let whole = try readFile(journal(1))
        let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
        // An empty journal has no later one.
        for length in (isFollowed ? 1 : 0)...whole.count {
            // Every fifth, and those about the end of a line.
            guard Study.isFull || length % 5 == 0 || ends.contains(where: { abs($0 - length) < 3 }) else { continue }
            try write(Array(whole[..<length]), to: journal(1))
            if isFollowed { try write(Journal.header(generation: 2), to: journal(2)) }
            let changes = [1, 3].count { ends[$0] < length }
            // The second start finds the tail cut already.
            for _ in 1...2 { #expect(try start() == changes, "cut to \(length) of \(whole.count) bytes") }
        }
        #expect(ends.count == 4)
    }

    @Test func `a journal with a later one is refused if its end is damaged or it is empty`() throws {
        let (state, _) = try begun()
        append(orders(1...2), to: state)
        state.close()
        // The last line is complete but changed, which no crash does.
        var damaged = try readFile(journal(1))
        damaged[damaged.count - 2] ^= 1
        try write(Journal.header(generation: 2), to: journal(2))
        for bytes in [damaged, []] {
            try write(bytes, to: journal(1))
            let error = #expect(throws: StateError.self) { try start() }
            guard case .damaged(let place, _)? = error else {
                Issue.record("\(error.map { "\($0)" } ?? "none")")
                continue
            }
            #expect(place.hasPrefix(journal(1)))
        }
    }

    // MARK: - Damage

    @Test func `a changed byte is refused with its place, and repair keeps the original`() throws {
        let (state, _) = try begun()
        append(orders(1...3), to: state)
        state.close()
        let whole = try readFile(journal(1))
        // Also in the last record, whose line feed shows that no crash cut it.
        for place in whole.indices where whole[place] != UInt8(ascii: "\n") {
            var damaged = whole
            damaged[place] ^= 1
            try write(damaged, to: journal(1))
            let error = #expect(throws: StateError.self, "byte \(place)") { try start() }
            switch error {
            case .damaged?, .otherSchema?, nil: break
            case let other?: Issue.record("byte \(place): \(other)")
            }
        }
        // A header and three orders, of which the second is damaged.
        let second = whole.split(separator: UInt8(ascii: "\n"))[2].startIndex
        var damaged = whole
        damaged[second + 20] ^= 1
        try write(damaged, to: journal(1))
        let error = #expect(throws: StateError.self) { try start() }
        #expect(
            error?.description
                == "\(journal(1)): byte \(second): the record is damaged; "
                + "`juicestand repair DIR` repairs what it can and keeps the original")
        let repair = try StateRepair(path)
        let original = try #require(repair.original)
        #expect(try readFile("\(original)/journal-000000000001") == damaged)
        #expect(repair.changesLost == 1)
        #expect(try start() == 1)
        #expect(try StateRepair(path).original == nil)
    }

    @Test func `a damaged snapshot without an older one is refused, and another schema is named`() throws {
        _ = try start()
        let whole = try readFile(snapshot)
        var random = SplitMix64(seed: UInt64.random(in: 0 ... .max))
        print("seed \(random.state)")
        for place in [0, 17, 18, 20, 25] + (0..<40).map({ _ in Int.random(in: 0..<whole.count, using: &random) }) {
            var damaged = whole
            damaged[place] ^= UInt8.random(in: 1...255, using: &random)
            try write(damaged, to: snapshot)
            #expect(throws: StateError.self, "byte \(place)") { try start() }
        }
        try write(Array("juicestand.state/9 1 0 0\n".utf8), to: snapshot)
        #expect(
            throws: StateError.otherSchema(
                file: snapshot, found: "juicestand.state/9", expected: "juicestand.state/6")
        ) { try start() }
    }

    @Test func `another seed or menu is refused, and the key is named`() throws {
        _ = try start()
        let error = #expect(throws: StateError.self) { try stand(path, configuration: #"{"seed": 7}"#) }
        #expect(error?.description.hasPrefix("seed: is fixed when the stand opens") == true)
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
        var bytes = try readFile(journal(3))
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        // A header, a mark, and four orders.
        try #require(lines.count == 6)
        bytes[lines[4].startIndex + 30] ^= 1
        try write(bytes, to: journal(3))
        let repair = try StateRepair(path)
        #expect(repair.changesLost == 1)
        #expect(try readFile(journal(3)) == Array(bytes[..<lines[4].startIndex]))
        #expect(try replayed().made.map(\.number) == [5, 6])
        // The numbers go on from there.
        let (repaired, resumption) = try begun()
        #expect(resumption.cache.made == 6)
        append(orders(7...7), to: repaired)
        repaired.close()
        #expect(try replayed().made.map(\.number) == [5, 6, 7])
    }

    /// The last change of a journal is damaged, and so is the newest snapshot.
    @Test(arguments: [(1, 2, [1]), (2, 0, [1, 2, 3])] as [(Int, Int, [UInt64])])
    func `repair goes on from the older snapshot up to the damage`(damaged: Int, lost: Int, made: [UInt64]) throws {
        let (state, _) = try begun()
        append(orders(1...2), to: state)
        save(try replayed(), in: state)
        append(orders(3...4), to: state)
        state.close()
        func damage(_ file: String, at place: ([UInt8]) -> Int) throws {
            var bytes = try readFile(file)
            bytes[place(bytes)] ^= 1
            try write(bytes, to: file)
        }
        try damage("\(path)/snapshot-000000000002") { $0.count / 2 }
        // A start needs no repair for that.
        #expect(try replayed().made.map(\.number) == [1, 2, 3, 4])
        try damage(journal(damaged)) { bytes in
            bytes.split(separator: UInt8(ascii: "\n")).last { String(decoding: $0, as: UTF8.self).contains("change") }!
                .startIndex + 30
        }
        #expect(try StateRepair(path).changesLost == lost)
        #expect(try replayed().made.map(\.number) == made)
    }

    /// - Parameter numbers: Of the changes in the second journal.
    @Test(arguments: [([4], 3, 4), ([3, 5], 4, 5)] as [([UInt64], Int, Int)])
    func `a journal whose next change has another number is refused`(numbers: [UInt64], next: Int, found: Int) throws {
        let (state, _) = try begun()
        append(orders(1...2), to: state)
        save(try replayed(), in: state)
        for number in numbers { append(orders(number...number), to: state) }
        state.close()
        let reason = "the next change must be number \(next), found \(found)"
        #expect(throws: StateError.damaged(place: journal(2), reason: reason)) {
            try FoundState.read(path)
        }
    }
}
