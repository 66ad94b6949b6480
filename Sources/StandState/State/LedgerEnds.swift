import Platform

/// A ledger whose files are cut to their last whole lines, which must be those of the replay.
struct LedgerEnds {
    /// The files in order. The ledger continues in the last one.
    private let files: [LedgerReading]
    /// The number of the last line that they have.
    let last: UInt64
    /// The last line of each file; empty if it has none.
    private let ends: [[UInt8]]
    /// The lines that a power cut took from the end of each file but the last.
    private var lost: [[UInt8]]
    /// The torn line of a last file that has no whole line. The line after ``last`` must begin with it.
    private let torn: [UInt8]

    init(_ files: [LedgerReading], last: UInt64) throws(FileError) {
        self.files = files
        self.last = last
        var ends: [[UInt8]] = []
        for file in files { ends.append(try file.lastLine()) }
        self.ends = ends
        lost = files.map { _ in [] }
        torn = files.last?.first == nil ? try files.last?.tornLine() ?? [] : []
    }

    /// Compares the lines of a replay with the ends of the files, and keeps those that a file has lost.
    ///
    /// - Returns: The lines after ``last``.
    mutating func take(_ lines: LedgerLines) throws(StateError) -> LedgerLines {
        var lines = lines
        while case let number = lines.first, number <= last, let line = lines.next() {
            guard let place = files.firstIndex(where: { number <= $0.last ?? 0 }) else { continue }
            let file = files[place]
            if number < file.first ?? 0, place > 0 {
                lost[place - 1] += line
            } else if number == file.last, !line.dropLast().elementsEqual(ends[place]) {
                throw .foreignLedger(line, number: number, in: file.file, at: file.startOfLastLine)
            }
        }
        var rest = lines
        if rest.first == last + 1, let line = rest.next() { try compareTornLine(with: line) }
        return lines
    }

    /// - Parameter line: The line after ``last``; nil if there is none.
    func compareTornLine(with line: @autoclosure () -> ArraySlice<UInt8>?) throws(StateError) {
        guard !torn.isEmpty, let file = files.last?.file else { return }
        guard let line = line() else {
            throw .foreignLedger(place: file.path, reason: "ends within a line that the stand did not write")
        }
        if !line.starts(with: torn) { throw .foreignLedger(line, number: last + 1, in: file, at: 0) }
    }

    /// Mends the files that were moved away: cuts torn lines, and appends what was lost.
    ///
    /// - Returns: All files but the last, which may not be on the disk yet, and whether each was changed.
    func mendOlderFiles(on disk: any Disk) throws(FileError) -> [(file: DiskFile, isMended: Bool)] {
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

extension StateError {
    /// A file of the ledger does not have a line, with its line feed, that the replay has.
    static func foreignLedger(
        _ line: ArraySlice<UInt8>, number: UInt64, in file: DiskFile, at offset: Int
    ) -> StateError {
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        return .foreignLedger(place: "\(file.path): byte \(offset)", reason: "line \(number) must be \(text)")
    }
}
