import JuiceStand
import Platform

/// The latest lines of a ledger, in memory. Once they fill the memory, the older half is dropped.
///
/// Readers pull. A slow reader costs nothing: it falls behind and is told the first line that is still kept.
package final class EventTail: LineSink {
    private struct State {
        var bytes: [UInt8] = []
        /// The end of each line, counted in bytes since the first line of all.
        var ends: [Int] = []
        /// Bytes dropped before ``bytes``.
        var dropped = 0
        /// The sequence number of the last line.
        var last: UInt64
        var wake: @Sendable () -> Void = {}

        mutating func append(_ line: RawSpan, mostBytes: Int) {
            if bytes.count + line.byteCount > mostBytes { trim(to: mostBytes / 2 - line.byteCount) }
            unsafe line.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
            ends.append(dropped + bytes.count)
            last += 1
        }

        /// Drops the first lines, so that at most `size` bytes are left; all lines if it is negative.
        private mutating func trim(to size: Int) {
            guard let end = ends.last else { return }
            let count = min(ends.count, ends.partitioningIndex { end - $0 <= size } + 1)
            bytes.removeFirst(ends[count - 1] - dropped)
            dropped = ends[count - 1]
            ends.removeFirst(count)
        }
    }

    private let mostBytes: Int
    private let state: Guarded<State>

    /// - Parameters:
    ///   - last: The sequence number of the line before the first that will be written.
    ///   - mostBytes: The most bytes kept, unless a single line is longer.
    package init(after last: UInt64, mostBytes: Int) {
        self.mostBytes = mostBytes
        state = Guarded(State(last: last))
    }

    /// Starts an empty tail: the next line follows `sequence`.
    package func begin(after sequence: UInt64) { state.withLock { $0.last = sequence } }

    /// - Complexity: O(*n*) for *n* bytes
    package func write(_ lines: RawSpan) {
        let wake = state.withLock { state in
            var start = 0
            for place in 0..<lines.byteCount
            where unsafe lines.unsafeLoad(fromUncheckedByteOffset: place, as: UInt8.self) == UInt8(ascii: "\n") {
                state.append(lines.extracting(start...place), mostBytes: mostBytes)
                start = place + 1
            }
            return state.wake
        }
        wake()
    }

    /// Lines after number `sequence`: at most `limit` bytes, but at least one line.
    ///
    /// - Complexity: O(log *n* + *m*) for *n* lines and *m* bytes read
    package func read(after sequence: UInt64, limit: Int) -> EventReading {
        state.withLock { state in
            guard sequence < state.last else { return .upToDate }
            let ends = state.ends
            let dropped = state.dropped
            let first = state.last + 1 - UInt64(ends.count)
            guard first <= sequence + 1 else { return .gone(first: first) }
            let line = Int(sequence + 1 - first)
            let start = line == 0 ? dropped : ends[line - 1]
            let after = max(line + 1, ends.partitioningIndex { $0 > start + limit })
            let bytes = Array(state.bytes[start - dropped..<ends[after - 1] - dropped])
            return .lines(bytes, last: first + UInt64(after) - 1)
        }
    }

    /// Calls `wake` after every write, on the writing thread. There is one such call, the latest.
    package func whenWritten(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }
}

/// The lines of an ``EventTail`` after an event.
package enum EventReading: Sendable {
    /// Complete lines; the last is numbered `last`.
    case lines([UInt8], last: UInt64)
    case upToDate
    /// The requested lines are not kept; the first kept line is `first`.
    case gone(first: UInt64)
}
