import JuiceStand
import Platform
import TextFormats

/// The ledger of a running stand: locked, appended to, rotated, and cut back to its last whole line if a write fails.
///
/// From the first line that can't be written on, lines are left out, so that the file has no gap. With a state,
/// ``LedgerMending`` writes them later.
package final class LedgerFile: LineSink {
    struct State {
        var file: DiskFile
        /// Bytes up to the end of the last whole line.
        var whole: Int
        /// The numbers of the file's first line and of the last one written.
        var first: UInt64
        var last: UInt64
        var line: [UInt8]
        /// Rotated files that may not be on the disk yet.
        var unsynchronized: [DiskFile] = []
        /// The span of ``LedgerRotation/age`` that the file's lines belong to.
        var span: Int
        /// Whether a torn line follows the whole ones.
        var isTorn: Bool
        var failure: FileError?
        var rotationFailure: FileError?
        /// Whether the last rotated file is removed as soon as the one after it has a line.
        var isLastToGo = false
        var linesMissing: UInt64 = 0
    }

    package let path: String
    let rotation: LedgerRotation
    /// Locked during writes to the disk.
    let state: Guarded<State>
    /// A copy of ``causes``, so that readers need not wait for the disk.
    private let knownCauses = Guarded<[String]>([])
    /// Whether a state builds on the ledger, so that rotated files are kept open until they are on the disk.
    let hasState: Bool
    private let whenFailing: @Sendable (FileError) -> Void
    let now: @Sendable () -> Int

    /// - Parameters:
    ///   - file: Open for appending, and locked.
    ///   - reading: What it holds already; a torn line is cut.
    ///   - last: The number of the line before the first that will be written.
    ///   - line: That line, if it is known.
    ///   - now: Seconds since 1970.
    ///   - whenFailing: Called once, with the first line that can't be written.
    package init(
        _ file: DiskFile, continuing reading: LedgerReading? = nil, after last: UInt64, line: [UInt8] = [],
        rotation: LedgerRotation, hasState: Bool,
        now: @escaping @Sendable () -> Int, whenFailing: @escaping @Sendable (FileError) -> Void
    ) throws(FileError) {
        path = file.path
        self.rotation = rotation
        self.hasState = hasState
        self.now = now
        self.whenFailing = whenFailing
        let length = reading?.length ?? 0
        let changed = try file.status().changed
        let span = rotation.age.map { (length > 0 ? changed : now()) / $0 } ?? 0
        state = Guarded(
            State(
                file: file, whole: length, first: reading?.first ?? last + 1, last: last, line: line, span: span,
                isTorn: reading?.torn ?? 0 > 0))
    }

    /// Why lines are missing at the end; nil if none are.
    package var failure: FileError? { state.withLock { $0.failure } }
    package var linesMissing: UInt64 { state.withLock { $0.linesMissing } }

    /// What keeps the ledger from being written as it should; empty if nothing does.
    ///
    /// They are as of the last completed write, so a slow disk delays no reader.
    package var causes: [String] { knownCauses.withLock { $0 } }

    /// Changes the state and updates ``causes``.
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            defer { knownCauses.withLock { $0 = causes(of: state) } }
            return body(&state)
        }
    }

    private func causes(of state: State) -> [String] {
        var causes: [String] = []
        // Without a state the stand ends, and names the failure itself.
        if hasState, let failure = state.failure {
            let missing = Columns.counted(Int(state.linesMissing), "line")
            causes.append("ledger: \(failure.path): \(failure.reason); yet to be written: \(missing)")
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
    package var unsynchronized: [DiskFile] { state.withLock { $0.unsynchronized + [$0.file] } }

    /// Rotated files are on the disk.
    package func didSynchronize(_ files: [DiskFile]) {
        state.withLock { state in state.unsynchronized.removeAll { old in files.contains { $0 === old } } }
    }

    /// Leaves lines out from now on, because the changes they report may not last.
    package func withhold(_ reason: FileError) {
        change { $0.failure = $0.failure ?? reason }
    }

    /// Lets another stand write the ledger.
    package func unlock() {
        state.withLock { $0.file.unlock() }
    }
}

// MARK: - Writing

extension LedgerFile {
    package func write(_ lines: RawSpan) {
        let failure = unsafe lines.withUnsafeBytes { bytes in
            change { state -> FileError? in
                guard state.failure == nil else {
                    state.linesMissing += UInt64(unsafe Self.countLines(bytes[...]))
                    return nil
                }
                return unsafe append(bytes, &state)
            }
        }
        if let failure { whenFailing(failure) }
    }

    /// Writes lines that are missing, the next ones in order.
    ///
    /// - Returns: why they still can't be written.
    package func mend(_ lines: RawSpan) -> FileError? {
        unsafe lines.withUnsafeBytes { bytes in
            change { state -> FileError? in
                let missing = state.linesMissing
                defer { state.linesMissing = missing }
                return unsafe append(bytes, &state)
            }
        }
    }

    /// No line is missing any more.
    package func endMending() {
        change {
            $0.failure = nil
            $0.linesMissing = 0
        }
    }

    package func cutTornLine() {
        change { state in if state.isTorn { _ = cut(&state) } }
    }

    /// - Returns: the failure, if not all of the lines could be written.
    private func append(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> FileError? {
        if state.isTorn, let failure = cut(&state) { return fail(failure, unsafe Self.countLines(bytes[...]), &state) }
        // If that fails the file grows on: a long file is better than none.
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
        // If even that fails, the next write tries again.
        if state.isTorn { _ = cut(&state) }
        return failure
    }

    private static func countLines(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        unsafe bytes.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
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
