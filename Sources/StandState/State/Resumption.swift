import JuiceStand
import Platform
import TextFormats

/// A stand that begins, or that continues after the program was down.
package struct Resumption {
    package var stand: Stand
    package var cache: IdempotencyCache
    /// The stand time at which the stand resumes; nil for a stand that is not open yet.
    package var resumesAt: SimulationTime?
    package var ledger: LedgerFile?
    /// The saved state of the stand's observers.
    package var observers: StandObservers.Memory
    /// The stand from which the replay began.
    package var copy: StandCopy
    /// The changes made since ``copy``.
    package var changes: [DatedChange] = []
    /// The figures for charts up to ``copy``; nil if the state has none.
    package var figures: ThinnedSeries<StandFigures>?
    /// What was repaired, in sentences.
    package var warnings: [String] = []

    package struct LedgerRequest {
        package var path: String
        package var whenFailing: @Sendable (FileError) -> Void

        package init(path: String, whenFailing: @escaping @Sendable (FileError) -> Void) {
            self.path = path
            self.whenFailing = whenFailing
        }
    }

    /// Begins with `settings`.
    ///
    /// - Parameter folder: The state that will build on the ledger, if there is one.
    /// - Throws: `system`, also if the ledger holds something or another stand writes it.
    package static func begin(
        _ settings: StandSettings, ledger request: LedgerRequest?, in folder: StateFolder? = nil
    ) throws(StateError) -> Resumption {
        let stand = Stand(settings)
        let observers = StandObservers(loggers: [])
        observers.begin(with: stand)
        let copy = StandCopy(stand, observers.memory, changes: 0)
        var new = Resumption(stand: stand, cache: IdempotencyCache(), observers: copy.observers, copy: copy)
        guard let request else { return new }
        let file = try StateError.unified {
            let file = try LedgerFiles.openLocked(request.path, on: folder?.disk ?? SystemDisk())
            guard try file.size() == 0 else {
                throw FileError(
                    path: request.path, reason: "is not empty; a new ledger needs a new or empty file")
            }
            return file
        }
        new.ledger = LedgerFile(file, after: 0, began: 1, whenFailing: request.whenFailing)
        return new
    }

    /// Goes on with the state in `folder`, or begins one there with `settings`.
    ///
    /// - Throws: ``StateError``. Nothing has changed then, except that the ledger of a closed stand is completed.
    package static func resume(
        _ settings: StandSettings, _ folder: StateFolder, ledger request: LedgerRequest?
    ) throws(StateError) -> Resumption {
        guard let newest = try FoundState.read(folder.path) else {
            let new = try begin(settings, ledger: request, in: folder)
            try folder.begin(StateSnapshot(new.stand, new.cache, nil, ledger: new.ledger))
            return new
        }
        do {
            return try resume(newest, folder, request)
        } catch .ledgerTooShort(let path, let last, let saved) {
            // The older snapshot may reach back far enough to write the missing lines again.
            guard var oldest = try FoundState.read(folder.path, from: .oldest), oldest.generation < newest.generation
            else { throw .ledgerTooShort(path: path, last: last, saved: saved) }
            // Stand time had come to the newer one.
            oldest.records.append(.mark(at: try newest.saved.makeStand(file: folder.path).now))
            return try resume(oldest, folder, request)
        }
    }

    private static func resume(
        _ found: FoundState, _ folder: StateFolder, _ request: LedgerRequest?
    ) throws(StateError) -> Resumption {
        var replay = try Replay(found, folder: folder.path)
        var warnings = found.warnings
        var ledger: LedgerFile?
        if let request {
            ledger = try StateError.unified { try goOn(request, &replay, found, on: folder.disk, &warnings) }
            ledger?.cutTornLine()
        } else {
            replay.run { _ in }
        }
        if replay.stand.isClosed { throw .closed(folder: folder.path, at: replay.stand.clock.present) }
        try folder.goOn(found)
        folder.forgetPast(after: replay.stand.factsAnnounced)
        if found.journal.tail > 0 {
            warnings.append(
                "the journal ended within a record, which nobody had an answer to; cut by "
                    + "\(Columns.counted(found.journal.tail, "byte"))"
            )
        }
        return Resumption(
            stand: replay.stand, cache: replay.cache, resumesAt: max(replay.latest, replay.stand.now), ledger: ledger,
            observers: replay.observers.memory, copy: replay.copy, changes: replay.made,
            figures: found.saved.shown?.figures, warnings: warnings)
    }

    /// Replays to the last whole line of the ledger, which must equal the replay's, and writes the lines after it that
    /// follow from the state.
    ///
    /// - Throws: ``StateError`` or ``FileError``.
    private static func goOn(
        _ request: LedgerRequest, _ replay: inout Replay, _ found: FoundState, on disk: any Disk,
        _ warnings: inout [String]
    ) throws -> LedgerFile {
        let sequence = replay.stand.factsAnnounced
        let file = try LedgerFiles.openLocked(request.path, on: disk)
        let known = try LedgerReading(request.path)
        if known.torn > 0 {
            warnings.append(
                "\(request.path): ended within a line; cut by \(Columns.counted(known.torn, "byte")), "
                    + "which are written again")
        }
        let older = try movedAway(request.path, before: known, replay, found, on: disk)
        let newest = known.last == nil ? older.last : known
        let last = newest?.last ?? replay.ledgerBegins.map { $0 - 1 } ?? sequence
        if last < sequence { throw StateError.ledgerTooShort(path: request.path, last: last, saved: sequence) }
        if newest == nil, replay.ledgerBegins == nil, sequence > 0 {
            warnings.append("\(request.path): begins with line \(last + 1)")
        }
        var ends = try LedgerEnds(older + [known], last: last)
        // The replay does not make the last line of the snapshot again.
        if let line = found.saved.ledgerLine { _ = try ends.take(LedgerLines(Array("\(line)\n".utf8), from: sequence)) }
        let ledger = LedgerFile(
            file, continuing: known, after: last, line: try newest?.lastLine() ?? [],
            began: found.saved.ledgerBegan ?? older.first?.first ?? known.first ?? last + 1,
            whenFailing: request.whenFailing)
        let isReached = try replay.run(fact: last) { lines in
            let rest = try ends.take(lines)
            unsafe ledger.write(rest.bytes.span.bytes)
        }
        if replay.stand.factsAnnounced == last { try ends.compareTornLine(with: replay.nextLine) }
        guard isReached else {
            let reason = "ends with line \(last), but the state with line \(replay.stand.factsAnnounced)"
            throw StateError.foreignLedger(place: request.path, reason: reason)
        }
        let mended = try ends.mendOlderFiles(on: disk)
        for (file, isMended) in mended where isMended {
            warnings.append("\(file.path): lines that it had lost at its end are written again")
        }
        ledger.add(older: mended.map(\.file))
        return ledger
    }

    /// The files beside the ledger that have lines after the snapshot, in order: those that were moved away, and are
    /// not known to be whole on the disk.
    private static func movedAway(
        _ path: String, before known: LedgerReading, _ replay: Replay, _ found: FoundState, on disk: any Disk
    ) throws(FileError) -> [LedgerReading] {
        let sequence = replay.stand.factsAnnounced
        if let first = known.first, first <= sequence + 1 || first == replay.ledgerBegins { return [] }
        let line =
            sequence == 0
            ? replay.nextLine.map { String(decoding: $0.dropLast(), as: UTF8.self) } : found.saved.ledgerLine
        // The files before the recorded beginning are whole on the disk.
        let begins = replay.ledgerBegins.flatMap { $0 > sequence ? $0 : nil }
        var older: [LedgerReading] = []
        for file in try LedgerFiles.beside(path, on: disk).sorted(by: { $0.first! < $1.first! }) {
            guard let first = file.first, first >= begins ?? 1, first > older.last?.last ?? 0,
                file.last! < known.first ?? .max
            else { continue }
            let found = try file.line(max(sequence, 1))
            let hasLine = line != nil && found == line
            // The line of the snapshot may be in a file that is no longer here.
            let isNext = first > max(sequence, 1) && (first == begins || file.isNamed(after: path))
            if hasLine || isNext { older.append(file) }
        }
        return older
    }
}
