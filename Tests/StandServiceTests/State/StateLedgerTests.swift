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
        let (logger, out) = try stand.connected()
        stand.stand.open(out)
        var saved: [UInt64] = []
        for hundreds in 1...4 {
            _ = stand.stand.advance(to: SimulationTime(seconds: Double(100 * hundreds)), out)
            logger.flush()
            guard hundreds < 4 else { break }
            saved.append(ledger.last)
            let snapshot = StateSnapshot(stand.stand, stand.cache, nil, ledger: ledger)
            #expect(stateFolder.save(snapshot, at: stand.stand.now, after: ledger) == nil)
        }
        stateFolder.close()
        return saved
    }

    private func resumed(in stateFolder: StateFolder) throws -> Resumption {
        let settings = try StandSettings(parsing: #"{"customers": {"arrivals": {"renewal": 1}}}"#)
        return try Resumption.resume(settings, stateFolder, ledger: .init(path: ledger) { Issue.record($0) })
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
            let (logger, out) = try stand.connected()
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

    // MARK: - Power cuts after the ledger was moved away

    /// What a power cut left of a file.
    enum Left: CaseIterable, Sendable {
        case missing, nothing, tornLine, zeros, someLines, all
    }

    @Test(arguments: [Left.tornLine, .zeros, .someLines, .all], Left.allCases)
    func `after a power cut every line is in the old file or in the new one`(old: Left, new: Left) throws {
        for (name, isRecorded, isMovedTwice) in [
            ("ledger.jsonl.1", false, false), ("of-before", false, false), ("of-before", true, false),
            ("ledger.jsonl.1", false, true), ("of-before", false, true),
        ] {
            // What was recorded was on the disk before.
            if isRecorded, old != .all { continue }
            let (whole, snapshot) = try runAndMove(to: name, isRecorded: isRecorded, isMovedTwice: isMovedTwice)
            let moved = "\(folder.path)/\(name)"
            try leave(old, of: moved, from: snapshot)
            try leave(new, of: ledger, from: 0)
            do {
                var stand = try resumed(in: StateFolder(state))
                let (logger, out) = try stand.connected()
                _ = stand.stand.advance(to: SimulationTime(seconds: 400), out)
                logger.flush()
            }
            #expect(try readFile(moved) + readFile(ledger) == whole, "\(name), \(isRecorded), \(isMovedTwice)")
            let audit = try StateAudit(folder: state, files: (isMovedTwice ? [elsewhere] : []) + [moved, ledger])
            #expect(audit.difference == nil && audit.began == nil)
            #expect(try StateAudit(folder: state, files: [ledger]).began == 1)
            for path in [moved, ledger, state] { try FileManager.default.removeItem(atPath: path) }
            if isMovedTwice { try FileManager.default.removeItem(atPath: elsewhere) }
        }
    }

    /// Where a file of the ledger that is not needed any more was moved.
    private var elsewhere: String { "\(folder.path)/elsewhere/ledger.jsonl.1" }

    /// Runs a stand for 400 seconds: it is saved after 100, and its ledger moved after 200.
    ///
    /// - Parameter isMovedTwice: Whether the ledger is moved elsewhere after 100 seconds, which the state records.
    /// - Returns: the lines of both files, and how many bytes of them the snapshot builds on.
    private func runAndMove(
        to name: String, isRecorded: Bool, isMovedTwice: Bool
    ) throws -> (whole: [UInt8], snapshot: Int) {
        let stateFolder = try StateFolder(state)
        var stand = try resumed(in: stateFolder)
        let ledger = try #require(stand.ledger)
        let (logger, out) = try stand.connected()
        stand.stand.open(out)
        _ = stand.stand.advance(to: SimulationTime(seconds: 100), out)
        logger.flush()
        let saved = StateSnapshot(stand.stand, stand.cache, nil, ledger: ledger)
        #expect(stateFolder.save(saved, at: stand.stand.now, after: ledger) == nil)
        if isMovedTwice {
            try Folder.make(folder.path + "/elsewhere")
            try Folder.rename(self.ledger, to: elsewhere)
            let first = try #require(try ledger.reopen())
            stateFolder.record([.ledgerBegins(sequence: first)], isDurable: true)
        }
        let snapshot = try readFile(self.ledger).count
        _ = stand.stand.advance(to: SimulationTime(seconds: 200), out)
        logger.flush()
        try Folder.rename(self.ledger, to: "\(folder.path)/\(name)")
        let first = try #require(try ledger.reopen())
        _ = stand.stand.advance(to: SimulationTime(seconds: 400), out)
        logger.flush()
        if isRecorded { stateFolder.record([.ledgerBegins(sequence: first)], isDurable: true) }
        stateFolder.close()
        return (try readFile("\(folder.path)/\(name)") + readFile(self.ledger), snapshot)
    }

    private func leave(_ what: Left, of path: String, from start: Int) throws {
        let bytes = try readFile(path)
        guard what != .missing else { return try Folder.remove(path) }
        let file = try DiskFile(path, .appending)
        let half = (start + bytes.count) / 2
        let newline = bytes[half...].firstIndex(of: UInt8(ascii: "\n"))!
        switch what {
        case .missing, .all: break
        case .nothing: try file.truncate(to: start)
        case .tornLine: try file.truncate(to: newline + 20)
        case .someLines: try file.truncate(to: newline + 1)
        case .zeros:
            try file.truncate(to: newline + 20)
            try file.append([UInt8](repeating: 0, count: 700))
        }
    }

    // MARK: - Files of others

    @Test(arguments: [
        "a note without an end of line", "a note\n", "\0\0a note", #"{"seq":1,"at":0,"event":"opened","stand":"ours"#,
        #"{"seq":7"#, "{\"seq\":1,\"at\":0,\"event\":\"opened\"}\n{\"seq\":2,",
    ])
    func `a file of somebody else is refused and not changed by one byte`(text: String) throws {
        for hasRun in [false, true] {
            if hasRun { _ = try run() }
            let path = try folder.write(text, to: "somebody")
            let settings = try StandSettings(parsing: "{}")
            #expect(throws: StateError.self) {
                try Resumption.resume(settings, StateFolder(state), ledger: .init(path: path) { _ in })
            }
            #expect(try readFile(path) == Array(text.utf8))
        }
    }
}
