import JuiceStand
import Platform
import TextFormats

/// The lines of a ledger that are on the disk, for those who follow the stand and have missed some.
package struct LedgerHistory: Sendable {
    /// Where a reader who goes through the files is.
    package struct Place: Sendable {
        fileprivate var path: String
        fileprivate var offset: Int
    }

    /// Lines that were wanted.
    package struct Lines: Sendable {
        package var bytes: [UInt8]
        /// The number of the last of them.
        package var last: UInt64
        /// Where those after them begin, unless a file ends there.
        package var end: Place
    }

    package let path: String

    /// nil where the ledger is no file that can be read again, such as a pipe.
    package init?(_ file: LedgerFile) {
        guard file.isRegular else { return nil }
        path = file.path
    }

    /// Whole lines after the one numbered `sequence`: at most `limit` bytes, but at least one line.
    ///
    /// - Parameter place: Where the lines before them ended; nil where that is not known.
    /// - Returns: nil where the line wanted is not there.
    /// - Complexity: O(1) reads at a place that is known, or where one file ends and another begins; else O(log *n* + *m*)
    ///   for *n* bytes of ledger and *m* rotated files
    /// - Throws: ``FileError`` where a file can't be read, or is rotated just then.
    package func lines(after sequence: UInt64, limit: Int, from place: Place? = nil) throws(FileError) -> Lines? {
        if let place, let reading = try file(at: place.path),
            let lines = try lines(after: sequence, limit: limit, in: reading, at: place.offset)
        {
            return lines
        }
        guard let reading = try file(with: sequence + 1), reading.first ?? .max <= sequence + 1,
            reading.last ?? 0 > sequence
        else { return nil }
        return try lines(after: sequence, limit: limit, in: reading, at: reading.offset(of: sequence + 1))
    }

    /// - Returns: nil where another line is there, or none: the file may have been moved away.
    private func lines(
        after sequence: UInt64, limit: Int, in reading: LedgerReading, at offset: Int
    ) throws(FileError) -> Lines? {
        guard offset < reading.length else { return nil }
        let bytes = try reading.lines(at: offset, limit: limit)
        guard LedgerReading.sequence(bytes) == sequence + 1 else { return nil }
        let count = UInt64(bytes.count { $0 == UInt8(ascii: "\n") })
        return Lines(
            bytes: bytes, last: sequence + count,
            end: Place(path: reading.file.path, offset: offset + bytes.count))
    }

    /// The file in which a line is if it is in any: the last that does not begin after it.
    private func file(with sequence: UInt64) throws(FileError) -> LedgerReading? {
        // Who goes through all of them comes from the end of one to the beginning of the next.
        let name = LedgerFiles.rotated(path, first: sequence)
        if let next = try file(at: name) { return next }
        let current = try LedgerReading(DiskFile(path, .reading))
        if let first = current.first, first <= sequence { return current }
        return try LedgerFiles.rotated(path).last { $0 <= name }
            .map { path throws(FileError) in try LedgerReading(DiskFile(path, .reading)) }
    }

    /// nil where there is no such file.
    private func file(at path: String) throws(FileError) -> LedgerReading? {
        do throws(FileError) { return try LedgerReading(DiskFile(path, .reading)) } catch {
            if error.isMissing { return nil }
            throw error
        }
    }
}
