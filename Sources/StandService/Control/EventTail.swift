import JuiceStand
import Platform

/// The latest ledger lines, in memory, for event listeners.
///
/// Readers pull. A slow reader costs nothing: it falls behind and is told the first line that is still kept.
final class EventTail: LineSink {
    /// Complete lines, concatenated.
    private struct Chunk {
        var first: UInt64
        var bytes: [UInt8] = []
        /// The end offset of each line.
        var ends: [Int] = []

        /// The number of the line after the last.
        var next: UInt64 { first + UInt64(ends.count) }
    }

    private struct State {
        var chunks: [Chunk] = []
        var size = 0
        /// The sequence number of the last line.
        var last: UInt64
        var wakers: [UInt64: @Sendable () -> Void] = [:]
        var wakersMade: UInt64 = 0
    }

    private let state: Guarded<State>
    private let mostBytes: Int
    /// Bytes of a chunk, unless a single line is longer. Chunks are few and their memory is reused.
    private let chunkSize: Int

    /// - Parameters:
    ///   - last: The sequence number of the line before the first that will be written.
    ///   - mostBytes: The most bytes kept, unless a single line is longer.
    init(after last: UInt64, mostBytes: Int) {
        self.mostBytes = mostBytes
        chunkSize = mostBytes / 32
        state = Guarded(State(last: last))
    }

    /// The sequence number of the last line.
    var last: UInt64 { state.withLock { $0.last } }

    /// Starts an empty tail: the next line follows `sequence`.
    func begin(after sequence: UInt64) { state.withLock { $0.last = sequence } }

    /// - Complexity: O(*n*) for *n* bytes
    func write(_ lines: RawSpan) {
        let wakers = state.withLock { state in
            var start = 0
            for place in 0..<lines.byteCount
            where unsafe lines.unsafeLoad(fromUncheckedByteOffset: place, as: UInt8.self) == UInt8(ascii: "\n") {
                add(lines.extracting(start...place), to: &state)
                start = place + 1
            }
            return start > 0 ? Array(state.wakers.values) : []
        }
        for waker in wakers { waker() }
    }

    private func add(_ line: RawSpan, to state: inout State) {
        if state.chunks.isEmpty || state.chunks[state.chunks.count - 1].bytes.count + line.byteCount > chunkSize {
            state.chunks.append(nextChunk(&state, room: max(chunkSize, line.byteCount)))
        }
        let place = state.chunks.count - 1
        unsafe line.withUnsafeBytes { unsafe state.chunks[place].bytes.append(contentsOf: $0) }
        state.chunks[place].ends.append(state.chunks[place].bytes.count)
        state.size += line.byteCount
        state.last += 1
    }

    /// An empty chunk, in the memory of the oldest once the limit is reached.
    private func nextChunk(_ state: inout State, room: Int) -> Chunk {
        var chunk = Chunk(first: state.last + 1)
        while state.size + room > mostBytes, !state.chunks.isEmpty {
            let old = state.chunks.removeFirst()
            state.size -= old.bytes.count
            (chunk.bytes, chunk.ends) = (old.bytes, old.ends)
        }
        chunk.bytes.removeAll(keepingCapacity: true)
        chunk.ends.removeAll(keepingCapacity: true)
        chunk.bytes.reserveCapacity(room)
        return chunk
    }

    /// Lines after number `sequence`: at most `limit` bytes, but at least one line.
    ///
    /// - Complexity: O(log *n* + *m*) for *n* lines and *m* bytes read
    func read(after sequence: UInt64, limit: Int) -> EventReading {
        let (found, reading) = state.withLock { state -> (Chunk?, EventReading) in
            guard sequence < state.last else { return (nil, .upToDate) }
            guard let first = state.chunks.first?.first, first <= sequence + 1 else {
                return (nil, .gone(first: state.chunks.first?.first ?? state.last + 1))
            }
            return (state.chunks[Self.first(in: state.chunks) { $0.next > sequence + 1 }], .upToDate)
        }
        // Copied outside the lock, so that the stand does not wait: a chunk is copied on write.
        guard let chunk = found else { return reading }
        let line = Int(sequence + 1 - chunk.first)
        let start = line == 0 ? 0 : chunk.ends[line - 1]
        let after = max(line + 1, Self.first(in: chunk.ends) { $0 > start + limit })
        return .lines(Array(chunk.bytes[start..<chunk.ends[after - 1]]), last: chunk.first + UInt64(after) - 1)
    }

    /// The index of the first element that satisfies `predicate`, as all later ones do.
    private static func first<Element>(in elements: [Element], where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if predicate(elements[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Calls `wake` after every write, on the writing thread, until the result is released.
    func wake(_ wake: @escaping @Sendable () -> Void) -> EventWatch {
        let number = state.withLock { state in
            state.wakersMade += 1
            state.wakers[state.wakersMade] = wake
            return state.wakersMade
        }
        return EventWatch { [weak self] in self?.state.withLock { _ = $0.wakers.removeValue(forKey: number) } }
    }
}

/// What ``EventTail`` has after an event.
package enum EventReading: Sendable {
    /// Complete lines; the last is numbered `last`.
    case lines([UInt8], last: UInt64)
    case upToDate
    /// The requested lines are not kept; the first kept line is `first`.
    case gone(first: UInt64)
}

/// Ends a subscription when it is released.
package final class EventWatch: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}
