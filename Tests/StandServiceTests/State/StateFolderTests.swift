import Dispatch
import JuiceStand
import Platform
import StandService
import StandState
import TestSupport
import Testing

/// What the folder of a state leaves undone at the end of a run, so that a slow disk has little to write.
@Suite(.timeLimit(.minutes(60)))
struct StateFolderTests {
    private let folder: TemporaryFolder
    private var path: String { "\(folder.path)/state" }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func resume(in state: StateFolder) throws -> StateSnapshot {
        let settings = try StandSettings(parsing: nobodyComes)
        let resumed = try Resumption.resume(settings, state, ledger: nil)
        return StateSnapshot(resumed.stand, resumed.cache, nil, ledger: nil)
    }

    @Test func `a snapshot that waits for the disk is given up at the end`() throws {
        let state = try StateFolder(path)
        let saved = try resume(in: state)
        let before = try Set(Folder.names(in: path))
        // The disk is busy until the signal.
        let disk = DispatchSemaphore(value: 0)
        state.record([.mark(at: .zero)], isDurable: false) { _ in disk.wait(for: "the signal") }
        state.record([.mark(at: .zero)], isDurable: true)
        // A stand leaves out marks of time meanwhile.
        #expect(state.isAppending)
        #expect(state.save(saved, at: .zero, after: nil) { _ in Issue.record("the snapshot was not given up") })
        state.stopSaving()
        #expect(!state.save(saved, at: .zero, after: nil) { _ in })
        disk.signal()
        try eventually("both records are written") { !state.isAppending }
        state.close()
        #expect(try Set(Folder.names(in: path)) == before)
        #expect(try FoundState.read(path)?.records.count == 2)
    }

    @Test func `a snapshot is on the disk after the changes before it and the lines it builds on`() throws {
        let disk = try RecordingDisk(folder.path)
        let state = try StateFolder(path, on: disk)
        let settings = try StandSettings(parsing: nobodyComes)
        let request = Resumption.LedgerRequest(path: "\(folder.path)/ledger") { Issue.record($0) }
        let resumed = try Resumption.resume(settings, state, ledger: request)
        var saved = StateSnapshot(resumed.stand, resumed.cache, nil, ledger: resumed.ledger)
        saved.newChanges = [DatedChange(number: 1, at: .zero, .pause)]
        resumed.ledger?.write("a line\n")
        #expect(disk.unsynchronized() == ["ledger"])
        #expect(state.save(saved, at: .zero, after: resumed.ledger) == nil)
        #expect(disk.unsynchronized() == [])
        #expect(try state.pastChanges().map(\.number) == [1])
        state.close()
    }

    /// A journal whose first line could not be synchronized is in memory only, and so may be its name.
    @Test func `a journal that was begun in vain is begun again`() throws {
        let disk = try RecordingDisk(folder.path)
        do {
            let state = try StateFolder(path, on: disk)
            let saved = try resume(in: state)
            disk.set(.synchronize, of: "state/journal")
            #expect(state.save(saved, at: .zero) != nil)
            disk.set(nil, of: "state/journal")
            state.close()
        }
        let state = try StateFolder(path, on: disk)
        _ = try resume(in: state)
        let mark = JournalRecord.mark(at: SimulationTime(seconds: 1))
        state.record([mark], isDurable: true)
        state.close()
        var random = SystemRandomNumberGenerator()
        for (number, image) in PowerCuts(disk, from: disk.count, using: &random).images.keys.enumerated() {
            let left = "\(folder.path)/left-\(number)"
            try image.write(to: left)
            #expect(try FoundState.read("\(left)/state")?.records == [mark])
        }
    }

    @Test(arguments: 0...2)
    func `a file that is given up leaves the one before it`(steps: Int) throws {
        let path = try folder.write("before", to: "file")
        var left = steps
        do {
            var file = try ReplacedFile(path, aside: "\(path).new")
            let isWhole = try file.finish(Array("after".utf8)) {
                left -= 1
                return left >= 0
            }
            #expect(!isWhole)
        }
        #expect(try readFile(path) == Array("before".utf8))
        #expect(try Folder.names(in: folder.path) == ["file"])
    }
}

// MARK: - States in tests

extension StateFolder {
    /// Saves a snapshot, and returns once it is written: nil, or why it is not.
    func save(_ saved: StateSnapshot, at time: SimulationTime, after ledger: LedgerFile? = nil) -> FileError? {
        awaited { then in
            let isTaken = save(saved, at: time, after: ledger) { then($0) }
            #expect(isTaken)
        }
    }
}

extension Resumption {
    /// Connects a logger that writes the stand's ledger.
    func connected() throws -> (logger: StandLogger, out: FactPublisher) {
        let ledger = try #require(ledger)
        let logger = StandLogger(.ledger, menu: stand.settings.menu, sink: ledger, flushAt: 1 << 16)
        let wiring = ClosureWiring()
        wiring.connect(logger)
        return (logger, FactPublisher(wiring))
    }
}
