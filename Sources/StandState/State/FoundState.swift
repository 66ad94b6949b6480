import JuiceStand
import Platform

/// A state as it was found: a snapshot, and the changes after it.
package struct FoundState {
    package var saved: StateSnapshot
    /// The generation of the snapshot.
    package var generation: UInt64
    package var records: [JournalRecord] = []
    /// The journal that is continued.
    var journal: Journal
    /// Why newer snapshots could not be used.
    var warnings: [String] = []

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
        // A power cut may bring back a removed snapshot without its journals.
        let followed = files.snapshots.filter { files.isFollowed($0) || $0 == files.snapshots.last }
        let (whole, damaged) = try files.firstWhole(of: start == .newest ? files.snapshots.reversed() : followed)
        guard let whole else { throw damaged[0].error }
        let journals = try journals(files, after: whole.saved, whole.generation)
        return FoundState(
            saved: whole.saved, generation: whole.generation, records: journals.flatMap(\.records),
            journal: journals.last!, warnings: damaged.map(\.error.description))
    }

    /// Reads the journals from a snapshot's on, which must follow each other without a gap.
    private static func journals(
        _ files: StateFiles, after saved: StateSnapshot, _ first: UInt64
    ) throws(StateError) -> [Journal] {
        var journals: [Journal] = []
        for generation in first...max(first, files.journals.last ?? first) {
            let path = files.journal(generation)
            guard files.journals.contains(generation) else { throw .damaged(place: path, reason: "is missing") }
            let next = journals.last?.next ?? saved.cache.made + 1
            let journal = try Journal(StateFiles.read(path), generation: generation, source: path, next: next)
            if let damage = journal.damage { throw damage }
            journals.append(journal)
        }
        // A crash while a journal was begun: the one before it is continued.
        if journals.count > 1, journals.last!.length == 0 { journals.removeLast() }
        if journals.count > 1, journals.last!.isEmpty, journals[journals.count - 2].tail > 0 { journals.removeLast() }
        // Every journal but the last was whole on the disk before the next was begun.
        for journal in journals.dropLast() where journal.tail > 0 || journal.length == 0 {
            throw .damaged(
                place: "\(journal.path): byte \(journal.length)", reason: "is cut, but there are later journals")
        }
        return journals
    }
}

/// A stand whose program is down, read from its state. Reading changes nothing.
package struct StoppedStand {
    package let stand: Stand
    /// The stand time at which it would resume.
    package let time: SimulationTime

    /// - Throws: ``StateError``, also if a program runs the stand, or if it has closed.
    package init(_ path: String) throws(StateError) {
        // A folder that is missing must not be made.
        let isEmpty = try StateError.unified { try StateFiles(path).isEmpty }
        guard !isEmpty else { throw .system(FileError(path: path, reason: "holds no state")) }
        let folder = try StateFolder(path)
        defer { folder.close() }
        guard let found = try FoundState.read(path) else {
            throw .system(FileError(path: path, reason: "holds no state"))
        }
        var replay = try Replay(found, folder: path)
        let out = FactPublisher(WiringChoice.closure.makeWiring())
        replay.makeChanges(out)
        var stand = replay.stand
        guard !stand.isClosed else { throw .closed(folder: path, at: stand.clock.present) }
        // Events due by then happened before the program went down, or happen at once when it starts.
        if !stand.isPaused { stand.advance(to: replay.latest, out) }
        time = max(stand.now, min(replay.latest, stand.nextTime))
        self.stand = stand
    }
}
