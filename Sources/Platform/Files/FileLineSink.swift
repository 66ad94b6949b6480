/// Writes lines to a file, a pipe or a terminal, and checks every write.
///
/// The first failure is final, because a missing line in the middle is worse than an early end. A file is truncated to
/// its last whole line, later lines are counted as lost, and `whenFailing` is called once.
package final class FileLineSink: LineSink {
    private struct State {
        var failure: FileError?
        var linesLost = 0
        /// The length of the file up to its last whole line.
        var whole: off_t = 0
    }

    /// The file's name in messages.
    package let name: String
    private let descriptor: Int32
    /// The file, if this sink opened it.
    private let file: DiskFile?
    /// A second descriptor of the terminal, whose writes never block; nil for other outputs.
    private let terminal: Int32?
    private let isPipe: Bool
    /// Whether a slow reader can block writes: true unless the output is a regular file.
    private let mayBlock: Bool
    private let whenFailing: @Sendable (FileError) -> Void
    private let state = Guarded(State())
    /// A write fails after this many polls without progress; nil if writes wait for ever.
    private let mostPolls = Guarded<Int?>(nil)

    /// Bytes that a writable pipe accepts without blocking: `PIPE_BUF` on Linux.
    private static let pieceOfPipe = 4096
    /// How long the end of a program usually waits for a slow reader, in milliseconds.
    package static let silence = 150
    /// Poll interval in milliseconds while waiting for a reader.
    private static let pollInterval: Int32 = 50

    /// Writes to a descriptor that the caller keeps open, such as standard output.
    ///
    /// A writable terminal may have less room than a write needs, and Ctrl-S can stop it within the write. So a
    /// terminal is opened again for writes that don't block; the shell's own descriptor stays as it is.
    package init(descriptor: Int32, name: String, whenFailing: @escaping @Sendable (FileError) -> Void = { _ in }) {
        terminal = openTerminalAgain(descriptor)
        self.descriptor = terminal ?? descriptor
        self.name = name
        self.whenFailing = whenFailing
        file = nil
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        mayBlock = isKnown && status.st_mode & S_IFMT != S_IFREG
        isPipe = isKnown && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Writes to a new or empty file, which is locked until this sink is released.
    ///
    /// - Throws: `FileError` if it can't be opened, is not empty or is locked already.
    package init(newFile path: String, whenFailing: @escaping @Sendable (FileError) -> Void = { _ in })
        throws(FileError)
    {
        let file = try DiskFile(path, .appending, mode: 0o644, followsLink: true)
        try file.lockOrThrow()
        guard try file.size() == 0 else {
            throw FileError(path: path, reason: "is not empty; a new ledger needs a new or empty file")
        }
        self.file = file
        terminal = nil
        descriptor = file.descriptor
        self.whenFailing = whenFailing
        name = path
        mayBlock = false
        isPipe = false
    }

    deinit { if let terminal { close(terminal) } }

    /// The first failure; nil if every write has succeeded.
    package var failure: FileError? { state.withLock { $0.failure } }
    /// Lines lost in the failure and after it.
    package var linesLost: Int { state.withLock { $0.linesLost } }

    package func write(_ lines: RawSpan) {
        let failure = unsafe lines.withUnsafeBytes { unsafe write($0) }
        if let failure { whenFailing(failure) }
    }

    /// - Returns: the failure, if it is the first.
    private func write(_ lines: UnsafeRawBufferPointer) -> FileError? {
        state.withLock { state in
            guard state.failure == nil else {
                state.linesLost += unsafe Self.countLines(lines[...])
                return nil
            }
            let written = unsafe writeAll(lines)
            guard written < lines.count else {
                state.whole += off_t(written)
                return nil
            }
            let failure = FileError(
                path: name, reason: reasonOfLastError(), isReaderGone: isPipe && errno == EPIPE)
            let whole = unsafe (lines[..<written].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
            state.whole += off_t(whole)
            state.linesLost += unsafe Self.countLines(lines[whole...])
            state.failure = failure
            // If truncating fails too, the torn line stays, and `juicestand verify` reports it.
            if file != nil { _ = ftruncate(descriptor, state.whole) }
            return failure
        }
    }

    /// Sets the timeout of all further writes. A write fails, and its lines are lost, if the reader takes nothing for
    /// that long.
    ///
    /// - Parameter silence: The timeout in milliseconds, rounded down to whole poll intervals of 50 ms.
    package func end(after silence: Int = silence) { mostPolls.withLock { $0 = silence / Int(Self.pollInterval) } }

    /// - Returns: the bytes written; if fewer than all, `errno` holds the reason.
    private func writeAll(_ bytes: UnsafeRawBufferPointer) -> Int {
        var written = 0
        // Polls since the reader last took something.
        var polls = 0
        while written < bytes.count {
            if !mayBlock || isWritable() {
                let piece = mayBlock ? min(Self.pieceOfPipe, bytes.count - written) : bytes.count - written
                let count = unsafe systemWrite(descriptor, bytes.baseAddress! + written, piece)
                if count > 0 {
                    written += count
                    polls = 0
                    continue
                }
                guard count < 0, errno == EINTR || errno == EAGAIN else { return written }
                if errno == EINTR { continue }
                // A process that shares the pipe made it non-blocking, or the terminal has no room for this piece.
                usleep(UInt32(Self.pollInterval) * 1000)
            }
            polls += 1
            if let most = mostPolls.withLock({ $0 }), polls >= most {
                errno = ETIMEDOUT
                return written
            }
        }
        return written
    }

    /// Waits up to a poll interval until the descriptor is writable, so that no write keeps the program from ending.
    private func isWritable() -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let ready = unsafe poll(&request, 1, Self.pollInterval)
        return ready > 0 || (ready < 0 && errno != EINTR)
    }

    private static func countLines(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        unsafe bytes.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    }
}

/// The system's `write`, outside the type whose method hides it.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
