import Dispatch
import Foundation
import JuiceStand
import Platform
import StandState
import TestSupport
import Testing
import TextFormats

/// A stand opens only regular files of its own that no other stand uses.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct StateAccessTests {
    private let folder: TemporaryFolder
    private var ledger: String { "\(folder.path)/ledger.jsonl" }
    private var state: String { "\(folder.path)/state" }
    private var process: String { "process \(ProcessInfo.processInfo.processIdentifier)" }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func begin() throws(StateError) -> Resumption {
        try Resumption.begin(.standard, ledger: .init(path: ledger) { _ in })
    }

    private func resume() throws -> Resumption {
        try Resumption.resume(StandSettings(parsing: "{}"), StateFolder(state), ledger: nil)
    }

    @Test func `files that a crash left behind do not block a start`() throws {
        let settings = try StandSettings(parsing: "{}")
        let stand = StateSnapshot(Stand(settings), IdempotencyCache(), nil, ledger: nil)
        try Folder.make(state)
        for start in 1...2 {
            var leftOver = ["snapshot.new", "instants.new", "instants", "token.new"].map { ($0, [0, 1, 2] as [UInt8]) }
            // The next journal was begun, without a line.
            if start == 2 { leftOver.append(("journal-000000000003", [])) }
            for (name, bytes) in leftOver { try DiskFile("\(state)/\(name)", .replacing).append(bytes) }
            let stateFolder = try StateFolder(state)
            _ = try Resumption.resume(settings, stateFolder, ledger: nil)
            #expect(stateFolder.save(stand, at: .zero) == nil)
            stateFolder.close()
        }
    }

    // MARK: - Locks

    @Test func `a ledger that another stand writes is refused, and its process is named`() throws {
        do {
            let first = try begin()
            let refusal = FileError(path: ledger, reason: "is in use by \(process)")
            #expect(throws: StateError.system(refusal)) { try begin() }
            #expect(throws: refusal) { try FileLineSink(newFile: ledger) }
            withExtendedLifetime(first) {}
        }
        _ = try begin()
    }

    @Test func `a ledger stays locked after it was moved away and begun anew`() throws {
        let first = try #require(try begin().ledger)
        try Folder.rename(ledger, to: ledger + ".1")
        #expect(try first.reopen() == 1)
        #expect(throws: StateError.system(FileError(path: ledger, reason: "is in use by \(process)"))) { try begin() }
        // The file was not moved, so it is continued and stays locked.
        #expect(try first.reopen() == nil)
        #expect(throws: StateError.self) { try begin() }
        // A file of somebody else is not continued.
        try Folder.rename(ledger, to: ledger + ".2")
        let other = "{\"seq\":1,\"at\":0}\n"
        _ = try folder.write(other, to: "ledger.jsonl")
        let refusal = FileError(path: ledger, reason: "is not empty; the ledger goes on in the file of before")
        #expect(throws: refusal) { try first.reopen() }
        #expect(try readFile(ledger) == Array(other.utf8))
        try Folder.remove(ledger)
        // Another stand has begun the new file first.
        let second = try begin()
        #expect(throws: FileError(path: ledger, reason: "is in use by \(process)")) { try first.reopen() }
        withExtendedLifetime(second) {}
    }

    @Test func `a moved ledger is on the disk once it is synchronized, also lines that came during the time before`()
        throws
    {
        let disk = try RecordingDisk(folder.path)
        let stateFolder = try StateFolder(state, on: disk)
        let request = Resumption.LedgerRequest(path: ledger) { Issue.record($0) }
        let file = try #require(try Resumption.begin(.standard, ledger: request, in: stateFolder).ledger)
        disk.set(.synchronizeSlowly, of: "ledger")
        let operations = disk.count
        let isSynchronized = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            do throws(FileError) { try file.synchronize() } catch { Issue.record(error) }
            isSynchronized.signal()
        }
        // The call returns later.
        try eventually("the first synchronization") { disk.count > operations }
        file.write("{\"seq\":1}\n")
        try Folder.rename(ledger, to: ledger + ".1", on: disk)
        #expect(try file.reopen() == 2)
        isSynchronized.wait(for: "the end of the first synchronization")
        try file.synchronize()
        var random = SystemRandomNumberGenerator()
        for image in PowerCuts(disk, from: disk.count, using: &random).images.keys {
            #expect(image.files["ledger.jsonl.1"] == Array("{\"seq\":1}\n".utf8))
        }
    }

    @Test func `a state that another stand uses is refused, and its process is named`() throws {
        let first = try StateFolder(state)
        #expect(throws: StateError.inUse(folder: state, by: "\(process)")) { try StateFolder(state) }
        first.close()
        _ = try StateFolder(state)
    }

    // MARK: - Links

    @Test(arguments: ["lock", "journal-000000000001", "snapshot-000000000001", "snapshot.new"])
    func `nothing in a state is opened through a link`(name: String) throws {
        try Folder.make(state)
        let other = try folder.write("other", to: "other")
        try link("../other", as: "\(state)/\(name)")
        #expect(throws: StateError.self) { try resume() }
        #expect(try readFile(other) == Array("other".utf8))
    }

    @Test func `a ledger may be a link to a file that exists, and is not created through a link`() throws {
        try link("target", as: ledger)
        #expect(
            throws: StateError.system(FileError(path: ledger, reason: "is a link to a file that is missing"))
        ) { try begin() }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/target"))
        _ = try folder.write("", to: "target")
        _ = try begin()
    }

    private func link(_ target: String, as name: String) throws {
        try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: target)
    }

    // MARK: - Owner and mode

    @Test(arguments: [0o777, 0o770, 0o702])
    func `a state in which others can write is refused`(mode: Int) throws {
        try Folder.make(state)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: state)
        let error = #expect(throws: StateError.self) { try StateFolder(state) }
        #expect(
            error?.description
                == "\(state): other users can write there (mode \(String(mode, radix: 8))); take that right away with chmod go-w"
        )
        try FileManager.default.setAttributes([.posixPermissions: mode & 0o755], ofItemAtPath: state)
        _ = try StateFolder(state)
    }

    @Test(.enabled(if: geteuid() == 0, "needs a folder of another user"))
    func `a state of another user is refused`() throws {
        try Folder.make(state)
        try FileManager.default.setAttributes([.ownerAccountID: 1234], ofItemAtPath: state)
        let error = #expect(throws: StateError.self) { try StateFolder(state) }
        #expect(
            error?.description
                == "\(state): belongs to user 1234, but user 0 runs this program; name a directory of your own, or change the owner with chown"
        )
    }

    // MARK: - Regular files

    /// Something other than a regular file.
    enum Kind: CaseIterable {
        case pipe, folder, device

        var word: String { self == .folder ? "a folder" : "a \(self)" }

        /// - Returns: its path.
        func make(at path: String) throws -> String {
            switch self {
            case .pipe: try #require(unsafe mkfifo(path, 0o600) == 0)
            case .folder: try Folder.make(path)
            case .device: return "/dev/zero"
            }
            return path
        }
    }

    @Test(arguments: Kind.allCases)
    func `a ledger, a configuration and a trace must be regular files`(kind: Kind) throws {
        let path = try kind.make(at: "\(folder.path)/it")
        let reason = "must be a regular file, found \(kind.word)"
        #expect(throws: StateError.system(FileError(path: path, reason: reason))) {
            try Resumption.begin(.standard, ledger: .init(path: path) { _ in })
        }
        #expect(throws: FileError(path: path, reason: reason)) { try FileLineSink(newFile: path) }
        #expect(throws: ConfigurationError.unreadable(path: path, reason: reason)) {
            try StandConfiguration(file: path)
        }
        #expect(throws: ConfigurationError.unreadable(path: path, reason: reason)) {
            let text = #"{"customers": {"arrivals": {"trace": {"file": "\#(path)", "time": "t", "juice": "j"}}}}"#
            _ = try StandConfiguration(Array(text.utf8), source: "test.json")
        }
        var audit = LedgerAudit()
        #expect(throws: FileError(path: path, reason: reason)) { try audit.read(file: path) }
    }

    @Test(arguments: [Kind.pipe, .folder])
    func `a snapshot that is not a regular file is left out for the one before it, and a journal is refused`(
        kind: Kind
    ) throws {
        _ = try resume()
        let snapshot = try kind.make(at: "\(state)/snapshot-000000000002")
        let reason = "must be a regular file, found \(kind.word)"
        #expect(try resume().warnings.contains { $0.contains(reason.description) })
        try FileManager.default.removeItem(atPath: snapshot)
        let journal = "\(state)/journal-000000000001"
        try Folder.remove(journal)
        _ = try kind.make(at: journal)
        #expect(throws: StateError.system(FileError(path: journal, reason: reason))) { try resume() }
    }

    @Test func `a configuration has a size limit`() throws {
        let path = try folder.write("{}", to: "stand.json")
        let file = try DiskFile(path, .appending)
        try file.truncate(to: (64 << 20) + 1)
        #expect(throws: ConfigurationError.unreadable(path: path, reason: "must have at most 64 MiB")) {
            try StandConfiguration(file: path)
        }
    }
}
