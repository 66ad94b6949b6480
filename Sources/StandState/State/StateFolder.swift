import Dispatch
import JuiceStand
import Platform

/// The state of a running stand on the disk: what makes a change last.
///
/// Journal and snapshots are written on queues of their own, so that a slow disk holds up nobody but those who wait for
/// it.
package final class StateFolder: Sendable {
    package let path: String
    private let lock: DiskFile
    private let journalQueue = DispatchQueue(label: "journal")
    private let snapshotQueue = DispatchQueue(label: "snapshot")
    private let journal: Guarded<Writing>
    private let known = Guarded(Known())
    /// Why the last write of each kind failed.
    private let failures = Guarded(Failures())

    private struct Writing {
        var file: DiskFile?
        var generation: UInt64 = 0
        /// Bytes that are whole; what is behind them is no part of the journal.
        var length = 0
        /// Of these, bytes that are known to be on the disk.
        var synchronized = 0
        /// Whether more than these may be found there, or less than ``length``.
        var isInDoubt = false
    }

    /// What can be asked of the journal while it is being written.
    private struct Known {
        var length = 0
        var isInDoubt = false
    }

    private struct Failures {
        var journal: FileError?
        var snapshot: FileError?
        var isSaving = false
    }

    deinit {
        // A process that is being made elsewhere in the program holds the file open for an instant, and so the lock.
        lock.unlock()
    }

    /// Takes hold of a folder, which is made where it is missing.
    ///
    /// - Throws: ``StateError``, also where another process has it.
    package init(_ path: String) throws(StateError) {
        self.path = path
        journal = Guarded(Writing())
        do {
            try Folder.make(path)
            lock = try DiskFile("\(path)/lock", .readingAndAppending)
            guard try lock.lock() else {
                let holder = String(decoding: try lock.read(at: 0, count: 20), as: UTF8.self)
                throw StateError.inUse(folder: path, process: Int(holder.prefix { $0.isNumber }).map { "\($0)" })
            }
            try lock.truncate(to: 0)
            try lock.append(Array("\(getpid())\n".utf8))
        } catch let error as StateError {
            throw error
        } catch let error as FileError {
            throw .system(error)
        } catch {
            fatalError("\(error)")
        }
    }

    /// Begins with the first snapshot, of a stand that is not open.
    package func begin(_ saved: SavedStand) throws(StateError) {
        do throws(FileError) {
            try withJournal { writing throws(FileError) in try rotate(&writing, to: 1) }
            try write(saved, generation: 1)
        } catch {
            throw .system(error)
        }
    }

    /// Goes on with the journal of a state that was found, and cuts its tail.
    package func goOn(_ found: FoundState) throws(StateError) {
        do throws(FileError) {
            let files = try names()
            let file = try DiskFile(files.journal(found.lastJournal), .appending)
            if found.tail > 0 { try file.truncate(to: found.length) }
            var writing = Writing(
                file: file, generation: found.lastJournal, length: found.length, synchronized: found.length)
            // On a disk that fails the stand goes on all the same, and changes are refused until it is well.
            do throws(FileError) { try file.synchronize() } catch {
                writing.isInDoubt = true
                failures.withLock { $0.journal = error }
            }
            if found.length == 0 { try rotate(&writing, to: found.lastJournal) }
            withJournal { $0 = writing }
        } catch {
            throw .system(error)
        }
    }

    private func names() throws(FileError) -> StateFiles {
        do { return try StateFiles(path) } catch {
            if case .system(let error) = error { throw error }
            throw FileError(path: path, reason: "\(error)")
        }
    }

    /// Why the state can't be kept up; empty where it can.
    package var causes: [String] {
        failures.withLock { failures in
            [("journal", failures.journal), ("snapshot", failures.snapshot)].compactMap { name, failure in
                failure.map { "\(name): \($0.path): \($0.reason)" }
            }
        }
    }
}

// MARK: - The journal

extension StateFolder {
    /// Writes records one after the other.
    ///
    /// - Parameters:
    ///   - isDurable: Whether they must be on the disk before `then`.
    ///   - then: Called on a queue of the folder's: nil, or why they are no part of the journal.
    package func append(
        _ records: [JournalRecord], isDurable: Bool, then: @escaping @Sendable (FileError?) -> Void = { _ in }
    ) {
        let bytes = records.flatMap(\.line)
        journalQueue.async {
            let failure = self.withJournal { writing in self.append(bytes, isDurable, &writing) }
            // Only what lasts shows that the disk is well again.
            if isDurable || failure != nil { self.failures.withLock { $0.journal = failure } }
            then(failure)
        }
    }

