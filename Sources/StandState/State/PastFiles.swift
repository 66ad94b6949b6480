import JuiceStand
import Platform
import TextFormats

/// The files of a state about the past: earlier snapshots, at even spacing, and all changes that were made by hand.
///
/// Only requests for instants of the past read them. If a file is missing or damaged, such requests reach back less
/// far.
package struct PastFiles: Sendable {
    /// A snapshot, by its place in the run.
    package struct Copy: Sendable, Sequenced {
        package let generation: UInt64
        package let sequence: UInt64
        package let time: SimulationTime
        package let size: Int
    }

    private let folder: String
    private let disk: any Disk
    /// The earlier snapshots; nil until they are looked up.
    private var copies: ThinnedSeries<Copy>?

    init(_ folder: String, on disk: any Disk) {
        self.folder = folder
        self.disk = disk
    }

    // MARK: - Writing

    /// Adds changes, which are on the disk when this returns.
    ///
    /// A line feed comes first, so that a line that a crash has cut does not spoil the next one.
    func append(_ new: [DatedChange]) throws(FileError) {
        guard !new.isEmpty else { return }
        let lines = new.flatMap {
            JournalRecord.change(number: $0.number, at: $0.at, making: $0.change, key: nil).line
        }
        let file = try DiskFile("\(folder)/changes", .appending, on: disk)
        try file.append([UInt8(ascii: "\n")] + lines)
        try file.synchronize()
    }

    /// Keeps a snapshot that the state itself no longer needs, or removes it.
    mutating func keep(_ generation: UInt64) throws(FileError) {
        let files = try StateFiles(folder)
        var copies = try known()
        defer { self.copies = copies }
        let path = files.snapshot(generation)
        guard let copy = try Self.copy(path, generation), copy.sequence >= copies.next else {
            return try Folder.remove(path, on: disk)
        }
        try Folder.rename(path, to: files.past(generation), on: disk)
        copies.append(copy)
        let kept = Set(copies.elements.map(\.generation))
        for old in files.pasts where !kept.contains(old) { try Folder.remove(files.past(old), on: disk) }
    }

    /// Removes the snapshots after fact `sequence`, for a repaired state that continues before them.
    mutating func forget(after sequence: UInt64) throws(FileError) {
        let files = try StateFiles(folder)
        for copy in try Self.copies(files.pasts, files.past) where copy.sequence > sequence {
            try Folder.remove(files.past(copy.generation), on: disk)
        }
        self.copies = nil
    }

    // MARK: - Reading

    /// The earlier snapshots, in order.
    mutating func known() throws(FileError) -> ThinnedSeries<Copy> {
        if let copies { return copies }
        let files = try StateFiles(folder)
        let found = try Self.copies(files.pasts, files.past)
        let span = (found.last?.sequence ?? 0) - (found.first?.sequence ?? 0)
        var copies = ThinnedSeries<Copy>(spacing: max(1, span / UInt64(max(1, found.count - 1))))
        for copy in found { copies.append(copy) }
        self.copies = copies
        return copies
    }

    /// The snapshots that the state itself needs.
    fileprivate func snapshots() throws(FileError) -> [Copy] {
        let files = try StateFiles(folder)
        return try Self.copies(files.snapshots, files.snapshot)
    }

    private static func copies(_ generations: [UInt64], _ path: (UInt64) -> String) throws(FileError) -> [Copy] {
        var found: [Copy] = []
        for generation in generations {
            if let copy = try copy(path(generation), generation) { found.append(copy) }
        }
        return found
    }

    /// Reads the first line of a snapshot; nil if an earlier version wrote it.
    private static func copy(_ path: String, _ generation: UInt64) throws(FileError) -> Copy? {
        let file = try DiskFile(path, .reading)
        let size = try file.size()
        let start = try file.read(at: 0, count: min(size, Header.longest))
        guard let end = start.firstIndex(of: UInt8(ascii: "\n")), let place = Header(start[..<end])?.place else {
            return nil
        }
        return Copy(generation: generation, sequence: place.sequence, time: place.time, size: size)
    }
}

extension StateFolder {
    /// Snapshots of the stand, in order: those of the past, and those that the state itself needs.
    package func pastCopies() throws(FileError) -> [PastFiles.Copy] {
        try past.withLock { past throws(FileError) in try past.known().elements + past.snapshots() }
    }

    /// Reads the stand of a snapshot.
    package func read(_ copy: PastFiles.Copy) throws(StateError) -> StandCopy {
        try past.withLock { past throws(StateError) in
            let files = try StateError.unified { try StateFiles(self.path) }
            let isPast = files.pasts.contains(copy.generation)
            let file = isPast ? files.past(copy.generation) : files.snapshot(copy.generation)
            return try StateSnapshot(StateFiles.read(file), source: file, generation: copy.generation).makeCopy(
                file: file)
        }
    }

    /// The changes in the file, in order. A line that is damaged is left out.
    ///
    /// A number occurs twice if a crash prevented a snapshot after its changes were written, or after a repair of the
    /// state. Then the second line counts, and the lines from the first one up to it are dropped.
    package func pastChanges() throws(FileError) -> [DatedChange] {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try readFile("\(path)/changes") } catch {
            if error.isMissing { return [] }
            throw error
        }
        var changes: [DatedChange] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let record = ChecksummedLine.text(line).flatMap { JournalRecord($0) }
            guard case .change(let number, let time, let change, _)? = record else { continue }
            while let last = changes.last, last.number >= number { changes.removeLast() }
            changes.append(DatedChange(number: number, at: time, change))
        }
        return changes
    }

    /// Removes the snapshots after fact `sequence`, for a repaired state that continues before them.
    func forgetPast(after sequence: UInt64) {
        // After a failure, the next start tries again.
        try? past.withLock { past throws(FileError) in try past.forget(after: sequence) }
    }
}
