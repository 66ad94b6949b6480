import JuiceStand

/// The lines of a ledger that are on the disk, for those who follow the stand and have missed some.
struct LedgerHistory: Sendable {
    let path: String

    /// nil where the ledger is no file that can be read again, such as a pipe.
    init?(_ file: LedgerFile) {
        guard file.isRegular else { return nil }
        path = file.path
    }

    /// Whole lines after the one numbered `sequence`: at most `limit` bytes, but at least one line.
    ///
    /// - Returns: the lines and the number of the last of them; nil where the line wanted is not there.
    /// - Complexity: O(log *n* + *m*) reads for *n* bytes of ledger and *m* rotated files
    /// - Throws: ``FileError`` where a file can't be read, or is rotated just then.
    func lines(after sequence: UInt64, limit: Int) throws(FileError) -> (bytes: [UInt8], last: UInt64)? {
        guard let file = try file(with: sequence + 1), file.first ?? .max <= sequence + 1, file.last ?? 0 > sequence
        else { return nil }
        let bytes = try file.lines(at: file.offset(of: sequence + 1), limit: limit)
        return (bytes, sequence + UInt64(bytes.count { $0 == UInt8(ascii: "\n") }))
    }

    /// The file in which a line is if it is in any: the last that does not begin after it.
    private func file(with sequence: UInt64) throws(FileError) -> LedgerReading? {
        let current = try LedgerReading(DiskFile(path, .reading))
        if let first = current.first, first <= sequence { return current }
        let name = LedgerFiles.rotated(path, first: sequence)
        return try LedgerFiles.rotated(path).last { $0 <= name }
            .map { path throws(FileError) in try LedgerReading(DiskFile(path, .reading)) }
    }
}
