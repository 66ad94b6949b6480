import JuiceStand
import Platform
import TextFormats

/// Mends a damaged state as far as it can be mended, and keeps the original beside it.
///
/// What is behind a damaged record can't be trusted, since each change builds on those before it: it is left out, and
/// counted. A damaged snapshot is left out where an older one is whole.
package struct StateRepair: Sendable {
    /// Where the original is; nil where nothing had to be mended.
    package private(set) var original: String?
    /// What was done, a line each.
    package private(set) var steps: [String] = []
    /// Whole changes that are left out.
    package private(set) var changesLost = 0

    /// - Throws: ``StateError``, also where nothing can be mended.
    package init(_ folder: String) throws(StateError) {
        guard try !StateFiles(folder).isEmpty else { throw .damaged(place: folder, reason: "holds no state") }
        // Held, so that nobody else changes it meanwhile.
        let lock = try StateFolder(folder)
        defer { withExtendedLifetime(lock) {} }
        let files = try StateFiles(folder)
        var whole: (generation: UInt64, saved: SavedStand)?
        var damaged: [UInt64] = []
        for generation in files.snapshots.reversed() where whole == nil {
            do {
                whole = (generation, try SavedStand(file: files.snapshot(generation), generation: generation))
            } catch {
                if case .otherSchema = error { throw error }
                damaged.append(generation)
                steps.append("\(error)".split(separator: ";").first.map(String.init) ?? "\(error)")
            }
        }
        guard let whole else {
            throw .damaged(place: folder, reason: "no snapshot is whole, so nothing can be mended")
        }
        let mended = try mend(files, from: whole.generation, next: whole.saved.desk.made + 1)
        guard !damaged.isEmpty || !mended.isEmpty else { return }
        do throws(FileError) {
            original = try Self.copy(folder)
            for generation in damaged { try Folder.remove(files.snapshot(generation)) }
            for (path, bytes) in mended {
                guard let bytes else {
                    try Folder.remove(path)
                    continue
                }
                let aside = try DiskFile("\(folder)/journal.new", .writingAnew)
                try aside.append(bytes)
                try aside.synchronize()
                try Folder.rename(aside.path, to: path)
            }
            try synchronizeFolder(folder)
        } catch {
            throw .system(error)
        }
    }

    /// - Returns: the journals that change and what they are to hold; nil where they go.
    private mutating func mend(
        _ files: StateFiles, from generation: UInt64, next: UInt64
    ) throws(StateError) -> [(path: String, bytes: [UInt8]?)] {
        var mended: [(path: String, bytes: [UInt8]?)] = []
        var next = next
        var isBroken = false
        var expected = generation
        for journal in files.journals where journal >= generation {
            let path = files.journal(journal)
            let bytes: [UInt8]
            do { bytes = try readFile(path) } catch { throw .system(error) }
            if journal != expected { isBroken = true }
            expected = journal + 1
            let (length, lost) = isBroken ? (0, Self.changes(bytes[...])) : Self.wholeLength(bytes, journal, &next)
            if length == bytes.count { continue }
            let isLast = journal == files.journals.last
            changesLost += isBroken ? lost : Self.changes(bytes[length...])
            if isBroken {
                steps.append("\(path): can't be used without what is missing before it, and is left out")
                mended.append((path, nil))
            } else {
                steps.append(
                    "\(path): byte \(length): cut, and \(Columns.counted(bytes.count - length, "byte")) left out")
                mended.append((path, length == 0 ? Journal.header(generation: journal) : Array(bytes[..<length])))
                isBroken = !isLast
            }
        }
        if expected == generation {
            let path = files.journal(generation)
            steps.append("\(path): is missing, and begins anew")
            mended.append((path, Journal.header(generation: generation)))
        }
        return mended
    }

    /// Bytes up to the first record that is damaged or out of turn.
    private static func wholeLength(_ bytes: [UInt8], _ generation: UInt64, _ next: inout UInt64) -> (Int, Int) {
        var start = 0
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if start == 0 {
                guard bytes[...end].elementsEqual(Journal.header(generation: generation)) else { break }
            } else {
                guard let record = ChecksummedLine.text(bytes[start..<end]).flatMap(JournalRecord.init) else { break }
                if case .change(let number, _, _, _) = record {
                    guard number == next else { break }
                    next += 1
                }
            }
            start = end + 1
        }
        return (start, 0)
    }

    /// Whole changes.
    private static func changes(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.split(separator: UInt8(ascii: "\n")).count { line in
            if case .change? = ChecksummedLine.text(line).flatMap(JournalRecord.init) { true } else { false }
        }
    }

    /// A copy of everything in the folder, beside it.
    private static func copy(_ folder: String) throws(FileError) -> String {
        var number = 1
        var copy: String
        repeat {
            copy = "\(folder.hasSuffix("/") ? String(folder.dropLast()) : folder).original-\(number)"
            number += 1
        } while isThere(copy)
        try Folder.make(copy)
        for name in try Folder.names(in: folder) where name != "lock" {
            let file = try DiskFile("\(copy)/\(name)", .writingAnew)
            try file.append(try readFile("\(folder)/\(name)"))
            try file.synchronize()
        }
        try synchronizeFolder(copy)
        return copy
    }

    private static func isThere(_ path: String) -> Bool {
        do throws(FileError) { _ = try Folder.names(in: path) } catch { return !error.isMissing }
        return true
    }
}
