import JuiceStand
import Platform

/// Takes the lines of a replay: compares those that the ledger has, keeps those that it lost between two files, and
/// passes the later ones on.
final class LedgerComparison: LineSink {
    /// A file of the ledger as it was found.
    private struct File {
        let reading: LedgerReading
        /// The number of its first line, or of the one that it would have.
        let first: UInt64
        /// The number of its last line; `first` - 1 if it has none.
        let last: UInt64
        /// The beginning of a line that was not written to its end.
        let torn: [UInt8]
    }

    private struct State {
        /// The number of the next line.
        var next: UInt64
        /// The file that must have it, and where.
        var file = 0
        var offset: Int
        var compared: UInt64 = 0
        /// Files whose torn line was compared.
        var tails = 0
        /// The lines that each file but the last has lost at its end.
        var lost: [[UInt8]]
        /// Whether the lines after the last one are left out.
        var isLookingAhead = false
        var difference: StateError?
    }

    private let files: [File]
    /// The number of the first line that is compared.
    let first: UInt64
    /// The number of the last line that the ledger has.
    let last: UInt64
    private let rest: (any LineSink)?
    private let state: Guarded<State>

    /// - Parameters:
    ///   - files: The ledger's files as they were found, in order. Lines before the first of them are not compared.
    ///   - last: The number of the last line that the ledger has.
    ///   - sequence: The number of the line before the first of the replay.
    ///   - rest: Takes the lines after `last`; nil if torn and lost lines are differences.
    init(
        _ readings: [LedgerReading], last: UInt64, after sequence: UInt64, rest: (any LineSink)? = nil
    ) throws(FileError) {
        var files: [File] = []
        for reading in readings {
            let torn = rest == nil ? [] : try reading.tornLine()
            files.append(
                File(
                    reading: reading, first: reading.first ?? last + 1, last: reading.last ?? last, torn: torn))
        }
        self.files = files
        first = max(sequence + 1, files.first?.first ?? last + 1)
        self.last = last
        self.rest = rest
        state = Guarded(
            State(
                next: sequence + 1, offset: try readings.first?.offset(of: sequence + 1) ?? 0,
                lost: files.map { _ in [] }))
    }

    /// How many lines were equal.
    var compared: UInt64 { state.withLock { $0.compared } }
    /// The first line that differs; nil if none does.
    var difference: StateError? { state.withLock { $0.difference } }
    /// Whether the last file ends with a torn line that the replay has not reached.
    var hasTornLineLeft: Bool { state.withLock { files.last?.torn.isEmpty == false && $0.tails < files.count } }

    /// Passes no more lines on.
    func lookAhead() { state.withLock { $0.isLookingAhead = true } }

    func write(_ lines: RawSpan) {
        var bytes = unsafe lines.withUnsafeBytes { unsafe Array($0) }[...]
        let isLookingAhead = state.withLock { state in
            while !bytes.isEmpty, state.difference == nil {
                if state.next < first, state.next <= last {
                    bytes = bytes[((bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex - 1) + 1)...]
                    state.next += 1
                } else if state.file < files.count, state.next <= files[state.file].last {
                    bytes = compare(bytes, &state)
                } else if state.file < files.count {
                    compareTornLine(bytes, &state)
                    guard state.file < files.count - 1 else { break }
                    bytes = passEnd(bytes, &state)
                } else {
                    break
                }
            }
            return state.isLookingAhead
        }
        if !bytes.isEmpty, difference == nil, !isLookingAhead { unsafe rest?.write(bytes.span.bytes) }
    }

    /// Compares a file's torn line with the line that it must be the beginning of.
    private func compareTornLine(_ bytes: ArraySlice<UInt8>, _ state: inout State) {
        guard state.tails == state.file else { return }
        state.tails += 1
        let file = files[state.file]
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        guard !line.starts(with: file.torn) else { return }
        state.difference = .foreignLedger(
            place: "\(file.reading.file.path): byte \(file.reading.length)",
            reason: "line \(file.last + 1) must be \(String(decoding: line, as: UTF8.self))")
    }

    /// Goes on in the next file, or keeps a line that neither file has.
    ///
    /// - Returns: The lines after it.
    private func passEnd(_ bytes: ArraySlice<UInt8>, _ state: inout State) -> ArraySlice<UInt8> {
        if state.next >= files[state.file + 1].first {
            state.file += 1
            state.offset = 0
            return bytes
        }
        guard rest != nil else {
            state.difference = .foreignLedger(
                place: files[state.file].reading.file.path,
                reason: "line \(state.next) is missing, the next file begins with line \(files[state.file + 1].first)")
            return []
        }
        let end = (bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex - 1) + 1
        state.lost[state.file] += bytes[..<end]
        state.next += 1
        return bytes[end...]
    }

    /// Mends the files that were moved away: cuts torn lines, and appends what was lost.
    ///
    /// - Returns: These files, which may not be on the disk yet.
    func mendOlderFiles(on disk: any Disk) throws(FileError) -> [DiskFile] {
        let lost = state.withLock { $0.lost }
        var older: [DiskFile] = []
        for (file, lines) in zip(files, lost).dropLast() {
            guard file.reading.torn > 0 || !lines.isEmpty else {
                older.append(file.reading.file)
                continue
            }
            let mended = try LedgerFiles.openLocked(file.reading.file.path, on: disk)
            try mended.truncate(to: file.reading.length)
            try mended.append(lines)
            older.append(mended)
        }
        return older
    }

    /// Compares lines with those of one file.
    ///
    /// - Returns: The lines after the end of the file.
    private func compare(_ bytes: ArraySlice<UInt8>, _ state: inout State) -> ArraySlice<UInt8> {
        let file = files[state.file].reading
        let there: [UInt8]
        let count = min(bytes.count, file.length - state.offset)
        do throws(FileError) { there = try file.file.read(at: state.offset, count: count) } catch {
            state.difference = .system(error)
            return []
        }
        var place = bytes.startIndex
        var (lineStart, lineOffset) = (place, state.offset)
        for byte in there {
            guard byte == bytes[place] else { break }
            place += 1
            if byte == UInt8(ascii: "\n") {
                state.next += 1
                state.compared += 1
                (lineStart, lineOffset) = (place, state.offset + place - bytes.startIndex)
            }
        }
        guard !there.isEmpty, place == bytes.startIndex + there.count else {
            let line = bytes[lineStart...].prefix { $0 != UInt8(ascii: "\n") }
            state.difference = .foreignLedger(
                place: "\(file.file.path): byte \(lineOffset)",
                reason: "line \(state.next) must be \(String(decoding: line, as: UTF8.self))")
            return []
        }
        state.offset += there.count
        return bytes[place...]
    }
}
