import Platform

/// A state as it was found: a snapshot, and the changes after it.
package struct FoundState {
    package var saved: SavedStand
    /// The snapshot's.
    package var generation: UInt64
    /// The generation of the journal that is continued; 0 if there is none.
    package var lastJournal: UInt64 = 0
    package var records: [JournalRecord] = []
    /// Bytes of the last journal up to the end of its last whole line, and after it.
    package var length = 0
    package var tail = 0
    /// Why newer snapshots could not be used.
    package var warnings: [String] = []

    /// The snapshot to begin with.
    package enum Start {
        case newest
        /// To replay as much as possible.
        case oldest
    }

    /// Reads the state in `folder`; nil if none was begun there.
    ///
    /// - Throws: ``StateError`` if it is damaged in a way that loses something.
    package static func read(_ folder: String, from start: Start = .newest) throws(StateError) -> FoundState? {
        let files = try StateError.unified { try StateFiles(folder) }
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
        // A power cut may bring back a removed snapshot without its journals.
        let whole = files.snapshots.filter { files.isFollowed($0) || $0 == files.snapshots.last }
        for generation in start == .newest ? files.snapshots.reversed() : whole {
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

    /// Reads the journals from the snapshot's on, which must follow each other without a gap.
    private mutating func readJournals(_ files: StateFiles) throws(StateError) {
        var journals: [(path: String, number: UInt64, journal: Journal)] = []
        var next = saved.cache.made + 1
        for number in generation...max(generation, files.journals.last ?? generation) {
            let path = files.journal(number)
            guard files.journals.contains(number) else { throw .damaged(place: path, reason: "is missing") }
            let journal = try Journal(StateFiles.read(path), generation: number, source: path, next: next)
            if let damage = journal.damage { throw damage }
            next = journal.next ?? next
            journals.append((path, number, journal))
        }
        // A crash while a journal was begun: the one before it is continued.
        if journals.count > 1, journals.last!.journal.length == 0 { journals.removeLast() }
        if journals.count > 1, journals.last!.journal.isEmpty, journals[journals.count - 2].journal.tail > 0 {
            journals.removeLast()
        }
        // Every journal but the last was whole on the disk before the next was begun.
        for (path, _, journal) in journals.dropLast() where journal.tail > 0 || journal.length == 0 {
            throw .damaged(place: "\(path): byte \(journal.length)", reason: "is cut, but there are later journals")
        }
        records = journals.flatMap(\.journal.records)
        lastJournal = journals.last!.number
        (length, tail) = (journals.last!.journal.length, journals.last!.journal.tail)
    }
}
