import JuiceStand
import Platform
import TextFormats

/// The ledger of a running stand: locked, appended to, and cut back to its last whole line if a write fails.
///
/// From the first line that can't be written on, lines are left out, so that the file has no gap. With a state,
/// ``LedgerMending`` writes them later.
package final class LedgerFile: LineSink {
    private struct State {
        var file: DiskFile
        /// Bytes up to the end of the last whole line.
        var whole: Int
        /// The number of the last line written.
        var last: UInt64
        var line: [UInt8]
        /// Earlier files of the ledger that may not be on the disk yet.
        var older: [DiskFile] = []
        /// Whether a torn line follows the whole ones.
        var isTorn: Bool
    }

    /// Lines that are left out at the end.
    private struct Missing {
        /// Why lines are left out; nil if none are.
        var failure: FileError?
        var lines: UInt64 = 0
    }

    package let path: String
    /// The number of the first line of the ledger's first file.
    package let began: UInt64
    /// Locked during writes to the disk.
    private let state: Guarded<State>
    /// Never locked during a write, so that readers need not wait for the disk.
    private let missing = Guarded(Missing())
    private let whenFailing: @Sendable (FileError) -> Void

    /// - Parameters:
    ///   - file: Open for appending, and locked.
    ///   - reading: The content of the file; nil if it is empty. A torn line is cut.
    ///   - last: The number of the line before the first that will be written.
    ///   - line: That line, if it is known.
    ///   - began: The number of the first line of the ledger's first file.
    ///   - whenFailing: Called once, with the first line that can't be written.
    init(
        _ file: DiskFile, continuing reading: LedgerReading? = nil, after last: UInt64, line: [UInt8] = [],
        began: UInt64, whenFailing: @escaping @Sendable (FileError) -> Void
    ) {
        path = file.path
        self.began = began
        self.whenFailing = whenFailing
        state = Guarded(
            State(
                file: file, whole: reading?.length ?? 0, last: last, line: line, isTorn: reading?.torn ?? 0 > 0))
    }

    /// Why lines are missing at the end; nil if none are.
    package var failure: FileError? { missing.withLock { $0.failure } }
    package var linesMissing: UInt64 { missing.withLock { $0.lines } }

    /// Why lines are missing, and how many, as a sentence; empty if none are.
    package var causes: [String] {
        let (failure, lines) = missing.withLock { ($0.failure, $0.lines) }
        guard let failure else { return [] }
        return [
            "ledger: \(failure.path): \(failure.reason); yet to be written: \(Columns.counted(Int(lines), "line"))"
        ]
    }

    /// The number of the last line in the file.
    package var last: UInt64 { state.withLock { $0.last } }
    package var line: String? { state.withLock { $0.line.isEmpty ? nil : String(decoding: $0.line, as: UTF8.self) } }

    /// Returns when all lines and the names of their files are on the disk.
    package func synchronize() throws(FileError) {
        let (older, file) = state.withLock { ($0.older, $0.file) }
        try DiskFile.synchronize(older + [file])
        // Lines are no longer written to the older files. `file` may have been written to meanwhile, and moved away.
        state.withLock { state in state.older.removeAll { file in older.contains { $0 === file } } }
    }

    /// Adds earlier files that a start has found, and that may not be on the disk yet.
    func add(older files: [DiskFile]) { state.withLock { $0.older += files } }

    /// Leaves lines out from now on, because the changes they report may not last.
    package func withhold(_ reason: FileError) { missing.withLock { $0.failure = $0.failure ?? reason } }

    /// Lets another stand write the ledger.
    package func unlock() { state.withLock { $0.file.unlock() } }
}

// MARK: - Writing

extension LedgerFile {
    package func write(_ lines: RawSpan) {
        let lines = unsafe lines.withUnsafeBytes { unsafe Array($0) }
        let failure = state.withLock { state -> FileError? in
            let last = state.last
            let failure = self.failure == nil ? append(lines[...], &state) : nil
            missing.withLock { missing in
                missing.failure = missing.failure ?? failure
                guard missing.failure != nil else { return }
                missing.lines += UInt64(LedgerLines.count(lines[...])) - (state.last - last)
            }
            return failure
        }
        if let failure { whenFailing(failure) }
    }

    /// Writes the missing ones of the lines, in order.
    ///
    /// - Throws: ``FileError`` if they still can't be written.
    func mend(_ lines: LedgerLines) throws(FileError) {
        let failure = state.withLock { state in
            var missing = lines
            missing.remove(through: state.last)
            return append(missing.bytes, &state)
        }
        guard let failure else { return }
        missing.withLock { $0.failure = failure }
        throw failure
    }

    /// No line is missing any more.
    package func endMending() { missing.withLock { $0 = Missing() } }

    func cutTornLine() { state.withLock { state in if state.isTorn { _ = cut(&state) } } }

    /// - Returns: Why not all of the lines could be written.
    private func append(_ lines: ArraySlice<UInt8>, _ state: inout State) -> FileError? {
        // A torn line stays until lines are known that follow the whole ones.
        guard !lines.isEmpty else { return nil }
        if state.isTorn, let failure = cut(&state) { return failure }
        let (written, failure) = unsafe lines.withUnsafeBytes { unsafe state.file.append($0) }
        var whole = lines.prefix(written)
        while let byte = whole.last, byte != UInt8(ascii: "\n") { whole.removeLast() }
        if !whole.isEmpty {
            let line = whole.dropLast()
            state.line = Array(line[((line.lastIndex(of: UInt8(ascii: "\n")) ?? line.startIndex - 1) + 1)...])
            state.last += UInt64(LedgerLines.count(whole))
            state.whole += whole.count
        }
        state.isTorn = written > whole.count
        // If even that fails, the next write tries again.
        if state.isTorn { _ = cut(&state) }
        return failure
    }

    private func cut(_ state: inout State) -> FileError? {
        do throws(FileError) {
            try state.file.truncate(to: state.whole)
            state.isTorn = false
            return nil
        } catch {
            return error
        }
    }
}

// MARK: - Reopening

extension LedgerFile {
    /// Goes on in the file that has the ledger's name now, after the old one was moved away; a new file is created.
    ///
    /// - Returns: The number of the first line of the new file; nil if the old one still has its name.
    /// - Throws: ``FileError``; the ledger then goes on in the old file.
    package func reopen() throws(FileError) -> UInt64? {
        try state.withLock { state throws(FileError) in
            let file = try LedgerFiles.open(path, on: state.file.disk)
            let status = try file.status()
            guard try status.identity != state.file.status().identity else { return nil }
            try file.lockOrThrow()
            guard status.size == 0 else {
                throw FileError(path: path, reason: "is not empty; the ledger goes on in the file of before")
            }
            if state.isTorn, let failure = cut(&state) { throw failure }
            state.older.append(state.file)
            state.file = file
            state.whole = 0
            return state.last + 1
        }
    }
}
