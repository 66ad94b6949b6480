import JuiceStand
import Platform

/// Takes the lines of a replay along a ledger whose files are cut to their last whole lines.
///
/// The last line of each file must be the replay's. Lines that a power cut took from the end of a file which was moved
/// away are kept for it, and the lines after the last one are passed on.
final class LedgerEnds: LineSink {
    private struct State {
        /// The number of the next line.
        var next: UInt64
        /// The lines that each file but the last has lost at its end.
        var lost: [[UInt8]]
        /// The beginning of a line in a file without a whole one, which must be that of the line after the last.
        var torn: [UInt8]
        var difference: StateError?
    }

    private let files: [LedgerReading]
    /// The last line of each file; empty if it has none.
    private let ends: [[UInt8]]
    /// The number of the last line that the ledger has.
    let last: UInt64
    private let rest: any LineSink
    private let state: Guarded<State>

    /// - Parameters:
    ///   - files: In order; the last is the one that is written on.
    ///   - last: The number of the last line that they have.
    ///   - sequence: The number of the line before the first of the replay.
    ///   - rest: Takes the lines after `last`.
    init(
        _ files: [LedgerReading], last: UInt64, after sequence: UInt64, rest: any LineSink
    ) throws(FileError) {
        self.files = files
        self.last = last
        self.rest = rest
        var ends: [[UInt8]] = []
        for file in files { ends.append(try file.lastLine()) }
        self.ends = ends
        let torn = files.last?.first == nil ? try files.last?.tornLine() ?? [] : []
        state = Guarded(State(next: sequence + 1, lost: files.map { _ in [] }, torn: torn))
    }

    /// The first line that differs; nil if none does.
    var difference: StateError? { state.withLock { $0.difference } }
    /// Whether the replay has yet to reach the line whose beginning a file has.
    var isTornLineOpen: Bool { state.withLock { !$0.torn.isEmpty } }

    /// Compares the line after the last one, without passing it on. There may be none.
    func look(ahead lines: [UInt8]) {
        let line = lines.prefix { $0 != UInt8(ascii: "\n") }
        state.withLock { state in
            if !line.isEmpty { return compareTornLine(line, &state) }
            state.difference = .foreignLedger(
                place: files.last?.file.path ?? "", reason: "ends within a line that the stand did not write")
        }
    }

    func write(_ lines: RawSpan) {
        var bytes = unsafe lines.withUnsafeBytes { unsafe Array($0) }[...]
        state.withLock { state in
            while state.next <= last, state.difference == nil, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                take(bytes[..<end], &state)
                state.next += 1
                bytes = bytes[(end + 1)...]
            }
            if !bytes.isEmpty, state.difference == nil {
                compareTornLine(bytes.prefix { $0 != UInt8(ascii: "\n") }, &state)
            }
        }
        if !bytes.isEmpty, difference == nil { unsafe rest.write(bytes.span.bytes) }
    }

    /// Takes a line that the ledger has, or has lost.
    private func take(_ line: ArraySlice<UInt8>, _ state: inout State) {
        guard let place = files.firstIndex(where: { state.next <= $0.last ?? 0 }) else { return }
        if state.next < files[place].first ?? 0, place > 0 {
            state.lost[place - 1] += line + [UInt8(ascii: "\n")]
        } else if state.next == files[place].last, !line.elementsEqual(ends[place]) {
            state.difference = differs(line, number: state.next, in: files[place], at: files[place].startOfLastLine)
        }
    }

    private func compareTornLine(_ line: ArraySlice<UInt8>, _ state: inout State) {
        guard !state.torn.isEmpty, let file = files.last else { return }
        if !line.starts(with: state.torn) { state.difference = differs(line, number: last + 1, in: file, at: 0) }
        state.torn = []
    }

    private func differs(
        _ line: ArraySlice<UInt8>, number: UInt64, in file: LedgerReading, at offset: Int
    ) -> StateError {
        .foreignLedger(
            place: "\(file.file.path): byte \(offset)",
            reason: "line \(number) must be \(String(decoding: line, as: UTF8.self))")
    }

    /// Mends the files that were moved away: cuts torn lines, and appends what was lost.
    ///
    /// - Returns: These files, which may not be on the disk yet, and whether each was changed.
    func mendOlderFiles(on disk: any Disk) throws(FileError) -> [(file: DiskFile, isMended: Bool)] {
        let lost = state.withLock { $0.lost }
        var older: [(DiskFile, Bool)] = []
        for (file, lines) in zip(files, lost).dropLast() {
            guard file.torn > 0 || !lines.isEmpty else {
                older.append((file.file, false))
                continue
            }
            let mended = try LedgerFiles.openLocked(file.file.path, on: disk)
            try mended.truncate(to: file.length)
            try mended.append(lines)
            older.append((mended, true))
        }
        return older
    }
}
