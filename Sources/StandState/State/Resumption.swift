import JuiceStand
import Platform
import TextFormats

/// A stand at its beginning, or as it goes on after the program was down.
package struct Resumption {
    package var stand: Stand
    package var cache: IdempotencyCache
    /// nil for a stand that is not open yet.
    package var resumesAt: SimulationTime?
    package var ledger: LedgerFile?
    /// Facts that had been announced when the stand was last saved.
    package var factsSaved: UInt64 = 0
    /// What was repaired on the way.
    package var warnings: [String] = []

    package struct LedgerRequest {
        package var path: String
        package var rotation: LedgerRotation
        package var whenFailing: @Sendable (FileError) -> Void

        package init(
            path: String, rotation: LedgerRotation, whenFailing: @escaping @Sendable (FileError) -> Void
        ) {
            self.path = path
            self.rotation = rotation
            self.whenFailing = whenFailing
        }
    }

    /// Begins with `settings`.
    ///
    /// - Parameter hasState: Whether a state will build on the ledger.
    /// - Throws: `system`, also if the ledger holds something or another stand writes it.
    package static func begin(
        _ settings: StandSettings, ledger request: LedgerRequest?, hasState: Bool = false
    ) throws(StateError) -> Resumption {
        var new = Resumption(stand: Stand(settings), cache: IdempotencyCache())
        guard let request else { return new }
        do throws(FileError) {
            let file = try LedgerFiles.openLocked(request.path)
            guard try file.size() == 0 else {
                throw FileError(
                    path: request.path,
                    reason: "is not empty; a new ledger needs a new or empty file")
            }
            new.ledger = try makeFile(request, file, after: 0, hasState: hasState)
            return new
        } catch {
            throw .system(error)
        }
    }

    /// Goes on with the state in `folder`, or begins one there with `settings`.
    ///
    /// - Throws: ``StateError``. Nothing has changed then, except that the ledger of a closed stand is completed.
    package static func resume(
        _ settings: StandSettings, _ folder: StateFolder, ledger request: LedgerRequest?
    ) throws(StateError) -> Resumption {
        guard let newest = try FoundState.read(folder.path) else {
            let new = try begin(settings, ledger: request, hasState: true)
            try folder.begin(SavedStand(new.stand, new.cache, ledgerLine: nil))
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
        let factsSaved = replay.stand.factsAnnounced
        var warnings = found.warnings
        var ledger: LedgerFile?
        if let request {
            let continued: Result<LedgerFile, StateError>
            do throws(FileError) { continued = try goOn(request, &replay, found, &warnings) } catch {
                throw .system(error)
            }
            ledger = try continued.get()
            ledger?.cutTornLine()
        } else {
            replay.makeChanges(FactPublisher(quietWiring))
        }
        if replay.stand.isClosed { throw .closed(folder: folder.path, at: replay.stand.now) }
        try folder.goOn(found)
        if found.tail > 0 {
            warnings.append(
                "the journal ended within a record, which nobody had an answer to; cut by \(Columns.counted(found.tail, "byte"))"
            )
        }
        return Resumption(
            stand: replay.stand, cache: replay.cache, resumesAt: max(replay.latest, replay.stand.now), ledger: ledger,
            factsSaved: factsSaved, warnings: warnings)
    }

    private static var quietWiring: any Wiring { WiringChoice.closure.makeWiring() }

    /// Replays along the ledger, and writes the lines that it is missing.
    private static func goOn(
        _ request: LedgerRequest, _ replay: inout Replay, _ found: FoundState, _ warnings: inout [String]
    ) throws(FileError) -> Result<LedgerFile, StateError> {
        let sequence = replay.stand.factsAnnounced
        let file = try LedgerFiles.openLocked(request.path)
        let known = try LedgerReading(request.path)
        if known.torn > 0 {
            warnings.append(
                "\(request.path): ended within a line; cut by \(Columns.counted(known.torn, "byte")), which are written again"
            )
        }
        // If the file is new, the last line is in one that was moved away.
        let moved = known.last == nil ? try LedgerFiles.lastMovedAway(request.path) : nil
        let promised = replay.ledgerBegins.map { $0 - 1 }
        guard let last = known.last ?? moved?.last ?? promised ?? (sequence == 0 ? 0 : nil),
            known.last != nil || last >= sequence
        else {
            replay.makeChanges(FactPublisher(quietWiring))
            let next = replay.stand.factsAnnounced
            warnings.append("\(request.path): begins with line \(next + 1)")
            return .success(try makeFile(request, file, after: next, hasState: true))
        }
        if last < sequence { return .failure(.ledgerTooShort(path: request.path, last: last, saved: sequence)) }
        let ledger = try makeFile(request, file, known, after: last, hasState: true)
        let reading = known.last == nil ? moved : known
        let comparison = try LedgerComparison(reading.map { [$0] } ?? [], last: last, after: sequence, rest: ledger)
        if let reading, last == sequence, let line = found.saved.ledgerLine,
            let difference = try difference(reading, line)
        {
            return .failure(difference)
        }
        let isReached = replay.writeLedger(to: comparison, through: last) { comparison.difference == nil }
        if let difference = comparison.difference { return .failure(difference) }
        guard isReached else {
            let reason = "ends with line \(last), but the state with line \(replay.stand.factsAnnounced)"
            return .failure(.foreignLedger(place: request.path, reason: reason))
        }
        return .success(ledger)
    }

    /// How the last line differs from the one in the state; nil if it does not.
    private static func difference(_ reading: LedgerReading, _ line: String) throws(FileError) -> StateError? {
        let offset = try reading.offset(of: reading.last!)
        let there = String(decoding: try reading.lines(at: offset, limit: reading.length).dropLast(), as: UTF8.self)
        guard there != line else { return nil }
        return .foreignLedger(
            place: "\(reading.file.path): byte \(offset)", reason: "line \(reading.last!) must be \(line)")
    }

    private static func makeFile(
        _ request: LedgerRequest, _ file: DiskFile, _ known: LedgerReading? = nil, after last: UInt64, hasState: Bool
    ) throws(FileError) -> LedgerFile {
        try LedgerFile(
            file, continuing: known, after: last, line: known?.lastLine() ?? [], rotation: request.rotation,
            hasState: hasState, now: WallClock.seconds, whenFailing: request.whenFailing)
    }
}
