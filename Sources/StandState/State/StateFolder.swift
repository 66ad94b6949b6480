import Dispatch
import JuiceStand
import Platform

/// The state of a running stand on the disk, which makes changes durable.
///
/// Journal and snapshots are written on queues of their own, so that a slow disk delays only those who wait for it.
package final class StateFolder: Sendable {
    package let path: String
    /// The disk through which state and ledger are written.
    package let disk: any Disk
    private let lock: DiskFile
    private let journalQueue = DispatchQueue(label: "journal")
    private let snapshotQueue = DispatchQueue(label: "snapshot")
    private let journal = Guarded(Writing())
    private let known = Guarded(Known())
    let past: Guarded<PastFiles>

    private struct Writing {
        var file: DiskFile?
        var generation: UInt64 = 0
        /// Bytes of whole records.
        var length = 0
        /// Bytes of whole records that are known to be on the disk.
        var synchronized = 0
        /// Whether the disk may hold more than ``synchronized`` bytes, or fewer than ``length``.
        var isInDoubt = false
    }

    /// The progress and the failures of writes.
    private struct Known {
        /// Calls of ``record(_:isDurable:then:)`` that wait for the disk.
        var appends = 0
        /// Why the last write of each kind failed.
        var journalFailure: FileError?
        var snapshotFailure: FileError?
        var isSaving = false
        var isSavingStopped = false
    }

    /// Locks a folder, which is created if it is missing.
    ///
    /// - Throws: ``StateError``, also if another stand uses it, or if others could put files there.
    package init(_ path: String, on disk: any Disk = SystemDisk()) throws(StateError) {
        self.path = path
        self.disk = disk
        past = Guarded(PastFiles(path, on: disk))
        let holder: String?
        do throws(FileError) {
            try Folder.make(path, on: disk)
            try Folder.checkIsPrivate(path)
            lock = try DiskFile("\(path)/lock", .appending, on: disk)
            holder = try lock.lock()
        } catch {
            throw .system(error)
        }
        if let holder { throw .inUse(folder: path, by: holder) }
    }

    /// Begins a state, with a snapshot of a stand that is not open.
    package func begin(_ saved: StateSnapshot) throws(StateError) {
        try StateError.unified {
            try withJournal { writing throws(FileError) in try rotate(&writing, to: 1) }
            try write(saved, generation: 1)
        }
    }

    /// Continues the journal of a state that was found, and cuts its tail.
    package func goOn(_ found: FoundState) throws(StateError) {
        try StateError.unified {
            let journal = found.journal
            let file = try DiskFile(journal.path, .appending, on: disk)
            if journal.tail > 0 { try file.truncate(to: journal.length) }
            var writing = Writing(
                file: file, generation: journal.generation, length: journal.length, synchronized: journal.length)
            // On a disk that fails the stand runs all the same, and refuses changes until writes succeed.
            do throws(FileError) { try file.synchronize() } catch {
                writing.isInDoubt = true
                known.withLock { $0.journalFailure = error }
            }
            // A journal may have been begun in vain, so that neither its name nor its first line is on the disk.
            if journal.length == 0 || journal.records.isEmpty && !writing.isInDoubt {
                try rotate(&writing, to: journal.generation)
            }
            withJournal { $0 = writing }
        }
    }

    /// Why changes or snapshots can't be written; empty if they can.
    package var causes: [String] {
        known.withLock { [("journal", $0.journalFailure), ("snapshot", $0.snapshotFailure)] }.compactMap {
            name, failure in failure.map { "\(name): \($0.path): \($0.reason)" }
        }
    }
}

// MARK: - The journal

extension StateFolder {
    /// Writes records in order.
    ///
    /// - Parameters:
    ///   - isDurable: Whether they must be on the disk before `then`.
    ///   - then: Called on a queue of the folder's: nil, or why they are not in the journal.
    package func record(
        _ records: [JournalRecord], isDurable: Bool, then: @escaping @Sendable (FileError?) -> Void = { _ in }
    ) {
        let bytes = records.flatMap(\.line)
        known.withLock { $0.appends += 1 }
        journalQueue.async {
            let failure = self.withJournal { writing in self.append(bytes, isDurable, &writing) }
            self.known.withLock { known in
                known.appends -= 1
                // Only a durable write shows that writes succeed again.
                if isDurable || failure != nil { known.journalFailure = failure }
            }
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
            // If even that fails, the next write tries again.
            do throws(FileError) { try Self.cut(file, &writing) } catch { return error }
            return error
        }
    }

    /// Cuts the records that are not known to be on the disk, durably.
    ///
    /// A refused change must not be found after a crash. After a failed `fsync`, earlier writes may be lost although a
    /// later one succeeds; these can only be marks, because changes are on the disk before they are acknowledged.
    private static func cut(_ file: DiskFile, _ writing: inout Writing) throws(FileError) {
        try file.truncate(to: writing.synchronized)
        try file.synchronize()
        writing.length = writing.synchronized
        writing.isInDoubt = false
    }

