import JuiceStand
import Platform

/// The files of a state: snapshots and journals, in generations.
///
/// `snapshot-N` is a stand as it was saved, `journal-N` holds what was changed after it. A new generation begins with
/// its journal; the snapshot follows when it is written. Two snapshots are kept, and the journals from the older one
/// on, so that a damaged one costs nothing.
package struct StateFiles {
    package let folder: String
    package private(set) var snapshots: [UInt64] = []
    package private(set) var journals: [UInt64] = []

    /// - Throws: ``StateError`` where the folder can't be read.
    package init(_ folder: String) throws(StateError) {
        self.folder = folder
        do {
            for name in try Folder.names(in: folder) {
                if let generation = Self.generation(name, "snapshot-") { snapshots.append(generation) }
                if let generation = Self.generation(name, "journal-") { journals.append(generation) }
            }
        } catch {
            throw .system(error)
        }
        snapshots.sort()
        journals.sort()
    }

    package var isEmpty: Bool { snapshots.isEmpty && journals.isEmpty }

    package func snapshot(_ generation: UInt64) -> String { "\(folder)/snapshot-\(Self.digits(generation))" }
    package func journal(_ generation: UInt64) -> String { "\(folder)/journal-\(Self.digits(generation))" }

    private static func digits(_ generation: UInt64) -> String {
        let text = String(generation)
        return String(repeating: "0", count: max(0, 12 - text.count)) + text
    }

    private static func generation(_ name: String, _ prefix: String) -> UInt64? {
        guard name.hasPrefix(prefix), let generation = UInt64(name.dropFirst(prefix.count)),
            name == prefix + digits(generation)
        else { return nil }
        return generation
    }
}

/// A state as it was found: a snapshot, and all that was changed after it.
package struct FoundState {
    package var saved: SavedStand
    /// Of the snapshot that is used.
    package var generation: UInt64
    /// Of the journal that is written on; 0 where there is none.
    package var lastJournal: UInt64 = 0
    package var records: [JournalRecord] = []
    /// Bytes of the last journal up to the end of its last whole record, and after it.
    package var length = 0
    package var tail = 0
    /// Snapshots that could not be used, each with the reason.
    package var warnings: [String] = []

    /// Which snapshot to go by.
    package enum Start {
        /// The last whole one.
        case newest
        /// The first, to do as much over again as there is.
        case oldest
    }

    /// Reads the state in `folder`; nil where none has been begun.
    ///
    /// - Throws: ``StateError`` where it is damaged in a way that loses something.
    package static func read(_ folder: String, from start: Start = .newest) throws(StateError) -> FoundState? {
        let files = try StateFiles(folder)
        guard !files.snapshots.isEmpty else {
            // The first journal is there before the first snapshot.
            guard files.journals.allSatisfy({ $0 <= 1 }) else {
                throw .damaged(place: folder, reason: "holds journals and no snapshot")
            }
            return nil
        }
        var found = try snapshot(files, start)
        try found.readJournals(files)
        return found
    }

    private static func snapshot(_ files: StateFiles, _ start: Start) throws(StateError) -> FoundState {
        var failures: [StateError] = []
        for generation in start == .newest ? files.snapshots.reversed() : files.snapshots {
            do {
                let saved = try SavedStand(file: files.snapshot(generation), generation: generation)
                return FoundState(saved: saved, generation: generation, warnings: failures.map(\.description))
            } catch {
                if case .otherSchema = error { throw error }
                failures.append(error)
            }
        }
        throw failures[0]
    }

    private mutating func readJournals(_ files: StateFiles) throws(StateError) {
        let journals = try whole(files)
        var next = saved.desk.made + 1
        for (place, (number, journal)) in journals.enumerated() {
            let path = files.journal(number)
            // Every journal but the last was whole on the disk before the next was begun.
            if journal.tail > 0 || journal.length == 0, place < journals.count - 1 {
                throw .damaged(place: "\(path): byte \(journal.length)", reason: "is cut, and there are later journals")
            }
            for record in journal.records {
                if case .change(let number, _, _, _) = record {
                    guard number == next else {
                        throw .damaged(place: path, reason: "the next change must be number \(next), found \(number)")
                    }
                    next += 1
                }
            }
            records += journal.records
            (lastJournal, length, tail) = (number, journal.length, journal.tail)
        }
    }

    /// The journals from the snapshot's on, without a gap.
    private func whole(_ files: StateFiles) throws(StateError) -> [(number: UInt64, journal: Journal)] {
        guard files.journals.contains(generation) else {
            throw .damaged(place: files.journal(generation), reason: "is missing")
        }
        var journals: [(number: UInt64, journal: Journal)] = []
        for number in files.journals where number >= generation {
            let expected = generation + UInt64(journals.count)
            guard number == expected else { throw .damaged(place: files.journal(expected), reason: "is missing") }
            let path = files.journal(number)
            let bytes: [UInt8]
            do { bytes = try readFile(path) } catch { throw .system(error) }
            journals.append((number, try Journal(bytes, generation: number, source: path)))
        }
        // One that was not begun, or not for good: what came went on in the one before it.
        if journals.count > 1, journals.last!.journal.length == 0 { journals.removeLast() }
        if journals.count > 1, journals.last!.journal.isEmpty, journals[journals.count - 2].journal.isCut {
            journals.removeLast()
        }
        return journals
    }
}
