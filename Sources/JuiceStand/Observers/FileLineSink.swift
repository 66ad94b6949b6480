import Platform

/// Lines into a file, a pipe or a terminal, every write checked.
///
/// The first failure is final: a file that lacks a line in the middle is worse than one that ends early. A file is cut
/// back to its last whole line, what came later is counted, and `whenFailing` is told once.
package final class FileLineSink: LineSink {
    private struct State {
        var failure: FileError?
        var linesLost = 0
        /// The length of the file up to its last whole line.
        var whole: off_t = 0
    }

    /// What messages call the file.
    package let name: String
    private let descriptor: Int32
    private let isOwned: Bool
    private let isRegular: Bool
    private let isPipe: Bool
    /// Whether there is somebody who may not be reading.
    private let isWaitedFor: Bool
    private let whenFailing: @Sendable (FileError) -> Void
    private let state = Guarded(State())
    /// Whether a reader that does not read is no longer waited for.
    private let isToEnd = Guarded(false)

    /// Bytes that a pipe takes at once when it takes any: `PIPE_BUF` of Linux.
    private static let pieceOfPipe = 4096
    /// Milliseconds between two looks at whether to go on waiting for a reader.
    private static let patience: Int32 = 50

    /// Lines for a descriptor somebody else opened, such as standard output.
    package init(descriptor: Int32, name: String, whenFailing: @escaping @Sendable (FileError) -> Void = { _ in }) {
        self.descriptor = descriptor
        self.name = name
        self.whenFailing = whenFailing
        isOwned = false
        isRegular = false
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        isWaitedFor = isKnown && status.st_mode & S_IFMT != S_IFREG
        isPipe = isKnown && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Lines for a new file, or one that is there and empty.
    ///
    /// - Throws: ``FileError`` where it can't be opened or holds something already.
    package init(newFile path: String, whenFailing: @escaping @Sendable (FileError) -> Void = { _ in })
        throws(FileError)
    {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileError(path: path, reason: reasonOfLastError()) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_size == 0 else {
            close(descriptor)
            throw FileError(path: path, reason: "is not empty; a ledger is begun in a new file")
        }
        self.descriptor = descriptor
        self.whenFailing = whenFailing
        name = path
        isOwned = true
        isWaitedFor = false
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isPipe = status.st_mode & S_IFMT == S_IFIFO
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// Why writing ended early; nil while it has not.
    package var failure: FileError? { state.withLock { $0.failure } }
    /// Lines that came after the failure or with it.
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
            // Where even that fails, the torn line stays and `verify` names it.
            if isRegular { _ = ftruncate(descriptor, state.whole) }
            return failure
        }
    }

    /// Gives a reader that does not read up: what it has not taken soon is lost.
    package func end() {
        isToEnd.withLock { $0 = true }
    }

    /// - Returns: how many bytes were written; fewer than all where `errno` says why.
    private func writeAll(_ bytes: UnsafeRawBufferPointer) -> Int {
        var written = 0
        while written < bytes.count {
            guard !isWaitedFor || waitUntilWritable() else { return written }
            let piece = isWaitedFor ? min(Self.pieceOfPipe, bytes.count - written) : bytes.count - written
            let count = unsafe systemWrite(descriptor, bytes.baseAddress! + written, piece)
            if count > 0 {
                written += count
            } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
                return written
            }
        }
        return written
    }

    /// Waits for a reader, unless it has been given up.
    ///
    /// Whoever shares a pipe may have made it non-blocking; one that is not is only written to when it takes what comes,
    /// so that no write ever keeps the program from ending.
    private func waitUntilWritable() -> Bool {
        while true {
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let ready = unsafe poll(&request, 1, Self.patience)
            if ready > 0 || (ready < 0 && errno != EINTR) { return true }
            if ready == 0, isToEnd.withLock({ $0 }) {
                errno = ETIMEDOUT
                return false
            }
        }
    }

    private static func countLines(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        unsafe bytes.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    }
}

/// The system's `write`, outside the type whose method hides it.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
