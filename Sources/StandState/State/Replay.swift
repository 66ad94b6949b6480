import JuiceStand
import Platform

/// Replays a stand from a copy, with the changes that were made after the copy.
package struct Replay {
    package private(set) var stand: Stand
    package private(set) var cache: IdempotencyCache
    /// The latest stand time in the state.
    package private(set) var latest: SimulationTime
    /// The number of the first line in the ledger's file, if the state knows it.
    package private(set) var ledgerBegins: UInt64?
    /// The observers of the replayed stand, without loggers.
    package let observers = StandObservers(loggers: [])
    /// The changes made, without those answered from the idempotency cache.
    package private(set) var made: [DatedChange] = []
    /// The copy from which the replay began.
    package let copy: StandCopy
    /// The changes that are yet to be made, in order.
    private var changes: ArraySlice<DatedChange>
    private var steps = 0

    /// - Parameters:
    ///   - cache: The idempotency cache of the copy.
    ///   - changes: In order. Changes that the copy has are skipped.
    init(from copy: StandCopy, _ cache: IdempotencyCache, _ changes: [DatedChange] = []) {
        self.copy = copy
        self.cache = cache
        self.changes = changes.drop { $0.number <= copy.changes }
        stand = copy.stand
        latest = stand.now
        observers.begin(with: copy.observers)
    }

    /// Replays a state.
    ///
    /// - Throws: ``StateError`` if the settings of the stand can't be read again.
    package init(_ found: FoundState, folder: String) throws(StateError) {
        self.init(from: try found.saved.makeCopy(file: "\(folder)/snapshot"), found.saved.cache)
        learn(found.records)
    }

    /// Adds records that follow those known so far. Skips changes that are known.
    package mutating func learn(_ records: [JournalRecord]) {
        for record in records {
            switch record {
            case .mark(let time): latest = max(latest, time)
            case .ledgerBegins(let sequence): ledgerBegins = sequence
            case .change(let number, let time, let change, let key):
                guard number > (changes.last?.number ?? cache.made) else { continue }
                latest = max(latest, time)
                changes.append(DatedChange(number: number, at: time, change, key: key))
            }
        }
    }

    /// Drops the changes after `number`, which may still be refused. ``learn(_:)`` adds them when they are made.
    package mutating func forgetChanges(after number: UInt64) { changes.removeAll { $0.number > number } }

    /// Opens the stand if it is new, and makes the changes up to the one numbered `number`.
    package mutating func makeChanges(upTo number: UInt64 = .max, _ out: FactPublisher) {
        makeChanges(upTo: number, out) {}
    }

    /// - Parameter pause: Called every few thousand steps. An error ends the replay.
    private mutating func makeChanges(
        upTo number: UInt64, _ out: FactPublisher, pausing pause: () throws -> Void
    ) rethrows {
        open(out)
        while let next = changes.first, next.number <= number, step(changes: number, out) { try count(pause) }
    }

    /// Goes on until `sequence` facts have been announced.
    ///
    /// - Returns: Whether `sequence` was reached.
    mutating func advance(
        toFact sequence: UInt64, changes number: UInt64 = .max, _ out: FactPublisher, pausing pause: () throws -> Void
    ) rethrows -> Bool {
        if sequence > 0 { open(out) }
        while stand.factsAnnounced < sequence {
            guard step(changes: number, out) else { return false }
            try count(pause)
        }
        return true
    }

    /// Goes on until everything at or before `time` has happened, or the stand comes to its end.
    mutating func advance(
        to time: SimulationTime, _ out: FactPublisher, pausing pause: () throws -> Void
    ) rethrows {
        open(out)
        while step(to: time, out) { try count(pause) }
    }

    private mutating func open(_ out: FactPublisher) { if stand.factsAnnounced == 0 { stand.open(out) } }

    /// Makes the next change or takes the next event, whichever is due first. What is due at the time of a change
    /// happens after it.
    ///
    /// - Parameter number: Later changes are not made.
    /// - Returns: Whether either was due by `end`.
    private mutating func step(
        to end: SimulationTime = .never, changes number: UInt64 = .max, _ out: FactPublisher
    ) -> Bool {
        guard !stand.isClosed else { return false }
        let due = stand.isPaused || stand.isOver ? .never : stand.nextTime
        guard let next = changes.first, next.number <= number, next.at <= due else {
            guard due < .never, due <= end else { return false }
            stand.step(out)
            return true
        }
        guard next.at <= end else { return false }
        if cache.answer(to: next.change, key: next.key) == nil { made.append(next) }
        _ = cache.carryOut(next.change, key: next.key, in: &stand, at: next.at, out)
        changes.removeFirst()
        return true
    }

    private mutating func count(_ pause: () throws -> Void) rethrows {
        steps += 1
        if steps.isMultiple(of: 4096) { try pause() }
    }
}

// MARK: - The lines of the ledger

extension Replay {
    /// Makes the changes up to the one numbered `number`, then takes the stand's own events up to the fact `last`.
    ///
    /// - Parameter take: Takes the lines of the ledger, every few thousand steps. An error ends the replay.
    /// - Returns: Whether `last` was reached.
    @discardableResult
    mutating func run(
        change number: UInt64 = .max, fact last: UInt64 = 0, take: (LedgerLines) throws -> Void
    ) rethrows -> Bool {
        let lines = KeptLines(after: stand.factsAnnounced)
        let logger = StandLogger(.ledger, menu: stand.settings.menu, sink: lines, flushAt: 1 << 16)
        let wiring = WiringChoice.closure.makeWiring()
        wiring.connect(logger)
        observers.connect(to: wiring)
        let out = FactPublisher(wiring)
        try makeChanges(upTo: number, out) { try take(lines.takeAll()) }
        let isReached = try advance(toFact: last, changes: number, out) { try take(lines.takeAll()) }
        logger.flush()
        try take(lines.takeAll())
        return isReached
    }

    /// The line after the last one, with its line feed; nil if no event of the stand's own follows.
    var nextLine: ArraySlice<UInt8>? {
        // A replay of its own, because the next event has not happened yet.
        var ahead = Replay(from: StandCopy(stand, observers.memory, changes: cache.made), cache)
        var next: ArraySlice<UInt8>?
        ahead.run(fact: stand.factsAnnounced + 1) { lines in
            var lines = lines
            next = next ?? lines.next()
        }
        return next
    }
}
