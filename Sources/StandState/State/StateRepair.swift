import JuiceStand
import Platform
import TextFormats

/// Repairs a damaged state as far as possible, and keeps the original beside it.
///
/// Each change builds on those before it, so a damaged record is dropped with everything after it. A damaged snapshot
/// is dropped if an older one is whole.
package struct StateRepair: Sendable {
    /// The folder of the original; nil if there was nothing to repair.
    package private(set) var original: String?
    /// The steps of the repair, one a line.
    package private(set) var steps: [String] = []
    /// Whole changes that are dropped.
    package private(set) var changesLost = 0

    /// - Throws: ``StateError``, also if nothing can be repaired.
    package init(_ folder: String) throws(StateError) {
        let files = try StateError.unified { try StateFiles(folder) }
        guard !files.isEmpty else { throw .damaged(place: folder, reason: "holds no state") }
        // Locked, so that no stand uses it meanwhile.
        let lock = try StateFolder(folder)
        defer { withExtendedLifetime(lock) {} }
        let (whole, damaged) = try files.firstWhole(of: files.snapshots.reversed())
        guard let whole else {
            throw .damaged(place: folder, reason: "no snapshot is whole, so nothing can be repaired")
        }
        for (_, error) in damaged {
            // The error without the advice behind its semicolon.
            steps.append("\(error)".split(separator: ";").first.map(String.init) ?? "\(error)")
        }
        let repaired = try repair(files, from: whole.generation, next: whole.saved.cache.made + 1)
        guard !damaged.isEmpty || !repaired.isEmpty else { return }
        original = try StateError.unified {
            let original = try Self.copy(folder)
            for (generation, _) in damaged { try Folder.remove(files.snapshot(generation)) }
            for (path, bytes) in repaired {
                guard let bytes else {
                    try Folder.remove(path)
                    continue
                }
                var file = try ReplacedFile(path, mode: 0o600)
                try file.finish(bytes)
            }
            try Folder.synchronize(folder)
            return original
        }
    }

    /// - Returns: the journals that change, each with its new content; nil if the journal is removed.
    private mutating func repair(
        _ files: StateFiles, from generation: UInt64, next: UInt64
    ) throws(StateError) -> [(path: String, bytes: [UInt8]?)] {
        var repaired: [(path: String, bytes: [UInt8]?)] = []
        var next = next
        // The generation whose journal goes on where the one before it ends; nil after the first damage.
        var expected: UInt64? = generation
        for number in files.journals where number >= generation {
            let path = files.journal(number)
            let journal = try Journal(StateFiles.read(path), generation: number, source: path, next: next)
            guard number == expected else {
                expected = nil
                changesLost += Self.changes(journal.bytes[...])
                steps.append("\(path): dropped, because changes before it are missing")
                repaired.append((path, nil))
                continue
            }
            next = journal.next ?? next
            expected = number + 1
            let length = journal.length
            if journal.tail == 0 { continue }
            if number != files.journals.last { expected = nil }
            changesLost += Self.changes(journal.bytes[length...])
            steps.append("\(path): byte \(length): dropped \(Columns.counted(journal.tail, "byte"))")
            let header = Journal.header(generation: number)
            repaired.append((path, length == 0 ? header : Array(journal.bytes[..<length])))
        }
        if expected == generation {
            let path = files.journal(generation)
            steps.append("\(path): was missing; begun anew")
            repaired.append((path, Journal.header(generation: generation)))
        }
        return repaired
    }

    /// The number of whole changes.
    private static func changes(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.split(separator: UInt8(ascii: "\n")).count { line in
            if case .change? = ChecksummedLine.text(line).flatMap(JournalRecord.init) { true } else { false }
        }
    }

    /// Copies everything in the folder beside it.
    private static func copy(_ folder: String) throws(FileError) -> String {
        var number = 1
        var copy: String
        repeat {
            copy = "\(folder.hasSuffix("/") ? String(folder.dropLast()) : folder).original-\(number)"
            number += 1
        } while unsafe access(copy, F_OK) == 0
        try Folder.make(copy)
        for name in try Folder.names(in: folder) where name != "lock" {
            let original = try DiskFile("\(folder)/\(name)", .reading)
            let file = try DiskFile("\(copy)/\(name)", .replacing)
            try file.append(try original.read(at: 0, count: original.size()))
            try file.synchronize()
        }
        try Folder.synchronize(copy)
        return copy
    }
}
