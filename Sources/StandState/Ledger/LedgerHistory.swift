import JuiceStand
import Platform
import TextFormats

/// The lines of a ledger on the disk, for readers that are further behind than the memory reaches.
package struct LedgerHistory: Sendable {
    /// Where a reader has come to in the files.
    package struct Place: Sendable {
        fileprivate var path: String
        fileprivate var offset: Int
    }

    /// Lines that a reader asked for.
    package struct Lines: Sendable {
        package var bytes: [UInt8]
        /// The number of the last of them.
        package var last: UInt64
        /// Where the next line begins, unless the file ends there.
        package var end: Place
    }

    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Whole lines after the one numbered `sequence`: at most `limit` bytes, but at least one line.
    ///
    /// - Parameter place: Where the lines before them ended; nil if that is not known.
    /// - Returns: nil if the line is not there.
    /// - Complexity: O(1) reads at a known place and at the beginning of a file; else O(log *n* + *m*) for *n* bytes of
    ///   ledger and *m* files in its folder.
    /// - Throws: ``FileError`` if a file can't be read.
    package func lines(after sequence: UInt64, limit: Int, from place: Place? = nil) throws(FileError) -> Lines? {
        if let place, let reading = try file(at: place.path),
            let lines = try lines(after: sequence, limit: limit, in: reading, at: place.offset)
        {
            return lines
        }
        guard let reading = try file(with: sequence + 1) else { return nil }
        return try lines(after: sequence, limit: limit, in: reading, at: reading.offset(of: sequence + 1))
    }

    /// - Returns: nil if another line is there, or none: the file may have been moved away.
    private func lines(
        after sequence: UInt64, limit: Int, in reading: LedgerReading, at offset: Int
    ) throws(FileError) -> Lines? {
        guard offset < reading.length else { return nil }
        let bytes = try reading.lines(at: offset, limit: limit)
        guard LedgerLine.sequence(bytes) == sequence + 1 else { return nil }
        let end = Place(path: reading.file.path, offset: offset + bytes.count)
        return Lines(bytes: bytes, last: sequence + UInt64(LedgerLines.count(bytes[...])), end: end)
    }

    /// The file that holds a line, if any does.
    ///
    /// Each file ends with the line before the first one of the next. A file of another ledger does not fit.
    private func file(with sequence: UInt64) throws(FileError) -> LedgerReading? {
        let current = try file(at: path)
        if let first = current?.first, first <= sequence { return current }
        let beside = try LedgerFiles.beside(path, on: SystemDisk())
        // The present file may be empty, or moved away a moment ago.
        var next = current?.first ?? beside.first.map { $0.last! + 1 } ?? 0
        while let before = beside.first(where: { $0.last! + 1 == next }) {
            next = before.first!
            if next <= sequence { return before }
        }
        return nil
    }

    /// Opens the file at `path`; nil if there is none.
    private func file(at path: String) throws(FileError) -> LedgerReading? {
        do throws(FileError) { return try LedgerReading(path) } catch {
            if error.isMissing { return nil }
            throw error
        }
    }
}