    private func append(_ bytes: [UInt8], _ isDurable: Bool, _ writing: inout Writing) -> FileError? {
        guard let file = writing.file else { return FileError(path: path, reason: "there is no journal") }
        do throws(FileError) {
            if writing.isInDoubt { try Self.cut(file, &writing) }
            try file.append(bytes)
            if isDurable { try file.synchronize() }
            writing.length += bytes.count
            if isDurable { writing.synchronized = writing.length }
            return nil
        } catch {
            writing.isInDoubt = true
            // Where even that fails, it is tried again before the next record is written.
            do throws(FileError) { try Self.cut(file, &writing) } catch { return error }
            return error
        }
    }

    /// Cuts what is not known to be on the disk, and has that last: what was refused must not be found after a crash, and
    /// what came before a write to the disk that failed may be lost there, whatever a later one says. That can only be
    /// marks, since all else is on the disk before anybody relies on it.
    private static func cut(_ file: DiskFile, _ writing: inout Writing) throws(FileError) {
        try file.truncate(to: writing.synchronized)
        try file.synchronize()
        writing.length = writing.synchronized
        writing.isInDoubt = false
    }

    /// Whether something that was refused may still be found in the journal after a crash.
    package var isInDoubt: Bool { known.withLock { $0.isInDoubt } }
    /// Bytes of the journal of now.
    package var journalLength: Int { known.withLock { $0.length } }

    /// Works on the journal, and lets those know of it who may not wait for a disk.
    private func withJournal<Result, Failure: Error>(
        _ body: (inout Writing) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try journal.withLock { writing throws(Failure) in
            defer {
                let now = Known(length: writing.length, isInDoubt: writing.isInDoubt)
                known.withLock { $0 = now }
            }
            return try body(&writing)
        }
    }

    /// Begins a journal of its own for a generation, when the one before it is whole on the disk.
    ///
    /// Where it fails on the way, a journal is left that has no first line, and so is none: see ``FoundState``.
    private func rotate(_ writing: inout Writing, to generation: UInt64) throws(FileError) {
        if let old = writing.file, writing.isInDoubt || writing.synchronized < writing.length {
            if writing.isInDoubt { try Self.cut(old, &writing) }
            do throws(FileError) { try old.synchronize() } catch {
                writing.isInDoubt = true
                throw error
            }
            writing.synchronized = writing.length
        }
        let name = try names().journal(generation)
        let file = try DiskFile(name, .writingAnew)
        let header = Journal.header(generation: generation)
        try file.append(header)
        try file.synchronize()
        try synchronizeFolder(path)
        writing = Writing(
            file: file, generation: generation, length: header.count, synchronized: header.count)
    }
}

// MARK: - Snapshots

extension StateFolder {
    /// Saves the stand as it is, between two changes: those that follow go into a new journal.
    ///
    /// - Parameters:
    ///   - files: Of the ledger: what the snapshot builds on must be on the disk before it.
    ///   - then: Called on a queue of the folder's.
    /// - Returns: whether it was begun; one is written at a time.
    package func save(_ saved: SavedStand, after files: [DiskFile], then: @escaping @Sendable (FileError?) -> Void)
        -> Bool
    {
        let isFree = failures.withLock { failures in
            defer { failures.isSaving = true }
            return !failures.isSaving
        }
        guard isFree else { return false }
        let end: @Sendable (FileError?) -> Void = { failure in
            self.failures.withLock {
                $0.isSaving = false
                $0.snapshot = failure
            }
            then(failure)
        }
        journalQueue.async {
            let generation: UInt64
            do throws(FileError) {
                generation = try self.withJournal { writing throws(FileError) in
                    let next = writing.generation + 1
                    try self.rotate(&writing, to: next)
                    return next
                }
            } catch {
                return end(error)
            }
            self.snapshotQueue.async {
                do throws(FileError) {
                    try DiskFile.synchronize(files)
                    try self.write(saved, generation: generation)
                    end(nil)
                } catch {
                    end(error)
                }
            }
        }
        return true
    }

    /// Aside, then renamed; what two generations do not need any more is removed.
    private func write(_ saved: SavedStand, generation: UInt64) throws(FileError) {
        let files = try names()
        let path = files.snapshot(generation)
        let bytes: [UInt8]
        do { bytes = try saved.file(generation: generation) } catch {
            throw FileError(path: path, reason: "\(error)")
        }
        let aside = try DiskFile("\(self.path)/snapshot.new", .writingAnew)
        try aside.append(bytes)
        try aside.synchronize()
        try Folder.rename(aside.path, to: path)
        try synchronizeFolder(self.path)
        guard let oldest = files.snapshots.last else { return }
        for old in files.snapshots where old < oldest { try Folder.remove(files.snapshot(old)) }
        for old in files.journals where old < oldest { try Folder.remove(files.journal(old)) }
    }

    /// Does what is still to be done and lets go of the folder.
    package func close() {
        journalQueue.sync {}
        snapshotQueue.sync {}
        lock.unlock()
    }
}
