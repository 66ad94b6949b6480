import Dispatch
import JuiceStand
import Platform
import StandState
import Synchronization

/// What the stand was like at any instant, from its ledger, or without one from the lines in memory.
///
/// It replays lines on a queue of its own soon after they are written, so it delays neither the stand nor other
/// requests. A stand that runs as fast as it can writes faster than that queue reads. Meanwhile an instant comes from
/// the last sighting of the stand before it, and the lines after that.
package final class Instants: Sendable {
    package enum Failure: Error {
        /// The lines of that instant are not kept; the first instant kept is the argument.
        case notKept(since: SimulationTime)
        /// The instant is in the future.
        case notYet
        /// Lines of a long ledger are yet to be read.
        case reading(UInt64, of: UInt64)
        case system(FileError)
        /// The stand has closed or is suspended.
        case ended
    }

    /// An instant.
    package struct View: Sendable {
        /// Stand time of it.
        package var time: SimulationTime
        /// The stand at it.
        package var stand: LedgerAudit
        /// The number of the last change of each setting, also after the instant.
        package var changes: [String: UInt64]
        /// Whole lines around it, in order.
        package var lines: [UInt8]
    }

    package typealias Reply<Answer> = @Sendable (Result<Answer, Failure>) -> Void

    /// What the stand tells of its own future.
    private struct Present {
        var time: SimulationTime
        /// When its next event is due.
        var next: SimulationTime
        var sequence: UInt64
    }

    /// The stand between two events, every so often, where its lines are not read yet.
    private struct Sightings {
        /// In order.
        var stands: [LedgerAudit] = []
        var spacing = Instants.spacing
        /// The number of the last event when a setting was last changed. A sighting does not tell that.
        var changed: UInt64 = 0
    }

    /// Lines before an instant, and after it, that come with it.
    private static let linesBefore: UInt64 = 60
    private static let linesAfter: UInt64 = 12
    /// Bytes replayed at once while nobody waits.
    private static let piece = 1 << 18
    /// How soon new lines are read.
    private static let delay = DispatchTimeInterval.milliseconds(20)
    /// The pause between two pieces.
    private static let pause = DispatchTimeInterval.milliseconds(2)
    /// With this many unread lines there is no pause. Fewer are read before an answer times out.
    private static let manyLines: UInt64 = 50_000
    /// Unread lines from which on the stand is sighted, and events from one sighting to the next, at first.
    private static let spacing: UInt64 = 16_384
    private static let mostSightings = 64
    /// A stand with more orders in it is not sighted: that would take it too long.
    private static let mostOrders = 1000
    /// How long an answer waits for lines that have not been read.
    private static let timeout = DispatchTimeInterval.seconds(2)

    private let queue = DispatchQueue(label: "instants", qos: .utility)
    private let tail: EventTail
    private let history: LedgerHistory?
    /// Whether lines have been kept since the stand opened or resumed.
    private let keepsLines: Bool
    /// Confined to the queue.
    private let index = Guarded<LedgerIndex?>(nil)
    /// Keeps the index over a restart; nil if there is no ledger or no state. Confined to the queue.
    private let file: Guarded<LedgerIndexFile?>
    /// Where the last lines read from the files end, with the number of the next one. Confined to the queue.
    private let place = Guarded<(next: UInt64, LedgerHistory.Place)?>(nil)
    private let sightings = Guarded(Sightings())
    /// The number of the last line read.
    private let read = Atomic<UInt64>(0)
    private let watch = Guarded<EventWatch?>(nil)
    private let hasBegun = Atomic(false)
    private let isDue = Atomic(false)

    /// - Parameter folder: The state whose files keep the index; nil if none does.
    init(tail: EventTail, history: LedgerHistory?, keepsLines: Bool, in folder: StateFolder?) {
        file = Guarded(folder.map { LedgerIndexFile("\($0.path)/instants", on: $0.disk) })
        self.tail = tail
        self.history = history
        self.keepsLines = keepsLines
    }

    /// Starts to read; does nothing later.
    ///
    /// - Parameter control: Tells what the stand is like if its first lines are not kept.
    func begin(_ control: StandControl) {
        guard !hasBegun.exchange(true, ordering: .relaxed) else { return }
        watch.withLock { watch in
            // The tail holds this closure.
            watch = tail.wake { [weak self] in self?.readSoon(after: Self.delay) }
        }
        queue.async {
            let saved = self.file.withLock { $0?.read() } ?? []
            let index = LedgerIndex(saved: saved, self.lines)
            if let index = index ?? (self.hasFirstLine ? LedgerIndex(after: LedgerAudit()) : nil) {
                self.didRead(to: index.head.sequence)
                self.index.withLock { $0 = index }
                self.readSoon(after: .milliseconds(0))
            } else {
                self.anchor(control) { _ in }
            }
        }
    }

    /// Whether the lines are kept from the opening on.
    private var hasFirstLine: Bool {
        guard keepsLines else { return false }
        switch tail.read(after: 0, limit: 1) {
        case .lines, .upToDate: return true
        case .gone:
            do throws(FileError) { return try history?.lines(after: 0, limit: 1) != nil } catch {
                // The stand as it is now will do.
                return false
            }
        }
    }

    /// Begins with the stand as it is now.
    private func anchor(_ control: StandControl, then: @escaping @Sendable (Bool) -> Void) {
        control.keepLines { stand in
            self.queue.async {
                self.index.withLock { $0 = stand.map { LedgerIndex(after: $0) } ?? $0 }
                if let stand { self.didRead(to: stand.sequence) }
                then(stand != nil)
            }
        }
    }

    // MARK: - Sighting the stand

    /// Called on the stand's queue, between two events.
    func see(_ stand: Stand) {
        guard hasBegun.load(ordering: .relaxed), stand.ordersPresent <= Self.mostOrders else { return }
        let read = read.load(ordering: .relaxed)
        guard stand.factsAnnounced >= read + Self.spacing else { return }
        sightings.withLock { sightings in
            sightings.stands.removeAll { $0.sequence <= read }
            if sightings.stands.isEmpty { sightings.spacing = Self.spacing }
            guard stand.factsAnnounced >= (sightings.stands.last?.sequence ?? read) + sightings.spacing else { return }
            sightings.stands.append(LedgerAudit(after: stand))
            guard sightings.stands.count > Self.mostSightings else { return }
            sightings.stands = stride(from: 0, to: sightings.stands.count, by: 2).map { sightings.stands[$0] }
            sightings.spacing *= 2
        }
    }

    /// Called on the stand's queue after a change of settings.
    func settingsChanged(_ stand: Stand) { sightings.withLock { $0.changed = stand.factsAnnounced } }

    /// The stand at an instant that has not been read yet; nil if sightings don't settle it.
    private func sighted(_ end: LedgerAudit.End, to last: UInt64) -> LedgerAudit? {
        guard let index = index.withLock({ $0 }), last > index.head.sequence + Self.spacing else { return nil }
        let sightings = sightings.withLock { $0 }
        guard sightings.changed <= index.head.sequence else { return nil }
        do throws(LedgerIndex.Failure) {
            return try index.state(at: end, after: sightings.stands, to: last, lines)
        } catch {
            // Lines that are not written yet are waited for elsewhere.
            return nil
        }
    }

    /// Called whenever lines have been read.
    private func didRead(to sequence: UInt64) {
        read.store(sequence, ordering: .relaxed)
        // Freed after the lock, for which the stand may wait.
        _ = sightings.withLock { sightings in
            let before = sightings.stands
            sightings.stands.removeAll { $0.sequence <= sequence }
            return before
        }
    }

    // MARK: - Reading

    private func readSoon(after delay: DispatchTimeInterval) {
        guard !isDue.exchange(true, ordering: .relaxed) else { return }
        queue.asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self else { return }
            isDue.store(false, ordering: .relaxed)
            do throws(Failure) {
                // In pieces, so that an answer never waits long, and with pauses, so that a busy stand is not slowed.
                if try readOn(Self.piece) {
                    let read = index.withLock { $0?.head.sequence } ?? 0
                    readSoon(after: tail.last > read + Self.manyLines ? .milliseconds(0) : Self.pause)
                }
            } catch {
                // The next question reads again, and is answered with the failure.
            }
        }
    }

    /// Replays the next lines.
    ///
    /// - Returns: Whether there may be more.
    private func readOn(_ limit: Int) throws(Failure) -> Bool {
        guard let sequence = index.withLock({ $0?.head.sequence }) else { return false }
        let bytes: [UInt8]?
        do throws(FileError) { bytes = try lines(after: sequence, limit) } catch { throw .system(error) }
        guard let bytes else {
            if case .upToDate = tail.read(after: sequence, limit: 1) { return false }
            throw .notKept(since: .zero)
        }
        index.withLock { index in
            index?.append(bytes)
            if let index { save(index) }
        }
        didRead(to: index.withLock { $0?.head.sequence } ?? 0)
        return true
    }

    private func save(_ index: LedgerIndex) {
        file.withLock { file in
            // Without the file, the next start reads the ledger. A full disk is reported by what must be written.
            do throws(FileError) { try file?.write(index) } catch { file = nil }
        }
    }

    /// Lines from memory or else from the files; nil if they are not kept or not written yet.
    private func lines(after sequence: UInt64, _ limit: Int) throws(FileError) -> [UInt8]? {
        switch tail.read(after: sequence, limit: limit) {
        case .lines(let bytes, _): return bytes
        case .upToDate: return nil
        case .gone:
            let known = place.withLock { $0 }
            let found = try history?.lines(
                after: sequence, limit: limit, from: known?.next == sequence ? known?.1 : nil)
            if let found { place.withLock { $0 = (found.last, found.end) } }
            return found?.bytes
        }
    }

    /// Reads up to a line, or beyond an instant.
    private func catchUp(
        to sequence: UInt64, or end: LedgerAudit.End, _ deadline: DispatchTime
    ) throws(Failure) {
        while let read = index.withLock({ index in
            index.flatMap { $0.head.isAfter(end) ? nil : $0.head.sequence }
        }), read < sequence {
            guard DispatchTime.now() < deadline else { throw .reading(read, of: sequence) }
            // The stand writes its latest lines together, in a moment.
            if try !readOn(1 << 20) { usleep(1000) }
        }
    }

    // MARK: - Answering

    /// Calls `reply` with an instant, on a queue of its own or on the stand's.
    func ask(_ end: LedgerAudit.End, _ control: StandControl, reply: @escaping Reply<View>) {
        prepare(end, control, takesSighting: true) { result in
            reply(result.flatMap { self.view($0) })
        }
    }

    /// Calls `reply` with the stand over time; see ``LedgerIndex/states(from:to:count:_:)``.
    func ask(
        from start: SimulationTime, to end: SimulationTime, count: Int, _ control: StandControl,
        reply: @escaping Reply<[LedgerAudit]>
    ) {
        prepare(.time(end), control) { result in
            reply(
                result.flatMap { found in
                    do throws(LedgerIndex.Failure) {
                        return .success(
                            try found.index.states(from: start, to: end, count: count, self.lines))
                    } catch {
                        return .failure(Failure(error))
                    }
                })
        }
    }

    /// An instant that can be answered.
    private struct Prepared {
        var end: LedgerAudit.End
        /// Its lines are read, unless the stand was sighted.
        var index: LedgerIndex
        /// The stand at the instant, from a sighting.
        var stand: LedgerAudit?
    }

    /// Reads the lines up to an instant, and calls `then` on the queue.
    ///
    /// - Parameter takesSighting: Whether the stand at the instant is enough.
    private func prepare(
        _ end: LedgerAudit.End, _ control: StandControl, takesSighting: Bool = false, then: @escaping Reply<Prepared>
    ) {
        begin(control)
        queue.async {
            // Only the stand knows whether more happens at or before an instant that has just passed.
            if let index = self.index.withLock({ $0 }), index.head.isAfter(end) {
                return then(.success(Prepared(end: end, index: index)))
            }
            control.inspect({ stand, time, _ in
                Present(time: time, next: stand.isPaused ? .never : stand.nextTime, sequence: stand.factsAnnounced)
            }) { present in
                self.queue.async { self.prepare(end, present, control, takesSighting, then: then) }
            }
        }
    }

    private func prepare(
        _ end: LedgerAudit.End, _ present: Present?, _ control: StandControl, _ takesSighting: Bool,
        then: @escaping Reply<Prepared>
    ) {
        guard let present else { return then(.failure(.ended)) }
        var end = end
        switch end {
        case .event(let number) where number > present.sequence: return then(.failure(.notYet))
        case .time(.never): end = .time(present.time)
        // A second ahead is a clock that differs.
        case .time(let time) where time > present.time:
            guard time <= present.time + SimulationTime(seconds: 1 + control.speed) else {
                return then(.failure(.notYet))
            }
            end = .time(present.time)
        default: break
        }
        // A stand that is late has events due that have not happened.
        if case .time(let time) = end, time >= present.next {
            end = .time(present.next - SimulationTime(nanoseconds: 1))
        }
        var sighted: LedgerAudit?
        do throws(Failure) {
            sighted = takesSighting ? self.sighted(end, to: present.sequence) : nil
            if sighted == nil { try catchUp(to: present.sequence, or: end, .now() + Self.timeout) }
        } catch {
            guard case .notKept = error else { return then(.failure(error)) }
            // Lines were removed before they were read.
            return anchor(control) { isOpen in
                guard isOpen, let now = self.index.withLock({ $0?.head.time }) else { return then(.failure(.ended)) }
                then(.failure(.notKept(since: now)))
            }
        }
        guard let index = index.withLock({ $0 }) else { return then(.failure(.ended)) }
        then(.success(Prepared(end: end, index: index, stand: sighted)))
    }

    private func stand(_ prepared: Prepared) throws(LedgerIndex.Failure) -> LedgerAudit {
        if let sighted = prepared.stand { return sighted }
        return try prepared.index.state(at: prepared.end, lines)
    }

    private func view(_ prepared: Prepared) -> Result<View, Failure> {
        do throws(LedgerIndex.Failure) {
            let stand = try stand(prepared)
            let time = if case .time(let time) = prepared.end { time } else { stand.time }
            return .success(
                View(
                    time: time, stand: stand, changes: prepared.index.head.counts.changes,
                    lines: around(stand.sequence)))
        } catch {
            return .failure(Failure(error))
        }
    }

    /// The lines around one, as far as they are kept.
    private func around(_ sequence: UInt64) -> [UInt8] {
        var next = sequence - min(sequence, Self.linesBefore)
        var found: [UInt8] = []
        while next < sequence + Self.linesAfter {
            let bytes: [UInt8]?
            // The instant is known without them.
            do throws(FileError) { bytes = try lines(after: next, 1 << 14) } catch { return found }
            guard let bytes else {
                // Older ones may be gone.
                guard found.isEmpty, case .gone(let first) = tail.read(after: next, limit: 1), first > next + 1 else {
                    return found
                }
                next = first - 1
                continue
            }
            for line in bytes.split(separator: UInt8(ascii: "\n")) where next < sequence + Self.linesAfter {
                found += line + [UInt8(ascii: "\n")]
                next += 1
            }
        }
        return found
    }
}

extension Instants.Failure {
    fileprivate init(_ failure: LedgerIndex.Failure) {
        self =
            switch failure {
            case .notKept(let time): .notKept(since: time)
            case .system(let error): .system(error)
            }
    }
}

extension LedgerAudit {
    /// Whether a line after `end` has been read, so that no line can belong to it any more.
    fileprivate func isAfter(_ end: End) -> Bool {
        switch end {
        case .event(let last): sequence >= last
        case .time(let last): time > last
        }
    }
}
