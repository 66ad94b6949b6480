import JuiceStand
import Platform

/// The stand at any instant of its ledger: sparse checkpoints of the audit's replay.
///
/// An instant is the last checkpoint before it and a replay of the few lines after that. Memory is bounded: when there are too
/// many checkpoints, every second one is dropped, and the next ones are twice as far apart.
package struct LedgerIndex: Sendable {
    /// Reads whole lines after a sequence number: at most so many bytes, but at least one line; nil if they are not kept.
    package typealias Lines = (_ after: UInt64, _ limit: Int) throws(FileError) -> [UInt8]?

    package enum Failure: Error {
        /// The lines there are not kept; the first instant kept is the argument.
        case notKept(since: SimulationTime)
        case system(FileError)
    }

    private static let mostCheckpoints = 1024
    /// Orders in all checkpoints together.
    private static let mostOrders = 100_000
    /// Bytes read at once.
    private static let piece = 1 << 17
    /// Ranges with more checkpoints are told by those alone.
    private static let manyCheckpoints = 64

    /// In the order of the ledger. The lines after the first one are kept.
    private var checkpoints: [LedgerAudit]
    /// The orders in all of them.
    private var orders = 0
    /// Events from one checkpoint to the next.
    private var spacing: UInt64 = 1024
    /// The stand after the last line read.
    package private(set) var head: LedgerAudit

    /// - Parameter audit: What is known before the first line.
    package init(after audit: LedgerAudit) {
        head = audit
        checkpoints = [audit]
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
        checkpoints.append(head)
        orders += head.ordersPresent
        while checkpoints.count > Self.mostCheckpoints || (orders > Self.mostOrders && checkpoints.count > 2) {
            checkpoints = stride(from: 0, to: checkpoints.count, by: 2).map { checkpoints[$0] }
            orders = checkpoints.reduce(0) { $0 + $1.ordersPresent }
            spacing *= 2
        }
    }

    /// The stand after a line or at a time, from what ``append(_:)`` has read.
    ///
    /// - Complexity: O(*n*) for the lines after the last checkpoint before it, which are *n* bytes
    package func state(at end: LedgerAudit.End, _ lines: Lines) throws(Failure) -> LedgerAudit {
        guard var audit = checkpoints.last(where: { $0.isAtOrBefore(end) }) else {
            throw .notKept(since: checkpoints[0].time)
        }
        try replay(&audit, through: end, lines)
        return audit
    }

    /// Replays lines that the head has read.
    private func replay(_ audit: inout LedgerAudit, through end: LedgerAudit.End, _ lines: Lines) throws(Failure) {
        while audit.sequence < head.sequence {
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
    /// - Complexity: O(*n*) for the lines of at most 64 checkpoints
    package func states(
        from start: SimulationTime, to end: SimulationTime, count: Int, _ lines: Lines
    ) throws(Failure) -> [LedgerAudit] {
        let inside = checkpoints.filter { $0.time > start && $0.time <= end }
        let last = min(end, head.time)
        guard inside.count < Self.manyCheckpoints else {
            let step = max(1, inside.count / max(1, count))
            return stride(from: 0, to: inside.count, by: step).map { inside[$0] } + (end >= head.time ? [head] : [])
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

extension LedgerAudit {
    fileprivate func isAtOrBefore(_ end: End) -> Bool {
        switch end {
        case .event(let last): sequence <= last
        case .time(let last): time <= last
        }
    }
}
