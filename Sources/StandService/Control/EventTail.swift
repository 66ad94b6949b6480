import JuiceStand
import NotificationBus

/// The last lines of the ledger, in memory, for those who follow the stand.
///
/// Readers pull: a slow one costs nothing but falls behind, and is told where the lines begin that are still here.
final class EventTail: LineSink {
    /// Whole lines that came together.
    private struct Chunk {
        var first: UInt64
        var last: UInt64
        var bytes: [UInt8]
    }

    private struct State {
        var chunks: [Chunk] = []
        /// Chunks before this one have been forgotten; they are swept out now and then.
        var start = 0
        var size = 0
        /// The sequence number of the last line.
        var last: UInt64
        var wakers: [UInt64: @Sendable () -> Void] = [:]
        var wakersMade: UInt64 = 0
    }

    private let state: Guarded<State>
    private let mostBytes: Int

    /// - Parameters:
    ///   - last: The sequence number of the line before the first that will be written.
    ///   - mostBytes: Bytes kept at most, apart from the last chunk.
    init(after last: UInt64, mostBytes: Int) {
        self.mostBytes = mostBytes
        state = Guarded(State(last: last))
    }

    /// What a reader gets.
    enum Reading: Sendable {
        /// Whole lines, the last of them numbered `last`.
        case lines([UInt8], last: UInt64)
        case upToDate
        /// The lines that were asked for are here no more; the first that is here is `first`.
        case gone(first: UInt64)
    }

    /// Nothing has been kept so far; the next line is the one after `sequence`.
    func begin(after sequence: UInt64) {
        state.withLock { $0.last = sequence }
    }

    func write(_ lines: RawSpan) {
        let bytes = unsafe lines.withUnsafeBytes { unsafe Array($0) }
        let count = UInt64(bytes.count { $0 == UInt8(ascii: "\n") })
        guard count > 0 else { return }
        let wakers = state.withLock { state in
            state.chunks.append(Chunk(first: state.last + 1, last: state.last + count, bytes: bytes))
            state.last += count
            state.size += bytes.count
            while state.size > mostBytes, state.start < state.chunks.count - 1 {
                state.size -= state.chunks[state.start].bytes.count
                state.chunks[state.start].bytes = []
                state.start += 1
            }
            if state.start > 64, state.start * 2 > state.chunks.count {
                state.chunks.removeFirst(state.start)
                state.start = 0
            }
            return Array(state.wakers.values)
        }
        for waker in wakers { waker() }
    }

    /// Lines after the one numbered `sequence`: at most `limit` bytes, but at least one line.
    ///
    /// - Complexity: O(log *n* + *m*) for *n* chunks and *m* bytes
    func read(after sequence: UInt64, limit: Int) -> Reading {
        let found = state.withLock { state -> (Chunk?, Reading) in
            guard sequence < state.last else { return (nil, .upToDate) }
            guard state.start < state.chunks.count, state.chunks[state.start].first <= sequence + 1 else {
                let first = state.start < state.chunks.count ? state.chunks[state.start].first : state.last + 1
                return (nil, .gone(first: first))
            }
            var (low, high) = (state.start, state.chunks.count - 1)
            while low < high {
                let middle = (low + high) / 2
                if state.chunks[middle].last > sequence { high = middle } else { low = middle + 1 }
            }
            return (state.chunks[low], .upToDate)
        }
        guard let chunk = found.0 else { return found.1 }
        return Self.cut(chunk, after: sequence, limit: limit)
    }

    private static func cut(_ chunk: Chunk, after sequence: UInt64, limit: Int) -> Reading {
        let newline = UInt8(ascii: "\n")
        var from = 0
        for _ in chunk.first..<max(chunk.first, sequence + 1) {
            from = chunk.bytes[from...].firstIndex(of: newline)! + 1
        }
        guard chunk.bytes.count - from > limit else {
            return .lines(from == 0 ? chunk.bytes : Array(chunk.bytes[from...]), last: chunk.last)
        }
        let end =
            chunk.bytes[from..<(from + limit)].lastIndex(of: newline) ?? chunk.bytes[from...].firstIndex(of: newline)!
        let lines = Array(chunk.bytes[from...end])
        let before = max(chunk.first - 1, sequence)
        return .lines(lines, last: before + UInt64(lines.count { $0 == newline }))
    }

    /// Calls `wake` whenever lines have come, on the thread that wrote them, until the result is released.
    func wake(_ wake: @escaping @Sendable () -> Void) -> EventWatch {
        let number = state.withLock { state in
            state.wakersMade += 1
            state.wakers[state.wakersMade] = wake
            return state.wakersMade
        }
        return EventWatch { [weak self] in self?.state.withLock { _ = $0.wakers.removeValue(forKey: number) } }
    }
}

/// Ends with its release.
package final class EventWatch: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit {
        end()
    }
}
