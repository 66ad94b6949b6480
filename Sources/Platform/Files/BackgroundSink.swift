import Dispatch

/// Writes log lines on a queue of its own, so that a slow reader of the log can't stop the stand.
///
/// A slow reader delays a write by at most 50 ms. Lines that still don't fit are dropped and counted.
package final class BackgroundSink: LineSink {
    private struct State {
        var waiting: [UInt8] = []
        var isWriting = false
        /// Pieces that the reader has taken.
        var pieces = 0
        /// Whether the reader has taken nothing since a writer last waited for it.
        var isStuck = false
        var linesDropped = 0
        /// Dropped lines that the log does not mention yet.
        var linesUnreported = 0
    }

    /// The most bytes that wait for the reader.
    private static let mostBytes = 4 << 20
    /// How long a writer waits for a slow reader.
    private static let longestWait = DispatchTimeInterval.milliseconds(50)
    /// The usual number of bytes written at once. After each piece a waiting writer is woken.
    private static let piece = 16_384
    /// How long the end of the program waits for a reader that takes nothing.
    private static let longestSilence = DispatchTimeInterval.milliseconds(300)

    private let sink: FileLineSink
    private let report: @Sendable (_ linesDropped: Int) -> Void
    private let queue = DispatchQueue(label: "log")
    private let progress = DispatchSemaphore(value: 0)
    private let state = Guarded(State())

    /// - Parameter report: Logs that lines were dropped; called on the sink's own queue once the reader takes lines
    ///   again.
    package init(_ sink: FileLineSink, report: @escaping @Sendable (_ linesDropped: Int) -> Void) {
        self.sink = sink
        self.report = report
    }

    package var linesDropped: Int { state.withLock { $0.linesDropped } }

    package func write(_ lines: RawSpan) {
        if !append(lines, isLastAttempt: false) {
            _ = progress.wait(timeout: .now() + Self.longestWait)
            _ = append(lines, isLastAttempt: true)
        }
    }

    /// - Returns: False if a slow reader may make room in a moment.
    private func append(_ lines: RawSpan, isLastAttempt: Bool) -> Bool {
        let (isDone, starts) = state.withLock { state -> (Bool, Bool) in
            guard state.waiting.count + lines.byteCount <= Self.mostBytes else {
                guard isLastAttempt || state.isStuck else { return (false, false) }
                state.isStuck = true
                let count = unsafe lines.withUnsafeBytes { unsafe $0.count { $0 == UInt8(ascii: "\n") } }
                state.linesDropped += count
                state.linesUnreported += count
                return (true, false)
            }
            unsafe lines.withUnsafeBytes { unsafe state.waiting.append(contentsOf: $0) }
            defer { state.isWriting = true }
            return (true, !state.isWriting)
        }
        if starts { queue.async { self.drain() } }
        return isDone
    }

    private func drain() {
        while true {
            let (lines, unreported) = state.withLock { state -> ([UInt8], Int) in
                let lines = state.waiting
                state.waiting = []
                state.isWriting = !lines.isEmpty
                defer { state.linesUnreported = 0 }
                return (lines, lines.isEmpty ? 0 : state.linesUnreported)
            }
            guard !lines.isEmpty else { return }
            var rest = lines[...]
            while !rest.isEmpty {
                // Ends at a line end if possible, because the sink counts lost lines.
                let end = rest.prefix(Self.piece).lastIndex(of: UInt8(ascii: "\n")) ?? rest.index(before: rest.endIndex)
                let piece = Array(rest[...end])
                unsafe sink.write(piece.span.bytes)
                rest = rest[(end + 1)...]
                state.withLock { state in
                    state.isStuck = false
                    state.pieces += 1
                }
                progress.signal()
            }
            if unreported > 0 { report(unreported) }
        }
    }

    /// Waits until everything is written, or until the reader has taken nothing for 300 ms.
    package func finish() {
        var taken = 0
        var since = DispatchTime.now()
        while true {
            let (isWriting, pieces) = state.withLock { ($0.isWriting, $0.pieces) }
            guard isWriting else { return }
            if pieces != taken {
                taken = pieces
                since = .now()
            }
            if DispatchTime.now() > since + Self.longestSilence {
                sink.end()
                return queue.sync {}
            }
            usleep(1000)
        }
    }
}
