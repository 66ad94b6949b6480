import Dispatch
import Foundation
import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing

/// States that are cut or damaged.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct StateJournalTests {
    /// - Parameter isFollowed: Whether an empty next journal was begun before the crash.
    @Test(arguments: [false, true])
    func `a journal cut anywhere is continued with every whole change`(isFollowed: Bool) async throws {
        try await withTemporaryFolder { folder in
            let numbers = try await makeState(folder, orders: 2)
            let journal = try Data(contentsOf: URL(filePath: "\(folder)/state/journal-000000000001"))
            let ends = journal.indices.filter { journal[$0] == UInt8(ascii: "\n") }
            #expect(numbers == [1, 2])
            // An empty journal has no later one.
            for length in (isFollowed ? 1 : 0)...journal.count {
                // Every fifth, and those about the end of a line.
                guard Study.isFull || length % 5 == 0 || ends.contains(where: { abs($0 - length) < 3 }) else {
                    continue
                }
                let copy = "\(folder)/copy"
                try copyState("\(folder)/state", to: copy)
                try journal.prefix(length).write(to: URL(filePath: "\(copy)/journal-000000000001"))
                if isFollowed {
                    try Data(Journal.header(generation: 2)).write(to: URL(filePath: "\(copy)/journal-000000000002"))
                }
                // Lines are a header, two orders, and marks of time.
                let whole = journal.prefix(length).split(
                    separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
                )
                .dropLast().count { String(decoding: $0, as: UTF8.self).contains("\"order\":") }
                // A second start finds the tail cut already.
                for start in 1...(length % 4 == 0 ? 2 : 1) {
                    let placed = try await ordersPlaced(inStateAt: copy)
                    #expect(placed == UInt64(whole), "start \(start), cut to \(length) of \(journal.count) bytes")
                }
                try FileManager.default.removeItem(atPath: copy)
            }
            #expect(ends.count >= 3)
        }
    }

    @Test func `a journal with a later one is refused if its end is damaged or it is empty`()
        async throws
    {
        try await withTemporaryFolder { folder in
            _ = try await makeState(folder, orders: 2)
            let path = "\(folder)/state/journal-000000000001"
            let journal = try Data(contentsOf: URL(filePath: path))
            try Data(Journal.header(generation: 2)).write(to: URL(filePath: "\(folder)/state/journal-000000000002"))
            // The last line is complete but changed, which no crash does.
            var damaged = journal
            damaged[journal.count - 2] ^= 1
            for bytes in [damaged, Data()] {
                try bytes.write(to: URL(filePath: path))
                let error = #expect(throws: StateError.self) { try stand("\(folder)/state") }
                guard case .damaged(let place, _)? = error else {
                    Issue.record("\(error.map { "\($0)" } ?? "none")")
                    continue
                }
                #expect(place.hasPrefix(path))
            }
        }
    }

    @Test func `a changed byte is refused with its place, and repair keeps the original`() async throws {
        try await withTemporaryFolder { folder in
            _ = try await makeState(folder, orders: 3)
            let path = "\(folder)/state/journal-000000000001"
            let journal = try Data(contentsOf: URL(filePath: path))
            let lines = journal.split(separator: UInt8(ascii: "\n"))
            // Also in the last record, whose line feed shows that no crash cut it.
            for place in journal.indices where journal[place] != UInt8(ascii: "\n") {
                var damaged = journal
                damaged[place] ^= 1
                try damaged.write(to: URL(filePath: path))
                let error = #expect(throws: StateError.self) { try stand("\(folder)/state") }
                guard case .damaged? = error else {
                    if case .otherSchema? = error { continue }
                    Issue.record("byte \(place): \(error.map { "\($0)" } ?? "not refused")")
                    continue
                }
            }
            // The second order is damaged.
            var damaged = journal
            let second = lines.filter { String(decoding: $0, as: UTF8.self).contains("\"order\":") }[1].startIndex
            damaged[second + 20] ^= 1
            try damaged.write(to: URL(filePath: path))
            let error = #expect(throws: StateError.self) { try stand("\(folder)/state") }
            #expect(
                error?.description
                    == "\(path): byte \(second): the record is damaged; "
                    + "`juicestand repair DIR` repairs what it can and keeps the original")
            let repair = try StateRepair("\(folder)/state")
            let original = try #require(repair.original)
            #expect(try Data(contentsOf: URL(filePath: "\(original)/journal-000000000001")) == damaged)
            #expect(repair.changesLost == 1)
            #expect(try await ordersPlaced(inStateAt: "\(folder)/state") == 1)
            #expect(try StateRepair("\(folder)/state").original == nil)
        }
    }

    @Test
    func `a damaged snapshot is refused or replaced by an older one, and another schema is named`()
        async throws
    {
        try await withTemporaryFolder { folder in
            _ = try await makeState(folder, orders: 2)
            let path = "\(folder)/state/snapshot-000000000001"
            let snapshot = try Data(contentsOf: URL(filePath: path))
            var random = SplitMix64(seed: UInt64.random(in: 0 ... .max))
            print("seed \(random.state)")
            for place in [0, 17, 18, 20, 25] + (0..<40).map({ _ in Int.random(in: 0..<snapshot.count, using: &random) })
            {
                var damaged = snapshot
                damaged[place] ^= UInt8.random(in: 1...255, using: &random)
                try damaged.write(to: URL(filePath: path))
                #expect(throws: StateError.self, "byte \(place)") { try stand("\(folder)/state") }
            }
            try Data("juicestand.state/9 1 0 0\n".utf8).write(to: URL(filePath: path))
            let error = #expect(throws: StateError.self) { try stand("\(folder)/state") }
            #expect(
                error.map { "\($0)" }?.hasSuffix("must be of the schema juicestand.state/6, found juicestand.state/9")
                    == true)
        }
    }

    @Test func `a ledger of another stand is refused with the place, and left unchanged`() async throws {
        try await withTemporaryFolder { folder in
            _ = try await makeState(folder, orders: 2)
            let ledger = "\(folder)/other.jsonl"
            let lines = Data("{\"seq\":1,\"at\":0.000000000,\"event\":\"opened\"}\n{\"seq\":2,".utf8)
            try lines.write(to: URL(filePath: ledger))
            let error = #expect(throws: StateError.self) { try stand("\(folder)/state", ledger: ledger) }
            guard case .foreignLedger(let place, _)? = error else {
                Issue.record("\(error.map { "\($0)" } ?? "none")")
                return
            }
            #expect(place == "\(ledger): byte 0")
            #expect(try Data(contentsOf: URL(filePath: ledger)) == lines)
        }
    }

    @Test func `another seed or menu is refused, and the key is named`() async throws {
        try await withTemporaryFolder { folder in
            _ = try await makeState(folder, orders: 1)
            let error = #expect(throws: StateError.self) {
                try stand(
                    "\(folder)/state", configuration: #"{"seed": 7, "customers": {"arrivals": {"renewal": "1d"}}}"#)
            }
            #expect(error.map { "\($0)" }?.hasPrefix("seed: is fixed when the stand opens") == true)
        }
    }
}

