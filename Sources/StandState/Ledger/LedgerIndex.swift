import JuiceStand
import Platform

/// The stand at any instant of its ledger: sparse checkpoints of the audit's replay.
///
/// An instant is the last checkpoint before it and a replay of the few lines after that. Memory is bounded: when there
/// are too many checkpoints, every second one is dropped, and the next ones are twice as far apart.
package struct LedgerIndex: Sendable {
    /// Reads whole lines after a sequence number: at most `limit` bytes, but at least one line. Returns nil if the
    /// lines are not kept.
    package typealias Lines = (_ after: UInt64, _ limit: Int) throws(FileError) -> [UInt8]?

    package enum Failure: Error {
        /// The lines there are not kept; the first instant kept is the argument.
        case notKept(since: SimulationTime)
        case system(FileError)
    }

    /// The audit after a line.
    package struct Checkpoint: Sendable {
        package let sequence: UInt64
        package let time: SimulationTime
        /// The orders in the stand.
        package let orders: Int
        /// The audit as ``StateEncoder`` writes it, which takes less memory than the audit.
        package let bytes: [UInt8]

        init(_ audit: LedgerAudit) {
            (sequence, time, orders) = (audit.sequence, audit.time, audit.ordersPresent)
            do { bytes = try StateEncoder.encode(audit) } catch { fatalError("the audit is not encoded: \(error)") }
        }

        /// - Throws: if the bytes are not those of an audit.
        init(_ bytes: [UInt8]) throws {
            let audit = try StateDecoder.decode(LedgerAudit.self, from: bytes[...])
            (sequence, time, orders) = (audit.sequence, audit.time, audit.ordersPresent)
            self.bytes = bytes
        }

        var audit: LedgerAudit {
            do { return try StateDecoder.decode(LedgerAudit.self, from: bytes[...]) } catch {
                fatalError("the audit is not decoded: \(error)")
            }
        }
    }

    private static let mostCheckpoints = 1024
    /// Orders in all checkpoints together.
    private static let mostOrders = 100_000
    /// Bytes read at once.
    private static let piece = 1 << 18
    /// Longer ranges are answered from their checkpoints alone.
    private static let manyCheckpoints = 32
    /// Sightings tried for one instant.
    private static let mostSightings = 3

    /// In the order of the ledger. The lines after the first one are kept.
    package private(set) var checkpoints: [Checkpoint]
    /// The orders in all of them.
    private var orders = 0
    /// Events from one checkpoint to the next.
    private var spacing: UInt64
    /// The stand after the last line read.
    package private(set) var head: LedgerAudit

    /// - Parameters:
    ///   - audit: What is known before the first line.
    ///   - spacing: Events from one checkpoint to the next, at first.
    package init(after audit: LedgerAudit, spacing: UInt64 = 4096) {
        head = audit
        checkpoints = [Checkpoint(audit)]
        self.spacing = spacing
    }

    /// Continues from saved checkpoints that agree with the ledger.
    ///
    /// A checkpoint is accepted if a replay from the one before it reaches the same state. Checkpoints after the end of
    /// the ledger are dropped.
    ///
    /// - Returns: nil if no checkpoint is accepted.
    package init?(saved: [Checkpoint], _ lines: Lines) {
        checkpoints = saved
        while let last = checkpoints.popLast(), let before = checkpoints.last {
            var audit = before.audit
            while audit.sequence < last.sequence {
                let known = audit.sequence
                let bytes: [UInt8]?
                // Without its lines, a checkpoint is not accepted.
                do throws(FileError) { bytes = try lines(known, Self.piece) } catch { bytes = nil }
                _ = audit.replay(bytes ?? [], through: .event(last.sequence))
                guard audit.sequence > known else { break }
            }
            let saved = last.audit
            guard audit.sequence == saved.sequence, audit.finding == saved.finding, audit.counts == saved.counts,
                audit.presentOrders == saved.presentOrders
            else { continue }
            head = saved
            checkpoints.append(last)
            orders = checkpoints.reduce(0) { $0 + $1.orders }
            spacing = last.sequence - before.sequence
            return
        }
        return nil
    }

    /// Replays the next lines.
    package mutating func append(_ lines: [UInt8]) {
        var start = 0
        while start < lines.count {
            let next = checkpoints[checkpoints.count - 1].sequence + spacing
            start = head.replay(lines, from: start, through: .event(next))
            guard head.sequence >= next else { return }
            keep()
        }
    }

    private mutating func keep() {
        checkpoints.append(Checkpoint(head))
        orders += head.ordersPresent
        while checkpoints.count > Self.mostCheckpoints || (orders > Self.mostOrders && checkpoints.count > 2) {
            checkpoints = stride(from: 0, to: checkpoints.count, by: 2).map { checkpoints[$0] }
            orders = checkpoints.reduce(0) { $0 + $1.orders }
            spacing *= 2
        }
    }

    /// The stand after a line or at a time, from what ``append(_:)`` has read.
    ///
    /// - Complexity: O(*n*) for the lines after the last checkpoint before it, which are *n* bytes
    package func state(at end: LedgerAudit.End, _ lines: Lines) throws(Failure) -> LedgerAudit {
        guard let checkpoint = checkpoints.last(where: { end.includes($0.sequence, at: $0.time) }) else {
            throw .notKept(since: checkpoints[0].time)
        }
        var audit = checkpoint.audit
        try replay(&audit, through: end, lines)
        return audit
    }

    /// The stand at an instant that has not been read yet, from a sighting of the stand itself.
    ///
    /// - Parameters:
    ///   - sightings: The stand between two events, as ``JuiceStand/LedgerAudit`` begins with it; in order.
    ///   - last: The number of the last line.
    /// - Returns: nil if no sighting settles everything that the audit's replay would.
    /// - Complexity: O(*n*) for the lines after the last sightings before it, which are *n* bytes
    package func state(
        at end: LedgerAudit.End, after sightings: [LedgerAudit], to last: UInt64, _ lines: Lines
    ) throws(Failure) -> LedgerAudit? {
        let known = sightings.filter { $0.sequence > head.sequence && end.includes($0.sequence, at: $0.time) }
        // A sighting does not tell the waits before it. The one before that may do.
        for var audit in known.suffix(Self.mostSightings).reversed() {
            try replay(&audit, through: end, to: last, lines)
            if audit.hasLatest { return audit }
        }
        return nil
    }

    /// Replays lines that the head has read.
    private func replay(_ audit: inout LedgerAudit, through end: LedgerAudit.End, _ lines: Lines) throws(Failure) {
        try replay(&audit, through: end, to: head.sequence, lines)
    }

    private func replay(
        _ audit: inout LedgerAudit, through end: LedgerAudit.End, to last: UInt64, _ lines: Lines
    ) throws(Failure) {
        while audit.sequence < last {
            if case .event(let last) = end, audit.sequence >= last { return }
            let bytes = try read(after: audit.sequence, lines)
            let known = audit.sequence
            guard audit.replay(bytes, through: end) == bytes.count, audit.sequence > known else { return }
        }
    }

    private func read(after sequence: UInt64, _ lines: Lines) throws(Failure) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(FileError) { bytes = try lines(sequence, Self.piece) } catch { throw .system(error) }
        guard let bytes else { throw .notKept(since: checkpoints.last { $0.sequence > sequence }?.time ?? head.time) }
        return bytes
    }

    /// The stand over time: about `count` states from one time to another, in order.
    ///
    /// In a long range these are checkpoints. In a short one the states are evenly spaced.
    ///
    /// - Complexity: O(*n*) for the lines of at most 32 checkpoints
    package func states(
        from start: SimulationTime, to end: SimulationTime, count: Int, _ lines: Lines
    ) throws(Failure) -> [LedgerAudit] {
        let inside = checkpoints.filter { $0.time > start && $0.time <= end }
        let last = min(end, head.time)
        guard inside.count < Self.manyCheckpoints else {
            let step = max(1, inside.count / max(1, count))
            return stride(from: 0, to: inside.count, by: step).map { inside[$0].audit }
                + (end >= head.time ? [head] : [])
        }
        let first = max(start, checkpoints[0].time)
        guard first <= last else { return [] }
        var audit = try state(at: .time(first), lines)
        var states = [audit]
        var bytes: [UInt8] = []
        var start = 0
        for place in 1...max(1, count) {
            let part = Int128((last - first).nanoseconds) * Int128(place) / Int128(max(1, count))
            let time = first + SimulationTime(nanoseconds: Int64(part))
            start = audit.replay(bytes, from: start, through: .time(time))
            while start == bytes.count, audit.sequence < head.sequence {
                let known = audit.sequence
                bytes = try read(after: known, lines)
                start = audit.replay(bytes, through: .time(time))
                guard audit.sequence > known else { break }
            }
            // Several places may have no line between them.
            if audit.sequence > states[states.count - 1].sequence { states.append(audit) }
        }
        return states
    }
}

extension LedgerAudit.End {
    /// Whether the stand after line `sequence`, at `time`, is not beyond this end.
    fileprivate func includes(_ sequence: UInt64, at time: SimulationTime) -> Bool {
        switch self {
        case .event(let last): sequence <= last
        case .time(let last): time <= last
        }
    }
}
