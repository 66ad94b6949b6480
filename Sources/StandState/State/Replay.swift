import JuiceStand
import Platform

/// Replays a state: makes the changes of the journal again at the same stand times, on the stand of the snapshot.
package struct Replay {
    package private(set) var stand: Stand
    package private(set) var cache: IdempotencyCache
    /// The latest stand time in the state.
    package private(set) var latest: SimulationTime
    /// The number of the first line in the ledger's file, if the state knows it.
    package private(set) var ledgerBegins: UInt64?
    /// What the stand's observers have seen of it.
    package let observers = StandObservers(loggers: [])
    /// The changes made, without those that were answered as before.
    package private(set) var made: [DatedChange] = []
    /// The stand of the snapshot.
    package let copy: StandCopy
    private var changes: [(number: UInt64, at: SimulationTime, change: StandChange, key: String?)] = []
    private var done = 0

    /// - Throws: ``StateError`` if the settings of the stand can't be read again.
    package init(_ found: FoundState, folder: String) throws(StateError) {
        copy = try found.saved.makeCopy(file: "\(folder)/snapshot")
        stand = copy.stand
        observers.begin(with: copy.observers)
        cache = found.saved.cache
        latest = stand.now
        learn(found.records)
    }

    /// Takes records that were written since.
    package mutating func learn(_ records: [JournalRecord]) {
        for record in records {
            switch record {
            case .mark(let time): latest = max(latest, time)
            case .ledgerBegins(let sequence): ledgerBegins = sequence
            case .change(let number, let time, let change, let key):
                guard number > (changes.last?.number ?? cache.made) else { continue }
                latest = max(latest, time)
                changes.append((number, time, change, key))
            }
        }
    }

    /// Leaves out changes after a number: they may still be refused, or are learnt when they are made.
    package mutating func forgetChanges(after number: UInt64) { changes.removeAll { $0.number > number } }

    /// Opens the stand if it is new, and makes the changes up to the one numbered `number`.
    ///
    /// - Parameter goOn: Asked every few thousand events; false ends the replay.
    package mutating func makeChanges(
        upTo number: UInt64 = .max, _ out: FactPublisher, while goOn: () -> Bool = { true }
    ) {
        if stand.factsAnnounced == 0 { stand.open(out) }
        while done < changes.count, changes[done].number <= number, !stand.isClosed {
            let next = changes[done]
            repeat { guard goOn() else { return } } while !stand.advance(to: next.at, limit: Self.slice, out)
            if cache.answer(to: next.change, key: next.key) == nil {
                made.append(DatedChange(number: next.number, at: next.at, next.change))
            }
            _ = cache.carryOut(next.change, key: next.key, in: &stand, at: next.at, out)
            done += 1
        }
        if done > 1 << 12 {
            changes.removeFirst(done)
            done = 0
        }
    }

    /// Takes the stand's own events until `sequence` facts have been announced.
    ///
    /// - Returns: whether `sequence` was reached.
    package mutating func advance(toFact sequence: UInt64, _ out: FactPublisher, while goOn: () -> Bool = { true })
        -> Bool
    {
        var steps = 0
        while stand.factsAnnounced < sequence {
            guard stand.nextTime < .never, !stand.isClosed, !stand.isPaused, !stand.isOver else { return false }
            stand.step(out)
            steps += 1
            if steps % Self.slice == 0, !goOn() { return false }
        }
        return true
    }

    /// Makes the changes up to the one numbered `number`, then takes the stand's own events up to the fact `last`.
    ///
    /// - Parameter take: Takes the lines of the ledger, every few thousand events. An error ends the replay.
    /// - Returns: Whether `last` was reached.
    @discardableResult
    mutating func run(
        change number: UInt64 = .max, fact last: UInt64 = 0, take: (LedgerLines) throws -> Void
    ) throws -> Bool {
        let lines = ReplayedLines(after: stand.factsAnnounced)
        let logger = StandLogger(.ledger, menu: stand.settings.menu, sink: lines, flushAt: 1 << 16)
        let wiring = WiringChoice.closure.makeWiring()
        wiring.connect(logger)
        observers.connect(to: wiring)
        let out = FactPublisher(wiring)
        var failure: (any Error)?
        func goOn() -> Bool {
            do { if failure == nil { try take(lines.takeAll()) } } catch { failure = error }
            return failure == nil
        }
        makeChanges(upTo: number, out, while: goOn)
        let isReached = goOn() && advance(toFact: last, out, while: goOn)
        logger.flush()
        _ = goOn()
        if let failure { throw failure }
        return isReached
    }

    /// The line after the last one, with its line feed; nil if no event of the stand's own follows.
    var nextLine: ArraySlice<UInt8>? {
        var stand = stand
        let announced = stand.factsAnnounced
        let lines = ReplayedLines(after: announced)
        let logger = StandLogger(.ledger, menu: stand.settings.menu, sink: lines)
        let wiring = WiringChoice.closure.makeWiring()
        wiring.connect(logger)
        let out = FactPublisher(wiring)
        if announced == 0 { stand.open(out) }
        while stand.factsAnnounced == announced, stand.nextTime < .never, !stand.isPaused, !stand.isOver {
            stand.step(out)
        }
        var next = lines.takeAll()
        return next.next()
    }

    /// Events between two calls of `goOn`.
    private static let slice = 4096
}

/// Keeps the lines of a replay until they are taken.
private final class ReplayedLines: LineSink {
    private let state: Guarded<LedgerLines>

    init(after sequence: UInt64) { state = Guarded(LedgerLines(from: sequence + 1)) }

    func write(_ lines: RawSpan) { state.withLock { $0.append(lines) } }

    func takeAll() -> LedgerLines {
        state.withLock { lines in
            let taken = lines
            lines = LedgerLines(from: taken.first + UInt64(LedgerLines.count(taken.bytes)))
            return taken
        }
    }
}