    /// Whether a refused change may still be found in the journal after a crash.
    package var isInDoubt: Bool { journal.withLock { $0.isInDoubt } }
    /// Bytes of the present journal.
    package var journalLength: Int { journal.withLock { $0.length } }
    /// Whether records are still on their way to the disk.
    package var isAppending: Bool { known.withLock { $0.appends > 0 } }

    /// Works on the journal: before the stand runs, or on the journal's queue. The lock is free meanwhile, so that
    /// readers of the journal's length need not wait.
    private func withJournal<Result, Failure: Error>(
        _ body: (inout Writing) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var writing = journal.withLock { $0 }
        defer { _ = journal.exchange(\.self, for: writing) }
        return try body(&writing)
    }

    /// Begins the journal of a generation, when the one before it is whole on the disk.
    ///
    /// A failure on the way leaves a journal without a first line, which ``FoundState`` leaves out.
    private func rotate(_ writing: inout Writing, to generation: UInt64) throws(FileError) {
        if let old = writing.file, writing.isInDoubt || writing.synchronized < writing.length {
            if writing.isInDoubt { try Self.cut(old, &writing) }
            do throws(FileError) { try old.synchronize() } catch {
                writing.isInDoubt = true
                throw error
            }
            writing.synchronized = writing.length
        }
        let name = try StateFiles(path).journal(generation)
        let file = try DiskFile(name, .replacing, on: disk)
        let header = Journal.header(generation: generation)
        try file.append(header)
        try file.synchronize()
        try Folder.synchronize(path, on: disk)
        writing = Writing(
            file: file, generation: generation, length: header.count, synchronized: header.count)
    }
}

// MARK: - Snapshots

extension StateFolder {
    /// Saves the stand as it is between two changes; later changes go into a new journal.
    ///
    /// - Parameters:
    ///   - time: Stand time, which may be later than the stand's last event. The journal is marked with it.
    ///   - ledger: The snapshot builds on its lines, so they must be on the disk before it.
    ///   - then: Called on a queue of the folder's, unless the snapshot is given up.
    /// - Returns: false if a snapshot is being written already, or after ``stopSaving()``.
    package func save(
        _ saved: StateSnapshot, at time: SimulationTime, after ledger: LedgerFile?,
        then: @escaping @Sendable (FileError?) -> Void
    ) -> Bool {
        guard !known.exchange(\.isSaving, for: true), !isSavingStopped else { return false }
        let end: @Sendable (FileError?) -> Void = { failure in
            self.known.withLock {
                $0.isSaving = false
                $0.snapshotFailure = failure
            }
            then(failure)
        }
        journalQueue.async {
            if self.isSavingStopped { return }
            let generation: UInt64
            do throws(FileError) {
                generation = try self.withJournal { writing throws(FileError) in
                    let next = writing.generation + 1
                    try self.rotate(&writing, to: next)
                    if let failure = self.append(JournalRecord.mark(at: time).line, true, &writing) { throw failure }
                    return next
                }
            } catch {
                return end(error)
            }
            self.snapshotQueue.async {
                do throws(FileError) {
                    try ledger?.synchronize()
                    try self.past.withLock { past throws(FileError) in try past.append(saved.newChanges) }
                    if try self.write(saved, generation: generation) { end(nil) }
                } catch {
                    end(error)
                }
            }
        }
        return true
    }

    /// Saves nothing more, and gives up a snapshot that is not whole. The journal then has the disk for itself.
    package func stopSaving() { known.withLock { $0.isSavingStopped = true } }

    private var isSavingStopped: Bool { known.withLock { $0.isSavingStopped } }

    /// Writes a snapshot, and removes the files that two generations do not need.
    ///
    /// - Returns: Whether it was not given up.
    @discardableResult
    private func write(_ saved: StateSnapshot, generation: UInt64) throws(FileError) -> Bool {
        let files = try StateFiles(path)
        let path = files.snapshot(generation)
        let bytes = saved.file(generation: generation)
        var file = try ReplacedFile(path, aside: "\(self.path)/snapshot.new", mode: 0o600, on: disk)
        guard try file.finish(bytes, while: { !isSavingStopped }) else { return false }
        guard let oldest = files.snapshots.last else { return true }
        for old in files.snapshots where old < oldest {
            try past.withLock { past throws(FileError) in try past.keep(old) }
        }
        for old in files.journals where old < oldest { try Folder.remove(files.journal(old), on: disk) }
        return true
    }

    /// Finishes what is being written, and unlocks the folder.
    package func close() {
        journalQueue.sync {}
        snapshotQueue.sync {}
        lock.unlock()
    }
}