// MARK: - Stands with a state

/// A stand with a state and without arrivals.
func stand(
    _ folder: String, ledger: String? = nil, configuration: String = nobodyComes
) throws -> RunningStand {
    let settings = try StandConfiguration(Array(configuration.utf8), source: "test.json").settings
    var options = RunningStand.Options(
        settings: settings, wiring: .closure, speed: 1, horizon: .never, duration: nil, ledger: ledger, display: .none,
        logsAsJSON: false)
    options.state = folder
    // However long a busy machine takes, the changes stay in the first journal.
    options.saving = .never
    return try RunningStand(options)
}

/// Runs a stand while `body` talks to it, and suspends it.
func withSuspended(_ running: RunningStand, _ body: (StandControl) async throws -> Void) async throws {
    let queue = DispatchQueue(label: "run")
    let group = DispatchGroup()
    queue.async(group: group) { _ = running.run { _ in } }
    try await body(running.control)
    running.control.suspend()
    await withCheckedContinuation { continuation in group.notify(queue: queue) { continuation.resume() } }
}

private func makeState(_ folder: String, orders: Int) async throws -> [UInt64] {
    var numbers: [UInt64] = []
    try await withSuspended(try stand("\(folder)/state")) { control in
        for _ in 0..<orders { numbers.append(try await control.order("kiwi juice").number) }
    }
    return numbers
}

private func ordersPlaced(inStateAt folder: String) async throws -> UInt64 {
    UInt64(try stand(folder).control.status.orders)
}

private func copyState(_ folder: String, to copy: String) throws {
    try FileManager.default.copyItem(atPath: folder, toPath: copy)
}

func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    try await body(folder.path)
    withExtendedLifetime(folder) {}
}
