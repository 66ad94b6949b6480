import JuiceStand
import Platform
import TextFormats

/// When a ledger's file is full, and how many full ones are kept.
package struct LedgerRotation: Equatable, Sendable {
    /// Bytes.
    package var size: Int?
    /// Seconds; a file ends with a whole multiple of it since 1970.
    package var age: Int?
    /// nil is all.
    package var keep: Int?

    package init() {}
}

/// The ledger on the disk: appended to, rotated, and never torn.
///
/// Lines that can't be written are left out from the first one on, so that a file has no hole; with a state they are
/// written again later, see ``LedgerMending``.
package final class LedgerFile: LineSink {
    private struct State {
        var file: DiskFile
        /// Bytes up to the last whole line.
        var whole: Int
        /// The number of the first line in the file and of the last one written.
        var first: UInt64
        var last: UInt64
        /// The last line.
        var line: [UInt8]
        /// Rotated files that may not be on the disk yet.
        var unsynchronized: [DiskFile] = []
        /// Which span of ``LedgerRotation/age`` the file's lines are of.
        var span: Int
        /// Whether a torn line is behind the whole ones.
        var isTorn: Bool
        var failure: FileError?
        var rotationFailure: FileError?
        /// Whether the last full file is to go once the one after it has a line.
        var isLastToGo = false
        var linesMissing: UInt64 = 0
    }

    package let path: String
    private let rotation: LedgerRotation
    /// Whether it is a file whose lines can be read again.
    package let isRegular: Bool
    private let state: Guarded<State>
    /// Whether a state builds on what has been written, so that files are held until they are on the disk.
    private let hasState: Bool
    private let whenFailing: @Sendable (FileError) -> Void
    private let now: @Sendable () -> Int

    /// - Parameters:
    ///   - file: Open for appending.
    ///   - reading: What it held already; a torn line is cut.
    ///   - last: The number of the line before the first that will be written.
    ///   - line: That line, where it is known.
    ///   - now: Seconds since 1970.
    ///   - whenFailing: Called once, with the first line that can't be written.
    package init(
        _ file: DiskFile, continuing reading: LedgerReading?, after last: UInt64, line: [UInt8],
        rotation: LedgerRotation, hasState: Bool,
        now: @escaping @Sendable () -> Int, whenFailing: @escaping @Sendable (FileError) -> Void
    ) throws(FileError) {
        path = file.path
        self.rotation = rotation
        self.hasState = hasState
        self.now = now
        self.whenFailing = whenFailing
        let status = try file.status()
        isRegular = status.isRegular
        let length = reading?.length ?? 0
        let span = rotation.age.map { (length > 0 ? status.changed : now()) / $0 } ?? 0
        state = Guarded(
            State(
                file: file, whole: length, first: reading?.first ?? last + 1, last: last, line: line, span: span,
                isTorn: reading?.torn ?? 0 > 0))
    }

    /// Why lines are missing at the end; nil while none are.
    package var failure: FileError? { state.withLock { $0.failure } }
    package var linesMissing: UInt64 { state.withLock { $0.linesMissing } }
    /// What keeps the ledger from being written as it should; empty where nothing does.
    package var causes: [String] {
        let state = self.state.withLock { $0 }
        var causes: [String] = []
        // Without a state that is the end.
        if hasState, let failure = state.failure {
            causes.append(
                "ledger: \(failure.path): \(failure.reason); yet to be written: \(Columns.counted(Int(state.linesMissing), "line"))"
            )
        }
        if let failure = state.rotationFailure {
            causes.append("ledger: can't be rotated: \(failure.path): \(failure.reason)")
        }
        return causes
    }
    /// The number of the last line in the file.
    package var last: UInt64 { state.withLock { $0.last } }
    package var line: String? { state.withLock { $0.line.isEmpty ? nil : String(decoding: $0.line, as: UTF8.self) } }

    /// The files that a snapshot builds on and that may not be on the disk yet.
    package var unsynchronized: [DiskFile] { isRegular ? state.withLock { $0.unsynchronized + [$0.file] } : [] }

    /// What was rotated is on the disk.
    package func didSynchronize(_ files: [DiskFile]) {
        state.withLock { state in state.unsynchronized.removeAll { old in files.contains { $0 === old } } }
    }

    /// Leaves lines out from now on, because what they tell of may not last.
    package func withhold(_ reason: FileError) {
        state.withLock { $0.failure = $0.failure ?? reason }
    }

    package func write(_ lines: RawSpan) {
        let failure = unsafe lines.withUnsafeBytes { bytes in
            state.withLock { state -> FileError? in
                guard state.failure == nil else {
                    state.linesMissing += UInt64(unsafe Self.countLines(bytes[...]))
                    return nil
                }
                return unsafe append(bytes, &state)
            }
        }
        if let failure { whenFailing(failure) }
    }

    /// - Returns: the failure, if not all of the lines could be written.
    private func append(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> FileError? {
        if state.isTorn, let failure = cut(&state) { return fail(failure, unsafe Self.countLines(bytes[...]), &state) }
        // Where that fails the file grows on: a long file is better than none.
        if isFull(state, adding: bytes.count) { state.rotationFailure = rotate(&state) }
        let (written, failure) = unsafe state.file.append(bytes)
        let newline = UInt8(ascii: "\n")
        let end = failure == nil ? written : (unsafe bytes[..<written].lastIndex(of: newline) ?? -1) + 1
        if end > 0 {
            let start = (unsafe bytes[..<(end - 1)].lastIndex(of: newline) ?? -1) + 1
            state.line = unsafe Array(bytes[start..<(end - 1)])
            state.last += UInt64(unsafe Self.countLines(bytes[..<end]))
            state.whole += end
            if state.isLastToGo {
                state.isLastToGo = false
                state.rotationFailure = remove(keeping: 0)
            }
        }
        guard let failure else { return nil }
        state.isTorn = written > end
        return fail(failure, unsafe Self.countLines(bytes[end...]), &state)
    }

    private func fail(_ failure: FileError, _ lines: Int, _ state: inout State) -> FileError {
        state.failure = failure
        state.linesMissing += UInt64(lines)
        // Where even that fails, it is tried again before the next line is written.
        if state.isTorn { _ = cut(&state) }
        return failure
    }

    private static func countLines(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        unsafe bytes.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    }

    /// Cuts a torn line.
    package func cutTornLine() {
        state.withLock { state in if state.isTorn { _ = cut(&state) } }
    }

    private func cut(_ state: inout State) -> FileError? {
        do throws(FileError) {
            if isRegular { try state.file.truncate(to: state.whole) }
            state.isTorn = false
            return nil
        } catch {
            return error
        }
    }
}

// MARK: - Missing lines

extension LedgerFile {
    /// Writes lines that are missing, the next ones in order.
    ///
    /// - Returns: why they still can't be written.
    package func mend(_ lines: RawSpan) -> FileError? {
        unsafe lines.withUnsafeBytes { bytes in
            state.withLock { state -> FileError? in
                let missing = state.linesMissing
                defer { state.linesMissing = missing }
                return unsafe append(bytes, &state)
            }
        }
    }

    /// Nothing is missing any more.
    package func endMending() {
        state.withLock {
            $0.failure = nil
            $0.linesMissing = 0
        }
    }
}

// MARK: - Rotation

extension LedgerFile {
    private func isFull(_ state: State, adding bytes: Int) -> Bool {
        guard isRegular, state.whole > 0 else { return false }
        if let size = rotation.size, state.whole + bytes > size { return true }
        return rotation.age.map { now() / $0 != state.span } ?? false
    }

    /// Gives the full file its name and begins another one.
    ///
    /// A crash on the way leaves the file with two names or the old name free, and never a line in two files.
    private func rotate(_ state: inout State) -> FileError? {
        let name = LedgerFiles.rotated(path, first: state.first)
        do throws(FileError) {
            if let there = try Self.identity(path) {
                let own = try state.file.status().identity
                guard there == own else { return FileError(path: path, reason: "is another file") }
                if try Self.identity(name) != own { try Folder.link(path, as: name) }
                try Folder.remove(path)
            }
            let file = try DiskFile(path, .appending, mode: 0o644)
            if hasState { state.unsynchronized.append(state.file) }
            begin(file, &state)
        } catch {
            return error
        }
        guard let keep = rotation.keep else { return nil }
        // Until the new file has a line, only the old one tells a start where the ledger goes on.
        state.isLastToGo = keep == 0
        return remove(keeping: max(keep, 1))
    }

    /// Removes the oldest of the full files.
    private func remove(keeping most: Int) -> FileError? {
        do throws(FileError) {
            for old in try LedgerFiles.rotated(path).dropLast(most) { try Folder.remove(old) }
            return nil
        } catch {
            return error
        }
    }

    /// nil where there is no such file.
    private static func identity(_ path: String) throws(FileError) -> DiskFile.Identity? {
        do { return try DiskFile(path, .reading).status().identity } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Goes on in the file that the name stands for now, which whoever moved the old one away may have made.
    ///
    /// - Returns: why it goes on in the old one; nil where it does not, or the name still stands for it.
    package func reopen() -> FileError? {
        state.withLock { state in
            do throws(FileError) {
                let file = try DiskFile(path, .appending, mode: 0o644)
                let status = try file.status()
                guard try status.identity != state.file.status().identity else { return nil }
                guard status.size == 0 else {
                    return FileError(path: path, reason: "is not empty; the ledger goes on in the file of before")
                }
                if hasState { state.unsynchronized.append(state.file) }
                begin(file, &state)
                return nil
            } catch {
                return error
            }
        }
    }

    private func begin(_ file: DiskFile, _ state: inout State) {
        state.file = file
        state.whole = 0
        state.first = state.last + 1
        state.span = rotation.age.map { now() / $0 } ?? 0
    }
}
