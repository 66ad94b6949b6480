import Dispatch
import Foundation
import JuiceStand
import Platform
import StandState
import TestSupport
import Testing

/// Ledgers that were cut while the stand was down.
@Suite(.timeLimit(.minutes(60)))
struct StateLedgerTests {
    private let folder: TemporaryFolder
    private var ledger: String { "\(folder.path)/ledger.jsonl" }
    private var state: String { "\(folder.path)/state" }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a stand for 400 seconds of stand time, and saves it after each 100.
    ///
    /// - Returns: the number of the ledger's last line at each snapshot.
    private func run() throws -> [UInt64] {
        let stateFolder = try StateFolder(state)
        var stand = try resumed(in: stateFolder)
        let ledger = try #require(stand.ledger)
        let (logger, out) = Self.connect(stand)
        stand.stand.open(out)
        var saved: [UInt64] = []
        for hundreds in 1...4 {
            _ = stand.stand.advance(to: SimulationTime(seconds: Double(100 * hundreds)), out)
            logger.flush()
            guard hundreds < 4 else { break }
            saved.append(ledger.last)
            let isWritten = DispatchSemaphore(value: 0)
            let isBegun = stateFolder.save(
                SavedStand(stand.stand, stand.cache, ledgerLine: ledger.line), after: ledger.unsynchronized
            ) { failure in
                if let failure { Issue.record(failure) }
                isWritten.signal()
            }
            try #require(isBegun)
            isWritten.wait(for: "the snapshot")
        }
        stateFolder.close()
        return saved
    }

    private func resumed(in stateFolder: StateFolder) throws -> Resumption {
        let text = #"{"customers": {"arrivals": {"renewal": 1}}}"#
        let settings = try StandConfiguration(Array(text.utf8), source: "test.json").settings
        return try Resumption.resume(
            settings, stateFolder, ledger: .init(path: ledger, rotation: .init()) { Issue.record($0) })
    }

    private static func connect(_ stand: Resumption) -> (StandLogger, FactPublisher) {
        let logger = StandLogger(.ledger, menu: stand.stand.settings.menu, sink: stand.ledger!, flushAt: 1 << 16)
        let wiring = ClosureWiring()
        wiring.connect(logger)
        return (logger, FactPublisher(wiring))
    }

    /// Cuts the ledger after a line.
    private func cut(after line: UInt64) throws {
        let lines = try readFile(ledger).split(separator: UInt8(ascii: "\n"))
        let kept = lines.prefix(Int(line)).joined(separator: [UInt8(ascii: "\n")])
        try DiskFile(ledger, .appending).truncate(to: Array(kept).count + 1)
    }

    @Test func `a ledger that was cut is completed as far back as the older snapshot`() throws {
        let saved = try run()
        let whole = try readFile(ledger)
        for line in [saved[2] + 5, saved[2], saved[2] - 5, saved[1]] {
            try cut(after: line)
            var stand = try resumed(in: StateFolder(state))
            #expect(try whole.starts(with: readFile(ledger)), "cut after \(line)")
            #expect(stand.resumesAt! >= SimulationTime(seconds: 299))
            let (logger, out) = Self.connect(stand)
            _ = stand.stand.advance(to: SimulationTime(seconds: 400), out)
            logger.flush()
            #expect(try readFile(ledger) == whole, "cut after \(line)")
        }
    }

    @Test func `a ledger cut before the older snapshot is refused, and moving it away helps`() throws {
        let saved = try run()
        try cut(after: saved[1] - 1)
        let error = #expect(throws: StateError.self) { try resumed(in: StateFolder(state)) }
        #expect(error == .ledgerTooShort(path: ledger, last: saved[1] - 1, saved: saved[1]))
        #expect(error?.description.hasSuffix("; move the file away to continue in a new one") == true)
        try Folder.rename(ledger, to: ledger + ".old")
        let stand = try resumed(in: StateFolder(state))
        #expect(stand.warnings == ["\(ledger): begins with line \(saved[2] + 1)"])
    }
}
