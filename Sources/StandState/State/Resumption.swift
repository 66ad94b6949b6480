import JuiceStand
import Platform
import TextFormats

/// A stand as it goes on after the program was down, or at its very beginning.
package struct Resumption {
    package var stand: Stand
    package var desk: ChangeDesk
    /// nil for a stand that is yet to be opened.
    package var resumesAt: SimulationTime?
    package var ledger: LedgerFile?
    /// Facts that had been announced when the stand was last saved.
    package var factsSaved: UInt64 = 0
    /// What was mended on the way.
    package var warnings: [String] = []

    /// What a ledger is opened with.
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
    /// - Parameter hasState: Whether a state will build on what the ledger holds.
    /// - Throws: `foreignLedger` where the ledger holds something, else `system`.
    package static func begin(
        _ settings: StandSettings, ledger request: LedgerRequest?, hasState: Bool = false
    ) throws(StateError) -> Resumption {
        let new = Resumption(stand: Stand(settings), desk: ChangeDesk())
        guard let request else { return new }
        do throws(FileError) {
            let file = try DiskFile(request.path, .appending, mode: 0o644)
            guard try file.size() == 0 else {
                throw FileError(path: request.path, reason: Self.isNotEmpty)
            }
            return Resumption(
                stand: new.stand, desk: new.desk,
                ledger: try Self.makeFile(request, file, nil, after: 0, hasState: hasState))
        } catch {
            throw .system(error)
        }
    }

    private static let isNotEmpty = "is not empty; a ledger is begun in a new file"

    /// Goes on with the state in `folder`, or begins one there with `settings`.
    ///
    /// - Throws: ``StateError``; nothing has been changed then, unless the stand had closed: its ledger is then whole.
    package static func resume(
        _ settings: StandSettings, _ folder: StateFolder, ledger request: LedgerRequest?
    ) throws(StateError) -> Resumption {
        guard let found = try FoundState.read(folder.path) else {
            let new = try begin(settings, ledger: request, hasState: true)
            try folder.begin(SavedStand(new.stand, new.desk, ledgerLine: nil))
            return new
        }
        var replay = try Replay(found, folder: folder.path)
        let factsSaved = replay.stand.factsAnnounced
        var warnings = found.warnings
        var ledger: LedgerFile?
        if let request {
            let continued: Result<LedgerFile, StateError>
            do throws(FileError) { continued = try Self.goOn(request, &replay, found, &warnings) } catch {
                throw .system(error)
            }
            ledger = try continued.get()
            ledger?.cutTornLine()
        } else {
            replay.makeChanges(FactPublisher(Self.quietWiring))
        }
        if replay.stand.isClosed { throw .closed(folder: folder.path, at: replay.stand.now) }
        try folder.goOn(found)
        if found.tail > 0 {
            warnings.append(
                "the journal ended within a record; cut by \(Columns.counted(found.tail, "byte")) that nobody was promised"
            )
        }
        return Resumption(
            stand: replay.stand, desk: replay.desk, resumesAt: max(replay.latest, replay.stand.now), ledger: ledger,
            factsSaved: factsSaved, warnings: warnings)
    }

    private static var quietWiring: any Wiring { WiringChoice.closure.makeWiring() }

    /// Replays along the ledger, and writes what is missing in it.
    private static func goOn(
        _ request: LedgerRequest, _ replay: inout Replay, _ found: FoundState, _ warnings: inout [String]
    ) throws(FileError) -> Result<LedgerFile, StateError> {
        let sequence = replay.stand.factsAnnounced
        let (file, known) = try open(request.path)
        if let known, known.torn > 0 {
            warnings.append(
                "\(request.path): ended within a line; cut by \(Columns.counted(known.torn, "byte")), which are written again"
            )
        }
        // Where the file is new, the last line is in one that was moved away.
        let moved = known?.last == nil ? try LedgerFiles.lastMovedAway(request.path) : nil
        let promised = replay.ledgerBegins.map { $0 - 1 }
        let isKnown = known != nil
        guard isKnown, let last = known?.last ?? moved?.last ?? promised ?? (sequence == 0 ? 0 : nil),
            known?.last != nil || last >= sequence
        else {
            replay.makeChanges(FactPublisher(quietWiring))
            let next = replay.stand.factsAnnounced
            if isKnown { warnings.append("\(request.path): begins with line \(next + 1)") }
            return .success(try makeFile(request, file, nil, after: next, hasState: true))
        }
        if last < sequence {
            return .failure(
                .foreignLedger(
                    place: request.path, reason: "ends with line \(last), and the state goes on after line \(sequence)")
            )
        }
        let ledger = try makeFile(request, file, known, after: last, hasState: true)
        let reading = known?.last == nil ? moved : known
        let continuation = try LedgerContinuation(reading, last: last, after: sequence, file: ledger)
        let logger = StandLogger(.ledger, menu: replay.stand.settings.menu, sink: continuation, flushAt: 1 << 16)
        let wiring = quietWiring
        wiring.connect(logger)
        if let reading, last == sequence, let line = found.saved.ledgerLine,
            let difference = try difference(reading, line)
        {
            return .failure(difference)
        }
        let isSame = { continuation.difference == nil }
        replay.makeChanges(FactPublisher(wiring), while: isSame)
        let isReached = isSame() && replay.advance(toFact: last, FactPublisher(wiring), while: isSame)
        logger.flush()
        if let difference = continuation.difference { return .failure(difference) }
        guard isReached else {
            return .failure(
                .foreignLedger(
                    place: request.path,
                    reason: "ends with line \(last), and the state knows of \(replay.stand.factsAnnounced)"))
        }
        return .success(ledger)
    }

    /// Whether the last line is another than the state remembers.
    private static func difference(_ reading: LedgerReading, _ line: String) throws(FileError) -> StateError? {
        let offset = try reading.offset(of: reading.last!)
        let there = String(decoding: try reading.lines(at: offset, limit: reading.length).dropLast(), as: UTF8.self)
        guard there != line else { return nil }
        return .foreignLedger(
            place: "\(reading.file.path): byte \(offset)", reason: "line \(reading.last!) must be \(line)")
    }

    /// - Returns: the file for writing, and what it holds where it is a regular one.
    private static func open(_ path: String) throws(FileError) -> (DiskFile, LedgerReading?) {
        let file = try DiskFile(path, .appending, mode: 0o644)
        guard try file.status().isRegular else { return (file, nil) }
        return (file, try LedgerReading(DiskFile(path, .reading)))
    }

    private static func makeFile(
        _ request: LedgerRequest, _ file: DiskFile, _ known: LedgerReading?, after last: UInt64, hasState: Bool
    ) throws(FileError) -> LedgerFile {
        let line = try known?.lastLine() ?? []
        return try LedgerFile(
            file, continuing: known, after: last, line: line, rotation: request.rotation, hasState: hasState,
            now: WallClock.seconds,
            whenFailing: request.whenFailing)
    }
}
